// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a report says about versions and identifiers, which are never added.

use super::world::World;
use super::{require, Check};
use crate::layout::{NdCounter, PackedVersion, Version};
use crate::rules::versions::VERSIONS_KEPT;
use crate::rules::{Usage, VersionTable};

const RUNTIME: NdCounter = NdCounter::RUNTIME_VERSION;
const CLUSTER: NdCounter = NdCounter::DEVICE_CLUSTER_ID;

/// A packed version without type.
pub(crate) fn version(major: u8, minor: u8, build: u32) -> u64 {
    typed(major, minor, build, 0)
}

/// A packed version with a reserved field.
pub(crate) fn typed(major: u8, minor: u8, build: u32, reserved: u16) -> u64 {
    let version = Version {
        major,
        minor,
        build,
    };
    PackedVersion { version, reserved }.to_word()
}

pub(crate) fn a_version_is_counted_once_for_each_occupancy_that_had_it(
    world: &mut World<'_>,
) -> Check {
    let (old, new) = (version(2, 30, 1), version(2, 31, 24));
    for (process, word) in [(1, new), (2, old), (3, new)] {
        let slot = world.begin(process)?;
        world.set_nd(slot, RUNTIME, word);
    }
    world.end(1);
    for _ in 0..2 {
        let versions = world.report().versions(RUNTIME).ok_or("it is a version")?;
        let count = |word| {
            versions
                .iter()
                .find(|usage| usage.word == word)
                .map(|usage| usage.count)
        };
        require(count(new) == Some(2), "one has ended and one is live")?;
        require(count(old) == Some(1), "one is live")?;
        require(versions.iter().count() == 2, "and there are no others")?;
    }
    require(
        world.snapshot.device(RUNTIME) == 0,
        "versions are not added",
    )
}

pub(crate) fn an_unset_version_is_not_counted(world: &mut World<'_>) -> Check {
    world.begin(1)?;
    world.report();
    let versions = world.snapshot.versions(RUNTIME);
    require(
        versions.is_some_and(VersionTable::is_empty),
        "0 means not set",
    )
}

pub(crate) fn the_least_used_version_makes_room_for_a_ninth(_world: &mut World<'_>) -> Check {
    let mut table = VersionTable::new();
    for word in 1..=VERSIONS_KEPT as u64 {
        table.add(Usage {
            word,
            count: if word == 3 || word == 5 { 1 } else { 2 },
        });
    }
    table.note(100);
    let has = |word| table.iter().any(|usage| usage.word == word);
    require(
        has(100) && !has(3),
        "of two that are used least, the first goes",
    )?;
    require(
        has(5) && table.iter().count() == VERSIONS_KEPT,
        "and only one goes",
    )
}

pub(crate) fn the_most_used_version_comes_first(_world: &mut World<'_>) -> Check {
    let mut table = VersionTable::new();
    for (word, count) in [(7, 1), (8, 3), (9, 3)] {
        table.add(Usage { word, count });
    }
    for expected in [8, 9, 7] {
        let taken = table.take_most_used().ok_or("there is one left")?;
        require(taken.word == expected, "by usage, and by place if equal")?;
    }
    require(table.take_most_used().is_none(), "and then there is none")
}

pub(crate) fn a_process_without_identifier_does_not_hide_that_of_another(
    world: &mut World<'_>,
) -> Check {
    let first = world.begin(1)?;
    world.begin(2)?;
    world.set_nd(first, CLUSTER, 77);
    require(
        world.report().device(CLUSTER) == 77,
        "0 is not an identifier",
    )
}

pub(crate) fn the_newest_live_identifier_counts(world: &mut World<'_>) -> Check {
    // Slot 0 is handed out again last, so the order of slots is not that of time.
    world.begin(1)?;
    let older = world.begin(2)?;
    world.end(1);
    for process in 3..=16 {
        world.begin(process)?;
    }
    let newer = world.begin(17)?;
    require(newer < older, "the newer occupancy has the lower slot")?;
    world.set_nd(older, CLUSTER, 1);
    world.set_nd(newer, CLUSTER, 2);
    require(
        world.report().device(CLUSTER) == 2,
        "the one that began last",
    )
}

pub(crate) fn an_identifier_stays_until_a_newer_one_is_there(world: &mut World<'_>) -> Check {
    let slot = world.begin(1)?;
    world.set_nd(slot, CLUSTER, 77);
    world.end(1);
    world.begin(2)?;
    world.end(2);
    require(
        world.report().device(CLUSTER) == 77,
        "an ended process said so last",
    )?;
    let slot = world.begin(3)?;
    world.set_nd(slot, CLUSTER, 78);
    require(
        world.report().device(CLUSTER) == 78,
        "a live process knows better",
    )
}
