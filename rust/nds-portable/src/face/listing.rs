// SPDX-License-Identifier: MIT OR Apache-2.0
//! The texts for people, a line at a time. Each function gives the length of the line of a number, counted from 0; 0 if
//! there is no such line.

use core::mem::MaybeUninit;

use super::device::Core;
use crate::rules::listing::{self, Line, LINE_MAX};
use crate::rules::{FileRights, Message, Snapshot};

/// Room for a line.
pub type Room = [u8; LINE_MAX];

/// Gives a line to C.
fn line(room: &mut Room, write: impl FnOnce(&mut Line) -> bool) -> usize {
    let mut line = Line::new();
    if !write(&mut line) {
        return 0;
    }
    let bytes = line.as_bytes();
    room.iter_mut()
        .zip(bytes)
        .for_each(|(to, from)| *to = *from);
    bytes.len()
}

/// A line of the file `slots`.
#[no_mangle]
pub extern "C" fn nds_core_slots_line(
    snapshot: &Snapshot,
    number: usize,
    room: &mut Room,
) -> usize {
    line(room, |line| listing::slots(snapshot, number, line))
}

/// A line of the file `statistics`.
#[no_mangle]
pub extern "C" fn nds_core_statistics_line(
    snapshot: &Snapshot,
    number: usize,
    room: &mut Room,
) -> usize {
    line(room, |line| {
        listing::statistics(snapshot.statistics(), number, line)
    })
}

/// A line of the file `last_post`.
#[no_mangle]
pub extern "C" fn nds_core_post_line(message: &Message, number: usize, room: &mut Room) -> usize {
    line(room, |line| listing::last_post(message, number, line))
}

/// What a file has acquired at this moment.
#[no_mangle]
pub extern "C" fn nds_core_live_rights(
    core: &Core,
    file: &FileRights,
    live: &mut MaybeUninit<FileRights>,
) {
    live.write(core.store.live_rights(file));
}

/// A line about an open file.
#[no_mangle]
pub extern "C" fn nds_core_file_line(
    rights: &FileRights,
    device: u32,
    number: usize,
    room: &mut Room,
) -> usize {
    line(room, |line| listing::file(device, rights, number, line))
}
