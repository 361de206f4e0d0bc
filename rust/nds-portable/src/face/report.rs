// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reports: taking a snapshot in parts, and reading its text.

use super::device::Core;
use super::owner::Identity;
use crate::rules::slot::Slot;
use crate::rules::{Part, Process, Reading, Snapshot, SLOTS};

/// Parts of a report, each taken under its own hold of the lock.
pub const PARTS: u32 = 17;

/// Bytes of the text that are made at a time.
pub const PIECE: usize = 512;

/// Bytes of a [`Snapshot`].
#[no_mangle]
pub extern "C" fn nds_core_snapshot_size() -> usize {
    size_of::<Snapshot>()
}

/// Begins a report in zeroed memory.
#[no_mangle]
pub extern "C" fn nds_core_snapshot_begin(snapshot: &mut Snapshot, device: u32) {
    snapshot.set_device(device);
}

/// Collects a part of a report, of [`PARTS`]. `seen` has the process of each slot as the reader knows it; one with the
/// number 0 is hidden.
#[no_mangle]
pub extern "C" fn nds_core_collect(
    core: &Core,
    part: u32,
    now: u64,
    seen: &[Process; SLOTS],
    snapshot: &mut Snapshot,
) {
    let describe = |slot: Slot, _: &Identity| {
        let process = seen[slot.index()];
        (process.pid != 0).then_some(process)
    };
    if let Some(part) = Part::nth(part) {
        let pages = &core.pages;
        core.store
            .collect(&pages.telemetry, pages, part, now, describe, snapshot);
    }
}

/// Says that only the first `room` bytes of a report are handed out, if it has more: the number of bytes.
#[no_mangle]
pub extern "C" fn nds_core_snapshot_limit(snapshot: &mut Snapshot, room: usize) -> usize {
    snapshot.limit(room)
}

/// Moves a reader, zeroed at first, to an offset in the text. Says whether the text goes that far.
#[no_mangle]
pub extern "C" fn nds_core_text_seek(
    reading: &mut Reading,
    snapshot: &Snapshot,
    position: u64,
) -> bool {
    reading.seek(snapshot, position)
}

/// Makes the next bytes of the text, at most `wanted`: their number.
#[no_mangle]
pub extern "C" fn nds_core_text_fill(
    reading: &mut Reading,
    snapshot: &Snapshot,
    piece: &mut [u8; PIECE],
    wanted: usize,
) -> usize {
    let (room, _) = piece.split_at_mut(wanted.min(PIECE));
    reading.fill(snapshot, room)
}

/// The reader has taken that many of them.
#[no_mangle]
pub extern "C" fn nds_core_text_take(reading: &mut Reading, snapshot: &Snapshot, taken: usize) {
    reading.take(snapshot, taken);
}

/// Whether there is no more text.
#[no_mangle]
pub extern "C" fn nds_core_text_at_end(reading: &Reading, snapshot: &Snapshot) -> bool {
    reading.at_end(snapshot)
}
