// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a report says while the device goes on: nothing lost, nothing twice, nothing backwards.

use super::world::World;
use super::{require, Check};
use crate::layout::NcCounter;
use crate::rules::Part;

const SUCCEEDED: NcCounter = NcCounter::INFER_COMPLETED;

/// Every core counts, so that some part reads it before and some after what happens in between.
fn count_on_all_cores(world: &mut World<'_>, process: u32, value: u64) -> Check {
    let slot = world.begin(process)?;
    for core in 0..16 {
        world.set_nc(slot, core, SUCCEEDED, value);
    }
    Ok(())
}

/// Takes a report, with `between` after its first `parts` parts.
fn interrupted_report(
    world: &mut World<'_>,
    parts: usize,
    between: impl FnOnce(&mut World<'_>) -> Check,
) -> Check {
    Part::all().take(parts).for_each(|part| world.collect(part));
    between(world)?;
    Part::all().skip(parts).for_each(|part| world.collect(part));
    Ok(())
}

/// All moments between two parts, before the first and after the last.
fn moments() -> impl Iterator<Item = usize> {
    0..=Part::all().count()
}

pub(crate) fn an_occupancy_that_ends_during_a_report_is_counted_once(
    world: &mut World<'_>,
) -> Check {
    let mut counted = 0;
    for parts in moments() {
        count_on_all_cores(world, 1, 1000)?;
        counted += 1000;
        interrupted_report(world, parts, |world| {
            world.end(1);
            Ok(())
        })?;
        for core in 0..16 {
            require(
                world.total(core, SUCCEEDED) == Some(counted),
                "whenever it ends",
            )?;
        }
    }
    Ok(())
}

pub(crate) fn the_next_occupant_of_a_slot_does_not_hide_the_one_before(
    world: &mut World<'_>,
) -> Check {
    for process in 2..17 {
        world.begin(process)?;
    }
    let mut least = 0;
    for parts in moments() {
        count_on_all_cores(world, 1, 100)?;
        least += 100;
        interrupted_report(world, parts, |world| {
            world.end(1);
            count_on_all_cores(world, 99, 7)
        })?;
        for core in 0..16 {
            let total = world.total(core, SUCCEEDED).unwrap_or(0);
            require(
                total == least || total == least + 7,
                "the next one may be counted already",
            )?;
        }
        world.end(99);
        least += 7;
    }
    Ok(())
}

pub(crate) fn a_total_never_falls_from_one_report_to_the_next(world: &mut World<'_>) -> Check {
    let mut before = [0; 16];
    for parts in moments() {
        count_on_all_cores(world, 1, 50)?;
        count_on_all_cores(world, 2, 60)?;
        interrupted_report(world, parts, |world| {
            world.end(2);
            world.end(1);
            Ok(())
        })?;
        for (core, before) in (0..).zip(&mut before) {
            let total = world.total(core, SUCCEEDED).unwrap_or(0);
            require(total >= *before, "an end moves counts, it takes none away")?;
            *before = total;
        }
    }
    Ok(())
}

pub(crate) fn a_row_names_its_occupancy_and_the_cores_it_counts_on(world: &mut World<'_>) -> Check {
    let slot = world.begin(41)?;
    world.set_nc(slot, 0, SUCCEEDED, 1);
    world.set_nc(slot, 9, SUCCEEDED, 1);
    world.now += 500;
    let report = world.report();
    require(
        report.occupied() == 1 && report.rows().count() == 1,
        "one slot is occupied",
    )?;
    let row = report.row(slot).ok_or("it has a row")?;
    require(row.process.pid == 41 && row.generation == 1, "its name")?;
    require(row.age_ns == 500, "its age")?;
    require(
        row.cores.bits() == 0b10_0000_0001,
        "cores 0 and 9 have a counter that is not 0",
    )
}

pub(crate) fn a_core_is_marked_by_any_of_its_counters(world: &mut World<'_>) -> Check {
    for process in 1..=6 {
        let slot = world.begin(process)?;
        let counter = [SUCCEEDED, NcCounter::HW_ERR_DMA_ABORT][slot.index() % 2];
        for core in [0, 9] {
            world.set_nc(slot, core, counter, 1);
        }
    }
    world.report();
    require(
        world.snapshot.rows().count() == 6,
        "four slabs together, and two alone",
    )?;
    let marked = world
        .snapshot
        .rows()
        .all(|row| row.cores.bits() == 0b10_0000_0001);
    require(marked, "by an original one or by an extended one")
}

pub(crate) fn a_row_does_not_take_the_cores_of_the_next_occupant(world: &mut World<'_>) -> Check {
    for process in 2..17 {
        world.begin(process)?;
    }
    let slot = world.begin(1)?;
    interrupted_report(world, 1, |world| {
        world.end(1);
        count_on_all_cores(world, 99, 7)
    })?;
    let row = world
        .snapshot
        .row(slot)
        .ok_or("it had a row when the report began")?;
    require(
        row.process.pid == 1 && row.cores.bits() == 0,
        "the first occupant counted nothing",
    )
}
