// SPDX-License-Identifier: MIT OR Apache-2.0
//! Acquire, attach and release: who gets which slot, in which order, and who gets nothing.

use nds_core::slot::SLOTS;
use nds_core::{Caller, Refusal, Target};

use super::device::Event;
use super::process::{File, Process, PRIVILEGED};
use super::world::{processes, slot_number, whole, World};

#[test]
fn slots_are_handed_out_unused_ones_first_then_the_one_cleared_longest_ago() {
    let mut world = World::new();
    let [a, b, c, d] = processes();
    let mut file = File::read_write();
    for (who, slot) in [(&a, 0), (&b, 1), (&c, 2)] {
        assert_eq!(slot_number(world.acquire(who, &mut file)), slot);
    }
    world.release(&b);
    world.release(&a);
    assert_eq!(slot_number(world.acquire(&d, &mut file)), 3);
    let crowd: Vec<_> = (100..).map(Process::new).take(15).collect();
    let slots: Vec<_> = crowd[..12]
        .iter()
        .map(|who| slot_number(world.acquire(who, &mut file)))
        .collect();
    assert_eq!(slots, (4..16).collect::<Vec<_>>());
    assert_eq!(slot_number(world.acquire(&crowd[12], &mut file)), 1);
    assert_eq!(slot_number(world.acquire(&crowd[13], &mut file)), 0);
    assert_eq!(world.acquire(&crowd[14], &mut file), Err(Refusal::NoSlot));
}

#[test]
fn every_way_to_end_an_occupancy_stamps_the_slot_for_the_order() {
    let mut world = World::new();
    let mut shared = File::read_write();
    let crowd: Vec<_> = (1..=SLOTS as u64).map(Process::new).collect();
    let mut own = File::read_write();
    slot_number(world.acquire(&crowd[0], &mut own));
    for who in &crowd[1..] {
        slot_number(world.acquire(who, &mut shared));
    }
    crowd[9].dies();
    world.reap();
    world.close(own);
    world.release(&crowd[4]);
    let newcomers: Vec<_> = (100..103).map(Process::new).collect();
    let slots: Vec<_> = newcomers
        .iter()
        .map(|who| slot_number(world.acquire(who, &mut shared)))
        .collect();
    assert_eq!(slots, [9, 0, 4]);
}

#[test]
fn acquiring_again_gives_the_same_slab_and_changes_nothing() {
    let mut world = World::new();
    let [a, b] = processes();
    let mut file = File::read_write();
    let first = world.acquire(&a, &mut file).expect("a slab").cookie;
    let mapping = world.map(&a, &file, first).expect("a mapping");
    world.write(mapping, 0, 7);
    for _ in 0..3 {
        assert_eq!(world.acquire(&a, &mut file).expect("a slab").cookie, first);
    }
    assert_eq!(world.read(mapping, 0), 7);
    assert_eq!(world.device.take_log(), []);
    assert_eq!(world.store.statistics().acquires, 1);
    assert_eq!(
        slot_number(world.acquire(&b, &mut file)),
        1,
        "the order was not touched"
    );
}

#[test]
fn an_occupancy_remembers_when_it_began() {
    let mut world = World::new();
    let [a] = processes();
    let mut file = File::read_write();
    world.now = 1_000;
    let cookie = world.acquire(&a, &mut file).expect("a slab").cookie;
    world.now = 2_000;
    world.acquire(&a, &mut file).expect("a slab");
    let since = world
        .store
        .table()
        .get(cookie.slot)
        .map(|(_, found)| found.since);
    assert_eq!(since, Some(1_000));
}

#[test]
fn a_process_with_a_recycled_number_is_another_process() {
    let mut world = World::new();
    let (old, new) = (Process::new(1), Process::new(2));
    let (mut first, mut second) = (File::read_write(), File::read_write());
    let kept = world.acquire(&old, &mut first).expect("a slab").cookie;
    let fresh = world.acquire(&new, &mut second).expect("a slab").cookie;
    assert_ne!(kept.slot, fresh.slot);
    world.release_of(&new, Target::Process(old.id()));
    assert_eq!(world.slot_of(&old), Some(kept.slot));
}

