// SPDX-License-Identifier: MIT OR Apache-2.0
//! An acquire of which the caller could not be told is taken back, and nothing else with it.

use nds_core::Refusal;

use super::process::File;
use super::world::{processes, World};

#[test]
fn an_undone_acquire_leaves_no_slab_behind() {
    let mut world = World::new();
    let [a] = processes();
    let mut file = File::read_write();
    let acquired = world.acquire(&a, &mut file).expect("a slab");
    world.undo(&mut file, acquired);
    assert_eq!(world.slot_of(&a), None);
    assert!(!file.rights.holds(acquired.cookie));
}

#[test]
fn undoing_a_repeated_acquire_keeps_the_slab_that_was_there() {
    let mut world = World::new();
    let [a] = processes();
    let mut file = File::read_write();
    let first = world.acquire(&a, &mut file).expect("a slab");
    let again = world.acquire(&a, &mut file).expect("a slab");
    world.undo(&mut file, again);
    assert_eq!(world.slot_of(&a), Some(first.cookie.slot));
    assert!(file.rights.holds(first.cookie));
}

#[test]
fn undoing_an_acquire_through_a_second_file_takes_that_holder_only() {
    let mut world = World::new();
    let [a] = processes();
    let (mut first, mut second) = (File::read_write(), File::read_write());
    world.acquire(&a, &mut first).expect("a slab");
    let acquired = world.acquire(&a, &mut second).expect("a slab");
    world.undo(&mut second, acquired);
    assert!(world.slot_of(&a).is_some());
    assert!(!second.rights.holds(acquired.cookie));
    world.close(second);
    assert!(world.slot_of(&a).is_some());
    world.close(first);
    assert_eq!(world.slot_of(&a), None);
}

#[test]
fn a_slab_that_another_thread_acquired_meanwhile_is_kept() {
    let mut world = World::new();
    let [a] = processes();
    let mut file = File::read_write();
    let failing = world.acquire(&a, &mut file).expect("a slab");
    let told = world.acquire(&a, &mut file).expect("a slab");
    world.undo(&mut file, failing);
    assert_eq!(world.slot_of(&a), Some(told.cookie.slot));
    assert!(world.map(&a, &file, told.cookie).is_ok());
}

#[test]
fn a_slab_that_another_thread_acquired_through_another_file_is_kept() {
    let mut world = World::new();
    let [a] = processes();
    let (mut file, mut other) = (File::read_write(), File::read_write());
    let failing = world.acquire(&a, &mut file).expect("a slab");
    let told = world.acquire(&a, &mut other).expect("a slab");
    world.undo(&mut file, failing);
    assert!(world.map(&a, &other, told.cookie).is_ok());
    world.close(other);
    world.close(file);
    assert_eq!(world.slot_of(&a), None);
}

#[test]
fn an_occupancy_that_ended_meanwhile_is_not_ended_again() {
    let mut world = World::new();
    let [a] = processes();
    let mut file = File::read_write();
    let failing = world.acquire(&a, &mut file).expect("a slab");
    world.release(&a);
    let next = world.acquire(&a, &mut file).expect("a slab");
    world.undo(&mut file, failing);
    assert_eq!(world.slot_of(&a), Some(next.cookie.slot));
    assert_eq!(world.store.statistics().closes, 0);
}

#[test]
fn undoing_twice_is_undoing_once() {
    let mut world = World::new();
    let [a] = processes();
    let (mut first, mut second) = (File::read_write(), File::read_write());
    let kept = world.acquire(&a, &mut first).expect("a slab");
    let failing = world.acquire(&a, &mut second).expect("a slab");
    world.undo(&mut second, failing);
    world.undo(&mut second, failing);
    assert_eq!(world.slot_of(&a), Some(kept.cookie.slot));
}

#[test]
fn an_acquire_is_not_undone_after_its_file_went() {
    let mut world = World::new();
    let [a] = processes();
    let (mut first, mut second) = (File::read_write(), File::read_write());
    let kept = world.acquire(&a, &mut first).expect("a slab");
    let failing = world.acquire(&a, &mut second).expect("a slab");
    world.file_gone(&mut second);
    world.undo(&mut second, failing);
    assert_eq!(world.slot_of(&a), Some(kept.cookie.slot));
}

#[test]
fn an_undone_attach_leaves_no_right_to_read() {
    let mut world = World::new();
    let [a, b] = processes();
    let (mut own, mut file) = (File::read_write(), File::read_write());
    world.acquire(&a, &mut own).expect("a slab");
    let attached = world.attach(&b, &mut file, &a).expect("a reader");
    world.undo(&mut file, attached);
    assert!(!file.rights.reads(attached.cookie));
    assert_eq!(
        world.map(&b, &file, attached.cookie).err(),
        Some(Refusal::BadCookie)
    );
    assert!(world.slot_of(&a).is_some());
}

#[test]
fn undoing_a_repeated_attach_keeps_the_right_that_was_there() {
    let mut world = World::new();
    let [a, b] = processes();
    let (mut own, mut file) = (File::read_write(), File::read_write());
    world.acquire(&a, &mut own).expect("a slab");
    world.attach(&b, &mut file, &a).expect("a reader");
    let again = world.attach(&b, &mut file, &a).expect("a reader");
    world.undo(&mut file, again);
    assert!(world.map(&b, &file, again.cookie).is_ok());
}

#[test]
fn an_attach_that_another_thread_made_meanwhile_is_kept() {
    let mut world = World::new();
    let [a, b] = processes();
    let (mut own, mut file) = (File::read_write(), File::read_write());
    world.acquire(&a, &mut own).expect("a slab");
    let failing = world.attach(&b, &mut file, &a).expect("a reader");
    let told = world.attach(&b, &mut file, &a).expect("a reader");
    world.undo(&mut file, failing);
    assert!(world.map(&b, &file, told.cookie).is_ok());
}

#[test]
fn an_undone_attach_leaves_no_right_whatever_other_slots_were_attached_to_meanwhile() {
    let mut world = World::new();
    let [a, b, c] = processes();
    let (mut of_a, mut of_b) = (File::read_write(), File::read_write());
    let mut file = File::read_write();
    world.acquire(&a, &mut of_a).expect("a slab");
    world.acquire(&b, &mut of_b).expect("a slab");
    let failing = world.attach(&c, &mut file, &a).expect("a reader");
    let told = world.attach(&c, &mut file, &b).expect("a reader");
    world.undo(&mut file, failing);
    assert!(!file.rights.reads(failing.cookie));
    assert!(file.rights.reads(told.cookie));
}
