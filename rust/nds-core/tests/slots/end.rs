// SPDX-License-Identifier: MIT OR Apache-2.0
//! What happens to the pages at the end of an occupancy, and in which order.

use nds_core::pages::{MAP_PAGES, PAGE_SIZE, SLAB_PAGES};
use nds_core::slot::SLOTS;
use nds_core::{Cookie, MapRequest, PageSet};

use super::device::Event;
use super::process::{File, Process};
use super::world::{processes, whole, World};

/// An owner with a slab that it has mapped, for the ways to end it.
struct Owned {
    world: World,
    owner: Process,
    file: File,
    cookie: Cookie,
    mapping: usize,
}

fn owned() -> Owned {
    let mut world = World::new();
    let [owner] = processes();
    let mut file = File::read_write();
    let cookie = world.acquire(&owner, &mut file).expect("a slab").cookie;
    let mapping = world.map(&owner, &file, cookie).expect("a mapping");
    Owned {
        world,
        owner,
        file,
        cookie,
        mapping,
    }
}

/// What was done at the end of a dirty occupancy of the defined map.
fn cleaned(cookie: Cookie) -> [Event; 3] {
    cleaned_of(cookie, PageSet::MAP)
}

fn cleaned_of(cookie: Cookie, dirty: PageSet) -> [Event; 3] {
    [
        Event::Revoked(cookie),
        Event::Retired(cookie.slot),
        Event::Zeroed(cookie.slot, dirty),
    ]
}

#[test]
fn mappings_go_first_then_counters_are_taken_over_then_pages_are_zeroed() {
    let mut it = owned();
    it.world.write(it.mapping, 0, 7);
    it.world.release(&it.owner);
    assert_eq!(it.world.device.take_log(), cleaned(it.cookie));
}

#[test]
fn a_slab_that_was_never_mapped_costs_nothing() {
    let mut world = World::new();
    let [a] = processes();
    let mut file = File::read_write();
    world.acquire(&a, &mut file).expect("a slab");
    world.release(&a);
    assert_eq!(world.device.take_log(), []);
    assert_eq!(world.store.statistics().bytes_zeroed, 0);
}

#[test]
fn a_mapping_that_was_never_touched_is_revoked_and_nothing_is_zeroed() {
    let mut it = owned();
    it.world.release(&it.owner);
    assert_eq!(it.world.device.take_log(), [Event::Revoked(it.cookie)]);
}

#[test]
fn a_slab_that_was_only_read_is_not_zeroed() {
    let mut world = World::new();
    let [a, reader] = processes();
    let (mut file, mut other) = (File::read_write(), File::read_write());
    let cookie = world.acquire(&a, &mut file).expect("a slab").cookie;
    world.attach(&reader, &mut other, &a).expect("found");
    let spy = world.map(&reader, &other, cookie).expect("a mapping");
    assert_eq!(world.read(spy, 0), 0);
    world.release(&a);
    assert_eq!(world.device.take_log(), [Event::Revoked(cookie)]);
}

#[test]
fn pages_behind_a_mapping_that_could_be_written_are_zeroed_although_only_read() {
    let mut it = owned();
    assert_eq!(it.world.read(it.mapping, 20), 0);
    it.world.release(&it.owner);
    let page = PageSet::single(20);
    assert_eq!(it.world.device.take_log(), cleaned_of(it.cookie, page));
}

#[test]
fn exactly_the_pages_that_could_be_written_are_zeroed_and_counted() {
    let mut it = owned();
    it.world.write(it.mapping, 3, 7);
    it.world.write(it.mapping, 40, 8);
    it.world.write(it.mapping, SLAB_PAGES - 1, 9);
    it.world.release(&it.owner);
    let dirty = PageSet::MAP
        .union(PageSet::single(40))
        .union(PageSet::single(SLAB_PAGES - 1));
    assert_eq!(it.world.device.take_log(), cleaned_of(it.cookie, dirty));
    assert_eq!(
        it.world.store.statistics().bytes_zeroed,
        ((MAP_PAGES + 2) * PAGE_SIZE) as u64
    );
}

