// SPDX-License-Identifier: MIT OR Apache-2.0
//! The texts for people, a line at a time: the files of a device in debugfs, and what `/proc/<pid>/fdinfo` says of an
//! open file.
//!
//! Owns the formats. Each function writes the line of a number, counted from 0, and says whether there is one.

use super::cookie::Cookie;
use super::message::{Message, CAPACITY};
use super::report::{OccupancyRow, Snapshot};
use super::rights::FileRights;
use super::statistics::{Refusal, Statistics};
use super::text::Text;

/// Bytes of the longest line, its end included: a message in hexadecimal.
pub const LINE_MAX: usize = 2 * CAPACITY + 8;

/// One line, its end included.
pub type Line = Text<LINE_MAX>;

const NS_PER_MS: u64 = 1_000_000;

/// A row an occupancy, below a head.
pub fn slots(snapshot: &Snapshot, number: usize, line: &mut Line) -> bool {
    let Some(row) = number.checked_sub(1) else {
        line.push(b"slot generation pid uid age_ms cores stale_uses\n");
        return true;
    };
    let row = snapshot.rows().nth(row);
    row.is_some_and(|row| slot_row(row, line))
}

fn slot_row(row: &OccupancyRow, line: &mut Line) -> bool {
    line.decimal(row.slot.into());
    line.push(b" ").decimal(row.generation);
    line.push(b" ").signed(row.process.pid);
    line.push(b" ").decimal(row.process.uid.into());
    line.push(b" ").decimal(row.age_ns / NS_PER_MS);
    line.push(b" 0x").padded_hex(row.cores.bits().into(), 4);
    line.push(b" ").decimal(row.stale_uses).push(b"\n");
    true
}

/// The bytes in hexadecimal, then one record a line as `id:length:value`.
pub fn last_post(message: &Message, number: usize, line: &mut Line) -> bool {
    let Some(record) = number.checked_sub(1) else {
        for byte in message.as_bytes() {
            line.padded_hex((*byte).into(), 2);
        }
        line.push(b"\n");
        return true;
    };
    let Some(record) = message.records().nth(record) else {
        return false;
    };
    line.decimal(record.id.into()).push(b":");
    line.decimal(record.value.len() as u64).push(b":");
    line.push(record.value).push(b"\n");
    true
}

/// What the device did, then what it refused: a name and a count a line.
pub fn statistics(counts: &Statistics, number: usize, line: &mut Line) -> bool {
    let named = [
        ("acquires", counts.acquires),
        ("attaches", counts.attaches),
        ("releases", counts.releases),
        ("closes", counts.closes),
        ("reaps", counts.reaps),
        ("stale_uses", counts.stale_uses),
        ("bytes_zeroed", counts.bytes_zeroed),
    ];
    let (name, count) = match number.checked_sub(named.len()) {
        None => named.get(number).copied().unwrap_or_default(),
        Some(refusal) => {
            let Some(reason) = Refusal::ALL.get(refusal) else {
                return false;
            };
            line.push(b"refused_");
            (reason.name(), counts.refused(*reason))
        }
    };
    line.push(name.as_bytes()).push(b" ").decimal(count);
    line.push(b"\n");
    true
}

/// The device of an open file, then what it has acquired.
pub fn file(device: u32, rights: &FileRights, number: usize, line: &mut Line) -> bool {
    let Some(number) = number.checked_sub(1) else {
        line.push(b"nds-device:\t").decimal(device.into());
        line.push(b"\n");
        return true;
    };
    let held = rights.held().map(|cookie| ("producer", cookie));
    let readable = rights.readable().map(|cookie| ("reader", cookie));
    let right = held.chain(readable).nth(number);
    right.is_some_and(|(role, cookie)| file_right(role, cookie, line))
}

fn file_right(role: &str, cookie: Cookie, line: &mut Line) -> bool {
    line.push(b"nds-").push(role.as_bytes());
    line.push(b":\tslot ").decimal(cookie.slot.index() as u64);
    line.push(b" generation ").decimal(cookie.generation.get());
    line.push(b"\n");
    true
}
