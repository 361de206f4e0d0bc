// SPDX-License-Identifier: MIT OR Apache-2.0
//! Totals, reports, posts and their text forms.
//!
//! Owns the cargo side of the shared checks; the other modules test what a kernel does not need to repeat.

use nds_core::rules;
use nds_layout as layout;

#[path = "../../checks/mod.rs"]
mod checks;
mod listing;
mod metrics_page;
mod model;
mod properties;
mod reads;
mod support;
mod text;

use checks::world::World;
use rules::{Snapshot, Telemetry};

/// Makes a test of each shared check.
macro_rules! run_checks {
    ($($module:ident { $($check:ident)* })*) => {
        $(mod $module {
            $(#[test]
            fn $check() {
                let mut telemetry = Box::new(super::Telemetry::default());
                let mut snapshot = Box::new(super::Snapshot::new());
                let mut world = Box::new(super::World::new(&mut telemetry, &mut snapshot));
                super::checks::$module::$check(&mut world).unwrap();
            })*
        })*
    };
}

checks::for_each_check!(run_checks);
