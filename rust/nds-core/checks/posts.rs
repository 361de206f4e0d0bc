// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a post says as long as everything fits: the same records as the C driver, without its losses.
//!
//! The numbered examples are those of the metrics reference, sections 4.5 and 8.

use super::identity::{typed, version};
use super::world::World;
use super::{require, Check};
use crate::layout::{NcCounter, NdCounter};
use crate::rules::message::Record;
use crate::rules::posts_table::Constant;
use crate::rules::{CoreMask, Message};

pub(crate) const SUCCEEDED: NcCounter = NcCounter::INFER_COMPLETED;
const COLLECTIVES: NcCounter = NcCounter::HW_ERR_COLLECTIVES;
const FEATURES: NdCounter = NdCounter::FEATURE_BITMAP;
const CLUSTER: NdCounter = NdCounter::DEVICE_CLUSTER_ID;

/// Fails unless the message has exactly these records, in this order.
pub(crate) fn expect(message: &Message, records: &[(u8, &[u8])], rule: &'static str) -> Check {
    let expected = records.iter().map(|(id, value)| Record { id: *id, value });
    require(message.records().eq(expected), rule)
}

pub(crate) fn a_fresh_device_posts_only_its_constants(world: &mut World<'_>) -> Check {
    let posts = world.body.telemetry.posts();
    posts.set_constant(Constant::InstanceId, b"i-0123456789abcdef0");
    posts.set_constant(Constant::DriverVersion, b"0.1.0");
    for _ in 0..4 {
        let records: [(u8, &[u8]); 2] = [(12, b"i-0123456789abcdef0"), (13, b"0.1.0")];
        expect(&world.tick(), &records, "example 1, every tick")?;
    }
    Ok(())
}

pub(crate) fn an_unknown_constant_is_left_out(world: &mut World<'_>) -> Check {
    require(world.tick().is_empty(), "nothing is known yet")
}

pub(crate) fn a_record_is_an_id_a_length_and_the_text(world: &mut World<'_>) -> Check {
    world
        .body
        .telemetry
        .posts()
        .set_constant(Constant::DriverVersion, b"0.1.0");
    let slot = world.begin(1)?;
    world.set_nc(slot, 0, SUCCEEDED, 42);
    require(
        world.tick().as_bytes() == b"\x0d\x050.1.0\xc8\x0242",
        "nothing before, between, after",
    )
}

pub(crate) fn growth_is_posted_once(world: &mut World<'_>) -> Check {
    let slot = world.begin(1)?;
    world.set_nc(slot, 1, SUCCEEDED, 1000);
    expect(&world.tick(), &[(200, b"1000")], "example 2, tick 0")?;
    expect(&world.tick(), &[], "tick 1 is not its tick")?;
    expect(
        &world.tick(),
        &[],
        "no change at the next tick 0: no record",
    )
}

pub(crate) fn an_ended_and_a_new_occupancy_give_one_delta(world: &mut World<'_>) -> Check {
    let slot = world.begin(1)?;
    world.set_nc(slot, 0, SUCCEEDED, 1000);
    expect(&world.tick(), &[(200, b"1000")], "section 4.5: A at 1000")?;
    world.set_nc(slot, 0, SUCCEEDED, 1007);
    world.end(1);
    let slot = world.begin(2)?;
    world.set_nc(slot, 0, SUCCEEDED, 3);
    expect(&world.tick(), &[], "tick 1")?;
    expect(&world.tick(), &[(200, b"10")], "A went to 1007 and B to 3")
}

pub(crate) fn a_falling_counter_takes_nothing_from_others(world: &mut World<'_>) -> Check {
    let first = world.begin(1)?;
    let second = world.begin(2)?;
    world.set_nc(first, 0, SUCCEEDED, 1000);
    expect(&world.tick(), &[(200, b"1000")], "it rises")?;
    world.set_nc(first, 0, SUCCEEDED, 400);
    world.set_nc(second, 0, SUCCEEDED, 25);
    expect(&world.tick(), &[], "tick 1")?;
    expect(&world.tick(), &[(200, b"25")], "it fell, the other rose")?;
    world.set_nc(first, 0, SUCCEEDED, 450);
    expect(&world.tick(), &[], "tick 1")?;
    expect(
        &world.tick(),
        &[(200, b"50")],
        "it rises again from where it fell to",
    )
}

