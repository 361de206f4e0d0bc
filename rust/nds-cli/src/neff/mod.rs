// SPDX-License-Identifier: MIT OR Apache-2.0
//! `nds neff`: what compiled models need, and whether a runtime takes them.
//!
//! Owns the exit status of these commands, which scripts rely on; the answers are in the modules,
//! one for each command, and the rules in the crate `neff-features`.

mod args;
mod check;
mod explain;
mod feature;
mod features;
mod files;
mod inspect;
mod report;
mod runtime;
mod shown;
mod view;

use std::io::{self, Write};
use std::process::ExitCode;

pub(crate) use args::Neff;

use crate::failure::Failure;

/// How bad the worst thing so far was; printed as the exit status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Nothing to object to.
    #[default]
    Good = 0,
    /// A file disagrees with itself, or is rejected.
    Bad = 1,
    /// Something could not be read or written.
    Unreadable = 2,
}

impl Status {
    fn raise(&mut self, other: Self) {
        *self = (*self).max(other);
    }
}

/// Runs one command; the exit status is as documented, whatever happens to the output.
pub(crate) fn run(command: &Neff, out: &mut impl Write) -> ExitCode {
    let mut status = Status::default();
    let result = match command {
        Neff::Inspect(args) => inspect::run(args, out, &mut status),
        Neff::Check(args) => check::run(args, out, &mut status),
        Neff::Explain(args) => explain::run(args, out, &mut status),
        Neff::Features(args) => features::run(args, out),
    };
    match result.and_then(|()| out.flush().map_err(Failure::from)) {
        Ok(()) => {}
        Err(failure) if failure.is_closed_output() => {}
        Err(failure) => {
            complain(&failure.to_string());
            status.raise(Status::Unreadable);
        }
    }
    ExitCode::from(status as u8)
}

/// Says on standard error what went wrong. If that is closed too, nobody wants to know.
fn complain(message: &str) {
    let _ = writeln!(io::stderr().lock(), "nds: {}", shown::line(message));
}
