// SPDX-License-Identifier: MIT OR Apache-2.0

//! Release: ends the caller's own slab, and is a successful nothing otherwise.

use nix::errno::Errno;
use nix::fcntl::OFlag;

use crate::ktap::{self, Suite};
use crate::sys::abi::{Argument, RELEASE};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::process::own_pid;

pub(super) const SUITE: Suite = Suite {
    name: "abi.release",
    tests: ktap::tests![
        releasing_twice_succeeds_twice,
        a_released_slab_is_not_found,
        releasing_ones_own_number_ends_the_slab,
        releasing_without_a_slab_succeeds,
        releasing_another_processs_slab_does_nothing,
        releasing_an_unknown_pid_succeeds,
        release_looks_at_nothing_but_the_pid,
        any_file_of_the_owner_may_release,
        a_slab_taken_anew_reads_zero,
        unmapping_may_come_before_or_after_release,
    ],
};

fn releasing_twice_succeeds_twice() {
    let slab = Session::produce().unwrap();
    assert_eq!(slab.device.release(0), Ok(()));
    assert_eq!(slab.device.release(0), Ok(()));
}

fn a_released_slab_is_not_found() {
    let (owner, reader) = (Actor::spawn(), Actor::spawn());
    let slab = owner.produce();
    owner.call(move || slab.device.release(0)).unwrap();
    assert_eq!(reader.try_attach(&owner).map(|_| ()), Err(Errno::ENOENT));
}

fn releasing_ones_own_number_ends_the_slab() {
    let slab = Session::produce().unwrap();
    slab.device.release(own_pid()).unwrap();
    assert_eq!(slab.device.acquire(own_pid()), Err(Errno::ENOENT));
}

fn releasing_without_a_slab_succeeds() {
    for access in [OFlag::O_RDWR, OFlag::O_RDONLY] {
        let device = Device::open_as(0, access).unwrap();
        assert_eq!(device.release(0), Ok(()));
        assert_eq!(device.release(own_pid()), Ok(()));
    }
}

fn releasing_another_processs_slab_does_nothing() {
    let (owner, reader) = (Actor::spawn(), Actor::spawn());
    let slab = owner.produce();
    owner.call(move || slab.map.store(3, 33));
    let view = reader.attach(&owner);
    let pid = owner.pid();
    for _ in 0..3 {
        assert_eq!(reader.call(move || view.device.release(pid)), Ok(()));
        assert_eq!(reader.call(move || view.device.release(0)), Ok(()));
    }
    assert_eq!(owner.call(move || slab.device.acquire(0)), Ok(slab.cookie));
    assert_eq!(
        reader.call(move || view.map.load(3)),
        33,
        "the reader's mapping lives on"
    );
}

fn releasing_an_unknown_pid_succeeds() {
    let slab = Session::produce().unwrap();
    for pid in [1, -1, i32::MIN, i32::MAX] {
        assert_eq!(slab.device.release(pid), Ok(()), "pid {pid}");
    }
    assert_eq!(slab.device.acquire(0), Ok(slab.cookie));
}

fn release_looks_at_nothing_but_the_pid() {
    let slab = Session::produce().unwrap();
    let mut argument = Argument {
        mmap_offset: u64::MAX,
        size: 1,
        ..Argument::of(0)
    };
    assert_eq!(slab.device.call(RELEASE, &mut argument), Ok(0));
    assert_eq!(slab.device.acquire(own_pid()), Err(Errno::ENOENT));
}

fn any_file_of_the_owner_may_release() {
    let slab = Session::produce().unwrap();
    Device::open().unwrap().release(0).unwrap();
    assert_eq!(slab.device.acquire(own_pid()), Err(Errno::ENOENT));
}

fn a_slab_taken_anew_reads_zero() {
    let device = Device::open().unwrap();
    // Once around the table, so that every slot was dirty before it comes again.
    for round in 0..40 {
        let map = device.map(device.acquire(0).unwrap()).unwrap();
        assert_eq!(map.nonzero(), None, "round {round}");
        map.fill_with(u64::MAX);
        map.unmap().unwrap();
        device.release(0).unwrap();
    }
}

fn unmapping_may_come_before_or_after_release() {
    let device = Device::open().unwrap();
    let first = device.map(device.acquire(0).unwrap()).unwrap();
    first.unmap().unwrap();
    device.release(0).unwrap();
    let second = device.map(device.acquire(0).unwrap()).unwrap();
    device.release(0).unwrap();
    second.unmap().unwrap();
    device.close().unwrap();
}
