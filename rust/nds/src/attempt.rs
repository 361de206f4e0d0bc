// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two looks and one wait: the retry rules of a reader (libnds reference sections 6 and 9).
//!
//! Works over any slab memory and with any way to wait. A reader never looks a third time, so its
//! work is bounded whatever the producer does.

use std::time::Duration;

use nds_layout::hash::{RecordFault, HASH_LEN};
use nds_layout::publish::read_once;
use nds_layout::{header, RecordPlace, SlabRead, WordIndex};

use crate::pause::{HEADER_RETRY, RECORD_RETRY};
use crate::{Error, Result};

/// Checks the header, and checks once more after 500 us if it is not right.
///
/// # Errors
///
/// [`Error::BadHeader`] with the word of the last look. No other part of the slab may be used then.
pub fn check_header(slab: &impl SlabRead, pause: impl FnOnce(Duration)) -> Result<()> {
    if header::check(slab) {
        return Ok(());
    }
    pause(HEADER_RETRY);
    match slab.load_acquire(WordIndex::HEADER) {
        word if header::is_valid(word) => Ok(()),
        found => Err(Error::BadHeader { found }),
    }
}

/// Reads a record, and reads once more after 200 us if it does not verify.
///
/// # Errors
///
/// How the second copy failed.
pub fn read_record<const N: usize>(
    slab: &impl SlabRead,
    place: RecordPlace<N>,
    pause: impl FnOnce(Duration),
) -> Result<[u8; N], RecordFault> {
    read_once(slab, place).or_else(|_| {
        pause(RECORD_RETRY);
        read_once(slab, place)
    })
}

/// Reads a record as [`read_record`] does, but also hands out a copy that did not verify.
///
/// This is what libnds of old did for models. The copy may be half of one record and half of
/// another; use it for nothing but showing it, together with the fault.
pub fn read_last_copy<const N: usize>(
    slab: &impl SlabRead,
    place: RecordPlace<N>,
    pause: impl FnOnce(Duration),
) -> ([u8; N], Option<RecordFault>) {
    match read_record(slab, place, pause) {
        Ok(image) => (image, None),
        Err(fault) => (copy_unverified(slab, place), Some(fault)),
    }
}

fn copy_unverified<const N: usize>(slab: &impl SlabRead, place: RecordPlace<N>) -> [u8; N] {
    let mut image = [0; N];
    let words = std::iter::once(place.hash_word()).chain(place.payload_words());
    for (bytes, word) in image.chunks_exact_mut(HASH_LEN).zip(words) {
        bytes.copy_from_slice(&slab.load32(word).to_le_bytes());
    }
    image
}
