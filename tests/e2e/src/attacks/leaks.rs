// SPDX-License-Identifier: MIT OR Apache-2.0

//! No way through the life of a mapping, a file, a process or the module leaves
//! a page behind. Each way is gone so often that one page a turn would show.

use crate::ktap::{self, Suite};
use crate::sys::abi::{PAGE, SLOTS};
use crate::sys::device::{Device, Session};
use crate::sys::map::Map;
use crate::sys::memory::unexplained_kilobytes;
use crate::sys::report::Report;
use crate::sys::{module, process};

pub(super) const SUITE: Suite = Suite {
    name: "attacks.leaks",
    tests: ktap::tests![
        no_occupancy_leaves_a_page within 120,
        no_stale_mapping_leaves_a_page within 120,
        no_report_leaves_a_page within 120,
        no_death_leaves_a_page within 120,
        no_load_leaves_a_page within 120,
    ],
};

/// Kilobytes by which the kernel's accounts may be off at any two moments.
const NOISE: usize = 512;
/// Pages that a leak loses in one measurement: twice the noise.
const LOST_PAGES: usize = 2 * NOISE * 1024 / PAGE;
/// A leak shows in every measurement; caches that still grow do not.
const MEASUREMENTS: usize = 4;

/// Goes `way` as often as it takes to lose [`LOST_PAGES`] if each turn loses `pages`.
fn assert_leaves_nothing(pages: usize, way: impl Fn()) {
    let turns = LOST_PAGES / pages;
    (0..turns.div_ceil(8)).for_each(|_| way());
    let mut lost = [0; MEASUREMENTS];
    for kilobytes in &mut lost {
        let before = unexplained_kilobytes();
        (0..turns).for_each(|_| way());
        *kilobytes = unexplained_kilobytes() - before;
        if *kilobytes < NOISE as i64 {
            return;
        }
    }
    panic!("kilobytes that are gone after {turns} turns each: {lost:?}");
}

fn no_occupancy_leaves_a_page() {
    assert_leaves_nothing(1, || {
        let slab = Session::produce().unwrap();
        slab.map.touch(64);
        slab.end().unwrap();
    });
}

/// A mapping whose occupancy is over, with the page that it got for itself in use.
fn stale_mapping(device: &Device) -> Map {
    let map = device.map(device.acquire(0).unwrap()).unwrap();
    map.touch(2);
    device.release(0).unwrap();
    map.touch(64);
    map
}

fn no_stale_mapping_leaves_a_page() {
    let device = Device::open().unwrap();
    assert_leaves_nothing(1, || {
        let map = stale_mapping(&device);
        map.pages(3, 5).unmap().unwrap();
        map.unmap().unwrap();
    });
}

fn no_report_leaves_a_page() {
    assert_leaves_nothing(1, || {
        Report::now();
        std::fs::read(module::node(0)).unwrap();
    });
}

fn no_death_leaves_a_page() {
    // Of many pages, since a kernel with debugging aids spends memory on each process.
    const STALE: usize = 16;
    assert_leaves_nothing(STALE, || {
        let child = process::spawn(|| {
            let device = Device::open().unwrap();
            (0..STALE).for_each(|_| {
                stale_mapping(&device);
            });
            Session::produce().unwrap().map.touch(64);
        });
        process::expect_success(child);
    });
}

fn no_load_leaves_a_page() {
    const DEVICES: usize = 4;
    module::unload().unwrap();
    // A page of each slab.
    assert_leaves_nothing(DEVICES * SLOTS, || {
        module::load_only(&format!("devices={DEVICES}")).unwrap();
        module::unload().unwrap();
    });
}
