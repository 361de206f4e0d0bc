// SPDX-License-Identifier: MIT OR Apache-2.0

//! Named tests in suites, and how a test says that it cannot apply.
//!
//! [`runner`] runs them and prints KTAP version 1; [`kernel_log`] finds what the
//! kernel complained about meanwhile.

mod kernel_log;
mod runner;

use std::time::Duration;

use crate::sys::process;

pub(crate) use kernel_log::KernelLog;
pub(crate) use runner::{list, run};

/// Exit status of a test whose rule does not exist on this kernel.
const SKIPPED: i32 = 4;
/// Time limit of a test that names none; emulated machines are slow.
const LIMIT: Duration = Duration::from_secs(60);

/// One test: a function that panics when the rule in its name does not hold.
pub(crate) struct Test {
    name: &'static str,
    body: fn(),
    limit: Duration,
}

impl Test {
    /// A test with the usual time limit.
    pub(crate) const fn new(name: &'static str, body: fn()) -> Self {
        Self {
            name,
            body,
            limit: LIMIT,
        }
    }

    /// The same test with `seconds` to run.
    pub(crate) const fn within(self, seconds: u64) -> Self {
        Self {
            limit: Duration::from_secs(seconds),
            ..self
        }
    }
}

/// The tests of one subject.
pub(crate) struct Suite {
    pub(crate) name: &'static str,
    pub(crate) tests: &'static [Test],
}

/// A list of tests from function names, each with an optional limit in seconds:
/// `tests![a, b within 120]`.
macro_rules! tests {
    ($($body:ident $(within $seconds:literal)?),* $(,)?) => {
        &[$($crate::ktap::Test::new(stringify!($body), $body)$(.within($seconds))?),*]
    };
}
pub(crate) use tests;

/// Ends the test as one whose rule does not exist on this kernel.
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(
        dead_code,
        reason = "only what is of x86-64 may be absent from a kernel"
    )
)]
pub(crate) fn skip(reason: &str) -> ! {
    eprintln!("{reason}");
    process::exit(SKIPPED)
}

/// Before a line that belongs behind the test's result.
const SUMMARY: &str = "summary: ";

/// Puts a line of what was tried behind the test's result, if it passes.
pub(crate) fn summary(text: &str) {
    println!("{SUMMARY}{text}");
}
