// SPDX-License-Identifier: MIT OR Apache-2.0
//! The access traits over mapped memory.
//!
//! Owns: all the unsafe code of this crate. Does not own: the mapping, which the creator keeps alive.

use super::address::WordIndex;
use super::place::Word32Index;
use super::region::{REQUIRED_SIZE, REQUIRED_WORDS};
use super::slab::{Slab, SlabRead};
use core::marker::PhantomData;
use core::mem::align_of;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Marks a slab whose memory may be written.
#[derive(Clone, Copy, Debug)]
pub enum ReadWrite {}

/// Marks a slab whose memory may be read only.
#[derive(Clone, Copy, Debug)]
pub enum ReadOnly {}

/// A slab whose mapping is read-only: it has no operation that writes.
pub type ReadOnlySlab = RawSlab<ReadOnly>;

/// A slab in memory that other processes may map too.
///
/// # Invariants
///
/// `base` is 8-aligned, and for the life of the value the [`REQUIRED_SIZE`] bytes from it on are valid for atomic
/// reads, and for atomic writes if `A` is [`ReadWrite`].
#[derive(Debug)]
pub struct RawSlab<A = ReadWrite> {
    base: NonNull<u8>,
    access: PhantomData<A>,
}

// SAFETY: every operation on the memory is atomic, and the memory is valid in every thread by the invariant.
unsafe impl<A> Send for RawSlab<A> {}
// SAFETY: as for `Send`; a shared reference offers atomic operations only.
unsafe impl<A> Sync for RawSlab<A> {}

impl RawSlab<ReadWrite> {
    /// A slab of `len` bytes at `base`; `None` if it is shorter than [`REQUIRED_SIZE`] or not 8-aligned.
    ///
    /// # Safety
    ///
    /// For the life of the result, the first [`REQUIRED_SIZE`] bytes (if `len` is that much) must be mapped readable
    /// and writable, and within this process be accessed atomically only, with u64 outside records and u32 in records.
    /// In particular no reference to plain integers may cover them.
    pub unsafe fn new(base: NonNull<u8>, len: usize) -> Option<Self> {
        // INVARIANT: size and alignment are checked; the rest is the caller's promise.
        fits(base, len).then_some(Self {
            base,
            access: PhantomData,
        })
    }
}

impl RawSlab<ReadOnly> {
    /// A read-only slab of `len` bytes at `base`; `None` if it is shorter than [`REQUIRED_SIZE`] or not 8-aligned.
    ///
    /// # Safety
    ///
    /// As for [`RawSlab::new`], but the memory need not be writable.
    pub unsafe fn read_only(base: NonNull<u8>, len: usize) -> Option<Self> {
        // INVARIANT: size and alignment are checked; the rest is the caller's promise.
        fits(base, len).then_some(Self {
            base,
            access: PhantomData,
        })
    }
}

fn fits(base: NonNull<u8>, len: usize) -> bool {
    len >= REQUIRED_SIZE && base.cast::<AtomicU64>().is_aligned()
}

impl<A> RawSlab<A> {
    /// The first byte of the slab.
    pub fn base(&self) -> NonNull<u8> {
        self.base
    }

    /// Runs one atomic operation on a u64 word.
    #[inline(always)]
    fn word<R>(&self, word: WordIndex, operation: impl FnOnce(&AtomicU64) -> R) -> R {
        // SAFETY: the word lies inside the memory by the invariants of `WordIndex` and `self`, and is 8-aligned because
        // the base is. The reference lasts for one operation.
        operation(unsafe { &*self.base.as_ptr().add(word.byte_offset()).cast() })
    }

    /// Runs one atomic operation on a u32 word.
    #[inline(always)]
    fn word32<R>(&self, word: Word32Index, operation: impl FnOnce(&AtomicU32) -> R) -> R {
        // SAFETY: the word lies inside the memory by the invariants of `Word32Index` and `self`, and is 4-aligned
        // because the base is 8-aligned. The reference lasts for one operation.
        operation(unsafe { &*self.base.as_ptr().add(word.byte_offset()).cast() })
    }
}

