// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measuring on a machine that does other things too: short rounds in turn, and the best of each.
//!
//! Noise only ever adds time, so the shortest round of each side is nearest to its cost; taking
//! turns lets a change of clock speed meet both.

use std::time::{Duration, Instant};

/// Rounds of each side.
const ROUNDS: usize = 60;
/// Length of a round: long against the clock's resolution, short against a time slice.
const ROUND: Duration = Duration::from_micros(500);

/// One operation and the bare work, in nanoseconds each.
pub(crate) struct Comparison {
    pub(crate) name: &'static str,
    pub(crate) ours: f64,
    pub(crate) bare: f64,
    pub(crate) limit: f64,
}

/// Measures both. `ours` and `bare` each do their work as often as they are told.
pub(crate) fn compare(
    name: &'static str,
    limit: f64,
    mut ours: impl FnMut(u32),
    mut bare: impl FnMut(u32),
) -> Comparison {
    let (ours_count, bare_count) = (count_of(&mut ours), count_of(&mut bare));
    let (mut best_ours, mut best_bare) = (f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        best_ours = best_ours.min(nanoseconds(&mut ours, ours_count));
        best_bare = best_bare.min(nanoseconds(&mut bare, bare_count));
    }
    Comparison {
        name,
        ours: best_ours,
        bare: best_bare,
        limit,
    }
}

/// How often the work fits in a round.
fn count_of(work: &mut impl FnMut(u32)) -> u32 {
    let mut count = 1;
    while count < u32::MAX / 2
        && nanoseconds(work, count) * f64::from(count) < ROUND.as_nanos() as f64
    {
        count *= 2;
    }
    count
}

/// Time of the work once, when it is done so many times.
fn nanoseconds(work: &mut impl FnMut(u32), count: u32) -> f64 {
    let start = Instant::now();
    work(count);
    start.elapsed().as_nanos() as f64 / f64::from(count)
}
