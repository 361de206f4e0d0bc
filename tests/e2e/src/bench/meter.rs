// SPDX-License-Identifier: MIT OR Apache-2.0

//! Measures a stretch of code by the guest's clock and the device's own count
//! of zeroed bytes.
//!
//! How many instructions the kernel's `memset` takes for a page depends on the
//! processor that it believes to run on. What it took is therefore measured,
//! and replaced by one instruction a byte, so that numbers of different kernels
//! can be compared.

use nix::time::{clock_gettime, ClockId};

use crate::sys::abi::{MAP_PAGES, PAGE, SLAB_SIZE};
use crate::sys::device::Device;
use crate::sys::report::{Report, Statistic};

/// Times that a path is gone through, in batches of which the cheapest counts:
/// the others were interrupted.
const BATCHES: u64 = 20;
const TURNS: u64 = 50;

/// A path under measurement.
pub(super) struct Meter {
    name: &'static str,
    /// Instructions that are left out of what is measured.
    floor: u64,
}

impl Meter {
    pub(super) fn new(name: &'static str) -> Self {
        Self { name, floor: 0 }
    }

    /// Leaves out what `path` takes now.
    pub(super) fn above(self, path: impl FnMut()) -> Self {
        Self {
            floor: cheapest_turn(path),
            ..self
        }
    }

    /// Measures `path` in a row.
    pub(super) fn run(self, mut path: impl FnMut()) {
        path();
        let zeroed = zeroed_bytes();
        let cheapest = cheapest_turn(path) - self.floor;
        self.print(cheapest, (zeroed_bytes() - zeroed) / (BATCHES * TURNS));
    }

    /// Measures `path` alone, each time after `prepare`.
    pub(super) fn run_after(self, prepare: impl FnMut(), path: impl FnMut()) {
        let zeroed = zeroed_bytes();
        let cheapest = cheapest_after(prepare, path);
        self.print(cheapest, (zeroed_bytes() - zeroed) / BATCHES);
    }

    fn print(self, measured: u64, zeroed: u64) {
        let zeroing = match zeroed {
            0 => 0,
            _ => zeroing_of_a_page() * zeroed / PAGE as u64,
        };
        let instructions = (measured + zeroed).saturating_sub(zeroing);
        println!("measured {measured}, of which {zeroing} for zeroing");
        println!(
            "bench {} instructions={instructions} zeroed={zeroed}",
            self.name
        );
    }
}

/// What one turn of `path` takes in the cheapest batch.
fn cheapest_turn(mut path: impl FnMut()) -> u64 {
    cheapest(|| {
        let start = now();
        (0..TURNS).for_each(|_| path());
        (now() - start) / TURNS
    })
}

/// What the kernel takes to zero one page: what a release of a whole dirty slab
/// takes more than one of the defined map.
fn zeroing_of_a_page() -> u64 {
    let device = Device::open().unwrap();
    let release = |pages: usize| {
        let dirty = || {
            let map = device.map(device.acquire(0).unwrap()).unwrap();
            map.touch(pages);
            map.unmap().unwrap();
        };
        cheapest_after(dirty, || device.release(0).unwrap())
    };
    let pages = SLAB_SIZE / PAGE;
    let more = release(pages) - release(MAP_PAGES);
    device.close().unwrap();
    more / (pages - MAP_PAGES) as u64
}

/// The cheapest turn of `path`, each after `prepare`, without the clock's own cost.
fn cheapest_after(mut prepare: impl FnMut(), mut path: impl FnMut()) -> u64 {
    let clock = cheapest(|| {
        let start = now();
        now() - start
    });
    let turn = || {
        prepare();
        let start = now();
        path();
        now() - start
    };
    cheapest(turn) - clock
}

fn cheapest(turn: impl FnMut() -> u64) -> u64 {
    std::iter::repeat_with(turn)
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
