// SPDX-License-Identifier: MIT OR Apache-2.0

//! Names of processes: a `pid` argument is the caller's word for a process, in
//! the caller's pid namespace.

use nix::errno::Errno;

use crate::ktap::{self, Suite};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Result, Session};
use crate::sys::identity;
use crate::sys::process::own_pid;

pub(super) const SUITE: Suite = Suite {
    name: "ownership.namespaces",
    tests: ktap::tests![
        a_containers_owner_finds_itself_by_its_own_number,
        a_containers_reader_uses_the_containers_numbers,
        the_host_uses_the_hosts_numbers,
        a_hosts_number_means_nothing_in_a_container,
        a_process_outside_cannot_be_named_in_a_container,
        equal_numbers_in_two_containers_are_two_owners,
        a_container_releases_by_its_own_number,
        the_end_of_a_container_ends_its_occupancies,
    ],
};

/// Process 1 of a new pid namespace.
fn container() -> Actor {
    Actor::spawn_after(identity::enter_pid_namespace)
}

/// What `who` gets when it looks for `pid`.
fn find(who: &Actor, pid: i32) -> Result<u64> {
    who.call(move || {
        let device = Device::open()?;
        let found = device.acquire(pid);
        device.close()?;
        found.map(|cookie| cookie.0)
    })
}

fn a_containers_owner_finds_itself_by_its_own_number() {
    let owner = container();
    let slab = owner.produce();
    assert_eq!(owner.call(own_pid), 1);
    assert_eq!(
        owner.call(move || slab.device.acquire(own_pid())),
        Ok(slab.cookie)
    );
}

fn a_containers_reader_uses_the_containers_numbers() {
    let reader = container();
    let owner = reader.fork();
    let slab = owner.produce();
    owner.call(move || slab.map.store(1, 11));
    let inside = owner.call(own_pid);
    assert_ne!(inside, owner.pid());
    let view = reader.call(move || Session::attach(inside)).unwrap();
    assert_eq!(reader.call(move || view.map.load(1)), 11);
}

fn the_host_uses_the_hosts_numbers() {
    let owner = container();
    let slab = owner.produce();
    let host = Actor::spawn();
    assert_eq!(find(&host, owner.pid()), Ok(slab.cookie.0));
    assert_eq!(
        find(&host, 1),
        Err(Errno::ENOENT),
        "1 is another process here"
    );
}

fn a_hosts_number_means_nothing_in_a_container() {
    let reader = container();
    let owner = reader.fork();
    owner.produce();
    assert_eq!(find(&reader, owner.pid()), Err(Errno::ENOENT));
}

fn a_process_outside_cannot_be_named_in_a_container() {
    let (outside, inside) = (Actor::spawn(), container());
    outside.produce();
    assert_eq!(find(&inside, outside.pid()), Err(Errno::ENOENT));
    inside.call(|| {
        let device = Device::open().unwrap();
        for pid in 1..2000 {
            assert_eq!(device.acquire(pid), Err(Errno::ENOENT), "{pid}");
        }
    });
}

fn equal_numbers_in_two_containers_are_two_owners() {
    let containers = [container(), container()];
    let slabs = [containers[0].produce(), containers[1].produce()];
    assert_ne!(slabs[0].cookie, slabs[1].cookie);
    for (container, slab) in containers.iter().zip(slabs) {
        let sibling = container.fork();
        assert_eq!(find(&sibling, 1), Ok(slab.cookie.0));
    }
}

fn a_container_releases_by_its_own_number() {
    let owner = container();
    let slab = owner.produce();
    let outside = owner.pid();
    owner.call(move || slab.device.release(outside)).unwrap();
    assert_eq!(
        owner.call(move || slab.device.acquire(0)),
        Ok(slab.cookie),
        "not its name here"
    );
    owner.call(move || slab.device.release(1)).unwrap();
    assert_eq!(find(&Actor::spawn(), owner.pid()), Err(Errno::ENOENT));
}

fn the_end_of_a_container_ends_its_occupancies() {
    let first = container();
    let owners = [0; 3].map(|_| first.fork());
    let pids = [0, 1, 2].map(|index| owners[index].pid());
    let _slabs = owners.each_ref().map(Actor::produce);
    first.kill();
    for pid in pids {
        assert_eq!(Device::open().unwrap().acquire(pid), Err(Errno::ENOENT));
    }
}
