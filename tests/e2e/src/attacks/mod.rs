// SPDX-License-Identifier: MIT OR Apache-2.0

//! One attack per hazard of the C driver's data store, named after it: the
//! test does what broke there and checks that nothing breaks here.

mod bystanders;
mod guessing;
pub(crate) mod handover;
mod identity;
mod leaks;
mod loading;
mod nodes;
mod pinning;
mod readers;
mod stale;

use crate::ktap::Suite;

pub(crate) fn suites() -> Vec<Suite> {
    let mut suites = vec![handover::SUITE];
    suites.extend(brief_suites());
    suites
}

/// All but the attack that takes as long as one lets it.
pub(crate) fn brief_suites() -> Vec<Suite> {
    vec![
        stale::SUITE,
        identity::SUITE,
        readers::SUITE,
        pinning::SUITE,
        guessing::SUITE,
        nodes::SUITE,
        leaks::SUITE,
        bystanders::SUITE,
        loading::SUITE,
    ]
}
