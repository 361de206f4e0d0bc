// SPDX-License-Identifier: MIT OR Apache-2.0
//! The message of a post: records back to back in 128 bytes, written checked and read checked.
//!
//! Owns the bytes (id, length, ASCII value; no header, no count, no terminator). Which records go in is decided in
//! [`super::posts`].

use core::num::NonZeroU8;

/// Bytes of a message: the window through which the C driver hands it to the device's firmware.
pub const CAPACITY: usize = 128;

/// Bytes of a record before its value.
pub const RECORD_HEAD: usize = 2;

/// Bytes of the longest value.
pub const VALUE_MAX: usize = CAPACITY - RECORD_HEAD;

const _: () = assert!(CAPACITY <= u8::MAX as usize);

/// The record does not fit; the message is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// Records, up to [`CAPACITY`] bytes of them.
///
/// # Invariants
///
/// `length` is at most [`CAPACITY`], and the bytes before it are whole records.
#[derive(Clone, Copy, Debug)]
pub struct Message {
    bytes: [u8; CAPACITY],
    length: u8,
}

impl Message {
    /// No record.
    pub const fn new() -> Self {
        Self {
            bytes: [0; CAPACITY],
            length: 0,
        }
    }

    /// The records as they are sent.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes
            .get(..usize::from(self.length))
            .unwrap_or_default()
    }

    /// Whether there is no record.
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Appends a record, whole or not at all.
    ///
    /// # Errors
    ///
    /// [`Full`] if fewer than 2 + `value.len()` bytes are left.
    pub fn append(&mut self, id: NonZeroU8, value: &[u8]) -> Result<(), Full> {
        let used = usize::from(self.length);
        let record = RECORD_HEAD.saturating_add(value.len());
        let end = used.saturating_add(record);
        let Some([to_id, to_length, to_value @ ..]) = self.bytes.get_mut(used..end) else {
            return Err(Full);
        };
        *to_id = id.get();
        *to_length = value.len() as u8;
        to_value
            .iter_mut()
            .zip(value)
            .for_each(|(to, from)| *to = *from);
        // INVARIANT: the range up to `end` exists in the buffer, so `end` is at most CAPACITY.
        self.length = end as u8;
        Ok(())
    }

    /// Appends records that belong together, all or none.
    ///
    /// # Errors
    ///
    /// [`Full`] if they do not all fit.
    pub fn append_all(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<(), Full>,
    ) -> Result<(), Full> {
        let before = self.length;
        let result = write(self);
        if result.is_err() {
            // INVARIANT: a length that the message had before ends after a whole record.
            self.length = before;
        }
        result
    }

    /// Its records in order.
    pub fn records(&self) -> Records<'_> {
        Records(self.as_bytes())
    }
}

impl Default for Message {
    fn default() -> Self {
        Self::new()
    }
}

/// One record of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// What the value is.
    pub id: u8,
    /// The value, ASCII text without terminator.
    pub value: &'a [u8],
}

/// Iterator over the records of any bytes. It ends before a record that is not whole.
#[derive(Clone, Debug)]
pub struct Records<'a>(pub &'a [u8]);

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let [id, length, rest @ ..] = self.0 else {
            return None;
        };
        let (value, rest) = rest.split_at_checked(usize::from(*length))?;
        self.0 = rest;
        Some(Record { id: *id, value })
    }
}
