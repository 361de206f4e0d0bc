// SPDX-License-Identifier: MIT OR Apache-2.0
//! The payload's bytes as stored in the file: a window that starts after the header.
//!
//! Owns position and end of the window. Skipping seeks, so that a large member costs nothing.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use super::fault::Offset;
use crate::header::HEADER_SIZE;

/// Read-ahead in bytes. Small, because most of it is thrown away at the next skip.
const BUFFER: usize = 8 << 10;

/// A window of `size` bytes from the end of the header.
///
/// # Invariants
///
/// `at <= size`, and the reader stands at `HEADER_SIZE + at`.
pub(super) struct Stored<R> {
    reader: BufReader<R>,
    at: u64,
    size: u64,
}

impl<R: Read + Seek> Stored<R> {
    /// The window of `reader`, which stands at the end of the header.
    pub(super) fn new(reader: R, size: u64) -> Self {
        Self {
            reader: BufReader::with_capacity(BUFFER, reader),
            at: 0,
            size,
        }
    }

    /// Bytes between here and the end of the window.
    pub(super) const fn left(&self) -> u64 {
        self.size - self.at
    }

    /// Where in the file the next byte is.
    pub(super) const fn position(&self) -> u64 {
        HEADER_SIZE as u64 + self.at
    }

    pub(super) const fn offset(&self) -> Offset {
        Offset::File(self.position())
    }

    /// Moves on by `count` bytes or to the end of the window; returns how far.
    pub(super) fn skip(&mut self, count: u64) -> io::Result<u64> {
        let count = count.min(self.left());
        let step = i64::try_from(count).map_err(io::Error::other)?;
        self.reader.seek_relative(step)?;
        self.at += count;
        Ok(count)
    }

    /// Back to the start of the window.
    pub(super) fn rewind(&mut self) -> io::Result<()> {
        self.reader.seek(SeekFrom::Start(HEADER_SIZE as u64))?;
        self.at = 0;
        Ok(())
    }
}

impl<R: Read> BufRead for Stored<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let left = usize::try_from(self.size - self.at).unwrap_or(usize::MAX);
        if left == 0 {
            return Ok(&[]);
        }
        let buffer = self.reader.fill_buf()?;
        Ok(&buffer[..buffer.len().min(left)])
    }

    fn consume(&mut self, count: usize) {
        self.reader.consume(count);
        self.at += count as u64;
    }
}

impl<R: Read> Read for Stored<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
    }
}
