// SPDX-License-Identifier: MIT OR Apache-2.0

//! No way through the life of a mapping, a file, a process or the module leaves
//! a page behind. Each way is gone so often that one page a turn would show.

use crate::ktap::{self, Suite};
use crate::sys::device::{Device, Session};
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
const NOISE: i64 = 512;
const PAGE_KILOBYTES: i64 = 4;

/// Goes `way` so often that a leaked page a turn is twice the noise.
fn assert_leaves_nothing(way: impl Fn()) {
    let turns = 2 * NOISE / PAGE_KILOBYTES;
    (0..turns / 8).for_each(|_| way());
    let before = unexplained_kilobytes();
    (0..turns).for_each(|_| way());
    let more = unexplained_kilobytes() - before;
    assert!(
        more < NOISE,
        "{more} kilobytes are gone after {turns} turns"
    );
}

fn no_occupancy_leaves_a_page() {
    assert_leaves_nothing(|| {
        let slab = Session::produce().unwrap();
        slab.map.touch(64);
        slab.end().unwrap();
    });
}

fn no_stale_mapping_leaves_a_page() {
    let device = Device::open().unwrap();
    assert_leaves_nothing(|| {
        let map = device.map(device.acquire(0).unwrap()).unwrap();
        map.touch(2);
        device.release(0).unwrap();
        map.touch(64);
        map.pages(3, 5).unmap().unwrap();
        map.unmap().unwrap();
    });
}

fn no_report_leaves_a_page() {
    assert_leaves_nothing(|| {
        Report::now();
        std::fs::read(module::node(0)).unwrap();
    });
}

fn no_death_leaves_a_page() {
    assert_leaves_nothing(|| {
        let child = process::spawn(|| {
            let slab = Session::produce().unwrap();
            slab.map.touch(64);
            slab.device.release(0).unwrap();
            slab.map.touch(64);
        });
        process::expect_success(child);
    });
}

fn no_load_leaves_a_page() {
    let devices = 4;
    module::unload().unwrap();
    let way = || {
        module::load_only(&format!("devices={devices}")).unwrap();
        module::unload().unwrap();
    };
    way();
    let before = unexplained_kilobytes();
    // A page for each device each time.
    let turns = 2 * NOISE / PAGE_KILOBYTES / devices;
    (0..turns).for_each(|_| way());
    let more = unexplained_kilobytes() - before;
    assert!(
        more < NOISE,
        "{more} kilobytes are gone after {turns} loads"
    );
}
