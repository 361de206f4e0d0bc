// SPDX-License-Identifier: MIT OR Apache-2.0
//! `nds demo`: a producer, a reader, and the sums of the device, one after another.

mod actor;

use std::io::Write;

use nds::{Device, EmulatedDevice, Error, NcCounter};

use crate::args::Demo;
use crate::choose;
use crate::describe::Zeros;
use crate::failure::Failure;
use crate::print::write_view;
use crate::show::view_of;
use crate::totals::{view, write_totals};
use actor::Actor;

/// The pid that the producer pretends to have on the emulated device.
const PRETENDED_PID: i32 = 4711;

pub(crate) fn run(args: &Demo, out: &mut impl Write) -> Result<(), Failure> {
    let Some(name) = &args.device else {
        let emulated = EmulatedDevice::new()?;
        let producer_side = emulated.process(PRETENDED_PID).open();
        let start = || Actor::thread(&producer_side, PRETENDED_PID, &args.workload);
        return show(args, &emulated.open(), start, out);
    };
    let path = choose::path(Some(name))?;
    let device = Device::open_for_reading(&path)?;
    show(args, &device, || Actor::process(&path, &args.workload), out)
}

fn show(
    args: &Demo,
    device: &Device,
    start: impl FnOnce() -> Result<Actor, Failure>,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let counted_before = counted(device)?;
    let actor = start()?;
    let pid = actor.pid();
    say(
        out,
        &format!(
            "Process {pid} acquires a slab on {} and publishes.",
            device.name()
        ),
    )?;
    let reader = device.reader(pid)?;
    std::thread::sleep(args.duration);

    say(out, "A reader attaches by pid and reads the same pages:")?;
    write_view(
        &view_of(device.name(), pid, &reader.snapshot()?, Zeros::Hidden),
        out,
    )?;

    say(
        out,
        "The device adds up over all its producers, while they work:",
    )?;
    totals(device, out)?;

    let executed = actor.finish()?;
    say(
        out,
        &format!("Process {pid} has executed {executed} times and is gone. Its reader is told:"),
    )?;
    match reader.check_header() {
        Ok(()) => writeln!(out, "nothing yet")?,
        Err(error) => writeln!(out, "{error}")?,
    }

    say(
        out,
        "The device keeps what was counted; memory in use is in use no more:",
    )?;
    totals(device, out)?;
    check(device, counted_before, executed)
}

/// Headline of the next step.
fn say(out: &mut impl Write, what: &str) -> Result<(), Failure> {
    writeln!(out, "\n== {what}")?;
    Ok(out.flush()?)
}

fn totals(device: &Device, out: &mut impl Write) -> Result<(), Failure> {
    match view(device, Zeros::Hidden) {
        Ok(view) => write_totals(&view, out),
        Err(Error::Unsupported { .. }) => Ok(writeln!(out, "(its driver keeps no totals)")?),
        Err(error) => Err(error.into()),
    }
}

/// Executions that the device has counted; `None` if its driver keeps no totals.
fn counted(device: &Device) -> Result<Option<u64>, Error> {
    match device.report() {
        Ok(report) => {
            let of_core = |core| report.nc(core, NcCounter::INFERENCE_COUNT).unwrap_or(0);
            Ok(Some(report.cores().map(of_core).fold(0, u64::wrapping_add)))
        }
        Err(Error::Unsupported { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Other producers may have counted too, so the device may have more, but not less.
fn check(device: &Device, before: Option<u64>, executed: u64) -> Result<(), Failure> {
    let (Some(before), Some(after)) = (before, counted(device)?) else {
        return Ok(());
    };
    let counted = after.wrapping_sub(before);
    if counted < executed {
        let text = format!("{executed} executions were published, {counted} were counted");
        return Err(Failure::Disagreement(text));
    }
    Ok(())
}
