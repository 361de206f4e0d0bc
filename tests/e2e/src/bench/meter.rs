// SPDX-License-Identifier: MIT OR Apache-2.0

//! Measures a stretch of code by the guest's clock and the device's own count
//! of zeroed bytes.

use nix::time::{clock_gettime, ClockId};

use crate::sys::report::{Report, Statistic};

/// Times that a path is gone through, in batches of which the cheapest counts:
/// the others were interrupted.
const BATCHES: u64 = 20;
const TURNS: u64 = 50;

/// A path under measurement.
pub(super) struct Meter(&'static str);

impl Meter {
    pub(super) fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// Measures `path` in a row.
    pub(super) fn run(self, mut path: impl FnMut()) {
        path();
        let zeroed = zeroed_bytes();
        let batch = || {
            let start = now();
            (0..TURNS).for_each(|_| path());
            (now() - start) / TURNS
        };
        let cheapest = cheapest(batch);
        self.print(cheapest, (zeroed_bytes() - zeroed) / (BATCHES * TURNS));
    }

    /// Measures `path` alone, each time after `prepare`.
    pub(super) fn run_after(self, mut prepare: impl FnMut(), mut path: impl FnMut()) {
        let zeroed = zeroed_bytes();
        let clock = cheapest(|| {
            let start = now();
            now() - start
        });
        let once = || {
            prepare();
            let start = now();
            path();
            now() - start
        };
        let cheapest = cheapest(once);
        self.print(cheapest - clock, (zeroed_bytes() - zeroed) / BATCHES);
    }

    fn print(self, instructions: u64, zeroed: u64) {
        println!(
            "bench {} instructions={instructions} zeroed={zeroed}",
            self.0
        );
    }
}

fn cheapest(batch: impl FnMut() -> u64) -> u64 {
    std::iter::repeat_with(batch)
        .take(BATCHES as usize)
        .min()
        .unwrap_or(0)
}

/// Guest time in nanoseconds.
fn now() -> u64 {
    let time = clock_gettime(ClockId::CLOCK_MONOTONIC).expect("a clock");
    time.tv_sec() as u64 * 1_000_000_000 + time.tv_nsec() as u64
}

fn zeroed_bytes() -> u64 {
    Report::now().statistic(Statistic::BytesZeroed)
}
