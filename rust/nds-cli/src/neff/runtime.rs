// SPDX-License-Identifier: MIT OR Apache-2.0
//! A runtime as the user names it, and its judgement of a file.

use std::fmt;
use std::str::FromStr;

use neff_features::container::Start;
use neff_features::gate::{gate, Capability, Reason, Verdict};
use neff_features::header::{Header, Layout, ReadAs};
use neff_features::libnrt::{admit, Admission, Refusal};
use neff_features::profiles::{Profile, Rule, PROFILES};
use neff_features::FeatureMask;

/// The highest schema that any known runtime reads.
const MAX_SCHEMA: u64 = 2;

/// What a file is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runtime {
    /// A runtime that supports this mask.
    Mask(FeatureMask),
    /// A runtime that is known by name or version.
    Known(&'static Profile),
}

/// The outcome for one file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// Taken; with a remark where the runtime does not look at everything.
    Accepted(Option<&'static str>),
    /// Not taken, for these reasons.
    Rejected(Vec<Objection>),
    /// Nothing to judge: offset and what was expected.
    Unreadable(String),
}

/// One reason against a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Objection {
    /// Offset of the field in the file, in bytes.
    pub(crate) offset: usize,
    /// The code of the reason.
    pub(crate) code: &'static str,
    /// What the runtime would have taken.
    pub(crate) expected: String,
    /// What the file has.
    pub(crate) found: String,
    /// The bits that are refused.
    pub(crate) bits: FeatureMask,
}

impl Runtime {
    /// Judges a file by its header.
    pub(crate) fn judge(self, start: &Start) -> Judgement {
        match self {
            Self::Mask(supported) => by_mask(
                start,
                Capability {
                    supported,
                    max_schema: MAX_SCHEMA,
                },
            ),
            Self::Known(profile) => match profile.rule {
                Rule::Generic => by_mask(start, profile.capability),
                Rule::Libnrt => by_libnrt(start),
            },
        }
    }
}

fn by_mask(start: &Start, runtime: Capability) -> Judgement {
    let header = match Header::read(&start.bytes, ReadAs::Auto) {
        Ok(header) => header,
        Err(short) => return Judgement::Unreadable(format!("offset 0: {short}")),
    };
    if let Some((code, offset, found)) = header.fault() {
        let (name, expected) = (code.as_str(), code.expected());
        return Judgement::Unreadable(format!(
            "offset {offset}: {name}: expected {expected}, found {found}"
        ));
    }
    let verdict = gate(header.mask(), header.schema_min(), &runtime);
    match verdict.accepted() {
        true => Judgement::Accepted(None),
        false => Judgement::Rejected(objections(&verdict, header.layout(), runtime)),
    }
}

fn objections(verdict: &Verdict, layout: Layout, runtime: Capability) -> Vec<Objection> {
    let objection = |reason: Reason| match reason {
        Reason::UnsupportedFeature(bits) => Objection {
            offset: layout.mask_offset(),
            code: reason.code(),
            expected: format!("only bits within {}", runtime.supported),
            found: bits.to_string(),
            bits,
        },
        Reason::SchemaTooNew {
            schema_min,
            max_schema,
        } => Objection {
            offset: layout.schema_offset(),
            code: reason.code(),
            expected: format!("a schema of at most {max_schema}"),
            found: schema_min.to_string(),
            bits: FeatureMask::EMPTY,
        },
    };
    verdict.reasons().map(objection).collect()
}

fn by_libnrt(start: &Start) -> Judgement {
    match admit(&start.bytes, start.file_size) {
        Admission::Accepted { features_examined } => {
            Judgement::Accepted(remark(start, features_examined))
        }
        Admission::Refused(refusal @ Refusal::ShortHeader) => {
            let (offset, length) = (refusal.offset(), start.bytes.len());
            Judgement::Unreadable(format!("offset {offset}: {refusal}, found {length} bytes"))
        }
        Admission::Refused(refusal) => Judgement::Rejected(vec![refused(refusal, start)]),
    }
}

/// What the user should know about a file that is accepted unseen.
fn remark(start: &Start, features_examined: bool) -> Option<&'static str> {
    let header = Header::read(&start.bytes, ReadAs::Auto).ok()?;
    if header.layout() == Layout::Page {
        return Some("the header is in the page layout, which this runtime does not read");
    }
    let unseen = !features_examined && !header.mask().is_empty();
    unseen.then_some("the mask is not examined, because the schema is below 2")
}

