// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `mmap` gives: to whom, in which role, and what is refused.

use nds_core::pages::PAGE_SIZE;
use nds_core::slot::SLOTS;
use nds_core::{Cookie, MapRequest, Refusal, Role};
use nds_layout::{REQUIRED_SIZE, SLAB_SIZE};
use proptest::prelude::*;

use super::device::Event;
use super::process::{File, Process};
use super::world::{processes, whole, World};

const BAD_COOKIE: Result<Role, Refusal> = Err(Refusal::BadCookie);

/// A producer with its file, and a reader that attached through another.
struct Pair {
    world: World,
    owner: Process,
    reader: Process,
    file: File,
    other: File,
    cookie: Cookie,
}

impl Pair {
    fn new() -> Self {
        let mut world = World::new();
        let [owner, reader] = processes();
        let (mut file, mut other) = (File::read_write(), File::read_write());
        let cookie = world.acquire(&owner, &mut file).expect("a slab").cookie;
        world.attach(&reader, &mut other, &owner).expect("found");
        Self {
            world,
            owner,
            reader,
            file,
            other,
            cookie,
        }
    }

    /// The role in which the owner maps through its file.
    fn owner_maps(&mut self, request: MapRequest) -> Result<Role, Refusal> {
        role(&mut self.world, &self.owner, &self.file, request)
    }

    /// The role in which the reader maps through the other file.
    fn reader_maps(&mut self, request: MapRequest) -> Result<Role, Refusal> {
        role(&mut self.world, &self.reader, &self.other, request)
    }

    fn stale_uses(&self) -> u64 {
        self.world.store.statistics().stale_uses
    }
}

fn role(
    world: &mut World,
    who: &Process,
    through: &File,
    request: MapRequest,
) -> Result<Role, Refusal> {
    world.map_as(who, through, request).map(|(_, role)| role)
}

/// A request at another offset.
fn at(offset: u64, cookie: Cookie) -> MapRequest {
    let all = whole(cookie);
    MapRequest { offset, ..all }
}

#[test]
fn the_owner_maps_as_producer_and_everybody_else_as_reader() {
    let mut it = Pair::new();
    assert_eq!(it.owner_maps(whole(it.cookie)), Ok(Role::Producer));
    assert_eq!(it.reader_maps(whole(it.cookie)), Ok(Role::Reader));
}

#[test]
fn producer_and_reader_see_the_same_pages() {
    let mut it = Pair::new();
    let mapping = it.world.map(&it.owner, &it.file, it.cookie);
    let spy = it.world.map(&it.reader, &it.other, it.cookie);
    let (mapping, spy) = (mapping.expect("a mapping"), spy.expect("a mapping"));
    it.world.write(mapping, 0, 7);
    assert_eq!(it.world.read(spy, 0), 7);
}

#[test]
fn a_mapping_needs_a_successful_acquire_on_that_very_file() {
    let mut it = Pair::new();
    let fresh = File::read_write();
    for (who, through) in [
        (&it.owner, &fresh),
        (&it.owner, &it.other),
        (&it.reader, &fresh),
        (&it.reader, &it.file),
    ] {
        let answer = role(&mut it.world, who, through, whole(it.cookie));
        assert_eq!(answer, BAD_COOKIE);
    }
    assert_eq!(it.stale_uses(), 0, "the cookie is current");
}

#[test]
fn a_child_with_the_owners_file_does_not_map_the_owners_slab() {
    let mut it = Pair::new();
    let child = Process::new(50);
    let answer = role(&mut it.world, &child, &it.file, whole(it.cookie));
    assert_eq!(answer, BAD_COOKIE);
}

#[test]
fn a_child_with_a_readers_file_reads_on() {
    let mut it = Pair::new();
    let child = Process::new(50);
    let answer = role(&mut it.world, &child, &it.other, whole(it.cookie));
    assert_eq!(answer, Ok(Role::Reader));
}

#[test]
fn an_owner_produces_through_a_readers_file_once_it_acquired_through_it() {
    let mut it = Pair::new();
    let before = role(&mut it.world, &it.owner, &it.other, whole(it.cookie));
    assert_eq!(before, BAD_COOKIE);
    it.world.acquire(&it.owner, &mut it.other).expect("a slab");
    let after = role(&mut it.world, &it.owner, &it.other, whole(it.cookie));
    assert_eq!(after, Ok(Role::Producer));
}

#[test]
fn one_file_serves_producing_and_reading() {
    let mut it = Pair::new();
    let acquired = it.world.acquire(&it.reader, &mut it.other);
    let own = acquired.expect("a slab").cookie;
    assert_eq!(it.reader_maps(whole(own)), Ok(Role::Producer));
    assert_eq!(it.reader_maps(whole(it.cookie)), Ok(Role::Reader));
    assert_eq!(it.owner_maps(whole(own)), BAD_COOKIE);
}

