// SPDX-License-Identifier: MIT OR Apache-2.0
//! Feature names and their agreement with the mask (sections 10 and 12).
//!
//! Owns the spellings a `def.json` may use and the consistency rules between header and names. It
//! works on values that somebody else has read; findings go to a callback, unsorted, because
//! nothing here allocates.

use crate::arch::{LAST_WITHOUT_ARCH_BIT, LAST_WITHOUT_DVE_PERF_MODE};
use crate::assemble::RAISED_SCHEMA;
use crate::attributes::ModuleAttribute;
use crate::bits::{self, FeatureBit, ASSEMBLY_ORDER};
use crate::finding::{Code, Finding, Place, What};
use crate::mask::FeatureMask;

/// How a name relates to a bit. Comparison is exact and case-sensitive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// One of the eleven names that belong in `def.json`.
    Name(u8),
    /// The enumeration's spelling of the first feature: read, never written (decision X7).
    Alias(u8),
    /// The attribute name of a bit that only the header carries.
    HeaderOnly(u8),
}

impl Spelling {
    /// Looks a name up.
    pub fn resolve(name: &str) -> Option<Self> {
        if let Some(row) = ASSEMBLY_ORDER
            .iter()
            .find(|row| row.def_json_name == Some(name))
        {
            return Some(Self::Name(row.bit));
        }
        let is_attribute = |row: &&FeatureBit| {
            row.attribute()
                .is_some_and(|attribute| attribute.name() == name)
        };
        let row = ASSEMBLY_ORDER.iter().find(is_attribute)?;
        Some(match row.attribute() {
            Some(ModuleAttribute::CollectiveHasOffset) => Self::Alias(row.bit),
            _ => Self::HeaderOnly(row.bit),
        })
    }

    /// The bit's number.
    pub const fn bit(self) -> u8 {
        match self {
            Self::Name(bit) | Self::Alias(bit) | Self::HeaderOnly(bit) => bit,
        }
    }
}

/// The value of `neff_features` in one `def.json`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listed<'a, S> {
    /// There is no such key.
    KeyMissing,
    /// The value is not an array.
    NotArray,
    /// The elements; `None` for one that is not a string.
    Array(&'a [Option<S>]),
}

/// One core's `def.json`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CoreNames<'a, S> {
    /// Member path, for the findings.
    pub path: &'a str,
    /// What it lists.
    pub listed: Listed<'a, S>,
}

/// What the header declares, and what is known besides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Declared {
    /// The header's mask.
    pub mask: FeatureMask,
    /// The header's schema.
    pub schema_min: u64,
    /// The header's core count; `None` in the `page` layout.
    pub vnc_size: Option<u32>,
    /// ArchLevel from the kelf target, where one is named.
    pub arch: Option<i32>,
}

/// Applies every rule of section 12.
///
/// `all_readable` is false when some `def.json` could not be read: then nothing is concluded from
/// names that no core lists.
pub fn check<'a, S: AsRef<str>>(
    declared: &Declared,
    cores: &[CoreNames<'a, S>],
    all_readable: bool,
    mut report: impl FnMut(Finding<'a>),
) {
    for core in cores {
        check_listed(declared.mask, core, &mut report);
    }
    if all_readable {
        check_coverage(declared.mask, cores, &mut report);
    }
    check_partial(declared.mask, cores, &mut report);
    check_header(declared, &mut report);
}

impl<'a, S: AsRef<str>> CoreNames<'a, S> {
    fn elements(&self) -> &'a [Option<S>] {
        match self.listed {
            Listed::Array(elements) => elements,
            Listed::KeyMissing | Listed::NotArray => &[],
        }
    }

    fn strings(&self) -> impl Iterator<Item = &'a str> {
        self.elements().iter().flatten().map(AsRef::as_ref)
    }

    /// The bits this core lists by name or alias.
    fn named_bits(&self) -> FeatureMask {
        self.strings()
            .filter_map(Spelling::resolve)
            .fold(FeatureMask::EMPTY, |mask, spelling| match spelling {
                Spelling::Name(bit) | Spelling::Alias(bit) => mask.union(FeatureMask::of(bit)),
                Spelling::HeaderOnly(_) => mask,
            })
    }
}

/// The rules for one core's array.
fn check_listed<'a, S: AsRef<str>>(
    mask: FeatureMask,
    core: &CoreNames<'a, S>,
    report: &mut impl FnMut(Finding<'a>),
) {
    let place = Place::Member(core.path);
    let mut raise = |code, what| report(Finding { code, place, what });
    match core.listed {
        Listed::KeyMissing => raise(Code::FeaturesKeyMissing, What::Nothing),
        Listed::NotArray => raise(Code::FeaturesNotArray, What::Nothing),
        Listed::Array(_) => {}
    }
    let mut order = Order::default();
    for (index, element) in core.elements().iter().enumerate() {
        let Some(name) = element.as_ref().map(AsRef::as_ref) else {
            raise(Code::FeatureNotString, What::Index(index));
            continue;
        };
        match occurrences(&core.elements()[..index], name) {
            0 => check_name(mask, name, &mut order, &mut raise),
            1 => raise(Code::DuplicateName, What::Text(name)),
            _ => {}
        }
    }
    if order.broken {
        raise(Code::NameOrder, What::Nothing);
    }
}

