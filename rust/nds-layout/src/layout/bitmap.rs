// SPDX-License-Identifier: MIT OR Apache-2.0
//! The model bitmap: bit n set means that model slot n is taken (layout reference section 8).
//!
//! A set bit does not promise a published record; a clear bit means that the slot's bytes mean nothing.

use super::address::WordIndex;
use super::index::ModelSlot;
use super::slab::{Slab, SlabRead};

const fn bit(slot: ModelSlot) -> u64 {
    1u64.wrapping_shl(slot.get())
}

/// The lowest free slot, which is the one to allocate; `None` if all are taken.
pub const fn lowest_clear(bitmap: u64) -> Option<ModelSlot> {
    ModelSlot::new(bitmap.trailing_ones())
}

/// Whether a slot is taken.
pub const fn is_taken(bitmap: u64, slot: ModelSlot) -> bool {
    bitmap & bit(slot) != 0
}

/// The bitmap with a slot marked as taken or as free.
pub const fn mark(bitmap: u64, slot: ModelSlot, taken: bool) -> u64 {
    if taken {
        bitmap | bit(slot)
    } else {
        bitmap & !bit(slot)
    }
}

/// The taken slots in ascending order.
pub fn taken(bitmap: u64) -> impl Iterator<Item = ModelSlot> + Clone {
    ModelSlot::all().filter(move |&slot| is_taken(bitmap, slot))
}

/// The bitmap of a slab.
pub fn load(slab: &impl SlabRead) -> u64 {
    slab.load_acquire(WordIndex::MODEL_BITMAP)
}

/// Takes the lowest free slot of a slab; `None` if all are taken.
///
/// Retries only when another thread of the producer changed the bitmap meanwhile.
pub fn take_lowest(slab: &impl Slab) -> Option<ModelSlot> {
    let mut bitmap = load(slab);
    loop {
        let slot = lowest_clear(bitmap)?;
        let marked = mark(bitmap, slot, true);
        match slab.compare_exchange(WordIndex::MODEL_BITMAP, bitmap, marked) {
            Ok(_) => return Some(slot),
            Err(found) => bitmap = found,
        }
    }
}

/// Frees a slot of a slab. Erase its record first.
pub fn free(slab: &impl Slab, slot: ModelSlot) {
    slab.and(WordIndex::MODEL_BITMAP, !bit(slot));
}
