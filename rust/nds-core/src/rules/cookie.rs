// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of occupancies: the generation of a slot, and the mmap cookie that carries slot and generation.
//!
//! Owns the bit layout of the cookie. Whether a cookie is current is decided in [`super::datastore`].

use core::num::NonZeroU64;

use super::slot::{Slot, SLOTS};
use crate::layout::region::SLAB_SIZE;

const SLOT_SHIFT: u32 = SLAB_SIZE.trailing_zeros();
const GENERATION_SHIFT: u32 = SLOT_SHIFT + SLOTS.trailing_zeros();

// A cookie is a file offset: it must stay a non-negative `off_t`.
const GENERATION_BITS: u32 = i64::BITS - 1 - GENERATION_SHIFT;

const _: () = assert!(SLAB_SIZE.is_power_of_two());
const _: () = assert!(SLOT_SHIFT == 18 && GENERATION_SHIFT == 22 && GENERATION_BITS == 41);

/// Which use of a slot: 1 for the first occupancy, one more for each next.
///
/// # Invariants
///
/// Below 2^41.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Generation(NonZeroU64);

impl Generation {
    /// That of the first occupancy.
    pub const FIRST: Self = Self(NonZeroU64::MIN);

    /// The last that a cookie can carry, as a number.
    pub const LAST: u64 = (1 << GENERATION_BITS) - 1;

    /// The generation of that number; nothing if a cookie cannot carry it.
    pub const fn new(number: u64) -> Option<Self> {
        match NonZeroU64::new(number) {
            // INVARIANT: compared with LAST here.
            Some(valid) if number <= Self::LAST => Some(Self(valid)),
            _ => None,
        }
    }

    /// That of the next occupancy; nothing after [`Self::LAST`], since a number that returned would let an old cookie
    /// name a new occupancy.
    pub const fn next(self) -> Option<Self> {
        Self::new(self.get().wrapping_add(1))
    }

    /// As a number.
    pub const fn get(self) -> u64 {
        self.0.get()
    }
}

/// The file offset at which one occupancy's slab is mapped: generation << 22 | slot << 18.
///
/// It is page aligned, not negative, names no other occupancy ever, and discloses no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cookie {
    /// The slot it names.
    pub slot: Slot,
    /// The use of the slot that it names.
    pub generation: Generation,
}

impl Cookie {
    /// The offset to give to `mmap`, in bytes.
    pub const fn offset(self) -> u64 {
        self.generation.get() << GENERATION_SHIFT | (self.slot.index() as u64) << SLOT_SHIFT
    }

    /// The occupancy whose slab starts at a file offset of that many bytes; nothing if no slab ever starts there.
    pub const fn from_offset(offset: u64) -> Option<Self> {
        match Self::containing(offset) {
            Some(cookie) if offset == cookie.offset() => Some(cookie),
            _ => None,
        }
    }

    /// The occupancy whose slab spans a file offset of that many bytes.
    pub const fn containing(offset: u64) -> Option<Self> {
        let slot = Slot::new((offset >> SLOT_SHIFT) & (SLOTS as u64 - 1));
        match (slot, Generation::new(offset >> GENERATION_SHIFT)) {
            (Some(slot), Some(generation)) => Some(Self { slot, generation }),
            _ => None,
        }
    }
}
