// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading whole NEFF files: header, payload, `def.json` members, agreement (section 13).
//!
//! Owns the order of an inspection and its limits. The steps are in the modules: [`report`] is what
//! comes out, `payload` the bytes as stored and unpacked, `walk` the tar archive with `tar_block`,
//! `pax` and `member`, `sidecar` the JSON members behind `guard`, `assess` the conclusions.
//!
//! Nothing is extracted and no member name becomes a path. Memory is bounded by [`Limits`] and by
//! constants, never by what a file declares: data is streamed, and skipped by seeking where it is
//! not compressed.

mod assess;
mod digest;
mod fault;
mod guard;
mod member;
mod notes;
mod pax;
mod payload;
pub mod report;
mod sidecar;
mod stored;
mod tar_block;
mod walk;

use std::boxed::Box;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::vec::Vec;

use crate::finding::{Code, FatalCode, Place, What};
use crate::header::{runtime, Header, ReadAs, HEADER_SIZE};
use crate::libnrt;

use assess::assess;
use digest::verify;
use fault::Stop;
use notes::Notes;
use payload::Payload;
use stored::Stored;
use walk::{walk, Archive};

pub use fault::{Fault, Offset, ReadError};
pub use report::{Core, DigestState, Finding, Outcome, Report};

/// The largest JSON member that is read, in bytes.
pub const MAX_JSON_MEMBER: u64 = 64 << 20;
/// The largest tar extension header that is read, in bytes.
pub const MAX_EXTENSION: u64 = 64 << 10;

/// How to inspect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How to interpret the header.
    pub read_as: ReadAs,
    /// What an inspection may cost.
    pub limits: Limits,
}

/// What an inspection may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The digest is computed for payloads up to this many stored bytes; it needs all of them.
    pub verify_up_to: u64,
    /// Bytes a compressed payload may unpack to.
    pub max_inflated: u64,
    /// Bytes of names, features and findings that may be kept.
    pub max_kept: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            read_as: ReadAs::Auto,
            limits: Limits::DEFAULT,
        }
    }
}

impl Limits {
    /// Digests up to 64 MiB, archives up to 4 GiB, 16 MiB kept.
    pub const DEFAULT: Self = Self {
        verify_up_to: 64 << 20,
        max_inflated: 4 << 30,
        max_kept: 16 << 20,
    };
}

/// Inspects the file at `path`.
///
/// # Errors
///
/// The file cannot be opened or read, or is not a regular file. What is wrong *in* the file is in
/// the report.
pub fn inspect_path(path: &Path, options: &Options) -> Result<Report, ReadError> {
    let file = open_regular(path).map_err(|source| ReadError::new(0, source));
    file.and_then(|file| inspect(file, options))
        .map_err(|error| error.in_file(path))
}

/// The start of a file, for those who want to know the header only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// Size of the file in bytes.
    pub file_size: u64,
    /// Its first 1024 bytes; fewer only if the file is shorter.
    pub bytes: Vec<u8>,
}

/// Reads the start of the file at `path`.
///
/// # Errors
///
/// The file cannot be opened or read, or is not a regular file.
pub fn read_start_of(path: &Path) -> Result<Start, ReadError> {
    let start = open_regular(path).and_then(|mut file| read_start(&mut file));
    start.map_err(|source| ReadError::new(0, source).in_file(path))
}

/// Opens `path` unless it is a directory, a pipe or a device.
fn open_regular(path: &Path) -> io::Result<File> {
    if fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        ))
    }
}

/// Inspects everything `reader` holds, from its start.
///
/// # Errors
///
/// Reading or seeking failed. What is wrong *in* the file is in the report.
pub fn inspect<R: Read + Seek>(mut reader: R, options: &Options) -> Result<Report, ReadError> {
    let start = read_start(&mut reader).map_err(|source| ReadError::new(0, source))?;
    let mut inspection = Inspection::new(&start, options);
    match inspection.run(reader, &start.bytes) {
        Ok(()) => {}
        Err(Stop::Fault(fault)) => inspection.report.stop(fault),
        Err(Stop::Read(error)) => return Err(error),
    }
    Ok(inspection.finish())
}

