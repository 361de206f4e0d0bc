// SPDX-License-Identifier: MIT OR Apache-2.0

//! Files: an occupancy is held by the open files through which its owner
//! acquired it, and by nothing else that is opened or closed.

use nix::errno::Errno;

use crate::ktap::{self, Suite};
use crate::sys::abi::Cookie;
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::passing::Lane;
use crate::sys::process::{self, own_pid};
use crate::sys::reach;

pub(super) const SUITE: Suite = Suite {
    name: "ownership.files",
    tests: ktap::tests![
        the_last_close_ends_the_occupancy,
        a_mapping_holds_its_file,
        a_duplicate_holds_the_file,
        closing_a_file_that_acquired_nothing_ends_nothing,
        each_acquiring_file_is_a_holder,
        a_readers_file_does_not_hold,
        a_file_through_which_the_owner_found_itself_holds,
        a_file_under_way_in_a_socket_holds,
        a_file_dropped_in_a_socket_ends_the_occupancy,
        a_ring_that_registered_the_file_holds,
        the_receivers_close_ends_the_senders_occupancy,
        a_receiver_takes_a_slab_of_its_own,
        a_receivers_own_slab_survives_the_senders_release,
    ],
};

/// Nobody finds a slab of this process any more.
fn assert_ended(pid: i32) {
    assert_eq!(Device::open().unwrap().acquire(pid), Err(Errno::ENOENT));
}

/// Nobody finds a slab of this process in a moment.
fn assert_ends_soon(pid: i32) {
    process::eventually("the occupancy ends", || {
        let reader = Device::open().unwrap();
        let found = reader.acquire(pid);
        reader.close().unwrap();
        found == Err(Errno::ENOENT)
    });
}

/// Somebody else finds the slab of this process, and it is still this one.
fn assert_lives(pid: i32, cookie: Cookie) {
    let reader = Actor::spawn();
    assert_eq!(
        reader.call(move || Device::open().unwrap().acquire(pid)),
        Ok(cookie)
    );
}

fn the_last_close_ends_the_occupancy() {
    let device = Device::open().unwrap();
    device.acquire(0).unwrap();
    device.close().unwrap();
    assert_ended(own_pid());
}

fn a_mapping_holds_its_file() {
    let slab = Session::produce().unwrap();
    slab.device.close().unwrap();
    slab.map.store(1, 11);
    assert_lives(own_pid(), slab.cookie);
    assert_eq!(slab.map.load(1), 11);
    slab.map.unmap().unwrap();
    assert_ended(own_pid());
}

fn a_duplicate_holds_the_file() {
    let device = Device::open().unwrap();
    let cookie = device.acquire(0).unwrap();
    let duplicate = device.dup().unwrap();
    device.close().unwrap();
    assert_lives(own_pid(), cookie);
    assert_eq!(duplicate.acquire(0), Ok(cookie));
    duplicate.close().unwrap();
    assert_ended(own_pid());
}

fn closing_a_file_that_acquired_nothing_ends_nothing() {
    let device = Device::open().unwrap();
    let cookie = device.acquire(0).unwrap();
    for _ in 0..5 {
        Device::open().unwrap().close().unwrap();
        device.dup().unwrap().close().unwrap();
    }
    assert_lives(own_pid(), cookie);
}

fn each_acquiring_file_is_a_holder() {
    let files = [0; 3].map(|_| Device::open().unwrap());
    let cookies = files.map(|file| file.acquire(0).unwrap());
    files[0].close().unwrap();
    assert_lives(own_pid(), cookies[0]);
    files[2].close().unwrap();
    assert_lives(own_pid(), cookies[0]);
    files[1].close().unwrap();
    assert_ended(own_pid());
}

fn a_readers_file_does_not_hold() {
    let (owner, reader) = (Actor::spawn(), Actor::spawn());
    owner.produce();
    let view = reader.attach(&owner);
    let pid = owner.pid();
    owner.exit();
    assert_ended(pid);
    assert_eq!(reader.call(move || view.map.nonzero()), None);
}

fn a_file_through_which_the_owner_found_itself_holds() {
    let device = Device::open().unwrap();
    let cookie = device.acquire(0).unwrap();
    let second = Device::open().unwrap();
    assert_eq!(second.acquire(own_pid()), Ok(cookie));
    device.close().unwrap();
    assert_lives(own_pid(), cookie);
    second.close().unwrap();
    assert_ended(own_pid());
}

fn a_file_under_way_in_a_socket_holds() {
    let lane = Lane::new();
    let device = Device::open().unwrap();
    let cookie = device.acquire(0).unwrap();
    lane.send(device);
    device.close().unwrap();
    assert_lives(own_pid(), cookie);
    assert_eq!(lane.receive().acquire(0), Ok(cookie));
}

fn a_file_dropped_in_a_socket_ends_the_occupancy() {
    let lane = Lane::new();
    let device = Device::open().unwrap();
    device.acquire(0).unwrap();
    lane.send(device);
    device.close().unwrap();
    lane.close();
    assert_ends_soon(own_pid());
}

fn a_ring_that_registered_the_file_holds() {
    let device = Device::open().unwrap();
    let cookie = device.acquire(0).unwrap();
    let ring = reach::ring_with_file(device.0);
    device.close().unwrap();
    assert_lives(own_pid(), cookie);
    // A kernel thread takes the ring down, so the file is released by another task.
    drop(ring);
    assert_ends_soon(own_pid());
}

fn the_receivers_close_ends_the_senders_occupancy() {
    let lane = Lane::new();
    let (owner, receiver) = (Actor::spawn(), Actor::spawn());
    owner.call(move || {
        let device = Device::open().unwrap();
        device.acquire(0).unwrap();
        lane.send(device);
        device.close().unwrap();
    });
    let device = receiver.call(move || lane.receive());
    receiver.call(move || device.close()).unwrap();
    assert_ended(owner.pid());
    assert!(owner
        .call(|| Session::produce().unwrap().map.nonzero())
        .is_none());
}

/// An owner whose file a receiver has too, and the file there.
fn shared_file() -> (Actor, Session, Actor, Device) {
    let lane = Lane::new();
    let (owner, receiver) = (Actor::spawn(), Actor::spawn());
    let slab = owner.produce();
    owner.call(move || lane.send(slab.device));
    let device = receiver.call(move || lane.receive());
    (owner, slab, receiver, device)
}

fn a_receiver_takes_a_slab_of_its_own() {
    let (owner, slab, receiver, device) = shared_file();
    let cookie = receiver.call(move || device.acquire(0)).unwrap();
    assert_ne!(cookie, slab.cookie);
    let map = receiver.call(move || device.map(cookie)).unwrap();
    receiver.call(move || map.fill_with(8));
    assert_eq!(owner.call(move || slab.map.nonzero()), None);
    let pid = receiver.pid();
    receiver.exit();
    assert_ended(pid);
    assert_lives(owner.pid(), slab.cookie);
}

fn a_receivers_own_slab_survives_the_senders_release() {
    let (owner, slab, receiver, device) = shared_file();
    let cookie = receiver.call(move || device.acquire(0)).unwrap();
    owner.call(move || slab.end()).unwrap();
    assert_ended(owner.pid());
    assert_lives(receiver.pid(), cookie);
    owner.exit();
    assert_eq!(receiver.call(move || device.acquire(0)), Ok(cookie));
}
