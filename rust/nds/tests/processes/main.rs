// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two real processes over one slab, and forked children.
//!
//! The producer is a child that runs this same program in another role; it has an emulated device,
//! whose memory the parent maps. So this program is its own `main`, and begins with one thread.

mod fork;
mod killed;
mod roles;

use std::process::ExitCode;

/// A test: its name, which is the rule that it checks, and its body, which panics if it fails.
type Test = (&'static str, fn());

const TESTS: &[Test] = &[
    (
        "a_forked_child_has_no_instance",
        fork::a_forked_child_has_no_instance,
    ),
    (
        "what_a_forked_child_drops_stays_with_the_parent",
        fork::what_a_child_drops_stays,
    ),
    (
        "a_record_that_was_begun_is_unpublished",
        killed::after_the_withdrawal,
    ),
    (
        "a_record_whose_hash_came_first_is_torn",
        killed::after_the_hash,
    ),
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some(roles::ARGUMENT) => roles::play(&arguments.next().expect("a role")),
        filter => run(filter.filter(|text| !text.starts_with('-')).unwrap_or("")),
    }
}

/// Runs the tests whose name contains `filter`.
fn run(filter: &str) -> ExitCode {
    let chosen: Vec<_> = TESTS
        .iter()
        .filter(|(name, _)| name.contains(filter))
        .collect();
    let failed = chosen
        .iter()
        .filter(|(name, test)| !passes(name, *test))
        .count();
    println!(
        "test result: {} passed; {failed} failed",
        chosen.len() - failed
    );
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn passes(name: &str, test: fn()) -> bool {
    // The panic has been printed by then.
    let passed = std::panic::catch_unwind(test).is_ok();
    println!("test {name} ... {}", if passed { "ok" } else { "FAILED" });
    passed
}
