// SPDX-License-Identifier: MIT OR Apache-2.0
//! Costs of the library as ratios: each operation against the bare work that it cannot do without,
//! measured in the same run, and against a limit. Fails if a limit is missed.
//!
//! `cargo bench -p nds --bench ratios`

mod counters;
mod lifecycle;
mod measure;
mod records;

use std::process::ExitCode;

use measure::Comparison;

fn main() -> ExitCode {
    println!(
        "{:<44}{:>12}{:>12}{:>8}{:>8}",
        "operation / bare work", "ns", "bare ns", "ratio", "limit"
    );
    let groups = [counters::compare, records::compare, lifecycle::compare];
    let missed = groups
        .iter()
        .flat_map(|group| group())
        .filter(report)
        .count();
    println!("{missed} limits missed");
    if missed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Prints one line. Returns whether the limit was missed.
fn report(comparison: &Comparison) -> bool {
    let Comparison {
        name,
        ours,
        bare,
        limit,
    } = comparison;
    let ratio = ours / bare;
    let missed = ratio > *limit;
    let mark = if missed { "  MISSED" } else { "" };
    println!("{name:<44}{ours:>12.1}{bare:>12.1}{ratio:>8.2}{limit:>8.2}{mark}");
    missed
}
