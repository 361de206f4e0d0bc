// SPDX-License-Identifier: GPL-2.0
//! The KUnit suites of the Neuron DataStore: layout, slots and telemetry, as they run in a kernel.
//!
//! Each module is one subject. The code under test is compiled from the crates `nds-layout` and `nds-core`, as in
//! `neuron_nds`; no device is made here.

use kernel::prelude::*;

mod layout_reads;
mod layout_records;
mod layout_shape;
mod layout_words;
mod memory;
mod slots_life;
mod slots_names;
mod slots_pages;
mod slots_world;
mod tables;
mod telemetry;
#[allow(clippy::octal_escapes, clippy::type_complexity, reason = "generated")]
mod vectors;

#[path = "../rust/nds-core/checks/mod.rs"]
mod checks;
#[path = "../rust/nds-layout/src/layout/mod.rs"]
#[allow(
    unused,
    unreachable_pub,
    reason = "a shared source: userspace uses the rest of it"
)]
mod layout;
#[path = "../rust/nds-core/src/rules/mod.rs"]
#[allow(
    unused,
    unreachable_pub,
    reason = "a shared source: userspace uses the rest of it"
)]
mod rules;

#[path = "../src/ffi.rs"]
#[allow(
    dead_code,
    reason = "a source of the module, which uses the rest of it"
)]
mod ffi;
#[path = "../src/slab.rs"]
#[allow(
    dead_code,
    reason = "a source of the module, which uses the rest of it"
)]
mod slab;

module! {
    type: Suites,
    name: "neuron_nds_kunit",
    authors: ["The neuron-nds authors"],
    description: "KUnit suites of the AWS Neuron DataStore",
    license: "GPL",
}

/// The module does nothing of its own: KUnit runs the suites when it is loaded.
struct Suites;

impl kernel::Module for Suites {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self)
    }
}
