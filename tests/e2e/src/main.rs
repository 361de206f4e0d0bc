// SPDX-License-Identifier: MIT OR Apache-2.0

//! End-to-end tests of the loaded module, run as root inside a virtual machine.
//!
//! Without a subcommand: the rules of the ABI, of ownership, and one attack per
//! known hazard. The subjects are the folders; what they are made of is in
//! [`sys`], how they are run and reported in [`ktap`]. This file owns only the
//! command line.

mod abi;
mod attacks;
mod bench;
mod ktap;
mod lab;
mod libraries;
mod ownership;
mod report;
mod scrape;
mod sys;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use ktap::Suite;

/// Tests the loaded neuron_nds module; prints KTAP version 1.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The module file [default: /lib/modules/neuron_nds.ko]
    #[arg(long, global = true)]
    module: Option<PathBuf>,
    /// Only tests whose full name contains this
    #[arg(long, global = true, default_value = "")]
    filter: String,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Print the names of the tests
    List,
    /// Count the guest's instructions in the kernel's paths, under -icount
    Bench,
    /// Let a Prometheus server scrape the module
    Scrape,
    /// Run the lab, meant for a kernel with every debugging aid
    Lab {
        /// Time for all open-ended parts together
        #[arg(long, default_value_t = 60)]
        seconds: u64,
        /// Leave out what takes long
        #[arg(long)]
        brief: bool,
        /// What every random choice follows from
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Only this part
        #[arg(long, value_enum)]
        only: Option<lab::Part>,
    },
    /// What a test runs after it replaced itself by exec
    #[command(hide = true)]
    AfterExec {
        device: i32,
        cookie: u64,
        expectation: String,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let passed = match arguments.command {
        Some(Command::List) => {
            ktap::list(&suites(), &arguments.filter);
            true
        }
        Some(Command::AfterExec {
            device,
            cookie,
            expectation,
        }) => ownership::after_exec(device, cookie, expectation == "kept"),
        Some(Command::Bench) => with_module(arguments.module, || {
            ktap::run(&[bench::SUITE], &arguments.filter)
        }),
        Some(Command::Scrape) => with_module(arguments.module, || {
            ktap::run(&[scrape::SUITE], &arguments.filter)
        }),
        Some(Command::Lab {
            seconds,
            brief,
            seed,
            only,
        }) => {
            let plan = lab::Plan {
                seconds,
                brief,
                seed,
                only,
            };
            with_module(arguments.module, || lab::run(plan, &arguments.filter))
        }
        None => with_module(arguments.module, || ktap::run(&suites(), &arguments.filter)),
    };
    if passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Runs `body` after it is known where the module is.
fn with_module(given: Option<PathBuf>, body: impl FnOnce() -> bool) -> bool {
    match sys::module::choose(given) {
        Ok(()) => body(),
        Err(reason) => {
            eprintln!("nds-e2e: {reason}");
            false
        }
    }
}

/// Every suite, in the order in which they run: what the others rest on first.
fn suites() -> Vec<Suite> {
    let subjects = [
        abi::suites(),
        ownership::suites(),
        report::suites(),
        libraries::suites(),
        attacks::suites(),
    ];
    subjects.into_iter().flatten().collect()
}