#[test]
fn attaching_finds_the_slab_of_a_process_and_records_no_owner() {
    let mut world = World::new();
    let [a, reader] = processes();
    let (mut file, mut other) = (File::read_write(), File::read_write());
    let cookie = world.acquire(&a, &mut file).expect("a slab").cookie;
    assert_eq!(
        world.attach(&reader, &mut other, &a).expect("found").cookie,
        cookie
    );
    assert_eq!(
        world.attach(&reader, &mut other, &a).expect("found").cookie,
        cookie
    );
    assert_eq!(world.slot_of(&reader), None);
    assert_eq!(world.store.statistics().acquires, 1);
    assert_eq!(world.store.statistics().attaches, 2);
    world.close(other);
    assert_eq!(
        world.slot_of(&a),
        Some(cookie.slot),
        "a reader holds nothing"
    );
}

#[test]
fn a_reader_needs_no_file_opened_for_writing() {
    let mut world = World::new();
    let [a, reader] = processes();
    let (mut file, mut other) = (File::read_write(), File::read_only());
    let cookie = world.acquire(&a, &mut file).expect("a slab").cookie;
    assert_eq!(
        world.attach(&reader, &mut other, &a).expect("found").cookie,
        cookie
    );
}

#[test]
fn producing_needs_a_file_opened_for_writing() {
    let mut world = World::new();
    let [a] = processes();
    let mut file = File::read_only();
    assert_eq!(world.acquire(&a, &mut file), Err(Refusal::NotWritable));
    assert_eq!(world.slot_of(&a), None);
    assert_eq!(file.rights.held().next(), None);
}

#[test]
fn naming_a_process_without_a_slab_finds_nothing() {
    let mut world = World::new();
    let [a, reader] = processes();
    let mut file = File::read_write();
    assert_eq!(
        world.attach(&reader, &mut file, &a),
        Err(Refusal::NoSuchOwner)
    );
    assert_eq!(
        world.attach(&reader, &mut file, &reader),
        Err(Refusal::NoSuchOwner),
        "its own number"
    );
    assert_eq!(
        world.ask(&reader, &mut file, Target::Nobody),
        Err(Refusal::NoSuchOwner),
        "a negative number"
    );
    world.acquire(&a, &mut file).expect("a slab");
    world.release(&a);
    assert_eq!(
        world.attach(&reader, &mut file, &a),
        Err(Refusal::NoSuchOwner),
        "a released slab"
    );
    assert_eq!(world.store.statistics().acquires, 1);
}

#[test]
fn an_owner_that_names_itself_gets_its_own_slab() {
    let mut world = World::new();
    let [a] = processes();
    let mut file = File::read_write();
    let cookie = world.acquire(&a, &mut file).expect("a slab").cookie;
    assert_eq!(
        world.attach(&a, &mut file, &a).expect("found").cookie,
        cookie
    );
    assert_eq!(world.store.statistics().attaches, 0);
}

#[test]
fn attaching_to_another_users_slab_is_a_matter_of_policy() {
    let mut world = World::new();
    let owner = Process::of_user(1, 1000);
    let (stranger, monitor) = (Process::of_user(2, 1001), Process::of_user(3, PRIVILEGED));
    let (mut file, mut other) = (File::read_write(), File::read_write());
    let cookie = world.acquire(&owner, &mut file).expect("a slab").cookie;
    assert_eq!(
        world.attach(&stranger, &mut other, &owner),
        Err(Refusal::Policy)
    );
    assert_eq!(
        world.map_as(&stranger, &other, whole(cookie)),
        Err(Refusal::BadCookie)
    );
    assert_eq!(
        world
            .attach(&monitor, &mut other, &owner)
            .expect("found")
            .cookie,
        cookie
    );
}

