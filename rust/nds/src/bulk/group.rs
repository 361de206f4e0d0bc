// SPDX-License-Identifier: MIT OR Apache-2.0
//! One attempt at several model records side by side.
//!
//! The same portable code serves both kinds of unit; they differ in how many records are in flight
//! and in how a word is split into bytes. The compiler turns the lanes of [`hash_lanes`] into
//! vectors: AVX2 ones where the processor has them, NEON ones on aarch64, which always has them.

use std::array;

use nds_layout::hash::{FNV_PRIME, RECORD_BASIS};
use nds_layout::place;
use nds_layout::record::model::LEN;
use nds_layout::{ModelSlot, SlabRead};

use super::ModelImage;

/// Bytes of the u32 words that records are read in.
const WORD: usize = size_of::<u32>();

/// Records in flight in the integer units: a multiplication takes 3 or 4 cycles, one can start in
/// every cycle.
const CHAINS: usize = 4;

/// Records in flight in vector units. With AVX2, 8 lanes in 4 vectors: a multiplication takes 10
/// cycles, and 16 registers hold no more. With NEON, 4 lanes in 8 vectors of 32 registers.
const LANES: usize = 32;

/// What lanes without a record hash.
static NO_IMAGE: ModelImage = [0; LEN];

/// Whether [`attempt_vector`] may be called.
#[inline]
pub(super) fn has_vector_unit() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    return cfg!(target_feature = "neon");
}

/// One attempt at each slot, [`CHAINS`] at a time. Bit n is set if image n was not accepted.
pub(super) fn attempt_scalar(
    slab: &impl SlabRead,
    slots: &[ModelSlot],
    images: &mut [ModelImage],
) -> u64 {
    attempt_all::<CHAINS>(slab, slots, images, hash_chains)
}

/// One attempt at each slot, [`LANES`] at a time. Bit n is set if image n was not accepted.
///
/// # Safety
///
/// [`has_vector_unit`] says so.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2"))]
pub(super) unsafe fn attempt_vector(
    slab: &impl SlabRead,
    slots: &[ModelSlot],
    images: &mut [ModelImage],
) -> u64 {
    attempt_all::<LANES>(slab, slots, images, hash_lanes)
}

#[inline(always)]
fn attempt_all<const N: usize>(
    slab: &impl SlabRead,
    slots: &[ModelSlot],
    images: &mut [ModelImage],
    hash: impl Fn([&ModelImage; N]) -> [u32; N] + Copy,
) -> u64 {
    let mut failed = 0;
    for (group, (slots, images)) in slots.chunks(N).zip(images.chunks_mut(N)).enumerate() {
        failed |= attempt_group(slab, slots, images, hash) << (group * N);
    }
    failed
}

/// One attempt at up to `N` records, with the accesses of `read_once` for each of them.
#[inline(always)]
fn attempt_group<const N: usize>(
    slab: &impl SlabRead,
    slots: &[ModelSlot],
    images: &mut [ModelImage],
    hash: impl Fn([&ModelImage; N]) -> [u32; N],
) -> u64 {
    let hashes = slots
        .iter()
        .map(|slot| slab.load32_acquire(place::model(*slot).hash_word()));
    let mut stored = [0; N];
    stored
        .iter_mut()
        .zip(hashes)
        .for_each(|(to, hash)| *to = hash);

    for (slot, image) in slots.iter().zip(images.iter_mut()) {
        copy_payload(slab, *slot, image);
    }
    let computed = hash(array::from_fn(|nth| images.get(nth).unwrap_or(&NO_IMAGE)));

    slab.fence_acquire();
    let mut failed = 0;
    let hashes = stored.into_iter().zip(computed);
    for (nth, ((slot, image), (stored, computed))) in
        slots.iter().zip(images).zip(hashes).enumerate()
    {
        let again = slab.load32(place::model(*slot).hash_word());
        image[..WORD].copy_from_slice(&stored.to_le_bytes());
        failed |= u64::from(again != stored || computed != stored) << nth;
    }
    failed
}

/// Copies a record, one load a word; the place of the hash stays as it is.
#[inline(always)]
fn copy_payload(slab: &impl SlabRead, slot: ModelSlot, image: &mut ModelImage) {
    let words = image.chunks_exact_mut(WORD).skip(1);
    for (word, index) in words.zip(place::model(slot).payload_words()) {
        word.copy_from_slice(&slab.load32(index).to_le_bytes());
    }
}

/// Feeds images into chains byte by byte; loading single bytes leaves the integer units to the
/// multiplications.
#[inline(always)]
fn hash_chains<const N: usize>(images: [&ModelImage; N]) -> [u32; N] {
    let mut states = [RECORD_BASIS; N];
    for byte in WORD..LEN {
        for (state, image) in states.iter_mut().zip(images) {
            *state = (*state ^ u32::from(image[byte])).wrapping_mul(FNV_PRIME);
        }
    }
    states
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
