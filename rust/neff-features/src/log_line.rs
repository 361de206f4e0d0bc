// SPDX-License-Identifier: MIT OR Apache-2.0
//! The loader's messages about versions and features (section 11.4): find, read, write.
//!
//! Loader threads interleave their output and glue lines together, so messages are searched for
//! anywhere in the text. A number that does not fit its type is not wrapped: the message is dropped.

use core::fmt;

use crate::mask::FeatureMask;

/// Major and minor version of the refused file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Version {
    /// Major version, which is the schema.
    pub major: u64,
    /// Minor version.
    pub minor: u64,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// One message of a loader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogLine {
    /// Features the runtime does not support.
    Unsupported {
        /// Which wording it had.
        wording: Wording,
        /// The file's version.
        version: Version,
        /// The printed features: the whole mask or only the offending bits.
        features: FeatureMask,
        /// What the runtime says it supports.
        supported: FeatureMask,
    },
    /// A version outside the accepted range.
    OutOfRange {
        /// The file's version.
        version: Version,
        /// Lowest accepted major version.
        min_major: u64,
        /// Highest accepted major version.
        max_major: u64,
    },
}

/// The two wordings of the message about features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wording {
    /// "... are not supported. Currently supporting: ..."
    Old,
    /// "... has been compiled by a newer ... supported by this Neuron Runtime: ..."
    New,
}

impl LogLine {
    /// The bits the runtime lacks; right for either reading of the printed features. Empty for a
    /// version out of range.
    pub fn missing(&self) -> FeatureMask {
        match self {
            Self::Unsupported {
                features,
                supported,
                ..
            } => features.without(*supported),
            Self::OutOfRange { .. } => FeatureMask::EMPTY,
        }
    }

    /// The file's version.
    pub const fn version(&self) -> Version {
        match self {
            Self::Unsupported { version, .. } | Self::OutOfRange { version, .. } => *version,
        }
    }

    /// The name tools print for the message's form.
    pub const fn form(&self) -> &'static str {
        match self {
            Self::Unsupported {
                wording: Wording::Old,
                ..
            } => "old",
            Self::Unsupported {
                wording: Wording::New,
                ..
            } => "new",
            Self::OutOfRange { .. } => "range",
        }
    }
}

impl fmt::Display for LogLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported {
                wording: Wording::Old,
                version,
                features,
                supported,
            } => write!(
                f,
                "NEFF version: {version}, features: {features} are not supported.  \
                 Currently supporting: {supported}"
            ),
            Self::Unsupported {
                wording: Wording::New,
                version,
                features,
                supported,
            } => write!(
                f,
                "NEFF (version: {version}, features: {features}) has been compiled by a newer \
                 compiler. Features supported by this Neuron Runtime: {supported}"
            ),
            Self::OutOfRange {
                version,
                min_major,
                max_major,
            } => write!(
                f,
                "NEFF version: {version} is not supported, \
                 accepted version range: {min_major}.x-{max_major}.x"
            ),
        }
    }
}

/// Every message in `text`, in order of appearance.
pub fn find(text: &str) -> LogLines<'_> {
    LogLines {
        text,
        at: 0,
        newer_from: Some(0),
    }
}

/// The iterator of [`find`]. Linear in the length of the text.
#[derive(Clone, Debug)]
pub struct LogLines<'a> {
    text: &'a str,
    at: usize,
    /// From where the newer wording may start: after the previous match, nowhere once its tail is
    /// known not to follow.
    newer_from: Option<usize>,
}

/// How every message starts.
const START: &str = "NEFF ";
/// Where the newer wording names the supported mask.
const NEWER_TAIL: &str = "supported by this Neuron Runtime:";

impl Iterator for LogLines<'_> {
    type Item = LogLine;

    fn next(&mut self) -> Option<LogLine> {
        loop {
            let start = self.at + self.text.get(self.at..)?.find(START)?;
            self.at = start + START.len();
            let found = self.line_at(self.at);
            if found.is_some() {
                return found;
            }
        }
    }
}