#[test]
fn the_policy_looks_at_the_credentials_of_the_owners_last_acquire() {
    let mut world = World::new();
    let owner = Process::of_user(1, 1000);
    let reader = Process::of_user(2, 1001);
    let (mut file, mut other) = (File::read_write(), File::read_write());
    world.acquire(&owner, &mut file).expect("a slab");
    owner.becomes(1001);
    assert_eq!(
        world.attach(&reader, &mut other, &owner),
        Err(Refusal::Policy)
    );
    world.acquire(&owner, &mut file).expect("a slab");
    assert!(world.attach(&reader, &mut other, &owner).is_ok());
}

#[test]
fn an_owner_whose_credentials_changed_still_owns() {
    let mut world = World::new();
    let owner = Process::of_user(1, 1000);
    let mut file = File::read_write();
    let cookie = world.acquire(&owner, &mut file).expect("a slab").cookie;
    owner.becomes(1001);
    assert_eq!(
        world.acquire(&owner, &mut file).expect("a slab").cookie,
        cookie
    );
    world.release(&owner);
    assert_eq!(world.slot_of(&owner), None);
}

#[test]
fn a_full_device_refuses_a_newcomer_and_still_answers_its_owners_and_readers() {
    let mut world = World::new();
    let mut file = File::read_write();
    let crowd: Vec<_> = (1..=SLOTS as u64).map(Process::new).collect();
    for who in &crowd {
        world.acquire(who, &mut file).expect("a slab");
    }
    let newcomer = Process::new(100);
    assert_eq!(world.acquire(&newcomer, &mut file), Err(Refusal::NoSlot));
    assert_eq!(slot_number(world.acquire(&crowd[7], &mut file)), 7);
    assert_eq!(
        slot_number(world.attach(&newcomer, &mut file, &crowd[7])),
        7
    );
    world.release(&crowd[7]);
    assert_eq!(slot_number(world.acquire(&newcomer, &mut file)), 7);
}

#[test]
fn release_by_anybody_but_the_owner_does_nothing() {
    let mut world = World::new();
    let [a, reader] = processes();
    let (mut file, mut other) = (File::read_write(), File::read_write());
    let cookie = world.acquire(&a, &mut file).expect("a slab").cookie;
    let mapping = world.map(&a, &file, cookie).expect("a mapping");
    world.write(mapping, 0, 7);
    world.attach(&reader, &mut other, &a).expect("found");
    world.release_of(&reader, Target::Process(a.id()));
    world.release_of(&reader, Target::Caller);
    world.release_of(&a, Target::Process(reader.id()));
    world.release_of(&a, Target::Nobody);
    assert_eq!(world.slot_of(&a), Some(cookie.slot));
    assert_eq!(world.read(mapping, 0), 7);
    assert_eq!(world.store.statistics().releases, 0);
    assert_eq!(world.device.take_log(), []);
}

#[test]
fn releasing_twice_is_releasing_once() {
    let mut world = World::new();
    let [a, reader] = processes();
    let mut file = File::read_write();
    world.acquire(&a, &mut file).expect("a slab");
    world.release(&a);
    world.release(&a);
    assert_eq!(world.store.statistics().releases, 1);
    assert_eq!(
        world.attach(&reader, &mut file, &a),
        Err(Refusal::NoSuchOwner)
    );
}

#[test]
fn an_owner_may_name_itself_to_release() {
    let mut world = World::new();
    let [a] = processes();
    let mut file = File::read_write();
    world.acquire(&a, &mut file).expect("a slab");
    world.release_of(&a, Target::Process(a.id()));
    assert_eq!(world.slot_of(&a), None);
}

#[test]
fn release_and_acquire_is_a_new_occupancy_of_another_slot() {
    let mut world = World::new();
    let [a] = processes();
    let mut file = File::read_write();
    let first = world.acquire(&a, &mut file).expect("a slab").cookie;
    world.release(&a);
    let second = world.acquire(&a, &mut file).expect("a slab").cookie;
    assert_eq!((first.slot.index(), second.slot.index()), (0, 1));
    assert_eq!(
        world.map_as(&a, &file, whole(first)),
        Err(Refusal::BadCookie)
    );
    assert!(world.map(&a, &file, second).is_ok());
    assert!(!world.device.take_log().contains(&Event::Revoked(second)));
}
