// SPDX-License-Identifier: MIT OR Apache-2.0
//! Owners that are gone while somebody else keeps their files open: when their slabs are found and freed.

use nds_core::slot::SLOTS;
use nds_core::{Refusal, Target};

use super::process::{File, Process};
use super::world::{processes, slot_number, World};

#[test]
fn the_periodic_work_frees_the_slabs_of_dead_owners_only() {
    let mut world = World::new();
    let crowd: [Process; 4] = processes();
    let mut shared = File::read_write();
    for who in &crowd {
        world.acquire(who, &mut shared).expect("a slab");
    }
    crowd[1].dies();
    crowd[3].dies();
    world.reap();
    let left: Vec<_> = world
        .store
        .table()
        .used()
        .iter()
        .map(|slot| slot.index())
        .collect();
    assert_eq!(left, [0, 2]);
    assert_eq!(world.store.statistics().reaps, 2);
}

#[test]
fn reaping_without_dead_owners_does_nothing() {
    let mut world = World::new();
    world.reap();
    let [a] = processes();
    let mut file = File::read_write();
    world.acquire(&a, &mut file).expect("a slab");
    world.reap();
    assert!(world.slot_of(&a).is_some());
    assert_eq!(world.store.statistics().reaps, 0);
}

#[test]
fn a_newcomer_gets_the_slab_of_a_dead_owner_on_a_full_device() {
    let mut world = World::new();
    let crowd: [Process; SLOTS] = processes();
    let mut shared = File::read_write();
    for who in &crowd {
        world.acquire(who, &mut shared).expect("a slab");
    }
    let newcomer = Process::new(100);
    assert_eq!(world.acquire(&newcomer, &mut shared), Err(Refusal::NoSlot));
    crowd[11].dies();
    assert_eq!(slot_number(world.acquire(&newcomer, &mut shared)), 11);
}

#[test]
fn sixteen_dead_owners_do_not_keep_a_newcomer_out() {
    let mut world = World::new();
    let mut shared = File::read_write();
    for round in 0..3 {
        let crowd: Vec<_> = (0..SLOTS as u64)
            .map(|n| Process::new(1 + round * 16 + n))
            .collect();
        for who in &crowd {
            world.acquire(who, &mut shared).expect("a slab");
        }
        crowd.iter().for_each(Process::dies);
    }
    world.reap();
    assert_eq!(world.store.table().used().iter().count(), 0);
}

#[test]
fn nobody_attaches_to_a_ghost() {
    let mut world = World::new();
    let [dead, reader] = processes();
    let mut shared = File::read_write();
    world.acquire(&dead, &mut shared).expect("a slab");
    dead.dies();
    assert_eq!(
        world.attach(&reader, &mut shared, &dead),
        Err(Refusal::NoSuchOwner)
    );
    assert_eq!(world.store.statistics().reaps, 1);
}

#[test]
fn an_attach_to_a_live_owner_reaps_the_dead_ones_too() {
    let mut world = World::new();
    let [dead, live, reader] = processes();
    let mut shared = File::read_write();
    world.acquire(&dead, &mut shared).expect("a slab");
    world.acquire(&live, &mut shared).expect("a slab");
    dead.dies();
    assert_eq!(slot_number(world.attach(&reader, &mut shared, &live)), 1);
    assert_eq!(world.slot_of(&dead), None);
}

#[test]
fn an_owner_that_asks_for_what_it_has_pays_for_no_reaping() {
    let mut world = World::new();
    let [dead, live] = processes();
    let mut shared = File::read_write();
    world.acquire(&dead, &mut shared).expect("a slab");
    world.acquire(&live, &mut shared).expect("a slab");
    dead.dies();
    world.acquire(&live, &mut shared).expect("a slab");
    world
        .ask(&live, &mut shared, Target::Process(2))
        .expect("a slab");
    assert_eq!(world.store.statistics().reaps, 0);
}

#[test]
fn a_dead_owners_mapping_in_another_process_goes_stale() {
    let mut world = World::new();
    let [dead, reader] = processes();
    let (mut file, mut other) = (File::read_write(), File::read_write());
    let cookie = world.acquire(&dead, &mut file).expect("a slab").cookie;
    let mapping = world.map(&dead, &file, cookie).expect("a mapping");
    world.write(mapping, 0, 7);
    world.attach(&reader, &mut other, &dead).expect("found");
    let spy = world.map(&reader, &other, cookie).expect("a mapping");
    assert_eq!(world.read(spy, 0), 7);
    dead.dies();
    world.unmap(mapping);
    world.reap();
    assert_eq!(world.read(spy, 0), 0);
    assert_eq!(world.store.statistics().stale_uses, 1);
}

#[test]
fn the_file_of_a_reaped_owner_ends_nothing_when_it_goes() {
    let mut world = World::new();
    let [dead, live] = processes();
    let mut shared = File::read_write();
    world.acquire(&dead, &mut shared).expect("a slab");
    dead.dies();
    world.reap();
    let mut own = File::read_write();
    world.acquire(&live, &mut own).expect("a slab");
    world.close(shared);
    assert!(world.slot_of(&live).is_some());
    assert_eq!(world.store.statistics().closes, 0);
}
