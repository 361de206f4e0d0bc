// SPDX-License-Identifier: MIT OR Apache-2.0
//! Printing of bytes that should be text but need not be.
//!
//! Owns the `\xNN` escapes of section 3.4 for header text and member names.

use core::fmt::{self, Write};

/// Bytes shown as UTF-8, with `\xNN` for undecodable bytes and for ASCII control characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Escaped<'a>(pub &'a [u8]);

impl<'a> Escaped<'a> {
    /// The text of a fixed-width field: it ends at the first zero byte, or fills the field.
    pub fn field(bytes: &'a [u8]) -> Self {
        let end = bytes
            .iter()
            .position(|&byte| byte == 0)
            .unwrap_or(bytes.len());
        Self(&bytes[..end])
    }
}

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for c in chunk.valid().chars() {
                write_char(f, c)?;
            }
            chunk
                .invalid()
                .iter()
                .try_for_each(|byte| write!(f, "\\x{byte:02x}"))?;
        }
        Ok(())
    }
}

fn write_char(f: &mut fmt::Formatter<'_>, c: char) -> fmt::Result {
    if c.is_ascii_control() {
        write!(f, "\\x{:02x}", u32::from(c))
    } else {
        f.write_char(c)
    }
}
