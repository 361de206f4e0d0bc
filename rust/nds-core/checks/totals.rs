// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a counter of ended and of live occupancies adds up to, by its kind.

use super::world::World;
use super::{require, Check};
use crate::layout::{Core, NcCounter, NdCounter, WordIndex};
use crate::rules::CoreMask;

const SUCCEEDED: NcCounter = NcCounter::INFER_COMPLETED;
const MEMORY: NcCounter = NcCounter::MEM_USAGE_TENSORS_DEVICE;
const FEATURES: NdCounter = NdCounter::FEATURE_BITMAP;

/// First and last counter of each band.
const BAND_ENDS: [(u32, u32); 6] = [(0, 0), (3, 30), (0, 31), (3, 94), (4, 0), (15, 94)];

pub(crate) fn a_counter_of_every_band_is_in_the_totals(world: &mut World<'_>) -> Check {
    let slot = world.begin(1)?;
    for (value, (core, counter)) in (1..).zip(BAND_ENDS) {
        let counter = NcCounter::new(counter).ok_or("the counter exists")?;
        world.set_nc(slot, core, counter, value);
    }
    for live in [true, false] {
        if !live {
            world.end(1);
        }
        world.report();
        for (value, (core, counter)) in (1..).zip(BAND_ENDS) {
            let counter = NcCounter::new(counter).ok_or("the counter exists")?;
            require(
                world.total(core, counter) == Some(value),
                "each band is read at its place",
            )?;
        }
    }
    Ok(())
}

pub(crate) fn the_dead_word_of_a_core_is_in_no_total(world: &mut World<'_>) -> Check {
    let slot = world.begin(1)?;
    // Word 95 of core 4, layout reference section 5.3.
    let dead = WordIndex::new((0xe280 + 760) / 8).ok_or("the word exists")?;
    super::world::TestSlab::set(&mut world.body.slabs[slot.index()], dead, 7);
    world.report();
    let all =
        Core::all().flat_map(|core| NcCounter::all().map(move |counter| (core.get(), counter)));
    for (core, counter) in all {
        require(
            world.total(core, counter) == Some(0),
            "nobody counts a dead word",
        )?;
    }
    Ok(())
}

pub(crate) fn no_number_beyond_the_last_names_a_counter(_world: &mut World<'_>) -> Check {
    require(
        Core::new(15).is_some() && Core::new(16).is_none(),
        "there are 16 cores",
    )?;
    require(Core::from_i32(-1).is_none(), "a negative core is none")?;
    require(
        NcCounter::new(94).is_some() && NcCounter::new(95).is_none(),
        "there are 95 counters",
    )?;
    require(
        NdCounter::new(30).is_some() && NdCounter::new(31).is_none(),
        "there are 31 counters",
    )
}

pub(crate) fn a_monotonic_counter_is_the_sum_of_ended_and_live_occupancies(
    world: &mut World<'_>,
) -> Check {
    let first = world.begin(1)?;
    let second = world.begin(2)?;
    world.set_nc(first, 9, SUCCEEDED, 1000);
    world.set_nc(second, 9, SUCCEEDED, 30);
    world.end(1);
    let third = world.begin(3)?;
    world.set_nc(third, 9, SUCCEEDED, 2);
    world.report();
    require(
        world.total(9, SUCCEEDED) == Some(1032),
        "1000 ended, 30 and 2 live",
    )
}

pub(crate) fn a_sum_wraps_modulo_2_to_the_64(world: &mut World<'_>) -> Check {
    let first = world.begin(1)?;
    world.set_nc(first, 0, SUCCEEDED, u64::MAX);
    world.end(1);
    let second = world.begin(2)?;
    world.set_nc(second, 0, SUCCEEDED, 5);
    world.report();
    require(world.total(0, SUCCEEDED) == Some(4), "-1 + 5")
}

pub(crate) fn a_reserved_counter_is_summed_like_a_named_one(world: &mut World<'_>) -> Check {
    let (nc, nd) = (NcCounter::new(60), NdCounter::new(20));
    let (nc, nd) = nc.zip(nd).ok_or("the counters exist")?;
    let slot = world.begin(1)?;
    world.set_nc(slot, 2, nc, 3);
    world.set_nd(slot, nd, 4);
    world.end(1);
    let slot = world.begin(2)?;
    world.set_nc(slot, 2, nc, 30);
    world.set_nd(slot, nd, 40);
    world.report();
    require(
        world.total(2, nc) == Some(33),
        "a newer runtime may fill NC 60",
    )?;
    require(
        world.snapshot.device(nd) == 44,
        "a newer runtime may fill ND 20",
    )
}

pub(crate) fn a_gauge_is_the_sum_of_live_occupancies(world: &mut World<'_>) -> Check {
    let first = world.begin(1)?;
    let second = world.begin(2)?;
    for (slot, bytes) in [(first, 4096), (second, 100)] {
        world.set_nc(slot, 1, MEMORY, bytes);
        world.set_nd(slot, NdCounter::MEM_USAGE_MISC_HOST, bytes);
    }
    world.report();
    require(
        world.total(1, MEMORY) == Some(4196),
        "both use memory of the core",
    )?;
    require(
        world.snapshot.device(NdCounter::MEM_USAGE_MISC_HOST) == 4196,
        "and of the host",
    )?;
    world.end(1);
    world.report();
    require(
        world.total(1, MEMORY) == Some(100),
        "an ended process uses no memory",
    )?;
    require(
        world.snapshot.device(NdCounter::MEM_USAGE_MISC_HOST) == 100,
        "nor of the host",
    )
}

pub(crate) fn a_bitmap_is_the_or_of_ended_and_live_occupancies(world: &mut World<'_>) -> Check {
    let first = world.begin(1)?;
    world.set_nd(first, FEATURES, 0b0110);
    world.end(1);
    let second = world.begin(2)?;
    world.set_nd(second, FEATURES, 0b0011);
    world.report();
    require(
        world.snapshot.device(FEATURES) == 0b0111,
        "retired bits stay",
    )
}

pub(crate) fn a_core_that_the_device_does_not_have_is_not_summed(world: &mut World<'_>) -> Check {
    world.body.telemetry.set_cores(CoreMask::from_bits(0b0011));
    for process in [1, 2] {
        let slot = world.begin(process)?;
        world.set_nc(slot, 1, SUCCEEDED, 10);
        world.set_nc(slot, 2, SUCCEEDED, 5);
    }
    world.end(1);
    world.report();
    require(world.total(1, SUCCEEDED) == Some(20), "core 1 exists")?;
    require(
        world.total(2, SUCCEEDED).is_none(),
        "core 2 is unknown, not 0",
    )?;
    let ended = world
        .body
        .telemetry
        .totals()
        .core(Core::new(2).ok_or("the core exists")?);
    require(
        ended.is_some_and(|row| *row == [0; 95]),
        "nothing was folded from core 2",
    )
}
