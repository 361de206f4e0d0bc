// SPDX-License-Identifier: MIT OR Apache-2.0
//! The archive's bytes, whether stored plain or as one gzip stream.
//!
//! Owns the choice (by the first bytes, never by the packaging version: decision X3), the limit on
//! unpacked bytes and the translation of what the decoder says. Whoever reads here sees a tar file.

use std::io::{self, Read, Seek};
use std::vec;

use flate2::bufread::GzDecoder;

use super::fault::{Fault, Offset, Stop};
use super::stored::Stored;
use crate::finding::FatalCode;

/// How a gzip stream of deflated data starts.
const GZIP_MAGIC: [u8; 3] = [0x1f, 0x8b, 0x08];
/// Step in bytes when compressed data is skipped.
const SKIP_STEP: usize = 32 << 10;

/// A tar archive to read.
pub(super) enum Payload<R> {
    Plain(Stored<R>),
    Gzip(Inflated<R>),
}

/// The unpacked side of a gzip stream.
pub(super) struct Inflated<R> {
    decoder: GzDecoder<Stored<R>>,
    at: u64,
    limit: u64,
}

impl<R: Read + Seek> Payload<R> {
    pub(super) fn open(mut stored: Stored<R>, max_inflated: u64) -> Result<Self, Stop> {
        let mut start = [0; GZIP_MAGIC.len()];
        let position = stored.position();
        let length = read_full(&mut stored, &mut start).and_then(|length| {
            stored.rewind()?;
            Ok(length)
        });
        let length = length.map_err(|error| Stop::from_io(error, position))?;
        Ok(match start[..length] == GZIP_MAGIC {
            true => Self::Gzip(Inflated {
                decoder: GzDecoder::new(stored),
                at: 0,
                limit: max_inflated,
            }),
            false => Self::Plain(stored),
        })
    }

    pub(super) const fn is_compressed(&self) -> bool {
        matches!(self, Self::Gzip(_))
    }

    /// Where the next byte of the archive is.
    pub(super) fn offset(&self) -> Offset {
        match self {
            Self::Plain(stored) => stored.offset(),
            Self::Gzip(inflated) => Offset::Unpacked(inflated.at),
        }
    }

    /// What a failed read means.
    pub(super) fn stop(&self, error: io::Error) -> Stop {
        let position = match self {
            Self::Plain(stored) => stored.position(),
            Self::Gzip(inflated) => inflated.decoder.get_ref().position(),
        };
        Stop::from_io(error, position)
    }

    /// Reads until `out` is full or the archive ends; returns how much.
    pub(super) fn read_full(&mut self, out: &mut [u8]) -> Result<usize, Stop> {
        read_full(self, out).map_err(|error| self.stop(error))
    }

    /// Moves on by `count` bytes or to the end of the archive; returns how far.
    pub(super) fn skip(&mut self, count: u64) -> Result<u64, Stop> {
        let skipped = match self {
            Self::Plain(stored) => stored.skip(count),
            Self::Gzip(inflated) => inflated.skip(count),
        };
        skipped.map_err(|error| self.stop(error))
    }

    /// Reads a gzip stream to its end, which checks length and checksum. Returns how many stored
    /// bytes follow it, if any, and where.
    pub(super) fn finish(mut self) -> Result<Option<(u64, Offset)>, Stop> {
        let Self::Gzip(inflated) = &mut self else {
            return Ok(None);
        };
        if let Err(error) = inflated.skip(u64::MAX) {
            return Err(self.stop(error));
        }
        let stored = inflated.decoder.get_ref();
        Ok((stored.left() > 0).then_some((stored.left(), stored.offset())))
    }
}

impl<R: Read + Seek> Read for Payload<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(stored) => stored.read(out),
            Self::Gzip(inflated) => inflated.read(out),
        }
    }
}

impl<R: Read + Seek> Inflated<R> {
    fn skip(&mut self, count: u64) -> io::Result<u64> {
        let mut scratch = vec![0; SKIP_STEP];
        let mut left = count;
        while left > 0 {
            let step = usize::try_from(left).map_or(SKIP_STEP, |left| left.min(SKIP_STEP));
            match self.read(&mut scratch[..step])? {
                0 => break,
                skipped => left -= skipped as u64,
            }
        }
        Ok(count - left)
    }

    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self
            .decoder
            .read(out)
            .map_err(|error| self.translate(error))?;
        self.at += count as u64;
        if self.at > self.limit {
            let fault = Fault::new(FatalCode::InflatedTooLarge, Offset::Unpacked(self.limit));
            return Err(fault.into());
        }
        Ok(count)
    }

    /// The decoder's complaint as a fault of the file; anything else as it is.
    fn translate(&self, error: io::Error) -> io::Error {
        let code = match error.kind() {
            io::ErrorKind::UnexpectedEof => FatalCode::GzipTruncated,
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => FatalCode::GzipCorrupt,
            _ => return error,
        };
        Fault::new(code, self.decoder.get_ref().offset())
            .found(error)
            .into()
    }
}

/// Reads until `out` is full or `reader` ends.
fn read_full(reader: &mut impl Read, out: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < out.len() {
        match reader.read(&mut out[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
