// SPDX-License-Identifier: GPL-2.0
//! The memory of slabs: allocation, page frames, access to words, zeroing.
//!
//! Owns the pages for as long as the device exists. Who may reach them is decided elsewhere.

use core::ptr::NonNull;

use kernel::{bindings, prelude::*};

use crate::ffi;
use crate::layout::{raw_slab::ReadOnlySlab, region::SLAB_SIZE};
use crate::rules::pages::{PageSet, PAGE_SIZE, SLAB_PAGES};
use crate::rules::slot::{Slot, SLOTS};

const _: () = assert!(PAGE_SIZE == kernel::page::PAGE_SIZE);

const WORDS: usize = SLAB_SIZE / size_of::<u64>();

/// The pages of one slab.
///
/// # Invariants
///
/// `memory` is a page-aligned `vmalloc` area of exactly [`SLAB_SIZE`] bytes, owned by this object, and `words` points
/// to it. Processes may change it at any time, so nobody makes a reference to its contents.
pub(crate) struct SlabMemory {
    memory: NonNull<u64>,
    words: ReadOnlySlab,
    /// The page frame of each page.
    frames: KBox<[c_ulong; SLAB_PAGES]>,
}

// SAFETY: The memory is owned, and all access to it is by atomic words or while nobody else reaches it.
unsafe impl Send for SlabMemory {}
// SAFETY: As above.
unsafe impl Sync for SlabMemory {}

impl SlabMemory {
    /// A slab of zeros.
    fn new() -> Result<Self> {
        let mut frames = KBox::new([0; SLAB_PAGES], GFP_KERNEL)?;
        let (memory, _, _) = VVec::<u64>::from_elem(0, WORDS, GFP_KERNEL)?.into_raw_parts();
        for (page, frame) in frames.iter_mut().enumerate() {
            // SAFETY: An address within the `vmalloc` area that was just made.
            *frame = unsafe {
                bindings::vmalloc_to_pfn(memory.cast::<u8>().add(page * PAGE_SIZE).cast())
            };
        }
        // SAFETY: A vector that is not empty has a pointer that is not null.
        let memory = unsafe { NonNull::new_unchecked(memory) };
        // SAFETY: The area has SLAB_SIZE bytes, and lives until this object is dropped.
        let words = unsafe { ReadOnlySlab::read_only(memory.cast(), SLAB_SIZE) };
        let Some(words) = words else {
            // SAFETY: The parts came from `into_raw_parts` above.
            drop(unsafe { VVec::from_raw_parts(memory.as_ptr(), WORDS, WORDS) });
            return Err(EINVAL);
        };
        // INVARIANT: `vmalloc` areas are page aligned; ownership came from `into_raw_parts`.
        Ok(Self {
            memory,
            words,
            frames,
        })
    }

    /// Zeroes pages that no process can reach.
    fn zero(&self, pages: PageSet) {
        for (first, count) in pages.runs() {
            // SAFETY: A `PageSet` has only pages of a slab, so the range is within the area. Its caller revoked every
            // mapping and holds the lock under which new ones are made, so nobody else accesses it.
            unsafe {
                let start = self.memory.as_ptr().cast::<u8>().add(first * PAGE_SIZE);
                ffi::nds_clear_pages(start.cast(), count as c_ulong);
            }
        }
    }
}

impl Drop for SlabMemory {
    fn drop(&mut self) {
        // SAFETY: By the type invariant these are the parts of a vector of ours, and no mapping is left: each keeps
        // its file, and so the module, alive.
        drop(unsafe { VVec::from_raw_parts(self.memory.as_ptr(), WORDS, WORDS) });
    }
}

/// The slabs of one device.
///
/// # Invariants
///
/// There are [`SLOTS`] of them.
pub(crate) struct Slabs(KVec<SlabMemory>);

impl Slabs {
    /// Allocates all slabs of a device, or none.
    pub(crate) fn new() -> Result<Self> {
        let mut slabs = KVec::with_capacity(SLOTS, GFP_KERNEL)?;
        for _ in 0..SLOTS {
            slabs.push(SlabMemory::new()?, GFP_KERNEL)?;
        }
        // INVARIANT: The loop pushed SLOTS slabs.
        Ok(Self(slabs))
    }

    fn get(&self, slot: Slot) -> &SlabMemory {
        // SAFETY: By the type invariants of both, the index is in range.
        unsafe { self.0.get_unchecked(slot.index()) }
    }

    /// Access to the words of a slab.
    pub(crate) fn words(&self, slot: Slot) -> &ReadOnlySlab {
        &self.get(slot).words
    }

    /// The page frames of `count` pages of a slab from number `first` on, as far as it goes.
    pub(crate) fn frames(&self, slot: Slot, first: usize, count: usize) -> &[c_ulong] {
        let frames = &self.get(slot).frames;
        frames
            .get(first..)
            .and_then(|rest| rest.get(..count))
            .unwrap_or_default()
    }

    /// Zeroes pages of a slab that no process can reach.
    pub(crate) fn zero(&self, slot: Slot, pages: PageSet) {
        self.get(slot).zero(pages);
    }
}
