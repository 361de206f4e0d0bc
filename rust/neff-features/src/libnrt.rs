// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header gate of libnrt 2.31.24, step by step (section 11.2).
//!
//! It differs from the generic gate: it stops at the first failure, looks at the mask only when the
//! major version is 2, never tests bit 63, and reads the `runtime` layout whatever the file holds.
//! Digest, archive and architecture checks come after it and are not here.

use core::fmt;

use crate::header::{runtime, HEADER_SIZE};
use crate::mask::FeatureMask;

/// The bits this loader refuses: 27 to 62.
pub const TRAP: FeatureMask = FeatureMask::new(0x7fff_ffff_f800_0000);
/// The bits this loader calls supported: 0 to 26.
pub const SUPPORTED: FeatureMask = FeatureMask::new(0x7ff_ffff);
/// The highest major version (schema) it takes.
pub const MAX_MAJOR: u64 = 2;

const _: () = assert!(TRAP.union(SUPPORTED).raw() == u64::MAX >> 1);
const _: () = assert!(TRAP.intersection(SUPPORTED).is_empty());
const _: () = assert!(FeatureMask::ASSIGNED.without(SUPPORTED).is_empty());

/// The one major version whose mask it examines.
const EXAMINED_MAJOR: u64 = 2;

/// The header fields the gate reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fields {
    /// u64 at +0.
    pub pkg_version: u64,
    /// u64 at +8.
    pub header_size: u64,
    /// u64 at +16.
    pub data_size: u64,
    /// u64 at +24.
    pub version_major: u64,
    /// u64 at +544.
    pub feature_bits: FeatureMask,
}

/// Why the gate refuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The file is shorter than a header.
    ShortHeader,
    /// `header_size` is not below the file size.
    HeaderSizeNotBelowFileSize,
    /// The major version is above 2.
    SchemaTooNew,
    /// The mask has trapped bits: these.
    UnsupportedFeature(FeatureMask),
    /// `data_size` is above file size - 1024.
    DataSizeExceedsFile,
    /// `pkg_version` is neither 1 nor 2.
    BadPkgVersion,
}

/// The outcome for one header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admission {
    /// Goes on to digest and archive.
    Accepted {
        /// Whether the mask was looked at.
        features_examined: bool,
    },
    /// Refused at the first failing step.
    Refused(Refusal),
}

/// The steps 1 to 6 for a file of `file_size` bytes that starts with `start`.
///
/// `start` may be shorter than a header only if the file is.
pub fn admit(start: &[u8], file_size: u64) -> Admission {
    match runtime::loader_fields(start) {
        Some(fields) => admit_fields(&fields, file_size),
        None => Admission::Refused(Refusal::ShortHeader),
    }
}

/// The steps 1 to 6 on fields already read.
pub fn admit_fields(fields: &Fields, file_size: u64) -> Admission {
    match refusal(fields, file_size) {
        Some(refusal) => Admission::Refused(refusal),
        None => Admission::Accepted {
            features_examined: fields.version_major == EXAMINED_MAJOR,
        },
    }
}

fn refusal(fields: &Fields, file_size: u64) -> Option<Refusal> {
    let Some(payload_size) = file_size.checked_sub(HEADER_SIZE as u64) else {
        return Some(Refusal::ShortHeader);
    };
    let trapped = fields.feature_bits.intersection(TRAP);
    if fields.header_size >= file_size {
        Some(Refusal::HeaderSizeNotBelowFileSize)
    } else if fields.version_major > MAX_MAJOR {
        Some(Refusal::SchemaTooNew)
    } else if fields.version_major == EXAMINED_MAJOR && !trapped.is_empty() {
        Some(Refusal::UnsupportedFeature(trapped))
    } else if fields.data_size > payload_size {
        Some(Refusal::DataSizeExceedsFile)
    } else if !matches!(fields.pkg_version, 1 | 2) {
        Some(Refusal::BadPkgVersion)
    } else {
        None
    }
}

impl Admission {
    /// The status the loader returns: 0, `NRT_INVALID` (2) or `NRT_UNSUPPORTED_NEFF_VERSION` (10).
    pub const fn status(&self) -> u32 {
        match self {
            Self::Accepted { .. } => 0,
            Self::Refused(refusal) => refusal.status(),
        }
    }
}

impl Refusal {
    /// `NRT_INVALID` (2) or `NRT_UNSUPPORTED_NEFF_VERSION` (10).
    pub const fn status(&self) -> u32 {
        const NRT_INVALID: u32 = 2;
        const NRT_UNSUPPORTED_NEFF_VERSION: u32 = 10;
        match self {
            Self::ShortHeader | Self::HeaderSizeNotBelowFileSize | Self::DataSizeExceedsFile => {
                NRT_INVALID
            }
            Self::SchemaTooNew | Self::UnsupportedFeature(_) | Self::BadPkgVersion => {
                NRT_UNSUPPORTED_NEFF_VERSION
            }
        }
    }

    /// The code tools print.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::ShortHeader => "short-header",
            Self::HeaderSizeNotBelowFileSize => "header-size-not-below-file-size",
            Self::SchemaTooNew => "schema-too-new",
            Self::UnsupportedFeature(_) => "unsupported-feature",
            Self::DataSizeExceedsFile => "data-size-exceeds-file",
            Self::BadPkgVersion => "bad-pkg-version",
        }
    }

    /// Where in the file the refused field is.
    pub const fn offset(&self) -> usize {
        match self {
            Self::ShortHeader => 0,
            Self::HeaderSizeNotBelowFileSize => runtime::offset::HEADER_SIZE,
            Self::SchemaTooNew => runtime::offset::VERSION_MAJOR,
            Self::UnsupportedFeature(_) => runtime::offset::FEATURE_BITS,
            Self::DataSizeExceedsFile => runtime::offset::DATA_SIZE,
            Self::BadPkgVersion => runtime::offset::PKG_VERSION,
        }
    }

    /// What the loader would have taken.
    pub const fn expected(&self) -> &'static str {
        match self {
            Self::ShortHeader => "a header of 1024 bytes",
            Self::HeaderSizeNotBelowFileSize => "a header size below the file size",
            Self::SchemaTooNew => "a major version (schema) of at most 2",
            Self::UnsupportedFeature(_) => "only bits within 0x7ffffff",
            Self::DataSizeExceedsFile => "a data size within the file",
            Self::BadPkgVersion => "a package version of 1 or 2",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}", self.code(), self.expected())?;
        if let Self::UnsupportedFeature(mask) = self {
            write!(f, ", found {mask}")?;
            mask.bits()
                .zip(mask.labels())
                .try_for_each(|(bit, label)| write!(f, ", bit {bit} {label}"))?;
        }
        write!(f, " (status {})", self.status())
    }
}
