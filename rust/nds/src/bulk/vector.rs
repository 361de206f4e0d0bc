// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hashing records side by side in the lanes of a vector unit.
//!
//! The code is portable; the compiler turns the lanes into vectors, AVX2 ones in a function that may
//! use them, NEON ones on aarch64, which always has them. Loops over arrays only: a closure that is
//! not inlined would be compiled without.

use nds_layout::hash::{FNV_PRIME, RECORD_BASIS};
use nds_layout::place;
use nds_layout::record::model::LEN;
use nds_layout::{ModelSlot, SlabRead};

use super::group::Units;
use super::{ModelImage, WORD};

/// A vector unit with 32-bit multiplications.
pub(super) struct Vector;

impl Vector {
    /// Records in flight. With AVX2, 8 lanes in 4 vectors: a multiplication takes 10 cycles, and 16
    /// registers hold no more. With NEON, 4 lanes in 8 vectors of 32 registers.
    pub(super) const LANES: usize = 32;

    /// Whether this processor has one.
    #[inline]
    pub(super) fn is_there() -> bool {
        #[cfg(target_arch = "x86_64")]
        return std::arch::is_x86_feature_detected!("avx2");
        #[cfg(not(target_arch = "x86_64"))]
        return cfg!(target_feature = "neon");
    }
}

/// What lanes without a record hash.
static NO_IMAGE: ModelImage = [0; LEN];

impl Units<{ Vector::LANES }> for Vector {
    #[inline(always)]
    fn copy_and_hash(
        slab: &impl SlabRead,
        slots: &[ModelSlot],
        images: &mut [ModelImage],
    ) -> [u32; Vector::LANES] {
        for (slot, image) in slots.iter().zip(images.iter_mut()) {
            let words = image.chunks_exact_mut(WORD).skip(1);
            for (word, index) in words.zip(place::model(*slot).payload_words()) {
                word.copy_from_slice(&slab.load32(index).to_le_bytes());
            }
        }
        let mut lanes = [&NO_IMAGE; Vector::LANES];
        for (lane, image) in lanes.iter_mut().zip(&*images) {
            *lane = image;
        }
        hash_lanes(lanes)
    }
}

/// Feeds images into lanes word by word; a vector is split into bytes by shifting it.
#[inline(always)]
fn hash_lanes<const N: usize>(images: [&ModelImage; N]) -> [u32; N] {
    let mut states = [RECORD_BASIS; N];
    let mut words = [0; N];
    for from in (WORD..LEN).step_by(WORD) {
        for (word, image) in words.iter_mut().zip(images) {
            if let Some(bytes) = image[from..].first_chunk() {
                *word = u32::from_le_bytes(*bytes);
            }
        }
        for _ in 0..WORD {
            for (state, word) in states.iter_mut().zip(&mut words) {
                *state = (*state ^ (*word & u32::from(u8::MAX))).wrapping_mul(FNV_PRIME);
                *word >>= u8::BITS;
            }
        }
    }
    states
}
