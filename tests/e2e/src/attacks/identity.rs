// SPDX-License-Identifier: MIT OR Apache-2.0

//! H2, H6, H7, H8: who an owner is. Closing a descriptor is not leaving,
//! a number is not a process, and who never opened the device is an owner too.

use nix::errno::Errno;

use crate::ktap::{self, Suite};
use crate::sys::abi::SLOTS;
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::passing::Lane;
use crate::sys::process::own_pid;

pub(super) const SUITE: Suite = Suite {
    name: "attacks.identity",
    tests: ktap::tests![
        h02_closing_any_descriptor_releases_nothing,
        h02_a_childs_exit_releases_nothing,
        h06_a_recycled_number_is_another_process,
        h06_a_recycled_number_cannot_release,
        h06_a_recycled_number_is_not_found_by_readers,
        h07_callers_that_never_opened_do_not_fill_the_table,
        h07_no_ghost_is_found,
        h08_a_hosts_number_reaches_no_container_and_back,
    ],
};

fn h02_closing_any_descriptor_releases_nothing() {
    let lane = Lane::new();
    let sender = Actor::spawn();
    sender.call(move || lane.send(Device::open().unwrap()));
    let slab = Session::produce().unwrap();
    slab.map.fill_with(6);
    slab.device.dup().unwrap().close().unwrap();
    lane.receive().close().unwrap();
    Device::open().unwrap().close().unwrap();
    Device::open_as(0, nix::fcntl::OFlag::O_RDONLY)
        .unwrap()
        .close()
        .unwrap();
    assert_eq!(slab.device.acquire(0), Ok(slab.cookie));
    assert_eq!(slab.map.differs(|_| 6), None);
}

fn h02_a_childs_exit_releases_nothing() {
    let owner = Actor::spawn();
    let slab = owner.produce();
    owner.call(move || slab.map.fill_with(6));
    for _ in 0..5 {
        owner.fork().exit();
    }
    assert_eq!(owner.call(move || slab.device.acquire(0)), Ok(slab.cookie));
    assert_eq!(owner.call(move || slab.map.differs(|_| 6)), None);
}

/// A dead owner whose file lives on in a child, and a new process that has the
/// dead one's number and the same file.
struct Recycled {
    number: i32,
    old: Session,
    /// Keeps the dead owner's file.
    _keeper: Actor,
    /// The new process of that number; it received the file.
    successor: Actor,
    device: Device,
}

fn recycle() -> Recycled {
    let lane = Lane::new();
    let owner = Actor::spawn();
    let old = owner.produce();
    owner.call(move || old.map.fill_with(13));
    let keeper = owner.fork();
    let number = owner.pid();
    owner.kill();
    keeper.call(move || lane.send(old.device));
    let successor = Actor::spawn_with_pid(number);
    assert_eq!(successor.call(own_pid), number);
    let device = successor.call(move || lane.receive());
    Recycled {
        number,
        old,
        _keeper: keeper,
        successor,
        device,
    }
}

fn h06_a_recycled_number_is_another_process() {
    let Recycled {
        old,
        successor,
        device,
        ..
    } = recycle();
    assert_eq!(
        successor.call(move || device.map_read(old.cookie)),
        Err(Errno::EINVAL)
    );
    let cookie = successor.call(move || device.acquire(0)).unwrap();
    assert_ne!(cookie, old.cookie);
    let map = successor.call(move || device.map(cookie)).unwrap();
    assert_eq!(successor.call(move || map.nonzero()), None);
}

fn h06_a_recycled_number_is_not_found_by_readers() {
    let recycled = recycle();
    assert_eq!(
        Device::open().unwrap().acquire(recycled.number),
        Err(Errno::ENOENT)
    );
}

fn h06_a_recycled_number_cannot_release() {
    let recycled = recycle();
    let device = recycled.device;
    let fresh = recycled.successor.call(move || device.acquire(0)).unwrap();
    // The keeper is the dead owner's child; the number means the successor now.
    let (number, old) = (recycled.number, recycled.old);
    recycled
        ._keeper
        .call(move || old.device.release(number))
        .unwrap();
    assert_eq!(
        recycled.successor.call(move || device.acquire(0)),
        Ok(fresh)
    );
}

fn h07_callers_that_never_opened_do_not_fill_the_table() {
    let parent = Actor::spawn();
    let device = parent.call(|| Device::open().unwrap());
    for round in 0..2 * SLOTS {
        let worker = parent.fork();
        assert!(
            worker.call(move || device.acquire(0)).is_ok(),
            "worker {round}"
        );
        worker.kill();
    }
    let workers: Vec<_> = (0..SLOTS).map(|_| parent.fork()).collect();
    for worker in &workers {
        let map = worker
            .call(move || device.map(device.acquire(0).unwrap()))
            .unwrap();
        assert_eq!(worker.call(move || map.nonzero()), None);
    }
}

fn h07_no_ghost_is_found() {
    let parent = Actor::spawn();
    let device = parent.call(|| Device::open().unwrap());
    let worker = parent.fork();
    worker.call(move || device.map(device.acquire(0).unwrap()).unwrap().fill_with(9));
    let number = worker.pid();
    assert!(Device::open().unwrap().acquire(number).is_ok());
    worker.kill();
    assert_eq!(Device::open().unwrap().acquire(number), Err(Errno::ENOENT));
    let heir = Actor::spawn_with_pid(number);
    let map = heir.produce().map;
    assert_eq!(heir.call(move || map.nonzero()), None);
}

fn h08_a_hosts_number_reaches_no_container_and_back() {
    let inside = Actor::spawn_after(crate::sys::identity::enter_pid_namespace);
    let owner = inside.fork();
    let slab = owner.produce();
    let (number, number_inside) = (owner.pid(), owner.call(own_pid));
    let device = Device::open().unwrap();
    assert_eq!(device.acquire(number_inside), Err(Errno::ENOENT));
    device.release(number_inside).unwrap();
    inside.call(move || {
        let device = Device::open().unwrap();
        assert_eq!(device.acquire(number), Err(Errno::ENOENT));
        assert_eq!(device.acquire(number_inside), Ok(slab.cookie));
        device.release(number_inside).unwrap();
    });
    assert_eq!(owner.call(move || slab.device.acquire(0)), Ok(slab.cookie));
}
