// SPDX-License-Identifier: GPL-2.0
//! The device in debugfs: slots, last post and statistics, for people.
//!
//! Owns the text. Everything in it comes from a report or from the last post.

use kernel::{
    debugfs::{Dir, File},
    fmt,
    prelude::*,
    str::CString,
    sync::Arc,
};

use crate::{
    datastore::Device,
    rules::{OccupancyRow, Refusal, Statistics},
};

/// The files of one device; they go when this goes.
#[pin_data]
pub(crate) struct Files {
    #[pin]
    slots: File<Arc<Device>>,
    #[pin]
    last_post: File<Arc<Device>>,
    #[pin]
    statistics: File<Arc<Device>>,
}

impl Files {
    /// Makes the files of a device in a directory with its number.
    pub(crate) fn new(root: &Dir, device: &Arc<Device>) -> Result<Pin<KBox<Self>>> {
        let number = CString::try_from_fmt(fmt!("{}", device.index))?;
        let dir = root.subdir(&number);
        KBox::try_pin_init(
            try_pin_init!(Self {
                slots <- dir.read_callback_file(c"slots", device.clone(), &show_slots),
                last_post <- dir.read_callback_file(c"last_post", device.clone(), &show_last_post),
                statistics <- dir.read_callback_file(c"statistics", device.clone(), &show_statistics),
            }),
            GFP_KERNEL,
        )
    }
}

fn show_slots(device: &Arc<Device>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let report = device.report().map_err(|_| fmt::Error)?;
    writeln!(out, "slot generation pid uid age_ms cores stale_uses")?;
    for row in report.rows() {
        show_row(row, out)?;
    }
    Ok(())
}

fn show_row(row: &OccupancyRow, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let age_ms = row.age_ns / 1_000_000;
    let (pid, uid, cores) = (row.process.pid, row.process.uid, row.cores.bits());
    let (slot, generation, stale) = (row.slot, row.generation, row.stale_uses);
    writeln!(
        out,
        "{slot} {generation} {pid} {uid} {age_ms} {cores:#06x} {stale}"
    )
}

/// The bytes in hexadecimal, then one record a line as `id:length:value`.
fn show_last_post(device: &Arc<Device>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let message = device.last_post();
    for byte in message.as_bytes() {
        write!(out, "{byte:02x}")?;
    }
    writeln!(out)?;
    for record in message.records() {
        write!(out, "{}:{}:", record.id, record.value.len())?;
        for byte in record.value {
            write!(out, "{}", char::from(*byte))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn show_statistics(device: &Arc<Device>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let report = device.report().map_err(|_| fmt::Error)?;
    show_counts(report.statistics(), out)
}

fn show_counts(counts: &Statistics, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let named = [
        ("acquires", counts.acquires),
        ("attaches", counts.attaches),
        ("releases", counts.releases),
        ("closes", counts.closes),
        ("reaps", counts.reaps),
        ("stale_uses", counts.stale_uses),
        ("bytes_zeroed", counts.bytes_zeroed),
    ];
    for (name, count) in named {
        writeln!(out, "{name} {count}")?;
    }
    for reason in Refusal::ALL {
        writeln!(out, "refused_{} {}", reason.name(), counts.refused(reason))?;
    }
    Ok(())
}
