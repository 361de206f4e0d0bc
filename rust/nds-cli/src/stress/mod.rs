// SPDX-License-Identifier: MIT OR Apache-2.0
//! `nds stress`: a producer that publishes as fast as it can, and a reader that checks that no record
//! which it accepts is made of two.
//!
//! The producer is a process of its own, which is killed at the end while it publishes. Without a
//! device file it has an emulated device, and the reader maps the memory of that.

mod producer;
mod reader;
mod records;

use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use nds::{Device, Reader, SlabMapping};
use serde::Serialize;

use crate::args::Stress;
use crate::child::ProducerChild;
use crate::choose;
use crate::failure::Failure;
use reader::Tally;

/// The result.
#[derive(Debug, Serialize)]
struct Outcome {
    #[serde(flatten)]
    tally: Tally,
    seconds: f64,
    /// What the reader is told of the slab after the producer was killed.
    after_the_kill: String,
}

pub(crate) fn run(args: &Stress, out: &mut impl Write) -> Result<(), Failure> {
    let path = args
        .device
        .as_ref()
        .map(|name| choose::path(Some(name)))
        .transpose()?;
    if args.publish {
        return producer::run(path.as_deref(), out);
    }
    let outcome = observe(path, args.reads)?;
    if args.json {
        serde_json::to_writer(&mut *out, &outcome)?;
        return Ok(writeln!(out)?);
    }
    let Tally {
        accepted,
        refused,
        changes,
    } = outcome.tally;
    writeln!(
        out,
        "{accepted} records were read in {:.1} s, none of them torn",
        outcome.seconds
    )?;
    writeln!(out, "{refused} more were being written, and were refused")?;
    writeln!(
        out,
        "{changes} times the record was another than at the look before"
    )?;
    Ok(writeln!(
        out,
        "after the producer was killed: {}",
        outcome.after_the_kill
    )?)
}

/// Reads, kills the producer, and reads what it left.
fn observe(device: Option<PathBuf>, reads: u64) -> Result<Outcome, Failure> {
    let mut arguments: Vec<&OsStr> = vec!["stress".as_ref(), "--publish".as_ref()];
    if let Some(path) = &device {
        arguments.extend([OsStr::new("--device"), path.as_os_str()]);
    }
    let mut child = ProducerChild::start(arguments)?;
    let reader = match &device {
        Some(path) => Device::open_for_reading(path)?.reader(child.pid())?,
        None => Reader::new(memory_of(&child)?)?,
    };
    let started = Instant::now();
    let tally = reader::read(&reader, reads)?;
    let seconds = started.elapsed().as_secs_f64();
    child.kill();
    Ok(Outcome {
        tally,
        seconds,
        after_the_kill: reader::after_the_kill(&reader)?,
    })
}

/// The first slab of the child's emulated device.
fn memory_of(child: &ProducerChild) -> Result<SlabMapping, Failure> {
    let what = "cannot open the memory of the producer";
    let file = File::open(child.device()).map_err(|source| Failure::System { what, source })?;
    Ok(SlabMapping::of_file(file, 0)?)
}
