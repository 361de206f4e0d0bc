// SPDX-License-Identifier: MIT OR Apache-2.0

//! A counter's kind decides what of it is totalled while its process lives and
//! what is left afterwards; every counter of every band, and no word beside them.

use crate::ktap::{self, Suite};
use crate::sys::abi::{HEADER, WORDS};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::module;
use crate::sys::report::{is_gauge, nc_word, nd_word, Report, CORES, COUNTERS, DEVICE_COUNTERS};

pub(super) const SUITE: Suite = Suite {
    name: "report.kinds",
    tests: ktap::tests![
        every_counter_of_every_band_is_totalled,
        monotonic_counters_survive_their_process,
        gauges_go_with_their_process,
        sums_wrap,
        bitmaps_are_or_ed_and_stay,
        versions_are_counted_by_use,
        identifiers_are_the_newest_known,
        words_beside_the_counters_count_nothing,
        a_core_that_the_device_has_not_is_not_summed,
        values_written_in_the_last_moment_count,
        ticks_change_no_total,
    ],
};

/// A different small number for every counter of every core.
fn amount(core: usize, counter: usize) -> u64 {
    (core * COUNTERS + counter + 1) as u64
}

fn fill(slab: Session) {
    for core in 0..CORES {
        for counter in 0..COUNTERS {
            slab.map
                .store(nc_word(core, counter), amount(core, counter));
        }
    }
}

fn assert_totals(expected: impl Fn(usize, usize) -> u64) {
    let report = Report::now();
    for core in 0..CORES {
        for counter in 0..COUNTERS {
            let total = report.nc(core, counter);
            assert_eq!(
                total,
                expected(core, counter),
                "core {core}, counter {counter}"
            );
        }
    }
}

fn every_counter_of_every_band_is_totalled() {
    let owners = [0; 3].map(|_| Actor::spawn());
    for (index, owner) in owners.iter().enumerate() {
        let slab = owner.produce();
        owner.call(move || fill(slab));
        assert_totals(|core, counter| (index as u64 + 1) * amount(core, counter));
    }
}

fn monotonic_counters_survive_their_process() {
    let expected = |times: u64| {
        move |core, counter| match is_gauge(counter) {
            true => 0,
            false => times * amount(core, counter),
        }
    };
    for (times, end) in [Actor::exit as fn(Actor), Actor::kill]
        .into_iter()
        .enumerate()
    {
        let owner = Actor::spawn();
        let slab = owner.produce();
        owner.call(move || fill(slab));
        end(owner);
        assert_totals(expected(times as u64 + 1));
    }
    let slab = Session::produce().unwrap();
    fill(slab);
    slab.end().unwrap();
    assert_totals(expected(3));
}

fn gauges_go_with_their_process() {
    let (leaver, stayer) = (Actor::spawn(), Actor::spawn());
    for owner in [&leaver, &stayer] {
        let slab = owner.produce();
        owner.call(move || {
            slab.map.store(nc_word(2, 22), 1000);
            slab.map.store(nd_word(6), 10);
        });
    }
    assert_eq!((Report::now().nc(2, 22), Report::now().nd(6)), (2000, 20));
    leaver.exit();
    assert_eq!((Report::now().nc(2, 22), Report::now().nd(6)), (1000, 10));
}

fn sums_wrap() {
    for _ in 0..3 {
        let slab = Session::produce().unwrap();
        slab.map.store(nc_word(7, 1), u64::MAX);
        slab.end().unwrap();
    }
    let slab = Session::produce().unwrap();
    slab.map.store(nc_word(7, 1), 13);
    assert_eq!(Report::now().nc(7, 1), 10);
}

