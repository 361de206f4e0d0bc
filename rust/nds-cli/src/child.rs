// SPDX-License-Identifier: MIT OR Apache-2.0
//! This program once more, as a producer in a process of its own.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use rustix::process::{kill_process, Pid, Signal};
use serde::de::DeserializeOwned;

use crate::failure::Failure;
use crate::produce::Started;

/// A child that does not outlive its parent's interest in it.
pub(crate) struct ProducerChild {
    child: Child,
    output: BufReader<ChildStdout>,
    started: Started,
}

impl ProducerChild {
    /// Starts `nds` with these arguments, and waits for the line that says that its slab is there.
    pub(crate) fn start(
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Result<Self, Failure> {
        let program = std::env::current_exe().map_err(failed)?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let mut child = command.spawn().map_err(failed)?;
        let output = child
            .stdout
            .take()
            .ok_or_else(|| failed(io::ErrorKind::BrokenPipe.into()))?;
        let mut output = BufReader::new(output);
        match line(&mut output) {
            Ok(started) => Ok(Self {
                child,
                output,
                started,
            }),
            Err(error) => {
                end(&mut child);
                Err(error)
            }
        }
    }

    /// Its pid.
    pub(crate) fn pid(&self) -> i32 {
        self.started.pid
    }

    /// What it said its device is.
    pub(crate) fn device(&self) -> &str {
        &self.started.device
    }

    /// Asks it to end. Returns the line that it prints then.
    pub(crate) fn terminate<T: DeserializeOwned>(mut self) -> Result<T, Failure> {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::TERM).map_err(|errno| failed(errno.into()))?;
        line(&mut self.output)
    }

    /// Kills it, whatever it is doing.
    pub(crate) fn kill(&mut self) {
        end(&mut self.child);
    }
}

impl Drop for ProducerChild {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Fails if the child has ended already, which is what is wanted.
fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

/// The next line of JSON; if there is none, the child says on standard error why.
fn line<T: DeserializeOwned>(output: &mut impl BufRead) -> Result<T, Failure> {
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