impl<A> SlabRead for RawSlab<A> {
    #[inline]
    fn load(&self, word: WordIndex) -> u64 {
        self.word(word, |w| w.load(Ordering::Relaxed))
    }

    #[inline]
    fn load32(&self, word: Word32Index) -> u32 {
        self.word32(word, |w| w.load(Ordering::Relaxed))
    }

    fn copy_words(&self, first: WordIndex, out: &mut [u64]) {
        let inside = out.len().min(REQUIRED_WORDS.saturating_sub(first.get()));
        let (head, tail) = out.split_at_mut(inside);
        // SAFETY: the words `first..first + head.len()` lie inside the memory by the invariants of `WordIndex` and
        // `self`, and are 8-aligned because the base is.
        unsafe { copy_relaxed(self.base.as_ptr().add(first.byte_offset()).cast(), head) };
        tail.fill(0);
    }
}

/// Words copied in one turn of the loop. The compiler does not unroll a loop of atomic loads by itself.
const UNROLL: usize = 8;

/// Copies `out.len()` words from `from` on, one relaxed load each.
///
/// # Safety
///
/// `from` must be 8-aligned, and `out.len()` words from it on must be valid for atomic reads.
unsafe fn copy_relaxed(mut from: *const AtomicU64, out: &mut [u64]) {
    let mut chunks = out.chunks_exact_mut(UNROLL);
    for chunk in &mut chunks {
        // SAFETY: by the caller's promise, each chunk of `out` has its words in the source, in order.
        from = unsafe { copy_each(from, chunk) };
    }
    // SAFETY: as above, for the words after the last chunk.
    unsafe { copy_each(from, chunks.into_remainder()) };
}

/// Copies as [`copy_relaxed`], and returns where the next word is.
///
/// # Safety
///
/// As for [`copy_relaxed`].
#[inline(always)]
unsafe fn copy_each(mut from: *const AtomicU64, out: &mut [u64]) -> *const AtomicU64 {
    for to in out {
        // SAFETY: by the caller's promise, there is a word for each one of `out`.
        *to = unsafe { &*from }.load(Ordering::Relaxed);
        // SAFETY: as above; after the last word, the pointer is at the end of the memory and not used.
        from = unsafe { from.add(1) };
    }
    from
}

impl Slab for RawSlab<ReadWrite> {
    #[inline]
    fn store(&self, word: WordIndex, value: u64) {
        self.word(word, |w| w.store(value, Ordering::Relaxed));
    }

    #[inline]
    fn store_release(&self, word: WordIndex, value: u64) {
        self.word(word, |w| w.store(value, Ordering::Release));
    }

    #[inline]
    fn add(&self, word: WordIndex, value: u64) -> u64 {
        self.word(word, |w| w.fetch_add(value, Ordering::Relaxed))
    }

    #[inline]
    fn sub(&self, word: WordIndex, value: u64) -> u64 {
        self.word(word, |w| w.fetch_sub(value, Ordering::Relaxed))
    }

    #[inline]
    fn or(&self, word: WordIndex, mask: u64) -> u64 {
        self.word(word, |w| w.fetch_or(mask, Ordering::Relaxed))
    }

    #[inline]
    fn and(&self, word: WordIndex, mask: u64) -> u64 {
        self.word(word, |w| w.fetch_and(mask, Ordering::Release))
    }

    #[inline]
    fn compare_exchange(&self, word: WordIndex, current: u64, new: u64) -> Result<u64, u64> {
        self.word(word, |w| {
            w.compare_exchange(current, new, Ordering::AcqRel, Ordering::Acquire)
        })
    }

    #[inline]
    fn store32(&self, word: Word32Index, value: u32) {
        self.word32(word, |w| w.store(value, Ordering::Relaxed));
    }

    #[inline]
    fn store32_release(&self, word: Word32Index, value: u32) {
        self.word32(word, |w| w.store(value, Ordering::Release));
    }
}

const _: () = assert!(align_of::<AtomicU64>() == 8 && align_of::<AtomicU32>() == 4);
