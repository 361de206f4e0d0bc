// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an inspection says about one file.
//!
//! Owns the result types only; how a result is printed is the caller's business.

use core::fmt;
use std::string::String;
use std::sync::Arc;
use std::vec::Vec;

use super::fault::{Fault, Offset};
use crate::finding::{self, Code, Place, Severity};
use crate::header::{Digest, HashTail, Header};
use crate::libnrt::Admission;

/// Everything an inspection found out.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Size of the file in bytes.
    pub file_size: u64,
    /// The header, unless the file is too short for one.
    pub header: Option<Header>,
    /// Whether the payload has the digest the header declares.
    pub digest: DigestState,
    /// Whether the payload is a gzip stream.
    pub compressed: bool,
    /// The regular members by first position; empty after a fatal fault.
    pub members: Vec<Arc<str>>,
    /// The `def.json` members by path; empty after a fatal fault.
    pub cores: Vec<Core>,
    /// The ArchLevel the kelf members agree on.
    pub arch: Option<i32>,
    /// Disagreements, sorted by code, where and what.
    pub findings: Vec<Finding>,
    /// Why the inspection stopped early, if it did.
    pub fatal: Option<Fault>,
    /// What libnrt 2.31.24 says to the header.
    pub libnrt: Admission,
}

/// The feature names of one core.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Core {
    /// Member path of its `def.json`.
    pub path: Arc<str>,
    /// The strings it lists, as they are.
    pub features: Vec<String>,
}

/// What is known about the payload's digest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DigestState {
    /// There is none, or the inspection did not get there.
    None,
    /// The payload is larger than the limit for verification.
    Skipped,
    /// It matches.
    Ok,
    /// It does not match.
    Mismatch,
}

impl DigestState {
    /// The name tools print.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Skipped => "skipped",
            Self::Ok => "ok",
            Self::Mismatch => "mismatch",
        }
    }
}

/// How an inspection went as a whole, worst last; the discriminant is the exit status.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    /// Nothing to say, or only information.
    Clean = 0,
    /// Some warning or error.
    Findings = 1,
    /// The file could not be read to the end.
    Fatal = 2,
}

/// One disagreement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What kind.
    pub code: Code,
    /// Which part of the file.
    pub place: OwnedPlace,
    /// The offending thing, if the code does not say it all.
    pub what: Option<String>,
    /// Where in the file.
    pub offset: Offset,
    /// What a parser said, where one did.
    pub detail: Option<String>,
}

/// [`Place`] with a path of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OwnedPlace {
    /// Not a member.
    Part(Place<'static>),
    /// A member, by its printable path.
    Member(Arc<str>),
}

impl OwnedPlace {
    /// The borrowed form.
    pub fn get(&self) -> Place<'_> {
        match self {
            Self::Part(place) => *place,
            Self::Member(path) => Place::Member(path),
        }
    }
}

impl fmt::Display for OwnedPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            code,
            place,
            what,
            offset,
            detail,
        } = self;
        write!(
            f,
            "{offset}: {}: {} in {place}: ",
            code.severity().name(),
            code.as_str()
        )?;
        write!(f, "expected {}", code.expected())?;
        what.iter()
            .try_for_each(|what| write!(f, ", found {what}"))?;
        detail
            .iter()
            .try_for_each(|detail| write!(f, " ({detail})"))
    }
}

/// What the members say, once all are read.
pub(super) struct Conclusions {
    pub(super) members: Vec<Arc<str>>,
    pub(super) cores: Vec<Core>,
    pub(super) arch: Option<i32>,
}

impl Report {
    pub(super) const fn new(file_size: u64, libnrt: Admission) -> Self {
        Self {
            file_size,
            header: None,
            digest: DigestState::None,
            compressed: false,
            members: Vec::new(),
            cores: Vec::new(),
            arch: None,
            findings: Vec::new(),
            fatal: None,
            libnrt,
        }
    }

    pub(super) fn conclude(&mut self, conclusions: Conclusions) {
        let Conclusions {
            members,
            cores,
            arch,
        } = conclusions;
        (self.members, self.cores, self.arch) = (members, cores, arch);
    }

    /// Records a fatal fault: header facts stay, members do not.
    pub(super) fn stop(&mut self, fault: Fault) {
        self.fatal = Some(fault);
        self.conclude(Conclusions {
            members: Vec::new(),
            cores: Vec::new(),
            arch: None,
        });
    }

    /// What is in the ignored half of the hash field, in packaging version 2.
    pub fn hash_tail(&self) -> Option<HashTail> {
        match self.header {
            Some(Header::Runtime(header)) => match header.digest {
                Digest::Md5(_, tail) => Some(tail),
                Digest::Sha256(_) | Digest::Unknown { .. } => None,
            },
            _ => None,
        }
    }

    /// How the inspection went.
    pub fn outcome(&self) -> Outcome {
        let matters = |finding: &Finding| finding.code.severity() > Severity::Info;
        if self.fatal.is_some() {
            Outcome::Fatal
        } else if self.findings.iter().any(matters) {
            Outcome::Findings
        } else {
            Outcome::Clean
        }
    }
}

impl From<Place<'static>> for OwnedPlace {
    fn from(place: Place<'static>) -> Self {
        Self::Part(place)
    }
}

impl Finding {
    /// The order of section 12: code, where, what.
    pub(super) fn sort_key(&self) -> (&'static str, &str, &str) {
        let place = match self.place.get() {
            Place::Member(path) => path,
            finding::Place::Header => "header",
            finding::Place::Archive => "archive",
            finding::Place::File => "file",
            finding::Place::Payload => "payload",
        };
        (
            self.code.as_str(),
            place,
            self.what.as_deref().unwrap_or(""),
        )
    }
}
