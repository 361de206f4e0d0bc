// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where records lie in a slab, and the u32 words they are made of.
//!
//! Records are accessed in u32 words only; header, counters and bitmap in u64 words only. The two kinds never overlap.

use super::index::ModelSlot;
use super::region::{
    MODEL_RECORDS_SIZE, MODEL_RECORDS_START, MODEL_RECORD_SIZE, PROCESS_INFO_EXT_SIZE,
    PROCESS_INFO_EXT_START, PROCESS_INFO_SIZE, PROCESS_INFO_START, REQUIRED_SIZE,
};
use core::mem::size_of;

/// Bytes of a u32 word.
const WORD32: usize = size_of::<u32>();

/// A u32 word of a record.
///
/// # Invariants
///
/// Four times the number is below [`REQUIRED_SIZE`], so the word lies inside every accepted mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word32Index(u16);

impl Word32Index {
    /// The number of the word, counted in u32 from the slab base.
    pub const fn get(self) -> usize {
        self.0 as usize
    }

    /// Byte offset from the slab base.
    pub const fn byte_offset(self) -> usize {
        self.get() * WORD32
    }
}

/// The place of a record of `N` bytes.
///
/// # Invariants
///
/// `start` is 4-aligned, `N` is a positive multiple of 4, and `start + N` is at most [`REQUIRED_SIZE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordPlace<const N: usize> {
    start: u16,
}

/// The process-info record.
pub const PROCESS_INFO: RecordPlace<PROCESS_INFO_SIZE> = RecordPlace::at(PROCESS_INFO_START);
/// The extended process-info record.
pub const PROCESS_INFO_EXT: RecordPlace<PROCESS_INFO_EXT_SIZE> =
    RecordPlace::at(PROCESS_INFO_EXT_START);

/// The model record of a slot.
pub const fn model(slot: ModelSlot) -> RecordPlace<MODEL_RECORD_SIZE> {
    // INVARIANT: slots tile the region, which is 4-aligned and inside the map (asserted below).
    RecordPlace {
        start: (MODEL_RECORDS_START + slot.index() * MODEL_RECORD_SIZE) as u16,
    }
}

impl<const N: usize> RecordPlace<N> {
    /// The place at a constant byte offset.
    const fn at(start: usize) -> Self {
        // INVARIANT: called with region starts only (asserted below).
        Self {
            start: start as u16,
        }
    }

    /// First byte of the record, from the slab base.
    pub const fn byte_offset(self) -> usize {
        self.start as usize
    }

    /// The word that holds the hash.
    pub const fn hash_word(self) -> Word32Index {
        // INVARIANT: the record has at least one word.
        Word32Index(self.start / WORD32 as u16)
    }

    /// The words after the hash, in address order.
    pub fn payload_words(self) -> impl Iterator<Item = Word32Index> + Clone {
        let first = self.hash_word().0;
        // INVARIANT: `k` is below the number of words of the record.
        (1..(N / WORD32) as u16).map(move |k| Word32Index(first.wrapping_add(k)))
    }
}

const _: () = {
    assert!(MODEL_RECORDS_START + MODEL_RECORDS_SIZE <= REQUIRED_SIZE);
    assert!(PROCESS_INFO_EXT_START + PROCESS_INFO_EXT_SIZE <= u16::MAX as usize);
    assert!(REQUIRED_SIZE / WORD32 <= u16::MAX as usize);
    assert!(PROCESS_INFO_START % WORD32 == 0 && PROCESS_INFO_SIZE % WORD32 == 0);
    assert!(MODEL_RECORDS_START % WORD32 == 0 && MODEL_RECORD_SIZE % WORD32 == 0);
    assert!(PROCESS_INFO_EXT_START % WORD32 == 0 && PROCESS_INFO_EXT_SIZE % WORD32 == 0);
};
