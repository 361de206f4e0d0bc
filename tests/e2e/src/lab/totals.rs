// SPDX-License-Identifier: MIT OR Apache-2.0

//! The conservation of counts for its share of the time.

use super::{leaks, plan, tally::Tally};
use crate::ktap::Suite;
use crate::report::conservation::conserve;
use crate::sys::module;

pub(super) const SUITE: Suite = Suite {
    name: "lab.totals",
    tests: &[super::part("no_count_is_lost", no_count_is_lost)],
};

fn no_count_is_lost() {
    module::reload("metrics_period_ms=3");
    let tally = Tally::new(&["additions", "lives", "reports compared"]);
    let done = conserve(plan().seed, super::deadline(15));
    tally.add("additions", done.additions);
    tally.add("lives", done.lives);
    tally.add("reports compared", done.reports);
    leaks::assert_all_free_and_zero(1);
    leaks::end();
    tally.report();
}
