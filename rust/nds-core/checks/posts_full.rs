// SPDX-License-Identifier: MIT OR Apache-2.0
//! What happens to records that do not fit, and to messages that are not delivered: nothing is lost.

use super::identity::{typed, version};
use super::posts::{expect, SUCCEEDED};
use super::world::World;
use super::{require, Check};
use crate::layout::{NcCounter, NdCounter};
use crate::rules::message::{CAPACITY, RECORD_HEAD};
use crate::rules::posts_table::{Constant, Due, Source, ROWS};
use crate::rules::Message;

const THIRTEEN_DIGITS: u64 = 1_234_567_890_123;

/// Ticks after which every row of either parity had its turn.
const ROUND: usize = 2 * ROWS.len();

/// The counters of tick 0 and their ids.
fn even_counters() -> impl Iterator<Item = (NcCounter, u8)> {
    ROWS.iter().filter_map(|row| match (row.due, row.source) {
        (Due::Even, Source::Growth(counter, id)) => Some((counter, id.get())),
        _ => None,
    })
}

/// The number that a value spells.
fn number(value: &[u8]) -> u64 {
    value
        .iter()
        .fold(0, |number, digit| number * 10 + u64::from(digit - b'0'))
}

/// What `ticks` ticks deliver under each id, added up.
fn delivered(world: &mut World<'_>, ticks: usize, id: u8) -> Result<u64, &'static str> {
    let mut sum = 0;
    for _ in 0..ticks {
        let message = world.tick();
        require(
            message.as_bytes().len() <= CAPACITY,
            "no message is longer than 128 bytes",
        )?;
        let values = message.records().filter(|record| record.id == id);
        sum += values.map(|record| number(record.value)).sum::<u64>();
    }
    Ok(sum)
}

pub(crate) fn everything_is_delivered_over_the_following_ticks(world: &mut World<'_>) -> Check {
    require(
        even_counters().count() == 18,
        "example 8: all 18 counters of tick 0",
    )?;
    for (_, id) in even_counters() {
        let slot = world.begin(1)?;
        for (counter, _) in even_counters() {
            world.set_nc(slot, 0, counter, THIRTEEN_DIGITS);
        }
        world.end(1);
        let sum = delivered(world, ROUND, id)?;
        require(sum == THIRTEEN_DIGITS, "each was delivered exactly once")?;
    }
    Ok(())
}

pub(crate) fn a_full_message_starves_no_row(world: &mut World<'_>) -> Check {
    let posts = world.body.telemetry.posts();
    posts.set_constant(Constant::InstanceId, &[b'i'; 63]);
    posts.set_constant(Constant::DriverVersion, &[b'v'; 61]);
    let slot = world.begin(1)?;
    let (mut constants, mut last) = ([false; 2], 0);
    for round in 1..=ROUND as u64 {
        for (counter, _) in even_counters() {
            world.set_nc(slot, 0, counter, round * THIRTEEN_DIGITS);
        }
        let message = world.tick();
        constants[0] |= message.records().any(|record| record.id == 12);
        constants[1] |= message.records().any(|record| record.id == 13);
        last += message.records().filter(|record| record.id == 220).count();
    }
    require(
        last > 1,
        "the last counter goes out though all others change at every tick",
    )?;
    require(
        constants == [true; 2],
        "and so do two constants that fill a message",
    )
}

pub(crate) fn what_did_not_fit_comes_first_next_time(world: &mut World<'_>) -> Check {
    let slot = world.begin(1)?;
    for (counter, _) in even_counters() {
        world.set_nc(slot, 0, counter, THIRTEEN_DIGITS);
    }
    let sent = world.tick().records().count();
    require(sent == CAPACITY / 15, "8 records of 15 bytes")?;
    world.tick();
    world.set_nc(slot, 0, SUCCEEDED, 2 * THIRTEEN_DIGITS);
    let next = even_counters().nth(sent).map(|(_, id)| id);
    let message = world.tick();
    require(
        message.records().next().map(|record| record.id) == next,
        "the ninth begins",
    )?;
    require(
        message.records().all(|record| record.id != 200),
        "the first waits for its turn",
    )
}

pub(crate) fn a_smaller_record_goes_where_a_larger_did_not_fit(world: &mut World<'_>) -> Check {
    world
        .body
        .telemetry
        .posts()
        .set_constant(Constant::InstanceId, &[b'i'; 63]);
    world
        .body
        .telemetry
        .posts()
        .set_constant(Constant::DriverVersion, &[b'v'; 56]);
    let slot = world.begin(1)?;
    world.set_nc(slot, 0, SUCCEEDED, 1000);
    world.set_nc(slot, 0, NcCounter::OOB, 7);
    let message = world.tick();
    require(
        message.as_bytes().len() == CAPACITY - 2,
        "5 bytes were left",
    )?;
    require(
        message.records().any(|record| record.id == 220),
        "3 bytes fit, 6 did not",
    )?;
    world.tick();
    expect(
        &world.tick(),
        &[(200, b"1000"), (12, &[b'i'; 63])],
        "then the larger one begins",
    )
}

pub(crate) fn long_versions_never_overflow_the_message(world: &mut World<'_>) -> Check {
    for process in 1..=2 {
        let slot = world.begin(process)?;
        let build = 0x8000_0000 + process;
        world.set_nd(slot, NdCounter::RUNTIME_VERSION, version(255, 255, build));
        world.set_nd(
            slot,
            NdCounter::FRAMEWORK_VERSION,
            typed(255, 255, build, 9),
        );
        world.set_nd(slot, NdCounter::FAL_VERSION, version(255, 255, build));
    }
    let mut seen = [false; 256];
    for _ in 0..ROUND {
        let message = world.tick();
        require(message.as_bytes().len() <= CAPACITY, "example 9")?;
        message
            .records()
            .for_each(|record| seen[usize::from(record.id)] = true);
    }
    let ids = [180, 181, 190, 191, 192, 193, 195, 196];
    require(
        ids.iter().all(|id| seen[*id]),
        "both versions of all components were posted",
    )
}

/// Leaves only so many bytes of a message to what is not constant.
fn leave(world: &mut World<'_>, bytes: usize) {
    let posts = world.body.telemetry.posts();
    posts.set_constant(Constant::InstanceId, &[b'i'; 63]);
    let used = 2 * RECORD_HEAD + 63;
    posts.set_constant(
        Constant::DriverVersion,
        &[b'v'; 63][..CAPACITY - used - bytes],
    );
}

pub(crate) fn a_version_that_does_not_fit_is_kept(world: &mut World<'_>) -> Check {
    leave(world, 6);
    let slot = world.begin(1)?;
    world.set_nd(slot, NdCounter::RUNTIME_VERSION, version(1, 2, 3));
    world.end(1);
    require(
        world.tick().records().count() == 2,
        "7 bytes do not fit into 6",
    )?;
    // Ticks of the other parity have not seen it left out yet.
    require(
        world.tick().records().count() == 2,
        "nor into the message of tick 1",
    )?;
    let records: [(u8, &[u8]); 2] = [(180, b"1.2.3"), (12, &[b'i'; 63])];
    let message = world.tick();
    require(
        message.records().map(|record| record.id).eq([180, 12]),
        "then it begins",
    )?;
    expect(&message, &records, "with what fits after it")
}

pub(crate) fn a_version_and_its_type_go_together(world: &mut World<'_>) -> Check {
    leave(world, 9);
    let slot = world.begin(1)?;
    world.set_nd(slot, NdCounter::FRAMEWORK_VERSION, typed(1, 2, 3, 4));
    world.end(1);
    world.tick();
    let ids = |message: &Message, ids: &[u8]| {
        message
            .records()
            .map(|record| record.id)
            .eq(ids.iter().copied())
    };
    require(
        ids(&world.tick(), &[12, 13]),
        "the version would fit, its type would not",
    )?;
    world.tick();
    require(ids(&world.tick(), &[190, 191, 12]), "next time both do")
}

pub(crate) fn undelivered_features_wait_for_their_next_tick(world: &mut World<'_>) -> Check {
    let slot = world.begin(1)?;
    world.set_nd(slot, NdCounter::FEATURE_BITMAP, 2);
    world.end(1);
    world.tick();
    expect(
        &world.tick_undelivered(),
        &[(250, b"2")],
        "they are on their way",
    )?;
    world.body.telemetry.posts().not_delivered();
    expect(&world.tick(), &[], "tick 0")?;
    expect(&world.tick(), &[(250, b"2")], "they are said again")
}

pub(crate) fn an_undelivered_message_is_said_again(world: &mut World<'_>) -> Check {
    let slot = world.begin(1)?;
    world.set_nc(slot, 0, SUCCEEDED, 10);
    world.set_nd(slot, NdCounter::RUNTIME_VERSION, version(1, 2, 3));
    world.end(1);
    let records: [(u8, &[u8]); 2] = [(180, b"1.2.3"), (200, b"10")];
    expect(&world.tick_undelivered(), &records, "it is on its way")?;
    world.body.telemetry.posts().not_delivered();
    expect(
        &world.tick_undelivered(),
        &[(180, b"1.2.3")],
        "the version at every tick",
    )?;
    let slot = world.begin(2)?;
    world.set_nc(slot, 0, SUCCEEDED, 5);
    let records: [(u8, &[u8]); 2] = [(180, b"1.2.3"), (200, b"15")];
    expect(
        &world.tick(),
        &records,
        "saying nothing is no delivery; what came meanwhile is added",
    )?;
    world.tick();
    expect(&world.tick(), &[], "delivered is delivered")
}

pub(crate) fn what_comes_while_a_message_is_on_its_way_is_not_lost(world: &mut World<'_>) -> Check {
    let slot = world.begin(1)?;
    world.set_nc(slot, 0, SUCCEEDED, 10);
    world.set_nd(slot, NdCounter::FEATURE_BITMAP, 1);
    world.tick();
    expect(
        &world.tick_undelivered(),
        &[(250, b"1")],
        "features are on their way",
    )?;
    world.set_nc(slot, 0, SUCCEEDED, 17);
    world.end(1);
    world.body.telemetry.posts().delivered();
    expect(
        &world.tick(),
        &[(200, b"7")],
        "counted after the message was made",
    )?;
    expect(
        &world.tick(),
        &[(250, b"1")],
        "used after the message was made",
    )
}

pub(crate) fn any_value_in_any_word_is_harmless(world: &mut World<'_>) -> Check {
    for value in [u64::MAX, 1 << 63, 1] {
        let slot = world.begin(1)?;
        for (counter, _) in even_counters().take(8) {
            world.set_nc(slot, 15, counter, value);
        }
        for counter in [0, 1, 2, 3, 11, 12, 13] {
            let counter = NdCounter::new(counter).ok_or("the counter exists")?;
            world.set_nd(slot, counter, value);
        }
        for _ in 0..4 {
            require(
                world.tick().as_bytes().len() <= CAPACITY,
                "128 bytes at most",
            )?;
        }
        world.end(1);
    }
    Ok(())
}
