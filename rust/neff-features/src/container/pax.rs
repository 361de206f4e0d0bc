// SPDX-License-Identifier: MIT OR Apache-2.0
//! Extension headers: PAX records and GNU long names.
//!
//! Owns the record syntax and what is carried over to the next entry. A PAX value may contain any
//! byte, a newline too, so records are cut by their length and not by lines.

use std::vec::Vec;

/// What extension headers say about the next entry.
#[derive(Default)]
pub(super) struct Pending {
    /// Its name.
    pub(super) path: Option<Vec<u8>>,
    /// Its size, as text.
    pub(super) size: Option<Vec<u8>>,
}

impl Pending {
    /// Takes over the records of an `x` header; `None` when one is malformed.
    pub(super) fn add_records(&mut self, body: &[u8]) -> Option<()> {
        for record in Records(body) {
            let (key, value) = record?;
            match key {
                b"path" => self.path = Some(value.to_vec()),
                b"size" => self.size = Some(value.to_vec()),
                _ => {}
            }
        }
        Some(())
    }

    /// Takes over the name of an `L` header.
    pub(super) fn add_gnu_name(&mut self, body: &[u8]) {
        let end = body
            .iter()
            .rposition(|&byte| byte != 0)
            .map_or(0, |last| last + 1);
        self.path = Some(body[..end].to_vec());
    }
}

/// Checks the records of a `g` header, which are otherwise ignored.
pub(super) fn are_well_formed(body: &[u8]) -> bool {
    Records(body).all(|record| record.is_some())
}

/// The records of a body: key and value, or `None` once for the malformed rest.
struct Records<'a>(&'a [u8]);

impl<'a> Iterator for Records<'a> {
    type Item = Option<(&'a [u8], &'a [u8])>;

    fn next(&mut self) -> Option<Self::Item> {
        let body = core::mem::take(&mut self.0);
        if body.is_empty() {
            return None;
        }
        let parsed = first_record(body);
        Some(parsed.map(|(key, value, rest)| {
            self.0 = rest;
            (key, value)
        }))
    }
}

/// The most digits a record's length may have.
const MAX_LENGTH_DIGITS: usize = 9;

/// `length key=value\n`, where the length counts the whole record.
fn first_record(body: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let space = body
        .iter()
        .take(MAX_LENGTH_DIGITS + 1)
        .position(|&byte| byte == b' ')?;
    let digits = body
        .get(..space)
        .filter(|digits| digits.iter().all(u8::is_ascii_digit))?;
    let length: usize = core::str::from_utf8(digits).ok()?.parse().ok()?;
    let (record, rest) = body.split_at_checked(length)?;
    let pair = record.get(space + 1..)?.strip_suffix(b"\n")?;
    let equals = pair.iter().position(|&byte| byte == b'=')?;
    Some((&pair[..equals], &pair[equals + 1..], rest))
}
