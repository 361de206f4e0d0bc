// SPDX-License-Identifier: MIT OR Apache-2.0
//! ASCII text in a buffer of fixed size, with numbers. Owns no format of its own.
//!
//! `core::fmt` is not used: it calls through pointers, which the kernel object must not do.

/// Digits of the longest decimal number, `u64::MAX`.
const DECIMAL_DIGITS: usize = 20;

/// A text of at most `N` bytes.
///
/// # Invariants
///
/// `length` is at most `N`.
#[derive(Clone, Copy, Debug)]
pub struct Text<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Text<N> {
    /// The empty text.
    pub const fn new() -> Self {
        Self {
            bytes: [0; N],
            length: 0,
        }
    }

    /// What was written.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// Makes it empty again.
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Appends bytes, all of them or, if they do not fit, none.
    pub fn push(&mut self, bytes: &[u8]) -> &mut Self {
        let end = self.length.saturating_add(bytes.len());
        if let Some(room) = self.bytes.get_mut(self.length..end) {
            let bytes = room.iter_mut().zip(bytes);
            bytes.for_each(|(to, from)| *to = *from);
            self.length = end;
        }
        self
    }

    /// Appends bytes in lower case.
    pub fn lower_case(&mut self, bytes: &[u8]) -> &mut Self {
        for byte in bytes {
            self.push(&[byte.to_ascii_lowercase()]);
        }
        self
    }

    /// Appends a number in decimal.
    pub fn decimal(&mut self, value: u64) -> &mut Self {
        self.digits::<10>(value, 1)
    }

    /// Appends a number in decimal, with leading zeros up to `width` digits.
    pub fn padded(&mut self, value: u64, width: usize) -> &mut Self {
        self.digits::<10>(value, width)
    }

    /// Appends a signed number in decimal.
    pub fn signed(&mut self, value: i32) -> &mut Self {
        if value < 0 {
            self.push(b"-");
        }
        self.decimal(value.unsigned_abs().into())
    }

    /// Appends a number in lower-case hexadecimal without prefix.
    pub fn hex(&mut self, value: u64) -> &mut Self {
        self.digits::<16>(value, 1)
    }

    /// Appends a number in lower-case hexadecimal without prefix, with leading zeros up to `width` digits.
    pub fn padded_hex(&mut self, value: u64, width: usize) -> &mut Self {
        self.digits::<16>(value, width)
    }

    fn digits<const BASE: u64>(&mut self, value: u64, width: usize) -> &mut Self {
        let mut digits = [b'0'; DECIMAL_DIGITS];
        let mut rest = value;
        let mut used = 0_usize;
        for digit in digits.iter_mut().rev() {
            if rest == 0 && used >= width {
                break;
            }
            *digit = digit_of(rest % BASE);
            rest /= BASE;
            used = used.wrapping_add(1);
        }
        let first = DECIMAL_DIGITS.wrapping_sub(used);
        self.push(digits.get(first..).unwrap_or_default())
    }
}

/// The lower-case digit of a value below 16.
const fn digit_of(value: u64) -> u8 {
    let value = value as u8;
    if value < 10 {
        b'0' | value
    } else {
        value.wrapping_sub(10).wrapping_add(b'a')
    }
}

impl<const N: usize> Default for Text<N> {
    fn default() -> Self {
        Self::new()
    }
}
