// SPDX-License-Identifier: MIT OR Apache-2.0

//! The userspace libraries over the loaded module: that its slabs are what they
//! take them for. What the libraries do with a slab, their own tests say.

mod c_api;
mod two_processes;

use crate::ktap::Suite;

pub(crate) fn suites() -> Vec<Suite> {
    vec![c_api::SUITE, two_processes::SUITE]
}
