// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading all model records of a slab.
//!
//! FNV-1a of one record is a serial chain: each byte waits for the product of the byte before. The
//! chains of several records are independent, so records are copied and hashed side by side: four
//! in the integer units, which any machine can do, or as many as keep the vector units busy where
//! those have a 32-bit multiply. The results are those of `nds_layout::publish::read_once`, record
//! by record.

mod group;
mod integer;
mod models;
mod vector;

pub use models::{ModelImage, Models};

use std::time::Duration;

use nds_layout::publish::read_once;
use nds_layout::{bitmap, place, ModelSlot, SlabRead};

use crate::pause::RECORD_RETRY;
use vector::Vector;

/// Bytes of the u32 words that records are read in.
const WORD: usize = size_of::<u32>();

/// So many records are hashed earlier by the integer units than by mostly empty vectors.
const FEW: usize = 12;

/// A way to hash several records at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method(Units);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Units {
    Integer,
    /// Chosen only where the processor has the vector unit.
    Vector,
}

impl Method {
    /// Four records at a time in the integer units, on any machine.
    pub const SCALAR: Self = Self(Units::Integer);

    /// The fastest one on this machine.
    #[must_use]
    #[inline]
    pub fn best() -> Self {
        if Vector::is_there() {
            Self(Units::Vector)
        } else {
            Self::SCALAR
        }
    }

    /// Makes one attempt at each slot. Bit n of the result is set if image n was not accepted.
    fn attempt(self, slab: &impl SlabRead, slots: &[ModelSlot], images: &mut [ModelImage]) -> u64 {
        match self.0 {
            // SAFETY: `Vector` is chosen only where the processor has the vector unit.
            Units::Vector if slots.len() > FEW => unsafe {
                group::attempt_vector(slab, slots, images)
            },
            _ => group::attempt_integer(slab, slots, images),
        }
    }
}

/// Reads the records of all slots that the bitmap names at one look, in place of those in `models`.
///
/// Slots that fail are read once more, after one wait of 200 us for all of them; those that fail
/// again are left out. Each record is consistent in itself, the set is not a snapshot.
pub fn read_models(
    slab: &impl SlabRead,
    method: Method,
    pause: impl FnOnce(Duration),
    models: &mut Models,
) {
    models.renew(bitmap::taken(bitmap::load(slab)));
    let (slots, images) = models.parts_mut();
    let failed = read_slots(slab, method, slots, images, pause);
    if failed != 0 {
        models.leave_out(failed);
    }
}

/// Reads the records of these slots, at most 64, into as many images. Bit n of the result is set if
/// image n was not accepted, at the second attempt either.
///
/// Allocates nothing. The wait of 200 us between the two attempts is one for all slots that fail.
pub fn read_slots(
    slab: &impl SlabRead,
    method: Method,
    slots: &[ModelSlot],
    images: &mut [ModelImage],
    pause: impl FnOnce(Duration),
) -> u64 {
    let failed = method.attempt(slab, slots, images);
    if failed == 0 {
        return 0;
    }
    pause(RECORD_RETRY);
    attempt_again(slab, slots, images, failed)
}

/// The second attempt, at the slots whose bit is set. Returns those that failed again.
fn attempt_again(
    slab: &impl SlabRead,
    slots: &[ModelSlot],
    images: &mut [ModelImage],
    failed: u64,
) -> u64 {
    let mut still_failed = 0;
    for (nth, (slot, image)) in slots.iter().zip(images).enumerate() {
        if failed >> nth & 1 == 1 {
            match read_once(slab, place::model(*slot)) {
                Ok(copy) => *image = copy,
                Err(_) => still_failed |= 1 << nth,
            }
        }
    }
    still_failed
}
