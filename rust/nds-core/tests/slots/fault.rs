// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a touch of a mapping gets: pages of a current occupancy's slab, and never those of an ended one's.

use nds_core::pages::{MAP_PAGES, SLAB_PAGES};
use nds_core::{Cookie, Fault, PageSet};

use super::device::{Event, Reached};
use super::process::{File, Process};
use super::world::{processes, World};

const ALL: PageSet = PageSet::range(0, SLAB_PAGES);

fn owned() -> (World, Process, File, Cookie) {
    let mut world = World::new();
    let [owner] = processes();
    let mut file = File::read_write();
    let cookie = world.acquire(&owner, &mut file).expect("a slab").cookie;
    (world, owner, file, cookie)
}

#[test]
fn the_first_touch_of_the_defined_map_brings_all_of_it() {
    let (mut world, _, _, cookie) = owned();
    for page in [0, 5, MAP_PAGES - 1] {
        assert_eq!(
            world.store.fault(cookie, page, ALL, true),
            Fault::Slab(PageSet::MAP)
        );
    }
}

#[test]
fn a_touch_elsewhere_brings_that_page() {
    let (mut world, _, _, cookie) = owned();
    for page in [MAP_PAGES, 40, SLAB_PAGES - 1] {
        assert_eq!(
            world.store.fault(cookie, page, ALL, true),
            Fault::Slab(PageSet::single(page))
        );
    }
}

#[test]
fn a_fault_brings_only_what_the_mapping_spans() {
    let (mut world, _, _, cookie) = owned();
    let piece = PageSet::range(4, 8);
    assert_eq!(
        world.store.fault(cookie, 5, piece, true),
        Fault::Slab(piece)
    );
    let tail = PageSet::range(10, 20);
    assert_eq!(
        world.store.fault(cookie, 12, tail, true),
        Fault::Slab(PageSet::range(10, 7))
    );
}

#[test]
fn a_page_that_no_slab_has_brings_nothing() {
    let (mut world, _, _, cookie) = owned();
    for page in [SLAB_PAGES, usize::MAX] {
        assert_eq!(
            world.store.fault(cookie, page, ALL, true),
            Fault::Slab(PageSet::EMPTY)
        );
    }
}

#[test]
fn only_pages_that_were_brought_in_count_as_dirty() {
    let (mut world, owner, file, cookie) = owned();
    world.map(&owner, &file, cookie).expect("a mapping");
    let piece = PageSet::range(4, 8);
    world.store.fault(cookie, 5, piece, true);
    world.store.fault(cookie, 30, ALL, false);
    world.release(&owner);
    let zeroed = Event::Zeroed(cookie.slot, piece);
    assert!(world.device.take_log().contains(&zeroed));
}

#[test]
fn a_stale_mapping_gets_no_page_of_the_slab() {
    let (mut world, owner, _, cookie) = owned();
    world.release(&owner);
    for may_write in [true, false] {
        for page in [0, SLAB_PAGES - 1, usize::MAX] {
            assert_eq!(
                world.store.fault(cookie, page, ALL, may_write),
                Fault::Stale
            );
        }
    }
    assert_eq!(world.store.statistics().stale_uses, 6);
    assert_eq!(world.store.table().stale_uses(cookie.slot), 6);
}

#[test]
fn a_stale_mapping_stays_stale_when_its_slot_has_a_new_owner() {
    let (mut world, owner, mut file, cookie) = owned();
    let last = world.return_to(&owner, &mut file, cookie);
    assert_eq!(world.store.fault(cookie, 0, ALL, true), Fault::Stale);
    assert_eq!(
        world.store.fault(last, 0, ALL, true),
        Fault::Slab(PageSet::MAP)
    );
}

#[test]
fn a_stale_fault_dirties_nothing() {
    let (mut world, owner, mut file, cookie) = owned();
    let last = world.return_to(&owner, &mut file, cookie);
    world.map(&owner, &file, last).expect("a mapping");
    world.store.fault(cookie, 0, ALL, true);
    world.device.take_log();
    world.release(&owner);
    let zeroed = |event: &Event| matches!(event, Event::Zeroed(..));
    assert!(!world.device.take_log().iter().any(zeroed));
}

#[test]
fn a_cookie_of_the_future_gets_no_page() {
    let (mut world, owner, _, cookie) = owned();
    let next = cookie.generation.next().expect("a generation");
    let future = Cookie {
        generation: next,
        ..cookie
    };
    assert_eq!(world.store.fault(future, 0, ALL, true), Fault::Stale);
    world.release(&owner);
    assert_eq!(
        world.store.fault(future, 0, ALL, true),
        Fault::Stale,
        "the slot is free"
    );
}

#[test]
fn a_reader_of_an_ended_occupancy_reads_zeros() {
    let (mut world, owner, file, cookie) = owned();
    let reader = Process::new(50);
    let mut other = File::read_only();
    let mapping = world.map(&owner, &file, cookie).expect("a mapping");
    world.write(mapping, 0, 7);
    world.attach(&reader, &mut other, &owner).expect("found");
    let spy = world.map(&reader, &other, cookie).expect("a mapping");
    assert_eq!(world.read(spy, 0), 7);
    world.release(&owner);
    assert_eq!(world.read(spy, 0), 0);
    assert_eq!(world.touch(spy, 0), Reached::Own);
    assert_eq!(
        world.store.statistics().stale_uses,
        1,
        "one fault, later touches are free"
    );
}

#[test]
fn a_former_owner_goes_on_in_a_page_of_its_own() {
    let (mut world, owner, file, cookie) = owned();
    let mapping = world.map(&owner, &file, cookie).expect("a mapping");
    world.write(mapping, 0, 7);
    world.release(&owner);
    world.write(mapping, 0, 8);
    assert_eq!(world.read(mapping, 0), 8);
    assert!(world.device.is_zero(cookie.slot));
}