#[test]
fn only_the_length_of_a_slab_is_a_length() {
    let mut it = Pair::new();
    let used = REQUIRED_SIZE.next_multiple_of(PAGE_SIZE);
    let (less, more) = (SLAB_SIZE - PAGE_SIZE, SLAB_SIZE + PAGE_SIZE);
    for length in [0, 1, PAGE_SIZE, used, less, SLAB_SIZE - 1, more, usize::MAX] {
        let all = whole(it.cookie);
        let answer = it.owner_maps(MapRequest { length, ..all });
        assert_eq!(answer, Err(Refusal::BadLength), "{length}");
    }
}

#[test]
fn an_offset_inside_a_slab_is_refused() {
    let mut it = Pair::new();
    for inside in [1, PAGE_SIZE, SLAB_SIZE - PAGE_SIZE] {
        let offset = it.cookie.offset() + inside as u64;
        assert_eq!(it.owner_maps(at(offset, it.cookie)), BAD_COOKIE, "{inside}");
    }
}

#[test]
fn the_cookie_of_another_slot_or_generation_is_refused() {
    let mut it = Pair::new();
    let neighbour = it.cookie.offset() + SLAB_SIZE as u64;
    let future = it.cookie.offset() + (SLAB_SIZE * SLOTS) as u64;
    for offset in [0, neighbour, future, u64::MAX, i64::MAX as u64] {
        let request = at(offset, it.cookie);
        assert_eq!(it.owner_maps(request), BAD_COOKIE, "{offset:#x}");
        assert_eq!(it.reader_maps(request), BAD_COOKIE, "{offset:#x}");
    }
}

#[test]
fn the_cookie_of_an_ended_occupancy_is_refused_and_counted_as_a_stale_use() {
    let mut it = Pair::new();
    it.world.release(&it.owner);
    assert_eq!(it.owner_maps(whole(it.cookie)), BAD_COOKIE);
    assert_eq!(it.reader_maps(whole(it.cookie)), BAD_COOKIE);
    assert_eq!(it.stale_uses(), 2);
    assert_eq!(it.world.store.table().stale_uses(it.cookie.slot), 2);
}

#[test]
fn a_guessed_cookie_is_refused_and_is_no_stale_use() {
    let mut it = Pair::new();
    it.world.release(&it.owner);
    let fresh = File::read_write();
    let answer = role(&mut it.world, &it.owner, &fresh, whole(it.cookie));
    assert_eq!(answer, BAD_COOKIE);
    assert_eq!(it.stale_uses(), 0);
}

#[test]
fn an_old_cookie_does_not_map_the_next_occupancy() {
    let mut it = Pair::new();
    let next = it.world.return_to(&it.owner, &mut it.file, it.cookie);
    assert_eq!(it.reader_maps(whole(it.cookie)), BAD_COOKIE);
    assert_eq!(it.reader_maps(whole(next)), BAD_COOKIE);
    assert_eq!(it.owner_maps(whole(it.cookie)), BAD_COOKIE);
    assert_eq!(it.owner_maps(whole(next)), Ok(Role::Producer));
}

#[test]
fn a_private_mapping_that_could_be_written_is_refused_to_the_owner() {
    let mut it = Pair::new();
    let mut request = whole(it.cookie);
    request.private = true;
    assert_eq!(it.owner_maps(request), Err(Refusal::PrivateWritable));
    request.may_write = false;
    assert_eq!(it.owner_maps(request), Ok(Role::Producer));
}

#[test]
fn a_reader_may_ask_for_any_access_and_gets_what_cannot_be_written() {
    let mut it = Pair::new();
    for (private, may_write) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut request = whole(it.cookie);
        (request.private, request.may_write) = (private, may_write);
        assert_eq!(it.reader_maps(request), Ok(Role::Reader));
    }
}

#[test]
fn a_refused_mapping_leaves_nothing_to_revoke() {
    let mut it = Pair::new();
    let mut request = whole(it.cookie);
    request.private = true;
    assert!(it.owner_maps(request).is_err());
    request.length = PAGE_SIZE;
    assert!(it.owner_maps(request).is_err());
    it.world.release(&it.owner);
    let revoked = Event::Revoked(it.cookie);
    assert!(!it.world.device.take_log().contains(&revoked));
}

proptest! {
    #[test]
    fn no_offset_but_the_cookie_maps(offset: u64, any_length: bool, length: usize) {
        let mut it = Pair::new();
        let length = if any_length { length } else { SLAB_SIZE };
        prop_assume!(offset != it.cookie.offset() || length != SLAB_SIZE);
        let request = MapRequest { length, ..at(offset, it.cookie) };
        prop_assert!(it.owner_maps(request).is_err());
        prop_assert!(it.reader_maps(request).is_err());
    }
}