pub(crate) fn counters_of_all_cores_of_the_device_are_one_record(world: &mut World<'_>) -> Check {
    world
        .body
        .telemetry
        .set_cores(CoreMask::from_bits(0b10_0000_0011));
    let slot = world.begin(1)?;
    for (core, value) in [(0, 1), (1, 10), (2, 100), (9, 1000)] {
        world.set_nc(slot, core, SUCCEEDED, value);
        world.set_nc(slot, core, COLLECTIVES, value);
    }
    expect(
        &world.tick(),
        &[(200, b"1011")],
        "example 12: core 2 does not exist, core 9 is in band C",
    )?;
    expect(
        &world.tick(),
        &[(221, b"1011")],
        "the same for an extended counter",
    )
}

pub(crate) fn features_of_an_ended_process_wait_for_their_tick(world: &mut World<'_>) -> Check {
    let slot = world.begin(1)?;
    world.set_nd(slot, FEATURES, 2);
    world.end(1);
    expect(&world.tick(), &[], "example 4: tick 0 is not their tick")?;
    expect(&world.tick(), &[(250, b"2")], "at tick 1 they are there")?;
    expect(&world.tick(), &[], "tick 0")?;
    expect(&world.tick(), &[], "and then nobody uses them any more")
}

pub(crate) fn features_of_live_processes_are_posted_again_and_again(
    world: &mut World<'_>,
) -> Check {
    for (process, bits) in [(1, 1), (2, 2)] {
        let slot = world.begin(process)?;
        world.set_nd(slot, FEATURES, bits);
    }
    for _ in 0..2 {
        expect(&world.tick(), &[], "tick 0")?;
        expect(
            &world.tick(),
            &[(250, b"3")],
            "bits of all processes, one record, none with id 0",
        )?;
    }
    Ok(())
}

pub(crate) fn a_zero_identifier_does_not_hide_that_of_another(world: &mut World<'_>) -> Check {
    let first = world.begin(1)?;
    world.begin(2)?;
    world.set_nd(first, CLUSTER, 77);
    world.tick();
    expect(&world.tick(), &[(252, b"77")], "example 5")
}

pub(crate) fn an_identifier_is_kept_until_a_newer_one_arrives(world: &mut World<'_>) -> Check {
    let slot = world.begin(1)?;
    world.set_nd(slot, CLUSTER, 77);
    world.end(1);
    world.tick();
    expect(&world.tick(), &[(252, b"77")], "its process has ended")?;
    world.begin(2)?;
    world.end(2);
    world.tick();
    expect(&world.tick(), &[(252, b"77")], "another had none")?;
    let slot = world.begin(3)?;
    world.set_nd(slot, CLUSTER, 78);
    world.tick();
    expect(&world.tick(), &[(252, b"78")], "a newer one")
}

pub(crate) fn the_model_set_is_posted_in_hexadecimal(world: &mut World<'_>) -> Check {
    let slot = world.begin(1)?;
    world.set_nd(slot, NdCounter::AGG_NEFF_ID, 0xdead_beef);
    world.tick();
    expect(&world.tick(), &[(80, b"deadbeef")], "lower case, no prefix")
}

pub(crate) fn two_versions_are_posted_the_more_frequent_first(world: &mut World<'_>) -> Check {
    let words = [version(2, 30, 1), version(2, 31, 24), version(2, 31, 24)];
    for (process, word) in (1..).zip(words) {
        let slot = world.begin(process)?;
        world.set_nd(slot, NdCounter::RUNTIME_VERSION, word);
    }
    for _ in 0..2 {
        let records: [(u8, &[u8]); 2] = [(180, b"2.31.24"), (181, b"2.30.1")];
        expect(&world.tick(), &records, "example 6, at every tick")?;
    }
    Ok(())
}

