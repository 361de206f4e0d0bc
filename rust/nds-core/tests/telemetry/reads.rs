// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which words of a slab are read, and how often: another process may change them between two looks.

use std::collections::BTreeSet;

use crate::checks::world::World;
use crate::layout::{nc_word, nd_word, Core, NcCounter, NdCounter, WordIndex};
use crate::rules::{CoreMask, Slot};
use crate::support::{with_dense_world, DenseSlab};

/// Words that hold counters of the device and of these cores.
fn counters(cores: CoreMask) -> BTreeSet<usize> {
    let of_core = |core: Core| NcCounter::all().map(move |counter| nc_word(core, counter));
    let words = NdCounter::all()
        .map(nd_word)
        .chain(cores.iter().flat_map(of_core));
    words.map(WordIndex::get).collect()
}

/// Forgets what was read so far.
fn forget(world: &World<'_, DenseSlab>, slot: Slot) {
    world.body.slabs[slot.index()].reads.borrow_mut().fill(0);
}

/// The words that were read, none of them twice.
fn read_once(world: &World<'_, DenseSlab>, slot: Slot) -> BTreeSet<usize> {
    let reads = world.body.slabs[slot.index()].reads.borrow();
    assert!(
        reads.iter().all(|times| *times <= 1),
        "a word was read twice"
    );
    (0..reads.len()).filter(|word| reads[*word] == 1).collect()
}

#[test]
fn the_end_of_an_occupancy_reads_every_counter_once_and_nothing_else() {
    with_dense_world(|world| {
        let slot = world.begin(1).unwrap();
        world.end(1);
        assert_eq!(read_once(world, slot), counters(CoreMask::ALL));
    });
}

#[test]
fn a_report_reads_every_counter_of_a_live_occupancy_once_and_nothing_else() {
    with_dense_world(|world| {
        let slot = world.begin(1).unwrap();
        world.report();
        assert_eq!(read_once(world, slot), counters(CoreMask::ALL));
    });
}

#[test]
fn a_tick_reads_no_counter_twice_and_nothing_else() {
    with_dense_world(|world| {
        let slot = world.begin(1).unwrap();
        world.tick();
        assert!(read_once(world, slot).is_subset(&counters(CoreMask::ALL)));
    });
}

#[test]
fn cores_that_the_device_does_not_have_are_not_read() {
    with_dense_world(|world| {
        let cores = CoreMask::from_bits(0b1000_0000_0001_0010);
        world.body.telemetry.set_cores(cores);
        let slot = world.begin(1).unwrap();
        world.report();
        assert_eq!(read_once(world, slot), counters(cores), "by a report");
        forget(world, slot);
        world.tick();
        assert!(
            read_once(world, slot).is_subset(&counters(cores)),
            "by a tick"
        );
        forget(world, slot);
        world.end(1);
        assert_eq!(read_once(world, slot), counters(cores), "by the end");
    });
}

#[test]
fn a_free_slot_is_not_read() {
    with_dense_world(|world| {
        let slot = world.begin(1).unwrap();
        world.end(1);
        forget(world, slot);
        world.report();
        world.tick();
        assert!(read_once(world, slot).is_empty());
    });
}
