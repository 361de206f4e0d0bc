// SPDX-License-Identifier: MIT OR Apache-2.0
//! The checker that comes with Prometheus.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::programs::start;

/// What `promtool check metrics` says to a text.
pub(crate) fn check_metrics(text: &[u8]) -> Output {
    let mut command = Command::new("promtool");
    command.args(["check", "metrics"]).stdin(Stdio::piped());
    let mut child = start(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
    let mut input = child.stdin.take().expect("a pipe");
    // One that has seen enough does not read the rest; its status says what it thinks.
    let _ = input.write_all(text);
    drop(input);
    child.wait_with_output().expect("its end")
}
