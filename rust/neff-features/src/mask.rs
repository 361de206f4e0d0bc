// SPDX-License-Identifier: MIT OR Apache-2.0
//! The 64-bit feature mask as a set of bit numbers.
//!
//! Owns the set operations, the three masks every tool compares with, and the order in which bits
//! and names are listed. What each bit means is in [`bits`](crate::bits). All 64 bits are kept:
//! a bit that is assigned to nothing is reported, never dropped.

use core::fmt;

use crate::bits::{FeatureBit, Label, ASSEMBLY_ORDER};

/// A set of feature bits. Bit n is `1 << n`; printed as `0x…` in lower case without padding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FeatureMask(u64);

impl FeatureMask {
    /// No feature at all.
    pub const EMPTY: Self = Self(0);
    /// The bits this compiler assigns (section 4).
    pub const ASSIGNED: Self = rows_matching(false);
    /// The assigned bits that have a name in `def.json`.
    pub const NAMED: Self = rows_matching(true);
    /// The assigned bits that only the header carries.
    pub const HEADER_ONLY: Self = Self(Self::ASSIGNED.0 & !Self::NAMED.0);

    /// The mask with exactly the bits of `raw`.
    pub const fn new(raw: u64) -> Self {
        Self(raw)
    }

    /// The mask with bit `bit` only; empty when `bit` is above 63.
    pub const fn of(bit: u8) -> Self {
        match 1u64.checked_shl(bit as u32) {
            Some(raw) => Self(raw),
            None => Self(0),
        }
    }

    /// The 64 bits as stored.
    pub const fn raw(self) -> u64 {
        self.0
    }

    /// Whether no bit is set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether bit `bit` is set.
    pub const fn contains(self, bit: u8) -> bool {
        self.0 & Self::of(bit).0 != 0
    }

    /// The bits of either mask.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The bits of both masks.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The bits of this mask that `other` lacks.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The set bits that this compiler assigns to nothing.
    #[must_use]
    pub const fn unassigned(self) -> Self {
        self.without(Self::ASSIGNED)
    }

    /// The numbers of the set bits, ascending.
    pub fn bits(self) -> impl Iterator<Item = u8> {
        (0..64).filter(move |&bit| self.contains(bit))
    }

    /// A printable label for each set bit, ascending.
    pub fn labels(self) -> impl Iterator<Item = Label> {
        self.bits().map(Label::of)
    }

    /// The `def.json` names of the set bits, in the order in which a packager lists them.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.named_rows().filter_map(|row| row.def_json_name)
    }

    /// The table rows of the set bits that have a `def.json` name, in assembly order.
    pub(crate) fn named_rows(self) -> impl Iterator<Item = &'static FeatureBit> {
        ASSEMBLY_ORDER
            .iter()
            .filter(move |row| row.def_json_name.is_some() && self.contains(row.bit))
    }
}

impl fmt::Display for FeatureMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl fmt::Debug for FeatureMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FeatureMask({self})")
    }
}

/// The union of all table rows, or of those with a `def.json` name.
const fn rows_matching(named_only: bool) -> FeatureMask {
    let mut mask = FeatureMask::EMPTY;
    let mut i = 0;
    while i < ASSEMBLY_ORDER.len() {
        if !named_only || ASSEMBLY_ORDER[i].def_json_name.is_some() {
            mask = mask.union(FeatureMask::of(ASSEMBLY_ORDER[i].bit));
        }
        i += 1;
    }
    mask
}

// The golden numbers of section 4.
const _: () = assert!(FeatureMask::ASSIGNED.raw() == 0x373_fffe);
const _: () = assert!(FeatureMask::NAMED.raw() == 0x47fe);
const _: () = assert!(FeatureMask::HEADER_ONLY.raw() == 0x373_b800);
const _: () = assert!(FeatureMask::ASSIGNED.raw().count_ones() as usize == ASSEMBLY_ORDER.len());