/// Leaves `reader` at the end of the header.
fn read_start<R: Read + Seek>(reader: &mut R) -> io::Result<Start> {
    let file_size = reader.seek(SeekFrom::End(0))?;
    reader.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::with_capacity(HEADER_SIZE);
    reader
        .by_ref()
        .take(HEADER_SIZE as u64)
        .read_to_end(&mut bytes)?;
    Ok(Start { file_size, bytes })
}

/// One inspection under way: the report so far, and the findings with their memory limit.
struct Inspection<'a> {
    options: &'a Options,
    report: Box<Report>,
    notes: Notes,
}

impl<'a> Inspection<'a> {
    fn new(start: &Start, options: &'a Options) -> Self {
        let Start { file_size, bytes } = start;
        let report = Box::new(Report::new(*file_size, libnrt::admit(bytes, *file_size)));
        Self {
            options,
            report,
            notes: Notes::new(options.limits.max_kept),
        }
    }

    /// The steps of section 13, in order.
    fn run<R: Read + Seek>(&mut self, reader: R, start: &[u8]) -> Result<(), Stop> {
        let header = self.read_header(start)?;
        let mut stored = Stored::new(reader, self.payload_size(&header)?);
        if let Header::Runtime(header) = &header {
            self.check_digest(header, &mut stored)?;
        }
        if stored.left() == 0 {
            return Err(Fault::new(FatalCode::PayloadEmpty, stored.offset()).into());
        }
        let archive = self.walk_payload(stored)?;
        let conclusions = assess(archive, &header, &mut self.notes);
        self.report.conclude(conclusions);
        Ok(())
    }

    fn read_header(&mut self, start: &[u8]) -> Result<Header, Fault> {
        let header = Header::read(start, self.options.read_as)
            .map_err(|short| Fault::at(FatalCode::ShortHeader, 0).found(short.length))?;
        self.report.header = Some(header);
        match header.fault() {
            Some((code, offset, value)) => Err(Fault::at(code, offset as u64).found(value)),
            None => Ok(header),
        }
    }

    /// Bytes of payload: what the `runtime` layout declares, or everything after the header.
    fn payload_size(&mut self, header: &Header) -> Result<u64, Fault> {
        let available = self.report.file_size.saturating_sub(HEADER_SIZE as u64);
        let Header::Runtime(header) = header else {
            return Ok(available);
        };
        let Some(extra) = available.checked_sub(header.data_size) else {
            let fault = Fault::at(
                FatalCode::DataSizeExceedsFile,
                runtime::offset::DATA_SIZE as u64,
            );
            return Err(fault.found(header.data_size));
        };
        if extra > 0 {
            let end = Offset::File(HEADER_SIZE as u64 + header.data_size);
            self.notes
                .raise(Code::TrailingData, Place::File, What::Number(extra), end);
        }
        Ok(header.data_size)
    }

    fn check_digest<R: Read + Seek>(
        &mut self,
        header: &runtime::RuntimeHeader,
        stored: &mut Stored<R>,
    ) -> Result<(), Stop> {
        self.report.digest = match header.data_size <= self.options.limits.verify_up_to {
            true => verify(&header.digest, stored)?,
            false => DigestState::Skipped,
        };
        if self.report.digest == DigestState::Mismatch {
            let offset = Offset::File(runtime::offset::HASH as u64);
            self.notes
                .raise(Code::HashMismatch, Place::Header, What::Nothing, offset);
        }
        Ok(())
    }

    /// Walks the archive, then the rest of a compressed stream: damage to the stream explains
    /// whatever the walk met in it, and then nothing the walk found counts.
    fn walk_payload<R: Read + Seek>(&mut self, stored: Stored<R>) -> Result<Archive, Stop> {
        let mut payload = Payload::open(stored, self.options.limits.max_inflated)?;
        self.report.compressed = payload.is_compressed();
        let before = self.notes.mark();
        let walked = walk(&mut payload, &mut self.notes);
        match payload.finish() {
            Ok(Some((extra, end))) => {
                self.notes
                    .raise(Code::TrailingData, Place::Payload, What::Number(extra), end);
            }
            Ok(None) => {}
            Err(stop) => {
                self.notes.rewind(before);
                return Err(stop);
            }
        }
        walked
    }

    fn finish(self) -> Report {
        let mut report = *self.report;
        if report.fatal.is_none() && self.notes.is_exhausted() {
            report.stop(Fault::at(FatalCode::LimitExceeded, HEADER_SIZE as u64));
        }
        report.findings = self.notes.into_findings();
        report
    }
}
