// SPDX-License-Identifier: MIT OR Apache-2.0
//! Little-endian fields of the 1024-byte block.
//!
//! Owns the byte access of both layouts; the offsets are theirs, and constant.

/// Size of the header in bytes; the payload starts here.
pub const HEADER_SIZE: usize = 1024;

/// The header's bytes.
pub type Block = [u8; HEADER_SIZE];

/// The `N` bytes at `offset`.
pub(super) fn bytes<const N: usize>(block: &Block, offset: usize) -> [u8; N] {
    let mut field = [0; N];
    field.copy_from_slice(&block[offset..offset + N]);
    field
}

/// The u64 at `offset`.
pub(super) fn u64_at(block: &Block, offset: usize) -> u64 {
    u64::from_le_bytes(bytes(block, offset))
}

/// The u32 at `offset`.
pub(super) fn u32_at(block: &Block, offset: usize) -> u32 {
    u32::from_le_bytes(bytes(block, offset))
}

/// Stores `field` at `offset`.
pub(super) fn put(block: &mut Block, offset: usize, field: &[u8]) {
    block[offset..offset + field.len()].copy_from_slice(field);
}

/// `text` as a zero-filled field; `None` when it does not fit.
pub(super) fn text_field<const N: usize>(text: &[u8]) -> Option<[u8; N]> {
    let mut field = [0; N];
    field.get_mut(..text.len())?.copy_from_slice(text);
    Some(field)
}
