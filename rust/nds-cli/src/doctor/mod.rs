// SPDX-License-Identifier: MIT OR Apache-2.0
//! `nds doctor`: what keeps the datastore from working on this machine, in plain words.
//!
//! Owns how the answer is printed. What is looked at is in `host`, what it means in `rules`.

mod args;
mod finding;
mod host;
mod installed;
mod modprobe;
mod nodes;
mod rules;
mod user;

use std::io::Write;
use std::process::ExitCode;

use serde::Serialize;

pub(crate) use args::Doctor;
use finding::{worst, Finding};
use host::Host;

use crate::failure::Failure;

/// The answer for programs.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    /// The exit status.
    status: u8,
    findings: &'a [Finding],
}

/// Examines the machine; gives the exit status that the worst problem has.
pub(crate) fn run(args: &Doctor, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let findings = rules::examine(&Host::look(&args.root));
    let status = worst(&findings).map_or(0, |problem| problem.status());
    if args.json {
        let answer = Answer {
            status,
            findings: &findings,
        };
        serde_json::to_writer_pretty(&mut *out, &answer)?;
        writeln!(out)?;
    } else {
        print(&findings, out)?;
    }
    Ok(ExitCode::from(status))
}

fn print(findings: &[Finding], out: &mut impl Write) -> Result<(), Failure> {
    for finding in findings {
        match finding {
            Finding::Good { says } => writeln!(out, "ok       {says}")?,
            Finding::Problem { says, remedy, .. } => {
                writeln!(out, "PROBLEM  {says}\n    fix  {remedy}")?;
            }
        }
    }
    Ok(())
}
