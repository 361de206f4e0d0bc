// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an inspection can report: codes, severities and what was expected (sections 12 and 13).
//!
//! Owns the vocabulary. The rules that raise a finding are in [`names`](crate::names) and, for
//! whole files, in [`container`](crate::container).

use core::fmt;

use crate::mask::FeatureMask;

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Unusual but consistent.
    Info,
    /// Suspicious.
    Warning,
    /// Contradictory.
    Error,
}

impl Severity {
    /// The name tools print.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($variant:ident = $name:literal, $severity:ident, $expected:literal;)*) => {
        /// What kind of finding it is.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Code {
            $(#[doc = concat!("`", $name, "`: expected ", $expected, ".")] $variant,)*
        }

        impl Code {
            /// Every code, by name.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The code as printed.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// How bad it is.
            pub const fn severity(self) -> Severity {
                match self {
                    $(Self::$variant => Severity::$severity,)*
                }
            }

            /// What a consistent file would have had.
            pub const fn expected(self) -> &'static str {
                match self {
                    $(Self::$variant => $expected,)*
                }
            }
        }
    };
}

codes! {
    AliasName = "alias-name", Info, "the spelling collective_has_offset";
    ArchBitMismatch = "arch-bit-mismatch", Warning, "architecture bits that match the kelf target";
    BitWithoutName = "bit-without-name", Error, "some core to list the name of this bit";
    DefJsonMissing = "def-json-missing", Error, "at least one sgNN/def.json";
    DuplicateMember = "duplicate-member", Warning, "each member name once";
    DuplicateName = "duplicate-name", Warning, "each feature name once";
    FeatureNotString = "feature-not-string", Error, "only strings in neff_features";
    FeaturesKeyMissing = "features-key-missing", Warning, "the key neff_features";
    FeaturesNotArray = "features-not-array", Error, "neff_features to be an array";
    HashMismatch = "hash-mismatch", Error, "the payload's digest";
    HeaderOnlyName = "header-only-name", Warning, "only names that belong in def.json";
    JsonInvalid = "json-invalid", Error, "a JSON object, not nested too deep";
    KelfTargetUnknown = "kelf-target-unknown", Warning, "a target the loader knows";
    NameOrder = "name-order", Info, "names in ascending bit order";
    NameWithoutBit = "name-without-bit", Error, "the bit of this name in the header; a mask that holds only the last core's bits loses it";
    NeffJsonMissing = "neff-json-missing", Error, "neff.json or kelp.json";
    PartialCoreNames = "partial-core-names", Info, "every core to list this name";
    SchemaTooLow = "schema-too-low", Error, "schema 2 with a mask that is not zero: loaders do not look at the mask below it";
    SchemaUnknown = "schema-unknown", Warning, "schema 2 at most";
    SchemaWithoutFeatures = "schema-without-features", Info, "schema 1 with a mask of zero";
    SpecialMember = "special-member", Warning, "only regular files and directories";
    TarNoEnd = "tar-no-end", Warning, "a zero block at the end of the archive";
    TrailingData = "trailing-data", Warning, "nothing after the declared data";
    UnassignedBit = "unassigned-bit", Warning, "only bits that a known compiler sets";
    UnknownName = "unknown-name", Warning, "a known feature name";
    UnsafeMemberName = "unsafe-member-name", Error, "a relative name without .., backslash, drive or control characters";
    VncSizeMismatch = "vnc-size-mismatch", Warning, "vnc_size above 1 exactly when bit 10 is set";
}

macro_rules! fatal_codes {
    ($($variant:ident = $name:literal, $expected:literal;)*) => {
        /// Why an inspection stopped.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum FatalCode {
            $(#[doc = concat!("`", $name, "`: expected ", $expected, ".")] $variant,)*
        }

        impl FatalCode {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The code as printed.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// What a readable file would have had.
            pub const fn expected(self) -> &'static str {
                match self {
                    $(Self::$variant => $expected,)*
                }
            }
        }
    };
}

fatal_codes! {
    ShortHeader = "short-header", "a header of 1024 bytes";
    BadPkgVersion = "bad-pkg-version", "a package version of 1 or 2";
    BadHeaderSize = "bad-header-size", "a header size of 1024";
    DataSizeExceedsFile = "data-size-exceeds-file", "a data size within the file";
    PayloadEmpty = "payload-empty", "a payload after the header";
    PayloadNotArchive = "payload-not-archive", "a tar archive or a gzip stream around one";
    GzipTruncated = "gzip-truncated", "a complete gzip stream";
    GzipCorrupt = "gzip-corrupt", "valid gzip data with a matching checksum and length";
    InflatedTooLarge = "inflated-too-large", "an archive within the size limit";
    TarTruncated = "tar-truncated", "a complete tar entry";
    TarBadChecksum = "tar-bad-checksum", "a tar header with a valid checksum";
    TarBadSize = "tar-bad-size", "an entry size between 0 and 2^63 - 1";
    TarBadExtension = "tar-bad-extension", "a well-formed extension header of at most 64 KiB";
    MemberTooLarge = "member-too-large", "a JSON member of at most 64 MiB";
    LimitExceeded = "limit-exceeded", "names and findings within the memory limit";
}

/// Which part of a file a finding is about; printed as the `where` of section 12.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place<'a> {
    /// The 1024-byte header.
    Header,
    /// The set of members as a whole.
    Archive,
    /// The file's bytes.
    File,
    /// The payload's bytes.
    Payload,
    /// One member, by its printable path.
    Member(&'a str),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Header => "header",
            Self::Archive => "archive",
            Self::File => "file",
            Self::Payload => "payload",
            Self::Member(path) => path,
        })
    }
}

/// The offending thing itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What<'a> {
    /// The code says it all.
    Nothing,
    /// An array index; printed `[n]`.
    Index(usize),
    /// A name or other text.
    Text(&'a str),
    /// One bit, as a mask.
    Mask(FeatureMask),
    /// A number.
    Number(u64),
}

impl fmt::Display for What<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => Ok(()),
            Self::Index(index) => write!(f, "[{index}]"),
            Self::Text(text) => f.write_str(text),
            Self::Mask(mask) => mask.fmt(f),
            Self::Number(number) => number.fmt(f),
        }
    }
}

/// One disagreement, borrowing its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finding<'a> {
    /// What kind.
    pub code: Code,
    /// Where.
    pub place: Place<'a>,
    /// The offending thing.
    pub what: What<'a>,
}