fn refused(refusal: Refusal, start: &Start) -> Objection {
    let bits = match refusal {
        Refusal::UnsupportedFeature(bits) => bits,
        _ => FeatureMask::EMPTY,
    };
    let field = start
        .bytes
        .get(refusal.offset()..)
        .and_then(|rest| rest.first_chunk());
    let found = match bits.is_empty() {
        true => field
            .map_or(0, |bytes| u64::from_le_bytes(*bytes))
            .to_string(),
        false => bits.to_string(),
    };
    let expected = format!("{} (status {})", refusal.expected(), refusal.status());
    Objection {
        offset: refusal.offset(),
        code: refusal.code(),
        expected,
        found,
        bits,
    }
}

impl FromStr for Runtime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(digits) = text.strip_prefix("0x") {
            let mask = u64::from_str_radix(digits, 16);
            return mask
                .map(|mask| Self::Mask(FeatureMask::new(mask)))
                .map_err(|error| format!("{text} is not a mask of 64 bits: {error}"));
        }
        Profile::find(text).map(Self::Known).ok_or_else(|| {
            let known: Vec<_> = PROFILES.iter().map(|profile| profile.name).collect();
            format!(
                "no mask is known for {text:?}; known are {}; or give the mask that the loader prints, as in 0xff",
                known.join(", ")
            )
        })
    }
}

impl fmt::Display for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mask(mask) => write!(f, "a runtime that supports {mask}"),
            Self::Known(profile) => f.write_str(profile.name),
        }
    }
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            offset,
            code,
            expected,
            found,
            bits,
        } = self;
        write!(
            f,
            "offset {offset}: {code}: expected {expected}, found {found}"
        )?;
        bits.bits()
            .zip(bits.labels())
            .try_for_each(|(bit, label)| write!(f, ", bit {bit} {label}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use neff_features::header::{PageHeader, RuntimeHeader};

    fn start(block: [u8; 1024]) -> Start {
        Start {
            file_size: 2048,
            bytes: block.to_vec(),
        }
    }

    fn runtime_file(mask: u64, schema: u64) -> Start {
        start(RuntimeHeader::new(FeatureMask::new(mask), schema, 1024, [0; 16]).write())
    }

    fn codes(judgement: Judgement) -> Vec<&'static str> {
        match judgement {
            Judgement::Rejected(objections) => {
                objections.iter().map(|objection| objection.code).collect()
            }
            other => panic!("not rejected: {other:?}"),
        }
    }

    #[test]
    fn a_runtime_is_a_mask_or_a_known_version() {
        assert_eq!("0xff".parse(), Ok(Runtime::Mask(FeatureMask::new(0xff))));
        let known: Runtime = "2.31".parse().expect("known version");
        assert_eq!(known.to_string(), "libnrt-2.31.24");
        for text in ["", "9.9", "0x", "0x10000000000000000", "255"] {
            assert!(text.parse::<Runtime>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_mask_gives_every_reason_and_libnrt_the_first() {
        let mask: Runtime = "0xff".parse().expect("mask");
        assert_eq!(
            codes(mask.judge(&runtime_file(0x100, 3))),
            ["unsupported-feature", "schema-too-new"]
        );
        let libnrt: Runtime = "2.31.24".parse().expect("known version");
        assert_eq!(
            codes(libnrt.judge(&runtime_file(1 << 40, 3))),
            ["schema-too-new"]
        );
        assert_eq!(
            codes(libnrt.judge(&runtime_file(1 << 40, 2))),
            ["unsupported-feature"]
        );
    }

    #[test]
    fn what_libnrt_does_not_look_at_is_said() {
        let libnrt: Runtime = "2.31.24".parse().expect("known version");
        assert_eq!(
            libnrt.judge(&runtime_file(1 << 63, 2)),
            Judgement::Accepted(None)
        );
        assert!(matches!(
            libnrt.judge(&runtime_file(1 << 40, 1)),
            Judgement::Accepted(Some(_))
        ));
        let page = start(PageHeader::new(FeatureMask::of(40), 2).write());
        assert!(matches!(libnrt.judge(&page), Judgement::Accepted(Some(_))));
    }

    #[test]
    fn a_file_without_a_header_is_not_judged() {
        let short = Start {
            file_size: 3,
            bytes: vec![1, 2, 3],
        };
        for text in ["0xff", "2.31.24"] {
            let runtime: Runtime = text.parse().expect("runtime");
            assert!(matches!(runtime.judge(&short), Judgement::Unreadable(_)));
        }
    }
}
