// SPDX-License-Identifier: MIT OR Apache-2.0

//! Every attack once, on a kernel that sees more, and the hand-over attack for
//! its share of the time.

use std::time::Instant;

use super::{leaks, tally::Tally};
use crate::attacks::{self, handover::hand_over};
use crate::ktap::Suite;

const HAND_OVERS: Suite = Suite {
    name: "lab.attacks",
    tests: &[super::part("hand_overs", hand_overs)],
};

/// Without those attacks that a brief lab leaves to the kernel without aids.
pub(super) fn suites() -> Vec<Suite> {
    let mut suites = vec![HAND_OVERS];
    if !super::plan().brief {
        suites.extend(attacks::brief_suites());
    }
    suites
}

fn hand_overs() {
    let tally = Tally::new(&["hand-overs", "words spied"]);
    let deadline = super::deadline(15);
    let done = hand_over(u64::MAX, || Instant::now() >= deadline);
    tally.add("hand-overs", done.hand_overs);
    tally.add("words spied", done.words_spied);
    assert!(
        done.hand_overs > 0 && done.words_spied > 0,
        "nothing was tried: {done:?}"
    );
    leaks::assert_all_free_and_zero(1);
    leaks::end();
    tally.report();
}
