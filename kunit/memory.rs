// SPDX-License-Identifier: GPL-2.0
//! A slab in the memory that devices use, to write to.

use core::ops::Deref;

use kernel::error::{code::EINVAL, Result};

use crate::layout::{place::RecordPlace, RawSlab, Slab, SLAB_SIZE};
use crate::rules::slot::{Slot, SlotSet};
use crate::slab::Slabs;

/// A slab of zeros.
pub(crate) struct TestSlab {
    slab: RawSlab,
    /// Keeps the memory.
    _slabs: Slabs,
}

impl TestSlab {
    /// Allocates the slabs of a device and takes the first.
    pub(crate) fn new() -> Result<Self> {
        let slabs = Slabs::new()?;
        let slab = writable(&slabs, first_slot()?)?;
        Ok(Self {
            slab,
            _slabs: slabs,
        })
    }

    /// Puts an image in the place of a record as it is, as a foreign producer could.
    pub(crate) fn put<const N: usize>(&self, place: RecordPlace<N>, image: &[u8]) {
        let words = core::iter::once(place.hash_word()).chain(place.payload_words());
        for (word, bytes) in words.zip(image.chunks_exact(size_of::<u32>())) {
            let value = bytes
                .first_chunk()
                .map_or(0, |bytes| u32::from_le_bytes(*bytes));
            self.store32(word, value);
        }
    }
}

impl Deref for TestSlab {
    type Target = RawSlab;

    fn deref(&self) -> &RawSlab {
        &self.slab
    }
}

/// Slot 0.
pub(crate) fn first_slot() -> Result<Slot> {
    SlotSet::ALL.iter().next().ok_or(EINVAL)
}

/// Access to write to a slab, which a device itself never does. It must not outlive the slabs.
pub(crate) fn writable(slabs: &Slabs, slot: Slot) -> Result<RawSlab> {
    // SAFETY: The slab has SLAB_SIZE bytes and is accessed atomically only; no test keeps the view longer than it.
    unsafe { RawSlab::new(slabs.words(slot).base(), SLAB_SIZE) }.ok_or(EINVAL)
}
