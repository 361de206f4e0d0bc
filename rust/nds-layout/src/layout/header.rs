// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header word: signature and layout version (layout reference section 4).
//!
//! Owns: the one accepted value, its commit and its check. Does not own: waiting between two looks.

use super::address::WordIndex;
use super::slab::{Slab, SlabRead};

/// The first four bytes: `"nds"` and NUL.
pub const SIGNATURE: [u8; 4] = *b"nds\0";
/// Layout version. Unrelated to the versions of runtime, framework and adaptation layer.
pub const VERSION: i32 = 100_000;
/// Signature and version as the one u64 that is stored and compared.
pub const HEADER_WORD: u64 =
    u32::from_le_bytes(SIGNATURE) as u64 | (VERSION as u32 as u64) << u32::BITS;

/// Whether a header word announces the layout of this crate. A fresh slab reads 0 there.
pub const fn is_valid(word: u64) -> bool {
    word == HEADER_WORD
}

/// One look at the header of a slab. If it fails, no other region may be read.
pub fn check(slab: &impl SlabRead) -> bool {
    is_valid(slab.load_acquire(WordIndex::HEADER))
}

/// Announces a slab as initialised.
pub fn commit(slab: &impl Slab) {
    slab.store_release(WordIndex::HEADER, HEADER_WORD);
}

const _: () = assert!(HEADER_WORD == 0x0001_86a0_0073_646e);