fn occurrences<S: AsRef<str>>(elements: &[Option<S>], name: &str) -> usize {
    elements
        .iter()
        .flatten()
        .filter(|element| element.as_ref() == name)
        .count()
}

/// Whether the named bits came in ascending order so far.
#[derive(Default)]
struct Order {
    last: u8,
    broken: bool,
}

impl Order {
    fn see(&mut self, bit: u8) {
        self.broken |= bit < self.last;
        self.last = bit;
    }
}

/// The rules for the first occurrence of a name.
fn check_name<'a>(
    mask: FeatureMask,
    name: &'a str,
    order: &mut Order,
    raise: &mut impl FnMut(Code, What<'a>),
) {
    let what = What::Text(name);
    let Some(spelling) = Spelling::resolve(name) else {
        return raise(Code::UnknownName, what);
    };
    match spelling {
        Spelling::Name(bit) => order.see(bit),
        Spelling::Alias(bit) => {
            order.see(bit);
            raise(Code::AliasName, what);
        }
        Spelling::HeaderOnly(_) => raise(Code::HeaderOnlyName, what),
    }
    if !mask.contains(spelling.bit()) {
        raise(Code::NameWithoutBit, what);
    }
}

/// Every named bit of the header is listed by some core.
fn check_coverage<'a, S: AsRef<str>>(
    mask: FeatureMask,
    cores: &[CoreNames<'a, S>],
    report: &mut impl FnMut(Finding<'a>),
) {
    if cores.is_empty() {
        return report(Finding {
            code: Code::DefJsonMissing,
            place: Place::Archive,
            what: What::Nothing,
        });
    }
    let listed = listed_anywhere(cores);
    for bit in mask.intersection(FeatureMask::NAMED).without(listed).bits() {
        let what = What::Mask(FeatureMask::of(bit));
        report(Finding {
            code: Code::BitWithoutName,
            place: Place::Header,
            what,
        });
    }
}

/// A named bit that one core lists is listed by all.
fn check_partial<'a, S: AsRef<str>>(
    mask: FeatureMask,
    cores: &[CoreNames<'a, S>],
    report: &mut impl FnMut(Finding<'a>),
) {
    let listed = listed_anywhere(cores).intersection(mask);
    for core in cores {
        for name in listed.without(core.named_bits()).names() {
            let (code, place) = (Code::PartialCoreNames, Place::Member(core.path));
            report(Finding {
                code,
                place,
                what: What::Text(name),
            });
        }
    }
}

fn listed_anywhere<S: AsRef<str>>(cores: &[CoreNames<'_, S>]) -> FeatureMask {
    cores.iter().fold(FeatureMask::EMPTY, |mask, core| {
        mask.union(core.named_bits())
    })
}

/// The rules that need no names.
fn check_header<'a>(declared: &Declared, report: &mut impl FnMut(Finding<'a>)) {
    let Declared {
        mask,
        schema_min,
        vnc_size,
        arch,
    } = *declared;
    let mut raise = |code, what| {
        report(Finding {
            code,
            place: Place::Header,
            what,
        })
    };
    for bit in mask.unassigned().bits() {
        raise(Code::UnassignedBit, What::Mask(FeatureMask::of(bit)));
    }
    let schema = What::Number(schema_min);
    if !mask.is_empty() && schema_min < RAISED_SCHEMA {
        raise(Code::SchemaTooLow, schema);
    }
    if mask.is_empty() && schema_min >= RAISED_SCHEMA {
        raise(Code::SchemaWithoutFeatures, schema);
    }
    if schema_min > RAISED_SCHEMA {
        raise(Code::SchemaUnknown, schema);
    }
    if let Some(size) = vnc_size.filter(|&size| mask.contains(bits::VNC) != (size > 1)) {
        raise(Code::VncSizeMismatch, What::Number(u64::from(size)));
    }
    for bit in arch
        .into_iter()
        .flat_map(|arch| mismatched_arch_bits(mask, arch))
    {
        raise(Code::ArchBitMismatch, What::Mask(FeatureMask::of(bit)));
    }
}

/// The architecture bits that contradict `arch`. A clear bit 11 never does: DVE performance mode
/// may have been disabled.
fn mismatched_arch_bits(mask: FeatureMask, arch: i32) -> impl Iterator<Item = u8> {
    let dve = mask.contains(bits::DVE_PERF_MODE) && arch <= LAST_WITHOUT_DVE_PERF_MODE;
    let above_39 = mask.contains(bits::ARCH_ABOVE_39) != (arch > LAST_WITHOUT_ARCH_BIT);
    let dve = dve.then_some(bits::DVE_PERF_MODE);
    dve.into_iter()
        .chain(above_39.then_some(bits::ARCH_ABOVE_39))
}
