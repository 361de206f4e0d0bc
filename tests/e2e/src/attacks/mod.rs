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
    vec![
        stale::SUITE,
        handover::SUITE,
        identity::SUITE,
        readers::SUITE,
        pinning::SUITE,
        guessing::SUITE,
        nodes::SUITE,
        leaks::SUITE,
        loading::SUITE,
        bystanders::SUITE,
    ]
}
