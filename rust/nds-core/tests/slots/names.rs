// SPDX-License-Identifier: MIT OR Apache-2.0
//! Slot numbers, generations, and the cookies that carry both: which numbers are names, and that none returns.

use nds_core::slot::{SlotSet, SLOTS};
use nds_core::{Cookie, Datastore, Generation, Refusal, Slot};
use nds_layout::SLAB_SIZE;
use proptest::prelude::*;

use super::device::Event;
use super::process::File;
use super::world::{processes, slot_number, whole, World};

fn last_generation() -> Generation {
    Generation::new(Generation::LAST).expect("the last generation")
}

fn slot(number: u64) -> Slot {
    Slot::new(number).expect("a slot number")
}

const SLOT_STEP: u64 = SLAB_SIZE as u64;
const GENERATION_STEP: u64 = SLOT_STEP * SLOTS as u64;

#[test]
fn a_slot_number_is_0_to_15() {
    assert_eq!(
        Slot::all().map(Slot::index).collect::<Vec<_>>(),
        (0..16).collect::<Vec<_>>()
    );
    for number in [16, 17, 255, 256, u64::MAX] {
        assert_eq!(Slot::new(number), None, "{number}");
    }
}

#[test]
fn a_slot_set_has_what_was_put_in_and_not_taken_out() {
    let mut set = SlotSet::EMPTY;
    for number in [15, 3, 0, 3] {
        set.insert(slot(number));
    }
    set.remove(slot(0));
    set.remove(slot(7));
    assert_eq!(set.iter().collect::<Vec<_>>(), [slot(3), slot(15)]);
    assert!(set.contains(slot(15)) && !set.contains(slot(0)) && !set.contains(slot(14)));
    assert_eq!(set.complement().iter().count(), 14);
    assert_eq!(SlotSet::EMPTY.complement(), SlotSet::ALL);
    assert_eq!(SlotSet::default(), SlotSet::EMPTY);
}

#[test]
fn a_cookie_is_generation_and_slot_above_the_offset_in_a_slab() {
    let first = Cookie {
        slot: slot(0),
        generation: Generation::FIRST,
    };
    assert_eq!(first.offset(), 1 << 22);
    let other = Cookie {
        slot: slot(5),
        generation: Generation::FIRST,
    };
    assert_eq!(other.offset(), 1 << 22 | 5 << 18);
    let last = Cookie {
        slot: slot(15),
        generation: last_generation(),
    };
    assert_eq!(
        last.offset(),
        i64::MAX as u64 - SLOT_STEP + 1,
        "the last slab ends where off_t does"
    );
}

#[test]
fn every_first_cookie_is_a_page_aligned_offset_of_its_own() {
    let offsets: Vec<_> = Slot::all()
        .map(|slot| {
            Cookie {
                slot,
                generation: Generation::FIRST,
            }
            .offset()
        })
        .collect();
    let expected: Vec<_> = (0..16).map(|n| GENERATION_STEP + n * SLOT_STEP).collect();
    assert_eq!(offsets, expected);
}

#[test]
fn generation_zero_and_generations_past_the_last_name_nothing() {
    for offset in [
        0,
        SLOT_STEP,
        GENERATION_STEP - SLOT_STEP,
        1 << 63,
        u64::MAX,
        u64::MAX - SLOT_STEP + 1,
    ] {
        assert_eq!(Cookie::from_offset(offset), None, "{offset:#x}");
        assert_eq!(Cookie::containing(offset), None, "{offset:#x}");
    }
}

#[test]
fn a_generation_is_1_to_the_last_that_a_cookie_can_carry() {
    for number in [0, Generation::LAST + 1, u64::MAX] {
        assert_eq!(Generation::new(number), None, "{number}");
    }
    for number in [1, 2, Generation::LAST] {
        assert_eq!(Generation::new(number).map(Generation::get), Some(number));
    }
}

#[test]
fn the_last_generation_has_no_successor() {
    assert_eq!(Generation::LAST, (1 << 41) - 1);
    assert_eq!(last_generation().next(), None);
    assert_eq!(Generation::FIRST.get(), 1);
    assert_eq!(Generation::FIRST.next().map(Generation::get), Some(2));
}

