// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why an inspection ends early, and where.
//!
//! A [`Fault`] is a property of the file and ends up in the report; a [`ReadError`] is a property
//! of the machine and ends up as an error. Inside a reader both travel as `io::Error`.

use core::fmt;
use std::borrow::ToOwned;
use std::io;
use std::path::{Path, PathBuf};
use std::string::{String, ToString};

use crate::finding::FatalCode;

/// A place in the file, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offset {
    /// From the start of the file.
    File(u64),
    /// From the start of the archive inside the gzip stream.
    Unpacked(u64),
}

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(offset) => write!(f, "offset {offset}"),
            Self::Unpacked(offset) => write!(f, "offset {offset} of the unpacked archive"),
        }
    }
}

/// What makes a file unreadable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What kind.
    pub code: FatalCode,
    /// Where.
    pub offset: Offset,
    /// What was there, where that says more than the code.
    pub found: Option<String>,
}

impl Fault {
    pub(super) const fn new(code: FatalCode, offset: Offset) -> Self {
        Self {
            code,
            offset,
            found: None,
        }
    }

    pub(super) const fn at(code: FatalCode, file_offset: u64) -> Self {
        Self::new(code, Offset::File(file_offset))
    }

    pub(super) fn found(self, what: impl ToString) -> Self {
        Self {
            found: Some(what.to_string()),
            ..self
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            code,
            offset,
            found,
        } = self;
        write!(
            f,
            "{offset}: {}: expected {}",
            code.as_str(),
            code.expected()
        )?;
        found
            .iter()
            .try_for_each(|found| write!(f, ", found {found}"))
    }
}

impl std::error::Error for Fault {}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> Self {
        Self::new(io::ErrorKind::InvalidData, fault)
    }
}

/// A file could not be read.
#[derive(Debug)]
pub struct ReadError {
    path: Option<PathBuf>,
    offset: u64,
    source: io::Error,
}

impl ReadError {
    pub(super) const fn new(offset: u64, source: io::Error) -> Self {
        Self {
            path: None,
            offset,
            source,
        }
    }

    pub(super) fn in_file(self, path: &Path) -> Self {
        Self {
            path: Some(path.to_owned()),
            ..self
        }
    }

    /// The file, unless a reader was inspected.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Where reading stopped, in bytes from the start of the file.
    pub const fn offset(&self) -> u64 {
        self.offset
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            offset,
            source,
        } = self;
        path.iter()
            .try_for_each(|path| write!(f, "{}: ", path.display()))?;
        write!(
            f,
            "offset {offset}: cannot read: {source}; expected a readable NEFF file"
        )
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// Either kind of early end.
#[derive(Debug)]
pub(super) enum Stop {
    Fault(Fault),
    Read(ReadError),
}

impl Stop {
    /// Takes apart what a reader returned while it stood at `offset` of the file.
    pub(super) fn from_io(error: io::Error, offset: u64) -> Self {
        match error.downcast::<Fault>() {
            Ok(fault) => Self::Fault(fault),
            Err(error) => Self::Read(ReadError::new(offset, error)),
        }
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}
