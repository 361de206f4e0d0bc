// SPDX-License-Identifier: MIT OR Apache-2.0
//! One attempt at several model records side by side.
//!
//! Owns the order of the accesses. How many records are in flight, and how they are copied and
//! hashed, is up to the [`Units`] that do it.

use nds_layout::place;
use nds_layout::{ModelSlot, SlabRead};

use super::integer::Integer;
use super::vector::Vector;
use super::{ModelImage, WORD};

/// The part of a processor that hashes `N` records side by side.
pub(super) trait Units<const N: usize> {
    /// Copies the payloads of up to `N` records into the images, one load a word, and returns the
    /// hashes of the copies. The place of the hash in an image is not touched, and counts as zero.
    fn copy_and_hash(
        slab: &impl SlabRead,
        slots: &[ModelSlot],
        images: &mut [ModelImage],
    ) -> [u32; N];
}

/// One attempt at each slot in the integer units. Bit n is set if image n was not accepted.
pub(super) fn attempt_integer(
    slab: &impl SlabRead,
    slots: &[ModelSlot],
    images: &mut [ModelImage],
) -> u64 {
    attempt_all::<{ Integer::CHAINS }, Integer>(slab, slots, images)
}

/// One attempt at each slot in the vector unit. Bit n is set if image n was not accepted.
///
/// # Safety
///
/// [`Vector::is_there`] says so.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2"))]
pub(super) unsafe fn attempt_vector(
    slab: &impl SlabRead,
    slots: &[ModelSlot],
    images: &mut [ModelImage],
) -> u64 {
    attempt_all::<{ Vector::LANES }, Vector>(slab, slots, images)
}

#[inline(always)]
fn attempt_all<const N: usize, U: Units<N>>(
    slab: &impl SlabRead,
    slots: &[ModelSlot],
    images: &mut [ModelImage],
) -> u64 {
    let mut failed = 0;
    for (group, (slots, images)) in slots.chunks(N).zip(images.chunks_mut(N)).enumerate() {
        failed |= attempt_group::<N, U>(slab, slots, images) << (group * N);
    }
    failed
}

/// One attempt at up to `N` records, with the accesses of `read_once` for each of them.
#[inline(always)]
fn attempt_group<const N: usize, U: Units<N>>(
    slab: &impl SlabRead,
    slots: &[ModelSlot],
    images: &mut [ModelImage],
) -> u64 {
    let mut stored = [0; N];
    for (hash, slot) in stored.iter_mut().zip(slots) {
        *hash = slab.load32_acquire(place::model(*slot).hash_word());
    }
    let computed = U::copy_and_hash(slab, slots, images);
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