pub(crate) fn a_third_version_is_posted_next_time(world: &mut World<'_>) -> Check {
    for process in 1..=3 {
        let slot = world.begin(process)?;
        world.set_nd(
            slot,
            NdCounter::RUNTIME_VERSION,
            version(process as u8, 0, 0),
        );
        world.end(process);
    }
    expect(
        &world.tick(),
        &[(180, b"1.0.0"), (181, b"2.0.0")],
        "two fit",
    )?;
    expect(
        &world.tick(),
        &[(180, b"3.0.0")],
        "the third was not dropped",
    )?;
    expect(&world.tick(), &[], "and nothing is left")
}

pub(crate) fn a_live_version_counts_once_for_each_of_its_ticks(world: &mut World<'_>) -> Check {
    let (live, ended) = (version(1, 0, 0), version(2, 0, 0));
    let slot = world.begin(1)?;
    world.set_nd(slot, NdCounter::FAL_VERSION, live);
    expect(&world.tick(), &[], "tick 0 is not its tick")?;
    for process in 2..=3 {
        let slot = world.begin(process)?;
        world.set_nd(slot, NdCounter::FAL_VERSION, ended);
        world.end(process);
    }
    let records: [(u8, &[u8]); 2] = [(195, b"2.0.0"), (196, b"1.0.0")];
    expect(
        &world.tick(),
        &records,
        "two have ended, one is live at tick 1",
    )
}

pub(crate) fn a_framework_type_is_posted_without_a_version(world: &mut World<'_>) -> Check {
    let slot = world.begin(1)?;
    world.set_nd(slot, NdCounter::FRAMEWORK_VERSION, typed(0, 0, 0, 1));
    world.tick();
    expect(&world.tick(), &[(191, b"1")], "example 7: only the type")?;
    world.set_nd(slot, NdCounter::FRAMEWORK_VERSION, typed(0, 0, 0, 10));
    world.tick();
    expect(&world.tick(), &[], "10 modulo 10 is no type")
}

pub(crate) fn framework_versions_and_types_alternate(world: &mut World<'_>) -> Check {
    for (process, word) in [(1, typed(2, 5, 1, 3)), (2, typed(2, 4, 0, 12))] {
        let slot = world.begin(process)?;
        world.set_nd(slot, NdCounter::FRAMEWORK_VERSION, word);
        world.set_nd(slot, NdCounter::FAL_VERSION, version(1, 13, 4096));
    }
    world.tick();
    let records: [(u8, &[u8]); 5] = [
        (190, b"2.5.1"),
        (191, b"3"),
        (192, b"2.4.0"),
        (193, b"2"),
        (195, b"1.13.4096"),
    ];
    expect(
        &world.tick(),
        &records,
        "190 and 192 versions, 191 and 193 types",
    )
}

pub(crate) fn a_type_field_of_another_component_is_not_posted(world: &mut World<'_>) -> Check {
    let slot = world.begin(1)?;
    world.set_nd(slot, NdCounter::RUNTIME_VERSION, typed(2, 31, 24, 3));
    expect(
        &world.tick(),
        &[(180, b"2.31.24")],
        "only frameworks have a type",
    )
}

pub(crate) fn a_build_number_is_printed_as_a_signed_number(world: &mut World<'_>) -> Check {
    let slot = world.begin(1)?;
    world.set_nd(
        slot,
        NdCounter::RUNTIME_VERSION,
        version(255, 255, 0x8000_0000),
    );
    expect(
        &world.tick(),
        &[(180, b"255.255.-2147483648")],
        "as the C driver does",
    )
}

pub(crate) fn a_request_for_sysfs_nodes_is_ignored(world: &mut World<'_>) -> Check {
    let slot = world.begin(1)?;
    world.set_nd(slot, NdCounter::DYNAMIC_SYSFS_METRIC_BITMAP, u64::MAX);
    for _ in 0..2 {
        require(
            world.tick().is_empty(),
            "example 10: no record, id 0 neither",
        )?;
    }
    world.end(1);
    for _ in 0..2 {
        require(world.tick().is_empty(), "nor after the end")?;
    }
    Ok(())
}
