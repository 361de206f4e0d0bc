// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long an occupancy lives: as long as an open file through which its owner acquired it.
//!
//! A dup, or the file that a child inherits, is no other file: only its last reference going is told to the rules.

use nds_core::{Refusal, Slot};

use super::process::{File, Process};
use super::world::{processes, World};

fn slot(number: u64) -> Option<Slot> {
    Slot::new(number)
}

#[test]
fn the_occupancy_ends_with_its_only_holding_file() {
    let mut world = World::new();
    let [a] = processes();
    let mut file = File::read_write();
    world.acquire(&a, &mut file).expect("a slab");
    world.close(file);
    assert_eq!(world.slot_of(&a), None);
    assert_eq!(world.store.statistics().closes, 1);
}

#[test]
fn a_file_without_an_acquire_holds_nothing() {
    let mut world = World::new();
    let [a] = processes();
    let (mut file, other) = (File::read_write(), File::read_write());
    world.acquire(&a, &mut file).expect("a slab");
    world.close(other);
    assert_eq!(world.slot_of(&a), slot(0));
}

#[test]
fn a_second_holding_file_keeps_the_occupancy_whichever_goes_first() {
    for first_goes in [true, false] {
        let mut world = World::new();
        let [a] = processes();
        let (mut first, mut second) = (File::read_write(), File::read_write());
        let cookie = world.acquire(&a, &mut first).expect("a slab").cookie;
        assert_eq!(
            world.acquire(&a, &mut second).expect("a slab").cookie,
            cookie
        );
        let (goes, stays) = if first_goes {
            (first, second)
        } else {
            (second, first)
        };
        world.close(goes);
        assert_eq!(world.slot_of(&a), Some(cookie.slot));
        assert!(world.map(&a, &stays, cookie).is_ok());
        world.close(stays);
        assert_eq!(world.slot_of(&a), None);
    }
}

#[test]
fn acquiring_often_through_one_file_holds_once() {
    let mut world = World::new();
    let [a] = processes();
    let mut file = File::read_write();
    for _ in 0..5 {
        world.acquire(&a, &mut file).expect("a slab");
    }
    world.close(file);
    assert_eq!(world.slot_of(&a), None);
}

#[test]
fn an_owner_that_names_itself_makes_the_file_a_holder() {
    let mut world = World::new();
    let [a] = processes();
    let (mut first, mut second) = (File::read_write(), File::read_only());
    let cookie = world.acquire(&a, &mut first).expect("a slab").cookie;
    world.attach(&a, &mut second, &a).expect("found");
    assert!(second.rights.holds(cookie));
    world.close(first);
    assert_eq!(world.slot_of(&a), Some(cookie.slot));
    world.close(second);
    assert_eq!(world.slot_of(&a), None);
}

#[test]
fn a_child_that_inherits_the_file_acquires_a_slab_of_its_own() {
    let mut world = World::new();
    let [parent, child] = processes();
    let mut file = File::read_write();
    world.acquire(&parent, &mut file).expect("a slab");
    world.acquire(&child, &mut file).expect("a slab");
    assert_eq!(
        (world.slot_of(&parent), world.slot_of(&child)),
        (slot(0), slot(1))
    );
    world.release(&parent);
    assert_eq!(
        (world.slot_of(&parent), world.slot_of(&child)),
        (None, slot(1))
    );
    world.close(file);
    assert_eq!(
        world.slot_of(&child),
        None,
        "who only inherited the file is cleaned up like any other"
    );
}

#[test]
fn the_last_close_ends_every_occupancy_that_the_file_holds() {
    let mut world = World::new();
    let crowd: [Process; 5] = processes();
    let mut file = File::read_write();
    for who in &crowd {
        world.acquire(who, &mut file).expect("a slab");
    }
    world.close(file);
    assert_eq!(world.store.table().used().iter().count(), 0);
    assert_eq!(world.store.statistics().closes, 5);
}

#[test]
fn a_file_that_held_an_ended_occupancy_does_not_end_the_next_one() {
    let mut world = World::new();
    let [a, b] = processes();
    let (mut old, mut new) = (File::read_write(), File::read_write());
    let first = world.acquire(&a, &mut old).expect("a slab").cookie;
    world.release(&a);
    world.return_to(&b, &mut new, first);
    world.close(old);
    assert_eq!(world.slot_of(&b), Some(first.slot));
}

#[test]
fn a_file_may_hold_an_ended_and_a_present_occupancy_of_one_slot() {
    let mut world = World::new();
    let [a] = processes();
    let mut file = File::read_write();
    let first = world.acquire(&a, &mut file).expect("a slab").cookie;
    let last = world.return_to(&a, &mut file, first);
    assert!(file.rights.holds(last) && !file.rights.holds(first));
    world.close(file);
    assert_eq!(world.slot_of(&a), None);
    assert_eq!(world.store.statistics().closes, 1);
}

#[test]
fn a_files_rights_list_what_was_acquired_and_attached_through_it() {
    let mut world = World::new();
    let [a, b] = processes();
    let (mut file, mut other) = (File::read_write(), File::read_write());
    let own = world.acquire(&a, &mut file).expect("a slab").cookie;
    let foreign = world.acquire(&b, &mut other).expect("a slab").cookie;
    world.attach(&a, &mut file, &b).expect("found");
    assert_eq!(file.rights.held().collect::<Vec<_>>(), [own]);
    assert_eq!(file.rights.readable().collect::<Vec<_>>(), [foreign]);
    assert!(!file.rights.holds(foreign) && !file.rights.reads(own));
    assert_eq!(other.rights.readable().next(), None);
}

#[test]
fn the_live_rights_of_a_file_are_those_of_present_occupancies() {
    let mut world = World::new();
    let [a, b, c] = processes();
    let (mut file, mut other) = (File::read_write(), File::read_write());
    let own = world.acquire(&a, &mut file).expect("a slab").cookie;
    let ended = world.acquire(&b, &mut file).expect("a slab").cookie;
    let foreign = world.acquire(&c, &mut other).expect("a slab").cookie;
    world.attach(&a, &mut file, &b).expect("found");
    world.attach(&a, &mut file, &c).expect("found");
    world.release(&b);
    let live = world.store.live_rights(&file.rights);
    assert_eq!(live.held().collect::<Vec<_>>(), [own]);
    assert_eq!(live.readable().collect::<Vec<_>>(), [foreign]);
    assert!(file.rights.holds(ended) && file.rights.reads(ended));
}

#[test]
fn a_file_that_is_gone_holds_nothing_and_may_be_told_twice() {
    let mut world = World::new();
    let [a, b] = processes();
    let (mut file, mut other) = (File::read_write(), File::read_write());
    world.acquire(&a, &mut file).expect("a slab");
    world.acquire(&b, &mut other).expect("a slab");
    world.acquire(&b, &mut file).expect("a slab");
    world.file_gone(&mut file);
    world.file_gone(&mut file);
    assert_eq!(file.rights.held().next(), None);
    assert_eq!(world.slot_of(&b), slot(1), "the other file still holds");
}

#[test]
fn a_refused_acquire_makes_no_holder() {
    let mut world = World::new();
    let mut file = File::read_write();
    let crowd: [Process; 16] = processes();
    for who in &crowd {
        world.acquire(who, &mut file).expect("a slab");
    }
    let (newcomer, mut other) = (Process::new(100), File::read_write());
    assert_eq!(world.acquire(&newcomer, &mut other), Err(Refusal::NoSlot));
    assert_eq!(other.rights.held().next(), None);
}
