// SPDX-License-Identifier: MIT OR Apache-2.0

//! Who an occupancy belongs to, what keeps it and what ends it: threads, files,
//! fork and exec, names of processes in namespaces, and the attach policy.

mod files;
mod forks;
mod namespaces;
mod policy;
mod threads;

use crate::ktap::Suite;

pub(crate) use forks::after_exec;

pub(crate) fn suites() -> Vec<Suite> {
    vec![
        threads::SUITE,
        files::SUITE,
        forks::SUITE,
        namespaces::SUITE,
        policy::SUITE,
    ]
}
