// SPDX-License-Identifier: MIT OR Apache-2.0
//! `nds show`: what processes publish.

use std::io::Write;

use nds::{Device, Error, SlabSnapshot};

use crate::args::Show;
use crate::choose;
use crate::describe::{ProducerView, SlabView, Zeros};
use crate::failure::Failure;
use crate::interrupt::Repeat;
use crate::print::write_view;

pub(crate) fn run(args: &Show, out: &mut impl Write) -> Result<(), Failure> {
    let devices = choose::to_read(&args.devices)?;
    match args.watch {
        None => show(args, &devices, out),
        Some(interval) => Repeat {
            interval,
            rounds: None,
            replaces: !args.json,
        }
        .show(out, |out| show(args, &devices, out)),
    }
}

fn show(args: &Show, devices: &[Device], out: &mut impl Write) -> Result<(), Failure> {
    let views = look(devices, &args.pid, args.zeros.into())?;
    if args.json {
        return write_json(args, &views, out);
    }
    if views.is_empty() {
        writeln!(out, "no process publishes on {}", names(devices))?;
    }
    for (nth, view) in views.iter().enumerate() {
        if nth > 0 {
            writeln!(out)?;
        }
        write_view(view, out)?;
    }
    Ok(())
}

fn write_json(args: &Show, views: &[ProducerView], out: &mut impl Write) -> Result<(), Failure> {
    if args.watch.is_some() {
        serde_json::to_writer(&mut *out, views)?;
    } else {
        serde_json::to_writer_pretty(&mut *out, views)?;
    }
    Ok(writeln!(out)?)
}

fn names(devices: &[Device]) -> String {
    devices
        .iter()
        .map(Device::name)
        .collect::<Vec<_>>()
        .join(", ")
}

/// Looks at the named processes, or at all of them.
///
/// Of all processes, those that have just come or gone, or may not be looked at, are left out; a
/// named one must publish on one of the devices.
fn look(devices: &[Device], pids: &[i32], zeros: Zeros) -> Result<Vec<ProducerView>, Failure> {
    let mut views = Vec::new();
    if pids.is_empty() {
        for device in devices {
            let producers = device.producers()?;
            views.extend(
                producers
                    .iter()
                    .filter_map(|pid| view(device, *pid, zeros).ok()),
            );
        }
        return Ok(views);
    }
    for pid in pids {
        let results = devices.iter().map(|device| view(device, *pid, zeros));
        let (found, mut failed): (Vec<_>, Vec<_>) = results.partition(Result::is_ok);
        views.extend(found.into_iter().flatten());
        let shown = views.iter().any(|view| view.pid == *pid);
        if let (false, Some(Err(error))) = (shown, failed.pop()) {
            return Err(error.into());
        }
    }
    Ok(views)
}

/// Looks at one process on one device.
pub(crate) fn view(device: &Device, pid: i32, zeros: Zeros) -> Result<ProducerView, Error> {
    let snapshot = device.reader(pid)?.snapshot()?;
    Ok(view_of(device.name(), pid, &snapshot, zeros))
}

pub(crate) fn view_of(
    device: String,
    pid: i32,
    snapshot: &SlabSnapshot,
    zeros: Zeros,
) -> ProducerView {
    ProducerView {
        device,
        pid,
        content: SlabView::new(snapshot, zeros),
    }
}
