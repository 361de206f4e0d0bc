// SPDX-License-Identifier: MIT OR Apache-2.0
//! `nds produce`: runs the made-up workload by the clock.

use std::io::Write;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::args::Produce;
use crate::choose;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::workload::Workload;

/// Time between two rounds of executions.
const ROUND: Duration = Duration::from_millis(10);

/// What is printed when the workload begins.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Started {
    pub(crate) pid: i32,
    pub(crate) device: String,
}

/// What is printed at its end.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Finished {
    pub(crate) pid: i32,
    pub(crate) executed: u64,
}

pub(crate) fn run(args: &Produce, out: &mut impl Write) -> Result<(), Failure> {
    let interrupt = Interrupt::catch()?;
    let device = choose::to_produce(&args.device)?;
    let pid = std::process::id() as i32;
    let mut workload = Workload::start(device.producer()?, &args.workload, pid)?;
    let started = Started {
        pid,
        device: device.name(),
    };
    say(
        args,
        &started,
        &format!("process {pid} publishes on {}", started.device),
        out,
    )?;
    let rate = args.workload.rate;
    work(&mut workload, rate, args.duration, || interrupt.has_come())?;
    let finished = Finished {
        pid,
        executed: workload.executed(),
    };
    say(
        args,
        &finished,
        &format!("process {pid} executed {} times", finished.executed),
        out,
    )
}

/// Prints one line, as JSON or as text.
fn say(
    args: &Produce,
    what: &impl Serialize,
    text: &str,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if args.json {
        serde_json::to_writer(&mut *out, what)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{text}")?;
    }
    Ok(out.flush()?)
}

const NANOS_PER_SECOND: u128 = Duration::from_secs(1).as_nanos();

/// Executes `rate` times a second on each core until the time is over or `stopped` says so.
pub(crate) fn work(
    workload: &mut Workload,
    rate: u32,
    duration: Option<Duration>,
    stopped: impl Fn() -> bool,
) -> Result<(), Failure> {
    let started = Instant::now();
    let mut done = 0;
    loop {
        let elapsed = duration.map_or(started.elapsed(), |limit| started.elapsed().min(limit));
        let due = (elapsed.as_nanos() * u128::from(rate) / NANOS_PER_SECOND) as u64;
        if due > done {
            workload.execute(due - done)?;
            done = due;
        }
        if stopped() || duration.is_some_and(|limit| elapsed >= limit) {
            return Ok(());
        }
        std::thread::sleep(ROUND);
    }
}
