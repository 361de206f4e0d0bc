// SPDX-License-Identifier: MIT OR Apache-2.0
//! One 512-byte tar header block: checksum, size, type and name, strictly.
//!
//! Owns the field rules of section 13. The `tar` crate gives the field layout; its own readers are
//! not used because they trust more (extension headers of any size, sizes of any form) and say less
//! about what is wrong and where.

use std::vec::Vec;

use tar::Header;

/// Size of a block in bytes.
pub(super) const BLOCK_SIZE: usize = 512;

/// The largest size an entry may declare, in bytes.
const MAX_SIZE: u64 = i64::MAX as u64;

/// The magic of a POSIX archive, whose prefix field counts whatever version follows.
const USTAR_MAGIC: &[u8] = b"ustar\0";
/// Where the magic is.
const MAGIC: usize = 257;
/// Where the prefix is.
const PREFIX: core::ops::Range<usize> = 345..500;

/// A header block that is not zero.
pub(super) struct TarBlock(Header);

/// What kind of entry a block starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A file, unless its name ends in a slash.
    Regular,
    /// A file, whatever its name.
    Contiguous,
    Directory,
    /// PAX records for the next entry.
    PaxNext,
    /// PAX records for all entries.
    PaxGlobal,
    /// A long name for the next entry.
    GnuName,
    /// A long link target for the next entry.
    GnuLink,
    /// Link, device, pipe or something unknown, by its type flag.
    Special(u8),
}

impl TarBlock {
    /// Wraps a block; `None` for the zero block that ends an archive.
    pub(super) fn new(bytes: &[u8; BLOCK_SIZE]) -> Option<Self> {
        let is_zero = bytes.iter().all(|&byte| byte == 0);
        (!is_zero).then(|| Self(Header::from_byte_slice(bytes).clone()))
    }

    /// Whether the checksum is right, summed over unsigned or signed bytes.
    pub(super) fn checksum_matches(&self) -> bool {
        let field = self.0.as_old().cksum;
        let Some(declared) = octal(&field).filter(|_| !trim(&field).is_empty()) else {
            return false;
        };
        let blank = field.len() as i64 * i64::from(b' ');
        let sum =
            |value: fn(u8) -> i64| total(self.0.as_bytes(), value) - total(&field, value) + blank;
        let sums = [sum(i64::from), sum(|byte| i64::from(byte as i8))];
        sums.iter().any(|&sum| u64::try_from(sum) == Ok(declared))
    }

    pub(super) fn kind(&self) -> Kind {
        match self.0.entry_type().as_byte() {
            b'0' | 0 => Kind::Regular,
            b'7' => Kind::Contiguous,
            b'5' => Kind::Directory,
            b'x' => Kind::PaxNext,
            b'g' => Kind::PaxGlobal,
            b'L' => Kind::GnuName,
            b'K' => Kind::GnuLink,
            flag => Kind::Special(flag),
        }
    }

    /// The declared size in bytes; `None` when it is not a number or out of range.
    pub(super) fn size(&self) -> Option<u64> {
        let field = self.0.as_old().size;
        let size = match field[0] & 0x80 {
            0 => octal(&field),
            _ => base_256(field),
        };
        size.filter(|&size| size <= MAX_SIZE)
    }

    /// The name field, with the prefix of a POSIX archive.
    pub(super) fn name(&self) -> Vec<u8> {
        let name = terminated(&self.0.as_old().name);
        let is_ustar = self.0.as_bytes()[MAGIC..].starts_with(USTAR_MAGIC);
        let prefix = match is_ustar {
            true => terminated(&self.0.as_bytes()[PREFIX]),
            false => &[],
        };
        match prefix {
            [] => name.to_vec(),
            prefix => [prefix, b"/", name].concat(),
        }
    }
}

fn total(bytes: &[u8], value: fn(u8) -> i64) -> i64 {
    bytes.iter().map(|&byte| value(byte)).sum()
}

/// A decimal size of a PAX record; `None` when it is not a number or out of range.
pub(super) fn decimal_size(text: &[u8]) -> Option<u64> {
    let is_number = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let text = core::str::from_utf8(text).ok().filter(|_| is_number)?;
    text.parse().ok().filter(|&size| size <= MAX_SIZE)
}

/// Octal digits between spaces and zero bytes; nothing at all is zero.
fn octal(field: &[u8]) -> Option<u64> {
    trim(field)
        .iter()
        .try_fold(0u64, |sum, &digit| match digit {
            b'0'..=b'7' => sum.checked_mul(8)?.checked_add(u64::from(digit - b'0')),
            _ => None,
        })
}

fn trim(field: &[u8]) -> &[u8] {
    let is_text = |byte: &u8| !matches!(byte, b' ' | 0);
    let start = field.iter().position(is_text).unwrap_or(field.len());
    let end = field
        .iter()
        .rposition(is_text)
        .map_or(start, |last| last + 1);
    &field[start..end]
}

/// A big-endian number after the marker bit; `None` when it is negative or does not fit.
fn base_256(mut field: [u8; 12]) -> Option<u64> {
    if field[0] == 0xff {
        return None;
    }
    field[0] &= 0x7f;
    let value = field
        .iter()
        .fold(0u128, |sum, &byte| sum << 8 | u128::from(byte));
    u64::try_from(value).ok()
}

fn terminated(field: &[u8]) -> &[u8] {
    field.split(|&byte| byte == 0).next().unwrap_or(field)
}
