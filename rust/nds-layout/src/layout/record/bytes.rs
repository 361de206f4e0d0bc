// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fields in and out of an image, and NUL-padded text.

/// Writes `value` at byte `at` of an image.
pub(super) fn put(image: &mut [u8], at: usize, value: &[u8]) {
    for (to, from) in image.iter_mut().skip(at).zip(value) {
        *to = *from;
    }
}

/// The `L` bytes at byte `at` of an image.
pub(super) fn take<const L: usize>(image: &[u8], at: usize) -> [u8; L] {
    let mut value = [0; L];
    put(&mut value, 0, image.get(at..).unwrap_or(&[]));
    value
}

/// The bytes before the first NUL, or all of them. Not necessarily UTF-8.
pub fn trimmed(text: &[u8]) -> &[u8] {
    text.split(|&byte| byte == 0).next().unwrap_or(text)
}

/// The first `L` bytes of `text`, padded with NUL. A text of `L` bytes or more keeps no NUL, as the format allows.
pub fn padded<const L: usize>(text: &[u8]) -> [u8; L] {
    take(text, 0)
}
