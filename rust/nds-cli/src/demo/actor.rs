// SPDX-License-Identifier: MIT OR Apache-2.0
//! The producer of the demonstration. On the emulated device, a thread that acts as a process of its
//! own; on a device file, a child process that runs `nds produce`.

use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::JoinHandle;

use nds::Device;

use crate::args::WorkloadArgs;
use crate::child::ProducerChild;
use crate::failure::Failure;
use crate::produce::{work, Finished};
use crate::workload::Workload;

/// A producer at work.
pub(super) enum Actor {
    Thread {
        pid: i32,
        stop: Arc<AtomicBool>,
        thread: JoinHandle<Result<u64, Failure>>,
    },
    Process(ProducerChild),
}

impl Actor {
    /// Begins to work in a thread, as process `pid` of an emulated device.
    pub(super) fn thread(device: &Device, pid: i32, args: &WorkloadArgs) -> Result<Self, Failure> {
        let mut workload = Workload::start(device.producer()?, args, pid)?;
        let (rate, stop) = (args.rate, Arc::new(AtomicBool::new(false)));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            work(&mut workload, rate, None, || {
                stopped.load(Ordering::Relaxed)
            })?;
            Ok(workload.executed())
        });
        Ok(Self::Thread { pid, stop, thread })
    }

    /// Begins to work in a child process, on a device file.
    pub(super) fn process(device: &Path, args: &WorkloadArgs) -> Result<Self, Failure> {
        ProducerChild::start(arguments(device, args)).map(Self::Process)
    }

    /// Its pid.
    pub(super) fn pid(&self) -> i32 {
        match self {
            Self::Thread { pid, .. } => *pid,
            Self::Process(child) => child.pid(),
        }
    }

    /// Stops it. Returns how often it has executed.
    pub(super) fn finish(self) -> Result<u64, Failure> {
        match self {
            Self::Thread { stop, thread, .. } => {
                stop.store(true, Ordering::Relaxed);
                thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }
            Self::Process(child) => child
                .terminate()
                .map(|finished: Finished| finished.executed),
        }
    }
}

fn arguments(device: &Path, args: &WorkloadArgs) -> Vec<OsString> {
    let WorkloadArgs {
        rate,
        models,
        cores,
        tag,
    } = args;
    let mut arguments = vec![
        "produce".into(),
        "--json".into(),
        "--device".into(),
        device.into(),
    ];
    arguments.extend(
        [
            format!("--rate={rate}"),
            format!("--models={models}"),
            format!("--cores={cores}"),
        ]
        .map(OsString::from),
    );
    arguments.extend(tag.iter().map(|tag| OsString::from(format!("--tag={tag}"))));
    arguments
}
