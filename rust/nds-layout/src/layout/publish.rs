// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records into and out of a slab (memory-ordering rules: libnds reference section 9).
//!
//! Owns: the order of the accesses. Does not own: what the bytes mean (`record`), waiting between attempts, or the
//! bitmap (`bitmap`).

use super::hash::{fault, stored_hash, verify, RecordFault, HASH_LEN};
use super::place::RecordPlace;
use super::slab::{Slab, SlabRead};

/// Publishes a hashed image: a reader sees the old record, none, or the new one.
pub fn publish<const N: usize>(slab: &impl Slab, place: RecordPlace<N>, image: &[u8; N]) {
    withdraw(slab, place);
    let words = image.chunks_exact(HASH_LEN).map(stored_hash).skip(1);
    for (word, value) in place.payload_words().zip(words) {
        slab.store32(word, value);
    }
    // Whoever reads this hash with acquire sees the payload.
    slab.store32_release(place.hash_word(), stored_hash(image));
}

/// Erases a record: withdraws it, then zeroes it. For a model, free its slot afterwards.
pub fn erase<const N: usize>(slab: &impl Slab, place: RecordPlace<N>) {
    withdraw(slab, place);
    for word in place.payload_words() {
        slab.store32(word, 0);
    }
}

/// Readers see "unpublished" from here on; whoever sees a later payload word and then fences also sees this.
fn withdraw<const N: usize>(slab: &impl Slab, place: RecordPlace<N>) {
    slab.store32(place.hash_word(), 0);
    slab.fence_release();
}

/// One attempt to read a record into private memory. Parse only the result, never the slab again.
///
/// # Errors
///
/// [`RecordFault`] if the copy does not match its hash, or the hash changed meanwhile. Readers wait 200 us and try once
/// more.
pub fn read_once<const N: usize>(
    slab: &impl SlabRead,
    place: RecordPlace<N>,
) -> Result<[u8; N], RecordFault> {
    let hash = slab.load32_acquire(place.hash_word());
    let mut image = [0; N];
    let mut chunks = image.chunks_exact_mut(HASH_LEN);
    copy_word(chunks.next(), hash);
    for (chunk, word) in chunks.zip(place.payload_words()) {
        copy_word(Some(chunk), slab.load32(word));
    }
    slab.fence_acquire();
    if slab.load32(place.hash_word()) != hash {
        return Err(fault(hash));
    }
    // Catches what the second look cannot: producers that store hash and payload in another order.
    verify(&image)?;
    Ok(image)
}

fn copy_word(chunk: Option<&mut [u8]>, value: u32) {
    if let Some(bytes) = chunk.and_then(|c| c.first_chunk_mut()) {
        *bytes = value.to_le_bytes();
    }
}
