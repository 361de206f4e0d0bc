// SPDX-License-Identifier: MIT OR Apache-2.0

//! Acquire: idempotent for an owner, find-only for a reader, and every error.

use nix::errno::Errno;
use nix::fcntl::OFlag;

use crate::ktap::{self, Suite};
use crate::sys::abi::{Cookie, PAGE, SLOTS};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::module;
use crate::sys::process::own_pid;

pub(super) const SUITE: Suite = Suite {
    name: "abi.acquire",
    tests: ktap::tests![
        the_cookie_is_generation_and_slot,
        acquiring_again_gives_the_same_slab_untouched,
        acquiring_again_through_another_file_gives_the_same_slab,
        a_reader_finds_the_owners_slab,
        an_owner_finds_its_own_slab_by_number,
        finding_never_creates,
        an_unknown_pid_is_enoent,
        a_full_table_is_enomem,
        a_refused_producer_may_come_back,
        a_read_only_file_cannot_produce,
        a_read_only_file_can_find,
        devices_have_slabs_of_their_own,
    ],
};

fn the_cookie_is_generation_and_slot() {
    let device = Device::open().unwrap();
    let cookie = device.acquire(0).unwrap();
    assert_eq!(cookie, Cookie::new(cookie.generation(), 0));
    assert_eq!(cookie.0 % PAGE as u64, 0, "page aligned");
    let mut later = cookie;
    for _ in 0..SLOTS {
        device.release(0).unwrap();
        later = device.acquire(0).unwrap();
    }
    assert_eq!(later.slot(), cookie.slot());
    assert!(later.generation() > cookie.generation());
}

fn acquiring_again_gives_the_same_slab_untouched() {
    let slab = Session::produce().unwrap();
    slab.map.fill(|word| word as u64 + 1);
    for _ in 0..3 {
        assert_eq!(slab.device.acquire(0), Ok(slab.cookie));
    }
    assert_eq!(slab.map.differs(|word| word as u64 + 1), None);
}

fn acquiring_again_through_another_file_gives_the_same_slab() {
    let slab = Session::produce().unwrap();
    let second = Device::open().unwrap();
    assert_eq!(second.acquire(0), Ok(slab.cookie));
    let again = second.map(slab.cookie).unwrap();
    again.store(5, 55);
    assert_eq!(slab.map.load(5), 55);
}

fn a_reader_finds_the_owners_slab() {
    let (owner, reader) = (Actor::spawn(), Actor::spawn());
    let slab = owner.produce();
    let view = reader.attach(&owner);
    assert_eq!(view.cookie, slab.cookie);
    owner.call(move || slab.map.fill(|word| !(word as u64)));
    assert_eq!(
        reader.call(move || view.map.differs(|word| !(word as u64))),
        None
    );
}

fn an_owner_finds_its_own_slab_by_number() {
    let device = Device::open().unwrap();
    let cookie = device.acquire(0).unwrap();
    assert_eq!(device.acquire(own_pid()), Ok(cookie));
}

fn finding_never_creates() {
    let device = Device::open().unwrap();
    assert_eq!(device.acquire(own_pid()), Err(Errno::ENOENT));
    assert_eq!(device.acquire(own_pid()), Err(Errno::ENOENT));
}

fn an_unknown_pid_is_enoent() {
    let idle = Actor::spawn();
    let device = Device::open().unwrap();
    device.acquire(0).unwrap();
    for pid in [idle.pid(), 1, -1, -5, -own_pid(), i32::MIN, i32::MAX] {
        assert_eq!(device.acquire(pid), Err(Errno::ENOENT), "pid {pid}");
    }
}

/// Sixteen producers of device 0.
fn full_table() -> Vec<Actor> {
    let owners: Vec<_> = (0..SLOTS).map(|_| Actor::spawn()).collect();
    for owner in &owners {
        owner.produce();
    }
    owners
}

fn a_full_table_is_enomem() {
    let owners = full_table();
    let device = Device::open().unwrap();
    assert_eq!(device.acquire(0), Err(Errno::ENOMEM));
    assert_eq!(device.acquire(own_pid()), Err(Errno::ENOENT));
    assert!(
        device.acquire(owners[3].pid()).is_ok(),
        "readers are not counted"
    );
}

fn a_refused_producer_may_come_back() {
    let mut owners = full_table();
    let device = Device::open().unwrap();
    assert_eq!(device.acquire(0), Err(Errno::ENOMEM));
    owners.remove(11).exit();
    assert_eq!(device.acquire(0).map(Cookie::slot), Ok(11));
}

fn a_read_only_file_cannot_produce() {
    let device = Device::open_as(0, OFlag::O_RDONLY).unwrap();
    assert_eq!(device.acquire(0), Err(Errno::EACCES));
    assert_eq!(
        device.acquire(own_pid()),
        Err(Errno::ENOENT),
        "nothing was taken"
    );
}

fn a_read_only_file_can_find() {
    let owner = Actor::spawn();
    let slab = owner.produce();
    let device = Device::open_as(0, OFlag::O_RDONLY).unwrap();
    assert_eq!(device.acquire(owner.pid()), Ok(slab.cookie));
    owner.call(move || slab.map.store(1, 11));
    assert_eq!(device.map_read(slab.cookie).unwrap().load(1), 11);
}

fn devices_have_slabs_of_their_own() {
    module::reload("devices=3");
    let devices = [0, 1, 2].map(|index| Device::open_as(index, OFlag::O_RDWR).unwrap());
    let maps = devices.map(|device| device.map(device.acquire(0).unwrap()).unwrap());
    for (index, map) in maps.iter().enumerate() {
        map.fill_with(index as u64 + 1);
    }
    for (index, map) in maps.iter().enumerate() {
        assert_eq!(map.differs(|_| index as u64 + 1), None, "device {index}");
    }
    devices[1].release(0).unwrap();
    assert_eq!(devices[1].acquire(own_pid()), Err(Errno::ENOENT));
    assert!(devices[0].acquire(own_pid()).is_ok());
}
