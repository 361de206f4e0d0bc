// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a device counts about itself.

use std::collections::BTreeSet;

use nds_core::pages::PAGE_SIZE;
use nds_core::{MapRequest, Refusal, Statistics, Target};

use super::process::{File, Process};
use super::world::{processes, whole, World};

/// How often a request was refused for that reason.
fn refused(world: &World, reason: Refusal) -> u64 {
    world.store.statistics().refused(reason)
}

#[test]
fn a_new_device_has_counted_nothing() {
    assert_eq!(*World::new().store.statistics(), Statistics::default());
    assert_eq!(Statistics::new(), Statistics::default());
}

#[test]
fn every_reason_has_a_name_and_a_place_of_its_own() {
    let names: BTreeSet<_> = Refusal::ALL.iter().map(|reason| reason.name()).collect();
    assert_eq!(names.len(), Refusal::COUNT);
    for (place, reason) in Refusal::ALL.into_iter().enumerate() {
        let mut statistics = Statistics::new();
        assert_eq!(statistics.refuse(reason), reason);
        let mut expected = Statistics::new();
        expected.refusals[place] = 1;
        assert_eq!(statistics, expected, "{}", reason.name());
        assert_eq!(statistics.refused(reason), 1);
    }
}

#[test]
fn names_are_snake_case() {
    for reason in Refusal::ALL {
        assert!(reason
            .name()
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_'));
    }
}

#[test]
fn every_refusal_is_counted_once_under_its_reason() {
    let mut world = World::new();
    let (owner, stranger) = (Process::new(1), Process::of_user(2, 1001));
    let (mut file, mut read_only) = (File::read_write(), File::read_only());
    let cookie = world.acquire(&owner, &mut file).expect("a slab").cookie;
    let _ = world.acquire(&stranger, &mut read_only);
    let _ = world.attach(&stranger, &mut read_only, &owner);
    let _ = world.ask(&stranger, &mut read_only, Target::Nobody);
    let _ = world.map_as(
        &owner,
        &file,
        MapRequest {
            length: PAGE_SIZE,
            ..whole(cookie)
        },
    );
    let _ = world.map_as(&stranger, &read_only, whole(cookie));
    let _ = world.map_as(
        &owner,
        &file,
        MapRequest {
            private: true,
            ..whole(cookie)
        },
    );
    world.store.refuse(Refusal::BadWord);
    world.store.refuse(Refusal::BadPointer);
    for reason in Refusal::ALL {
        let expected = u64::from(reason != Refusal::NoSlot);
        assert_eq!(refused(&world, reason), expected, "{}", reason.name());
    }
}

#[test]
fn a_full_device_counts_each_newcomer() {
    let mut world = World::new();
    let mut file = File::read_write();
    let crowd: [Process; 18] = processes();
    for who in &crowd {
        let _ = world.acquire(who, &mut file);
    }
    assert_eq!(world.store.statistics().acquires, 16);
    assert_eq!(refused(&world, Refusal::NoSlot), 2);
}

#[test]
fn each_end_is_counted_as_what_it_was() {
    let mut world = World::new();
    let [a, b, c, d] = processes();
    let (mut file, mut other) = (File::read_write(), File::read_write());
    for who in [&a, &b, &c] {
        world.acquire(who, &mut file).expect("a slab");
    }
    world.acquire(&d, &mut other).expect("a slab");
    world.release(&a);
    b.dies();
    world.reap();
    world.close(file);
    world.attach(&a, &mut other, &d).expect("found");
    let counted = *world.store.statistics();
    let mut expected = Statistics::new();
    (expected.acquires, expected.attaches) = (4, 1);
    (expected.releases, expected.reaps, expected.closes) = (1, 1, 1);
    assert_eq!(counted, expected);
}

#[test]
fn stale_uses_are_counted_by_slot_too() {
    let mut world = World::new();
    let [a, b] = processes();
    let mut file = File::read_write();
    let first = world.acquire(&a, &mut file).expect("a slab").cookie;
    let second = world.acquire(&b, &mut file).expect("a slab").cookie;
    let mapping = world.map(&b, &file, second).expect("a mapping");
    world.release(&a);
    world.release(&b);
    let _ = world.map_as(&b, &file, whole(second));
    world.touch(mapping, 0);
    world.touch(mapping, 1);
    assert_eq!(world.store.table().stale_uses(first.slot), 0);
    assert_eq!(world.store.table().stale_uses(second.slot), 3);
    assert_eq!(world.store.statistics().stale_uses, 3);
}