impl LogLines<'_> {
    /// The message whose text after `NEFF ` starts at `at`.
    fn line_at(&mut self, at: usize) -> Option<LogLine> {
        let mut scan = Scan(self.text.get(at..)?);
        if scan.literal("version:").is_some() {
            return older(&mut scan);
        }
        if self.newer_from.is_none_or(|from| at < from) {
            return None;
        }
        let (version, features) = newer_head(&mut scan)?;
        let tail = newer_tail(&mut scan);
        self.newer_from = tail.is_some().then_some(self.text.len() - scan.0.len());
        let (features, supported) = (features?, tail??);
        Some(LogLine::Unsupported {
            wording: Wording::New,
            version: version?,
            features,
            supported,
        })
    }
}

/// The older wording and the range message, after `NEFF version:`.
fn older(scan: &mut Scan<'_>) -> Option<LogLine> {
    let version = scan.version()?;
    if scan.literal(" is not supported,").is_some() {
        scan.space().literal("accepted version range:")?;
        let min_major = scan.space().decimal()?;
        let max_major = scan.literal(".x-")?.decimal()?;
        scan.literal(".x")?;
        return Some(LogLine::OutOfRange {
            version: version?,
            min_major: min_major?,
            max_major: max_major?,
        });
    }
    scan.literal(",")?.space().literal("features:")?;
    let features = scan.space().hexadecimal()?;
    scan.gap()?
        .literal("are not supported.")?
        .space()
        .literal("Currently supporting:")?;
    let supported = scan.space().hexadecimal()?;
    let (wording, version) = (Wording::Old, version?);
    Some(LogLine::Unsupported {
        wording,
        version,
        features: features?,
        supported: supported?,
    })
}

/// The newer wording up to the word "newer".
fn newer_head(scan: &mut Scan<'_>) -> Option<(Option<Version>, Option<FeatureMask>)> {
    let version = scan.literal("(version:")?.version()?;
    scan.literal(",")?.space().literal("features:")?;
    let features = scan.space().hexadecimal()?;
    scan.literal(")")?
        .gap()?
        .literal("has been compiled by a newer")?;
    Some((version, features))
}

/// The first supported mask that follows, and the text after it.
fn newer_tail(scan: &mut Scan<'_>) -> Option<Option<FeatureMask>> {
    loop {
        let (_, rest) = scan.0.split_once(NEWER_TAIL)?;
        scan.0 = rest;
        let mut number = Scan(rest);
        if let Some(mask) = number.space().hexadecimal() {
            *scan = number;
            return Some(mask);
        }
    }
}

/// The text that is left. Number readers return `None` where there is no number and `Some(None)`
/// where it does not fit.
struct Scan<'a>(&'a str);

impl Scan<'_> {
    fn literal(&mut self, literal: &str) -> Option<&mut Self> {
        self.0 = self.0.strip_prefix(literal)?;
        Some(self)
    }

    /// Skips white space, if any.
    fn space(&mut self) -> &mut Self {
        self.0 = self.0.trim_start();
        self
    }

    /// Skips white space, of which there must be some.
    fn gap(&mut self) -> Option<&mut Self> {
        let before = self.0.len();
        let shorter = self.space().0.len() < before;
        shorter.then_some(self)
    }

    fn decimal(&mut self) -> Option<Option<u64>> {
        self.digits(10)
    }

    fn hexadecimal(&mut self) -> Option<Option<FeatureMask>> {
        Some(self.literal("0x")?.digits(16)?.map(FeatureMask::new))
    }

    fn version(&mut self) -> Option<Option<Version>> {
        let major = self.space().decimal()?;
        let minor = self.literal(".")?.decimal()?;
        Some(
            major
                .zip(minor)
                .map(|(major, minor)| Version { major, minor }),
        )
    }

    fn digits(&mut self, radix: u32) -> Option<Option<u64>> {
        let end = self
            .0
            .find(|c: char| !c.is_digit(radix))
            .unwrap_or(self.0.len());
        let (digits, rest) = self.0.split_at(end);
        self.0 = rest;
        (!digits.is_empty()).then(|| u64::from_str_radix(digits, radix).ok())
    }
}
