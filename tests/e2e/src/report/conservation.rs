// SPDX-License-Identifier: MIT OR Apache-2.0

//! No count is ever lost: processes add known random amounts from several
//! threads and end in every way, at any moment, while reports are read. Totals
//! never go back, and in the end they are exactly what was added.
//!
//! An amount is added to the slab first and to the ledger afterwards, between
//! a note of what is under way and its removal. What a killed process had under
//! way may or may not be in the totals: the difference between totals and ledger
//! has to be the sum of some such amounts, exactly.

use std::sync::atomic::{compiler_fence, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use nix::libc;
use nix::sys::signal::{kill, Signal};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;

use crate::ktap::{self, Suite};
use crate::sys::abi::PAGE;
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::map::Map;
use crate::sys::report::{is_gauge, nc_word, Report, CORES, COUNTERS};
use crate::sys::{module, process};

pub(super) const SUITE: Suite = Suite {
    name: "report.conservation",
    tests: ktap::tests![no_count_is_lost within 120],
};

/// Producers at any time; fewer than there are slots.
const PRODUCERS: usize = 12;
const THREADS: usize = 3;
/// Most processes of one run.
const LIVES: usize = 40_000;
/// Largest amount that is added at once.
const MOST: u64 = 1 << 40;

/// What all processes of a run share.
#[derive(Clone, Copy)]
struct Books {
    /// One sum for each counter of each core.
    ledger: Map,
    /// For each thread of each life what it is adding: cell + 1 and amount.
    under_way: Map,
    /// Additions, and reports compared.
    counts: Map,
}

impl Books {
    fn new() -> Self {
        let shared = |words: usize| {
            let bytes = (words * 8).next_multiple_of(PAGE);
            Map::shared_anonymous(bytes, libc::PROT_READ | libc::PROT_WRITE).expect("shared memory")
        };
        Self {
            ledger: shared(CORES * COUNTERS),
            under_way: shared(LIVES * THREADS * 2),
            counts: shared(2),
        }
    }

    /// Adds to a slab and to the ledger, on record in `note`.
    fn add(self, slab: Map, note: usize, core: usize, counter: usize, amount: u64) {
        let cell = core * COUNTERS + counter;
        let steps: [&dyn Fn(); 5] = [
            &|| self.under_way.store(note + 1, amount),
            &|| self.under_way.store(note, cell as u64 + 1),
            &|| slab.add(nc_word(core, counter), amount),
            &|| self.ledger.add(cell, amount),
            &|| self.under_way.store(note, 0),
        ];
        for step in steps {
            step();
            // A kill may come between any two: their order is the program's.
            compiler_fence(Ordering::SeqCst);
        }
        self.counts.add(0, 1);
    }

    /// The amounts that may or may not have reached a cell.
    fn doubtful(self, cell: usize) -> Vec<u64> {
        let notes = (0..LIVES * THREADS).map(|note| note * 2);
        notes
            .filter(|note| self.under_way.load(*note) == cell as u64 + 1)
            .map(|note| self.under_way.load(note + 1))
            .collect()
    }
}

/// What a run did.
pub(crate) struct Tally {
    pub(crate) additions: u64,
    pub(crate) lives: u64,
    pub(crate) reports: u64,
}

fn no_count_is_lost() {
    module::reload("metrics_period_ms=3");
    let deadline = Instant::now() + Duration::from_secs(10);
    let Tally {
        additions,
        lives,
        reports,
    } = conserve(1, deadline);
    ktap::summary(&format!(
        "{additions} additions, {lives} lives, {reports} reports compared"
    ));
    assert!(additions > 1000 && lives > PRODUCERS as u64 && reports > 10);
}

/// Runs until `deadline` on device 0, which nobody has used yet.
pub(crate) fn conserve(seed: u64, deadline: Instant) -> Tally {
    let books = Books::new();
    let watcher = Actor::spawn();
    let watching = watcher.start(move || watch(books, deadline));
    let lives = live_and_die(books, seed, deadline);
    watching.wait();
    settle(books);
    Tally {
        additions: books.counts.load(0),
        lives,
        reports: books.counts.load(1),
    }
}

/// Keeps the number of producers up; kills one of them now and then.
fn live_and_die(books: Books, seed: u64, deadline: Instant) -> u64 {
    process::set_urgent(true);
    let mut random = fastrand::Rng::with_seed(seed);
    let mut lives = 0;
    let mut start = |random: &mut fastrand::Rng| {
        lives += 1;
        let (life, random) = (lives - 1, random.fork());
        process::spawn(move || {
            process::set_urgent(false);
            produce(books, life, random, deadline);
        })
    };
    let mut producers: Vec<_> = (0..PRODUCERS).map(|_| start(&mut random)).collect();
    while Instant::now() < deadline {
        thread::sleep(Duration::from_millis(random.u64(1..15)));
        let place = random.usize(0..PRODUCERS);
        end(producers[place]);
        producers[place] = start(&mut random);
    }
    producers.into_iter().for_each(process::expect_success);
    lives as u64
}

fn end(producer: Pid) {
    let _ = kill(producer, Signal::SIGKILL);
    waitpid(producer, None).expect("a producer ends");
}

/// One process: several occupancies, one after the other, each ended otherwise.
fn produce(books: Books, life: usize, mut random: fastrand::Rng, deadline: Instant) {
    assert!(life < LIVES, "the books are full");
    while Instant::now() < deadline {
        let slab = Session::produce().expect("fewer producers than slots");
        thread::scope(|scope| {
            for number in 0..THREADS {
                let random = random.fork();
                scope.spawn(move || add_much(books, slab, (life * THREADS + number) * 2, random));
            }
        });
        match random.u32(0..3) {
            // Unmapped and released; released first; the file closed first.
            0 => slab.end().expect("the end"),
            1 => {
                slab.device.release(0).expect("release");
                slab.map.unmap().expect("unmap");
                slab.device.close().expect("close");
            }
            _ => {
                slab.device.close().expect("close");
                slab.map.unmap().expect("unmap");
            }
        }
    }
}

fn add_much(books: Books, slab: Session, note: usize, mut random: fastrand::Rng) {
    for _ in 0..random.u32(1..400) {
        let (core, counter) = (random.usize(0..CORES), random.usize(0..COUNTERS));
        if !is_gauge(counter) {
            books.add(slab.map, note, core, counter, random.u64(1..MOST));
        }
    }
}

/// Compares each report with the one before.
fn watch(books: Books, deadline: Instant) {
    let device = Device::open().unwrap();
    let mut before = Report::take(device).expect("a report");
    while Instant::now() < deadline {
        let now = Report::take(device).expect("a report");
        for core in 0..CORES {
            for counter in (0..COUNTERS).filter(|counter| !is_gauge(*counter)) {
                let (earlier, later) = (before.nc(core, counter), now.nc(core, counter));
                assert!(
                    earlier <= later,
                    "core {core}, counter {counter}: {earlier}, then {later}"
                );
            }
        }
        before = now;
        books.counts.add(1, 1);
    }
}

/// The end: every total is its ledger plus some of what was under way.
fn settle(books: Books) {
    let report = Report::now();
    assert_eq!(report.occupied(), 0, "all producers ended");
    for core in 0..CORES {
        for counter in (0..COUNTERS).filter(|counter| !is_gauge(*counter)) {
            let cell = core * COUNTERS + counter;
            let (total, known) = (report.nc(core, counter), books.ledger.load(cell));
            let doubtful = books.doubtful(cell);
            let difference = total.wrapping_sub(known);
            assert!(
                is_sum_of_some(difference, &doubtful),
                "core {core}, counter {counter}: {total} in total, {known} known, {doubtful:?} under way"
            );
        }
    }
}

fn is_sum_of_some(wanted: u64, amounts: &[u64]) -> bool {
    match amounts.split_first() {
        None => wanted == 0,
        Some((first, rest)) => {
            is_sum_of_some(wanted, rest)
                || wanted
                    .checked_sub(*first)
                    .is_some_and(|left| is_sum_of_some(left, rest))
        }
    }
}
