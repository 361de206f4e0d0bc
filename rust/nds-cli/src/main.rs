// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `nds` tool: reads the command line, runs one command, reports its failure.

mod args;
mod child;
mod choose;
mod demo;
mod describe;
mod doctor;
mod failure;
mod generate;
mod interrupt;
mod list;
mod neff;
mod print;
mod produce;
mod serve;
mod show;
#[cfg(test)]
mod snapshot_tests;
mod stress;
mod table;
mod top;
mod totals;
mod workload;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use args::{Cli, Command};
use clap::Parser;
use failure::Failure;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = BufWriter::new(io::stdout().lock());
    run(cli.command, &mut out)
}

fn run(command: Command, out: &mut impl Write) -> ExitCode {
    let result = match command {
        Command::Produce(args) => produce::run(&args, out),
        Command::Show(args) => show::run(&args, out),
        Command::List(args) => list::run(&args, out),
        Command::Top(args) => top::run(&args, out),
        Command::Totals(args) => totals::run(&args, out),
        Command::Serve(args) => serve::run(&args, out),
        Command::Demo(args) => demo::run(&args, out),
        // Its exit status says what was found.
        Command::Doctor(args) => return finish(doctor::run(&args, out), out),
        // Its exit status says more than success and failure.
        Command::Neff(command) => return neff::run(&command, out),
        Command::Stress(args) => stress::run(&args, out),
        Command::Generate(what) => generate::run(&what, out),
    };
    finish(result.map(|()| ExitCode::SUCCESS), out)
}

/// The exit status of a command, unless it failed or its output cannot be written.
fn finish(result: Result<ExitCode, Failure>, out: &mut impl Write) -> ExitCode {
    match result.and_then(|status| out.flush().map(|()| status).map_err(Failure::from)) {
        Ok(status) => status,
        Err(failure) if failure.is_closed_output() => ExitCode::SUCCESS,
        Err(failure) => {
            report(&failure);
            ExitCode::FAILURE
        }
    }
}

/// Says on standard error what failed. If that is closed too, nobody wants to know.
pub(crate) fn report(failure: &Failure) {
    let mut err = io::stderr().lock();
    let _ = writeln!(err, "nds: {failure}");
    if let Some(hint) = failure.hint() {
        let _ = writeln!(err, "hint: {hint}");
    }
}