fn bitmaps_are_or_ed_and_stay() {
    for bit in [0, 1, 40, 63] {
        let slab = Session::produce().unwrap();
        slab.map.store(nd_word(3), 1 << bit);
        slab.end().unwrap();
    }
    let slab = Session::produce().unwrap();
    slab.map.store(nd_word(3), 1 << 2);
    assert_eq!(Report::now().nd(3), 1 | 1 << 1 | 1 << 2 | 1 << 40 | 1 << 63);
    slab.end().unwrap();
    assert_eq!(Report::now().nd(3), 1 | 1 << 1 | 1 << 2 | 1 << 40 | 1 << 63);
}

fn versions_are_counted_by_use() {
    let (old, new) = (0x0000_021F_0000_0018_u64, 0x0000_0220_0000_0001);
    for word in [old, new, new] {
        let slab = Session::produce().unwrap();
        slab.map.store(nd_word(0), word);
        slab.end().unwrap();
    }
    let slab = Session::produce().unwrap();
    slab.map.store(nd_word(0), old);
    let mut versions = Report::now().versions(0);
    versions.sort_unstable();
    assert_eq!(versions, [(old, 2), (new, 2)]);
    assert_eq!(Report::now().nd(0), 0, "a version is no sum");
}

fn identifiers_are_the_newest_known() {
    let (first, second) = (Actor::spawn(), Actor::spawn());
    let slabs = [first.produce(), second.produce()];
    first.call(move || slabs[0].map.store(nd_word(12), 111));
    assert_eq!(Report::now().nd(12), 111, "the newer one has none");
    second.call(move || slabs[1].map.store(nd_word(12), 222));
    assert_eq!(Report::now().nd(12), 222);
    second.exit();
    first.exit();
    assert_ne!(Report::now().nd(12), 0, "what was known stays known");
}

fn words_beside_the_counters_count_nothing() {
    let slab = Session::produce().unwrap();
    let mut is_counter = vec![false; WORDS];
    for core in 0..CORES {
        (0..COUNTERS).for_each(|counter| is_counter[nc_word(core, counter)] = true);
    }
    (0..DEVICE_COUNTERS).for_each(|counter| is_counter[nd_word(counter)] = true);
    for (word, _) in is_counter
        .iter()
        .enumerate()
        .filter(|(_, is_counter)| !**is_counter)
    {
        slab.map.store(word, u64::MAX);
    }
    slab.map.store(0, HEADER);
    let live = Report::now();
    slab.end().unwrap();
    for report in [live, Report::now()] {
        assert!((0..CORES).all(|core| (0..COUNTERS).all(|counter| report.nc(core, counter) == 0)));
        assert!((0..DEVICE_COUNTERS).all(|counter| report.nd(counter) == 0));
    }
}

fn a_core_that_the_device_has_not_is_not_summed() {
    let mask = 0x8005_usize;
    module::reload(&format!("cores={mask:#x}"));
    let has = |core: usize| mask >> core & 1 == 1;
    let slab = Session::produce().unwrap();
    fill(slab);
    assert_totals(|core, counter| if has(core) { amount(core, counter) } else { 0 });
    slab.end().unwrap();
    assert_totals(|core, counter| match has(core) && !is_gauge(counter) {
        true => amount(core, counter),
        false => 0,
    });
}

fn values_written_in_the_last_moment_count() {
    let mut expected = 0;
    for round in 1..=50 {
        let owner = Actor::spawn();
        let slab = owner.produce();
        owner.call(move || slab.map.store(nc_word(15, 94), round));
        owner.kill();
        expected += round;
        assert_eq!(Report::now().nc(15, 94), expected, "round {round}");
    }
}

fn ticks_change_no_total() {
    module::reload("metrics_period_ms=1");
    let slab = Session::produce().unwrap();
    fill(slab);
    for _ in 0..20 {
        std::thread::sleep(std::time::Duration::from_millis(5));
        assert_totals(amount);
    }
    slab.device.release(0).unwrap();
    assert!(Device::open().unwrap().acquire(0).is_ok());
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert_eq!(Report::now().nc(3, 1), amount(3, 1));
}
