// SPDX-License-Identifier: MIT OR Apache-2.0

//! The lab: attacks, races, fuzz, faults and churn for as long as one likes,
//! meant for a kernel with every debugging aid. Each part ends with a search
//! for leaked memory and says what it tried.

mod attacks;
mod churn;
mod faults;
mod fuzz;
mod leaks;
mod races;
mod tally;
mod totals;
mod worker;

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use clap::ValueEnum;

use crate::ktap::{self, Suite, Test};

/// One part of the lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Every attack, and at length the one that hands a slab over
    Attacks,
    /// Totals while their producers die
    Totals,
    /// Many processes doing everything at random
    Races,
    /// Random arguments to every call
    Fuzz,
    /// Every step that can fail, failing
    Faults,
    /// Loading, exiting and recycling without end
    Churn,
}

/// What the lab was asked to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Time for all open-ended parts together, in seconds.
    pub(crate) seconds: u64,
    /// Leaves out what takes long: attacks that were seen on another kernel, most of the many steps of a load,
    /// numbers that take more than the time, and all searches for leaks but the last.
    pub(crate) brief: bool,
    /// What every random choice follows from.
    pub(crate) seed: u64,
    /// Only this part.
    pub(crate) only: Option<Part>,
}

static PLAN: OnceLock<Plan> = OnceLock::new();

/// Runs the parts. Returns whether nothing was found.
pub(crate) fn run(plan: Plan, filter: &str) -> bool {
    PLAN.set(plan).expect("the lab runs once");
    let extent = if plan.brief { "brief" } else { "whole" };
    println!(
        "# {extent} lab: {} seconds, seed {}",
        plan.seconds, plan.seed
    );
    ktap::run(&suites(), filter)
}

/// The parts as tests. Their time limits only end what hangs.
fn suites() -> Vec<Suite> {
    let chosen = |part: &&Part| plan().only.is_none_or(|only| only == **part);
    let mut suites = Vec::new();
    for part in Part::value_variants().iter().filter(chosen) {
        suites.extend(part.suites());
        if !plan().brief {
            suites.push(leaks::SUITE);
        }
    }
    if plan().brief {
        suites.push(leaks::SUITE);
    }
    suites
}

impl Part {
    fn suites(self) -> Vec<Suite> {
        match self {
            Self::Attacks => attacks::suites(),
            Self::Totals => vec![totals::SUITE],
            Self::Races => vec![races::SUITE],
            Self::Fuzz => vec![fuzz::SUITE],
            Self::Faults => vec![faults::SUITE],
            Self::Churn => vec![churn::SUITE],
        }
    }
}

/// A part's test: nothing but a hang is stopped by its limit.
const fn part(name: &'static str, body: fn()) -> Test {
    Test::new(name, body).within(24 * 3600)
}

fn plan() -> Plan {
    *PLAN.get().expect("the plan is set before the lab runs")
}

/// When a part that takes `share` percent of the whole time is over.
fn deadline(share: u64) -> Instant {
    let share = if plan().only.is_some() { 100 } else { share };
    Instant::now() + Duration::from_millis(plan().seconds * share * 10)
}

/// Random numbers for the `index`-th user of the seed.
fn random(index: u64) -> fastrand::Rng {
    fastrand::Rng::with_seed(plan().seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ index)
}
