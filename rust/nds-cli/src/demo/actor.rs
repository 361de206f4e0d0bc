// SPDX-License-Identifier: MIT OR Apache-2.0
//! The producer of the demonstration. On the emulated device, a thread that acts as a process of its
//! own; on a device file, a child process that runs `nds produce`.

use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::JoinHandle;

use nds::Device;
use rustix::process::{kill_process, Pid, Signal};

use crate::args::WorkloadArgs;
use crate::failure::Failure;
use crate::produce::{work, Finished, Started};
use crate::workload::Workload;

/// A producer at work.
pub(super) enum Actor {
    Thread {
        pid: i32,
        stop: Arc<AtomicBool>,
        thread: JoinHandle<Result<u64, Failure>>,
    },
    Process {
        child: ChildGuard,
        output: BufReader<ChildStdout>,
        started: Started,
    },
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
        let mut child = command(device, args)
            .and_then(|mut command| command.spawn())
            .map(ChildGuard)
            .map_err(failed)?;
        let output = child
            .0
            .stdout
            .take()
            .ok_or_else(|| failed(io::ErrorKind::BrokenPipe.into()))?;
        let mut output = BufReader::new(output);
        let started = line(&mut output)?;
        Ok(Self::Process {
            child,
            output,
            started,
        })
    }

    /// Its pid.
    pub(super) fn pid(&self) -> i32 {
        match self {
            Self::Thread { pid, .. } => *pid,
            Self::Process { started, .. } => started.pid,
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
            Self::Process {
                mut child,
                mut output,
                ..
            } => {
                child.terminate()?;
                let finished: Finished = line(&mut output)?;
                child.0.wait().map_err(failed)?;
                Ok(finished.executed)
            }
        }
    }
}

/// A child that does not outlive the demonstration.
pub(super) struct ChildGuard(Child);

impl ChildGuard {
    fn terminate(&self) -> Result<(), Failure> {
        kill_process(Pid::from_child(&self.0), Signal::TERM).map_err(|errno| failed(errno.into()))
    }
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        // Fails if it has ended already, which is what is wanted.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn command(device: &Path, args: &WorkloadArgs) -> io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command
        .arg("produce")
        .arg("--json")
        .arg("--device")
        .arg(device);
    command.arg("--rate").arg(args.rate.to_string());
    command.arg("--models").arg(args.models.to_string());
    command.arg("--cores").arg(args.cores.to_string());
    if let Some(tag) = &args.tag {
        command.arg("--tag").arg(tag);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    Ok(command)
}

/// The next line of JSON; the child says on standard error why there is none.
fn line<T: serde::de::DeserializeOwned>(output: &mut impl BufRead) -> Result<T, Failure> {
    let mut line = String::new();
    output.read_line(&mut line).map_err(failed)?;
    serde_json::from_str(&line).map_err(|error| failed(error.into()))
}

fn failed(source: io::Error) -> Failure {
    Failure::System {
        what: "the producer process failed",
        source,
    }
}
