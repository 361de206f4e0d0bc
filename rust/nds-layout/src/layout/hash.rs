// SPDX-License-Identifier: MIT OR Apache-2.0
//! The record hash: FNV-1a, 32 bit, over the whole image with its hash word zero (layout reference section 9).
//!
//! Owns: computing, storing and verifying the hash of an image in private memory. A checksum against torn reads, not
//! against a hostile producer.

/// Start value of FNV-1a-32.
pub const FNV_BASIS: u32 = 0x811c_9dc5;
/// Multiplier of FNV-1a-32.
pub const FNV_PRIME: u32 = 0x0100_0193;
/// Bytes of the hash word at the start of a record.
pub const HASH_LEN: usize = 4;
/// The state after the four zero bytes that stand for the hash word: every record hash continues from here.
pub const RECORD_BASIS: u32 = fnv1a32(&[0; HASH_LEN]);

/// Why a record image is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordFault {
    /// The stored hash is 0 and does not match: nothing was published here, or it was withdrawn.
    Unpublished,
    /// The stored hash does not match: a write was under way, or the record is damaged.
    Torn,
}

impl core::fmt::Display for RecordFault {
    #[inline]
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Unpublished => "record not published",
            Self::Torn => "record hash does not match",
        })
    }
}

impl core::error::Error for RecordFault {}

/// FNV-1a-32 of `bytes`.
pub const fn fnv1a32(bytes: &[u8]) -> u32 {
    fnv1a32_continue(FNV_BASIS, bytes)
}

/// FNV-1a-32, continued from the state `hash`.
pub const fn fnv1a32_continue(mut hash: u32, bytes: &[u8]) -> u32 {
    let mut rest = bytes;
    while let [byte, tail @ ..] = rest {
        hash = (hash ^ *byte as u32).wrapping_mul(FNV_PRIME);
        rest = tail;
    }
    hash
}

/// Hash of a record image; its first four bytes count as zero.
pub const fn record_hash(image: &[u8]) -> u32 {
    match image.split_first_chunk::<HASH_LEN>() {
        Some((_, payload)) => fnv1a32_continue(RECORD_BASIS, payload),
        None => RECORD_BASIS,
    }
}

/// The hash stored in a record image; 0 if the image is too short to have one.
pub const fn stored_hash(image: &[u8]) -> u32 {
    match image.first_chunk::<HASH_LEN>() {
        Some(bytes) => u32::from_le_bytes(*bytes),
        None => 0,
    }
}

/// Stores the hash of a record image in its first four bytes.
pub fn seal(image: &mut [u8]) {
    let hash = record_hash(image);
    if let Some(bytes) = image.first_chunk_mut::<HASH_LEN>() {
        *bytes = hash.to_le_bytes();
    }
}

/// Accepts an image exactly if its stored hash is the computed one, also if both are 0.
///
/// # Errors
///
/// [`RecordFault::Unpublished`] if the stored hash is 0, else [`RecordFault::Torn`].
pub const fn verify(image: &[u8]) -> Result<(), RecordFault> {
    let stored = stored_hash(image);
    if stored == record_hash(image) {
        Ok(())
    } else {
        Err(fault(stored))
    }
}

/// Names the failure of an image with this stored hash.
pub const fn fault(stored: u32) -> RecordFault {
    if stored == 0 {
        RecordFault::Unpublished
    } else {
        RecordFault::Torn
    }
}

const _: () = assert!(RECORD_BASIS == 0x4b95_f515);