#[test]
fn pages_stay_dirty_when_their_mapping_is_gone() {
    let mut it = owned();
    it.world.write(it.mapping, 0, 7);
    it.world.unmap(it.mapping);
    it.world.release(&it.owner);
    assert_eq!(it.world.device.take_log(), cleaned(it.cookie));
}

#[test]
fn every_way_to_end_cleans_up_alike() {
    let ways: [fn(Owned) -> World; 3] = [
        |mut it| {
            it.world.release(&it.owner);
            it.world
        },
        |mut it| {
            it.world.unmap(it.mapping);
            it.world.close(it.file);
            it.world
        },
        |mut it| {
            it.owner.dies();
            it.world.reap();
            it.world
        },
    ];
    for way in ways {
        let mut it = owned();
        let cookie = it.cookie;
        it.world.write(it.mapping, 0, 7);
        let world = way(it);
        assert_eq!(world.device.take_log(), cleaned(cookie));
    }
}

#[test]
fn only_the_mappings_of_the_ended_occupancy_are_revoked() {
    let mut it = owned();
    let neighbour = Process::new(50);
    let mut file = File::read_write();
    let cookie = it
        .world
        .acquire(&neighbour, &mut file)
        .expect("a slab")
        .cookie;
    let kept = it.world.map(&neighbour, &file, cookie).expect("a mapping");
    it.world.write(it.mapping, 0, 7);
    it.world.write(kept, 0, 8);
    it.world.release(&it.owner);
    assert_eq!(it.world.device.page(cookie.slot, 0).get(), 8);
    it.world.write(kept, 1, 9);
    assert_eq!(it.world.device.page(cookie.slot, 1).get(), 9);
}

#[test]
fn the_next_owner_finds_zeros_and_sees_no_late_write() {
    let mut it = owned();
    it.world.write(it.mapping, 0, 7);
    it.world.release(&it.owner);
    let newcomer = Process::new(50);
    let next = it.world.return_to(&newcomer, &mut it.file, it.cookie);
    let fresh = it.world.map(&newcomer, &it.file, next).expect("a mapping");
    it.world.write(it.mapping, 0, 8);
    it.world.write(it.mapping, 30, 8);
    assert_eq!((it.world.read(fresh, 0), it.world.read(fresh, 30)), (0, 0));
    it.world.write(fresh, 0, 9);
    assert_eq!(
        it.world.read(it.mapping, 0),
        8,
        "a former owner sees its own page only"
    );
}

#[test]
fn an_occupancy_that_follows_a_dirty_one_starts_clean() {
    let mut world = World::new();
    let [a] = processes();
    let mut file = File::read_write();
    for _ in 0..SLOTS {
        let cookie = world.acquire(&a, &mut file).expect("a slab").cookie;
        let mapping = world.map(&a, &file, cookie).expect("a mapping");
        world.write(mapping, 0, 7);
        world.release(&a);
    }
    world.device.take_log();
    world.acquire(&a, &mut file).expect("a slab");
    world.release(&a);
    assert_eq!(
        world.device.take_log(),
        [],
        "neither mapped nor dirty is inherited"
    );
}

#[test]
fn a_read_only_mapping_of_the_owner_dirties_nothing() {
    let mut world = World::new();
    let [a] = processes();
    let mut file = File::read_write();
    let cookie = world.acquire(&a, &mut file).expect("a slab").cookie;
    let request = MapRequest {
        may_write: false,
        ..whole(cookie)
    };
    let (mapping, _) = world.map_as(&a, &file, request).expect("a mapping");
    assert_eq!(world.read(mapping, 0), 0);
    world.release(&a);
    assert_eq!(world.device.take_log(), [Event::Revoked(cookie)]);
}
