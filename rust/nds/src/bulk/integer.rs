// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hashing four records side by side in the integer units of any processor.

use std::array;

use nds_layout::hash::{FNV_PRIME, RECORD_BASIS};
use nds_layout::place;
use nds_layout::record::model::LEN;
use nds_layout::{ModelSlot, SlabRead};

use super::group::Units;
use super::{ModelImage, WORD};

/// The integer units.
pub(super) struct Integer;

impl Integer {
    /// Records in flight: a multiplication takes 3 or 4 cycles, and one can start in every cycle.
    pub(super) const CHAINS: usize = 4;
}

/// So many words of each record are copied before they are hashed: far enough for a byte to be
/// loaded from where its word was just stored, near enough for copies and multiplications to mix.
const AHEAD: usize = 8;

impl Units<{ Integer::CHAINS }> for Integer {
    #[inline(always)]
    fn copy_and_hash(
        slab: &impl SlabRead,
        slots: &[ModelSlot],
        images: &mut [ModelImage],
    ) -> [u32; Integer::CHAINS] {
        match (slots.try_into(), images.try_into()) {
            (Ok(slots), Ok(images)) => side_by_side(slab, slots, images),
            _ => one_by_one(slab, slots, images),
        }
    }
}

fn one_by_one<const N: usize>(
    slab: &impl SlabRead,
    slots: &[ModelSlot],
    images: &mut [ModelImage],
) -> [u32; N] {
    let mut hashes = [0; N];
    for ((hash, slot), image) in hashes.iter_mut().zip(slots).zip(images) {
        [*hash] = side_by_side(slab, [*slot], array::from_mut(image));
    }
    hashes
}

/// Copies words while it hashes bytes of earlier ones, so that the copy costs no time of its own.
#[inline(always)]
fn side_by_side<const N: usize>(
    slab: &impl SlabRead,
    slots: [ModelSlot; N],
    images: &mut [ModelImage; N],
) -> [u32; N] {
    let mut sources = slots.map(|slot| place::model(slot).payload_words());
    let mut copy = |images: &mut [ModelImage; N], from: usize| {
        for (image, source) in images.iter_mut().zip(&mut sources) {
            if let Some(word) = source.next() {
                let place = image
                    .get_mut(from..)
                    .and_then(|rest| rest.first_chunk_mut());
                if let Some(place) = place {
                    *place = slab.load32(word).to_le_bytes();
                }
            }
        }
    };
    let mut states = [RECORD_BASIS; N];
    for from in (WORD..AHEAD * WORD).step_by(WORD) {
        copy(images, from);
    }
    for from in (WORD..LEN).step_by(WORD) {
        let ahead = from + (AHEAD - 1) * WORD;
        if ahead < LEN {
            copy(images, ahead);
        }
        // Byte by byte from memory: splitting words would keep the units from multiplying.
        for byte in from..from + WORD {
            for (state, image) in states.iter_mut().zip(&*images) {
                *state = (*state ^ u32::from(image[byte])).wrapping_mul(FNV_PRIME);
            }
        }
    }
    states
}
