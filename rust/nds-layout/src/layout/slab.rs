// SPDX-License-Identifier: MIT OR Apache-2.0
//! Access to the words of a slab, as traits.
//!
//! Another process can change every byte at any time. So the traits offer single atomic operations that return values,
//! never references, and no operation reads a word twice. Orderings follow the memory-ordering table of the libnds
//! reference (section 9): counters are relaxed; header and bitmap are acquire and release.
//!
//! [`RawSlab`](super::raw_slab::RawSlab) implements both traits over mapped memory; tests may implement them over a log.

use super::address::WordIndex;
use super::place::Word32Index;
use core::sync::atomic::{fence, Ordering};

/// Reading a slab.
pub trait SlabRead {
    /// Loads a u64 word, relaxed: counters.
    fn load(&self, word: WordIndex) -> u64;

    /// Loads a u32 word of a record, relaxed.
    fn load32(&self, word: Word32Index) -> u32;

    /// Keeps later accesses after earlier loads.
    fn fence_acquire(&self) {
        fence(Ordering::Acquire);
    }

    /// Loads a u64 word, acquire: header and bitmap.
    ///
    /// A relaxed load and a fence, because on a read-only mapping only relaxed loads are guaranteed not to write.
    fn load_acquire(&self, word: WordIndex) -> u64 {
        let value = self.load(word);
        self.fence_acquire();
        value
    }

    /// Loads a u32 word of a record, acquire: the hash. See [`Self::load_acquire`].
    fn load32_acquire(&self, word: Word32Index) -> u32 {
        let value = self.load32(word);
        self.fence_acquire();
        value
    }

    /// Copies the words from `first` on, one relaxed load each. Words past the used part of the slab read as 0.
    fn copy_words(&self, first: WordIndex, out: &mut [u64]) {
        for (to, number) in out.iter_mut().zip(first.get()..) {
            *to = WordIndex::new(number).map_or(0, |word| self.load(word));
        }
    }
}

/// Reading and writing a slab.
pub trait Slab: SlabRead {
    /// Stores a u64 word, relaxed: setting a counter.
    fn store(&self, word: WordIndex, value: u64);

    /// Stores a u64 word, release: the header.
    fn store_release(&self, word: WordIndex, value: u64);

    /// Adds modulo 2^64, relaxed. Returns the previous value.
    fn add(&self, word: WordIndex, value: u64) -> u64;

    /// Subtracts modulo 2^64, relaxed. Returns the previous value.
    fn sub(&self, word: WordIndex, value: u64) -> u64;

    /// Sets the bits of `mask`, relaxed. Returns the previous value.
    fn or(&self, word: WordIndex, mask: u64) -> u64;

    /// Keeps only the bits of `mask`, release: clearing bitmap bits. Returns the previous value.
    fn and(&self, word: WordIndex, mask: u64) -> u64;

    /// Replaces `current` by `new`: acquire and release on success, acquire on failure.
    ///
    /// # Errors
    ///
    /// The value found, if it is not `current`.
    fn compare_exchange(&self, word: WordIndex, current: u64, new: u64) -> Result<u64, u64>;

    /// Stores a u32 word of a record, relaxed.
    fn store32(&self, word: Word32Index, value: u32);

    /// Stores a u32 word of a record, release: the hash.
    fn store32_release(&self, word: Word32Index, value: u32);

    /// Keeps later stores after earlier accesses.
    fn fence_release(&self) {
        fence(Ordering::Release);
    }
}
