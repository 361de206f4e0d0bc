// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a full report costs, against a plain copy of the same bytes and against the loop of the C driver.
//!
//! `cargo bench -p nds-core` prints the times and fails if a limit is missed. The limits compare best times of one run
//! on one machine, so they do not depend on how fast it is.

mod c_loop;
mod device;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use device::Device;
use divan::{black_box, Bencher};
use nds_layout::NcCounter;

/// A report may take this many times a plain copy.
const COPY_LIMIT: f64 = 2.0;

/// The C driver's loop must take this many times a report.
const C_LOOP_LIMIT: f64 = 3.0;

/// Rounds of which the best counts.
const ROUNDS: usize = 2000;

#[divan::bench]
fn report(bencher: Bencher) {
    let mut device = Device::new();
    bencher.bench_local(|| device.report());
}

#[divan::bench]
fn plain_copy(bencher: Bencher) {
    let mut device = Device::new();
    bencher.bench_local(|| device.copy());
}

#[divan::bench]
fn c_driver_loop(bencher: Bencher) {
    let device = Device::new();
    bencher.bench_local(|| c_loop::aggregate(black_box(device.slabs())));
}

#[divan::bench]
fn end_of_an_occupancy(bencher: Bencher) {
    let mut device = Device::new();
    bencher.bench_local(|| device.retire());
}

#[divan::bench]
fn prometheus_text(bencher: Bencher) {
    let mut device = Device::new();
    device.report();
    bencher.bench_local(|| device.text());
}

fn time(action: impl FnOnce()) -> Duration {
    let start = Instant::now();
    action();
    start.elapsed()
}

/// Best times of a report, a copy and the C driver's loop. They take turns, so that what disturbs one disturbs all.
fn best_times() -> [f64; 3] {
    let mut device = Device::new();
    let mut best = [Duration::MAX; 3];
    for _ in 0..ROUNDS {
        let times = [
            time(|| device.report()),
            time(|| device.copy()),
            time(|| device.c_loop()),
        ];
        for (best, time) in best.iter_mut().zip(times) {
            *best = time.min(*best);
        }
    }
    best.map(|time| time.as_secs_f64() * 1e6)
}

/// Both ways of adding up must give the same, or comparing them says nothing.
fn assert_agreement() {
    let mut device = Device::new();
    device.report();
    let sums = c_loop::aggregate(device.slabs());
    for counter in NcCounter::all() {
        assert_eq!(
            device.total(counter),
            sums.counters[counter.index()],
            "{counter:?}"
        );
    }
    assert_eq!(device.features(), sums.bitmap);
}

/// Prints a ratio, and says whether it is good.
fn judge(what: &str, ratio: f64, good: bool, limit: f64) -> bool {
    let verdict = if good { "ok" } else { "MISSED" };
    println!("{what}: {ratio:.2} (limit {limit}) {verdict}");
    good
}

fn main() -> ExitCode {
    assert_agreement();
    divan::main();
    let [report, copy, c_loop] = best_times();
    println!("best of {ROUNDS}: report {report:.2} us, copy {copy:.2} us, C loop {c_loop:.2} us");
    let (by_copy, by_c_loop) = (report / copy, c_loop / report);
    let copy_good = judge(
        "report / plain copy",
        by_copy,
        by_copy <= COPY_LIMIT,
        COPY_LIMIT,
    );
    let c_loop_good = judge(
        "C loop / report",
        by_c_loop,
        by_c_loop >= C_LOOP_LIMIT,
        C_LOOP_LIMIT,
    );
    if copy_good && c_loop_good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
