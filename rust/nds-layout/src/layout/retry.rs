// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reader's two looks at a header or a record (layout reference section 10).
//!
//! Owns: how often to look and how long to wait in between. Does not own: sleeping, which the caller passes in. There
//! is no third look, because a producer can die half way through a write.

use super::hash::RecordFault;
use super::header;
use super::place::RecordPlace;
use super::publish::read_once;
use super::slab::SlabRead;
use core::time::Duration;

/// Wait between two looks at the header.
pub const HEADER_RETRY: Duration = Duration::from_micros(500);
/// Wait between two reads of a record.
pub const RECORD_RETRY: Duration = Duration::from_micros(200);

/// Looks at the header, and once more after `sleep` if it is not there.
pub fn check_header(slab: &impl SlabRead, sleep: impl FnOnce(Duration)) -> bool {
    header::check(slab) || {
        sleep(HEADER_RETRY);
        header::check(slab)
    }
}

/// Reads a record, and once more after `sleep` if the first copy is not whole.
///
/// # Errors
///
/// What was wrong with the second copy.
pub fn read<const N: usize>(
    slab: &impl SlabRead,
    place: RecordPlace<N>,
    sleep: impl FnOnce(Duration),
) -> Result<[u8; N], RecordFault> {
    read_once(slab, place).or_else(|_| {
        sleep(RECORD_RETRY);
        read_once(slab, place)
    })
}