proptest! {
    #[test]
    fn an_offset_that_starts_a_slab_names_it_and_comes_back(generation in 1u64..1 << 41, number in 0u64..16) {
        let offset = generation << 22 | number << 18;
        let cookie = Cookie::from_offset(offset).expect("a cookie");
        prop_assert_eq!((cookie.generation.get(), cookie.slot.index() as u64), (generation, number));
        prop_assert_eq!(cookie.offset(), offset);
    }

    #[test]
    fn an_offset_inside_a_slab_is_contained_but_is_no_cookie(generation in 1u64..1 << 41, number in 0u64..16, inside in 1..SLOT_STEP) {
        let offset = generation << 22 | number << 18;
        prop_assert_eq!(Cookie::from_offset(offset + inside), None);
        prop_assert_eq!(Cookie::containing(offset + inside), Cookie::from_offset(offset));
    }

    #[test]
    fn any_number_is_a_cookie_only_if_it_is_the_offset_of_that_cookie(offset: u64) {
        if let Some(cookie) = Cookie::from_offset(offset) {
            prop_assert_eq!(cookie.offset(), offset);
        }
    }
}

#[test]
fn every_occupancy_of_a_slot_has_the_next_generation() {
    let mut world = World::new();
    let [owner] = processes();
    let mut file = File::read_write();
    let mut seen = Vec::new();
    for _ in 0..3 * SLOTS {
        seen.push(world.acquire(&owner, &mut file).expect("a slab").cookie);
        world.release(&owner);
    }
    let slots: Vec<_> = seen.iter().map(|cookie| cookie.slot.index()).collect();
    let generations: Vec<_> = seen.iter().map(|cookie| cookie.generation.get()).collect();
    assert_eq!(slots, (0..3 * SLOTS).map(|n| n % SLOTS).collect::<Vec<_>>());
    assert_eq!(
        generations,
        (0..3 * SLOTS as u64)
            .map(|n| 1 + n / SLOTS as u64)
            .collect::<Vec<_>>()
    );
}

/// A device whose slots have one use left.
fn worn() -> World {
    World::over(Datastore::starting_at(last_generation()))
}

#[test]
fn the_last_generation_is_used_like_any_other() {
    let mut world = worn();
    let [owner] = processes();
    let mut file = File::read_write();
    let cookie = world.acquire(&owner, &mut file).expect("a slab").cookie;
    assert_eq!(cookie.generation, last_generation());
    let mapping = world.map(&owner, &file, cookie).expect("a mapping");
    world.write(mapping, 0, 7);
    assert_eq!(world.read(mapping, 0), 7);
}

#[test]
fn a_worn_out_slot_is_cleaned_but_never_handed_out_again() {
    let mut world = worn();
    let [owner] = processes();
    let mut file = File::read_write();
    let cookie = world.acquire(&owner, &mut file).expect("a slab").cookie;
    let mapping = world.map(&owner, &file, cookie).expect("a mapping");
    world.write(mapping, 0, 7);
    world.release(&owner);
    assert!(world.device.take_log().contains(&Event::Revoked(cookie)));
    assert!(world.device.is_zero(cookie.slot));
    assert_eq!(
        slot_number(world.acquire(&owner, &mut file)),
        1,
        "slot 0 is worn out"
    );
    assert_eq!(
        world.map_as(&owner, &file, whole(cookie)),
        Err(Refusal::BadCookie)
    );
}

#[test]
fn a_device_of_worn_out_slots_refuses_politely() {
    let mut world = worn();
    let [owner] = processes();
    let mut file = File::read_write();
    for number in 0..SLOTS {
        assert_eq!(slot_number(world.acquire(&owner, &mut file)), number);
        world.release(&owner);
    }
    assert_eq!(world.acquire(&owner, &mut file), Err(Refusal::NoSlot));
    assert_eq!(world.store.table().used(), SlotSet::EMPTY);
}
