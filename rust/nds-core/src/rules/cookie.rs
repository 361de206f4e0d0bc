// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of occupancies: the generation of a slot, and the mmap cookie that carries slot and generation.
//!
//! Owns the bit layout of the cookie. Whether a cookie is current is decided in [`super::datastore`].

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
/// Not zero, and below 2^41.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Generation(u64);

impl Generation {
    /// That of the first occupancy.
    pub const FIRST: Self = Self(1);

    /// The last that a cookie can carry.
    pub const LAST: Self = Self((1 << GENERATION_BITS) - 1);

    /// That of the next occupancy; nothing after [`Self::LAST`], since a number that returned would let an old cookie
    /// name a new occupancy.
    pub const fn next(self) -> Option<Self> {
        if self.0 < Self::LAST.0 {
            Some(Self(self.0 + 1))
        } else {
            None
        }
    }

    /// As a number.
    pub const fn get(self) -> u64 {
        self.0
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
        self.generation.0 << GENERATION_SHIFT | (self.slot.index() as u64) << SLOT_SHIFT
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
        let generation = offset >> GENERATION_SHIFT;
        if generation == 0 || generation > Generation::LAST.0 {
            return None;
        }
        match Slot::new(offset >> SLOT_SHIFT & (SLOTS as u64 - 1)) {
            // INVARIANT: the range of the generation was checked above.
            Some(slot) => Some(Self {
                slot,
                generation: Generation(generation),
            }),
            None => None,
        }
    }
}
