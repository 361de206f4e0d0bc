// SPDX-License-Identifier: MIT OR Apache-2.0

//! Fork, exec and shared memory: what a child inherits, and what it may do.

use std::ffi::{CStr, CString};
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::net::UnixStream;

use nix::errno::Errno;
use nix::fcntl::{fcntl, FcntlArg, FdFlag};
use nix::libc;
use nix::unistd::execv;

use crate::ktap::{self, Suite};
use crate::sys::abi::{Cookie, SLOTS};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::map::Map;
use crate::sys::process::{self, own_pid};

pub(super) const SUITE: Suite = Suite {
    name: "ownership.forks",
    tests: ktap::tests![
        a_child_does_not_inherit_the_mapping,
        a_child_is_not_the_owner,
        a_child_takes_a_slab_of_its_own,
        a_child_that_keeps_the_file_does_not_keep_the_occupancy,
        children_that_end_are_cleaned_up,
        zombies_own_nothing,
        a_child_maps_its_parents_slab_only_as_a_reader,
        exec_keeps_the_occupancy_of_a_kept_file,
        exec_ends_the_occupancy_of_a_closed_file,
        exec_from_another_thread_keeps_the_owner,
        memory_shared_with_a_survivor_goes_stale,
    ],
};

fn a_child_does_not_inherit_the_mapping() {
    let owner = Actor::spawn();
    let slab = owner.produce();
    let child = owner.fork();
    assert_eq!(
        child.call(move || slab.map.kernel_load(0)),
        Err(Errno::EFAULT)
    );
    assert_eq!(
        child.call(move || slab.map.kernel_store(0, 1)),
        Err(Errno::EFAULT)
    );
    assert_eq!(owner.call(move || slab.map.nonzero()), None);
}

fn a_child_is_not_the_owner() {
    let owner = Actor::spawn();
    let slab = owner.produce();
    let child = owner.fork();
    child.call(move || slab.device.release(0)).unwrap();
    let pid = owner.pid();
    child.call(move || slab.device.release(pid)).unwrap();
    assert_eq!(owner.call(move || slab.device.acquire(0)), Ok(slab.cookie));
    child.exit();
    assert_eq!(owner.call(move || slab.device.acquire(0)), Ok(slab.cookie));
}

fn a_child_takes_a_slab_of_its_own() {
    let owner = Actor::spawn();
    let slab = owner.produce();
    owner.call(move || slab.map.fill_with(7));
    let child = owner.fork();
    let cookie = child.call(move || slab.device.acquire(0)).unwrap();
    assert_ne!(cookie, slab.cookie);
    let map = child.call(move || slab.device.map(cookie)).unwrap();
    assert_eq!(child.call(move || map.nonzero()), None);
    child.call(move || map.fill_with(9));
    assert_eq!(owner.call(move || slab.map.differs(|_| 7)), None);
    owner.call(move || slab.device.release(0)).unwrap();
    assert_eq!(child.call(move || slab.device.acquire(0)), Ok(cookie));
    assert_eq!(child.call(move || map.differs(|_| 9)), None);
}

fn a_child_that_keeps_the_file_does_not_keep_the_occupancy() {
    let owner = Actor::spawn();
    owner.produce();
    let child = owner.fork();
    let pid = owner.pid();
    owner.exit();
    assert_eq!(Device::open().unwrap().acquire(pid), Err(Errno::ENOENT));
    child.call(|| assert!(Session::produce().is_ok()));
}

fn children_that_end_are_cleaned_up() {
    let parent = Actor::spawn();
    let device = parent.call(|| Device::open().unwrap());
    for round in 0..3 * SLOTS {
        let child = parent.fork();
        let cookie = child.call(move || device.acquire(0));
        assert!(cookie.is_ok(), "child {round}: {cookie:?}");
        let map = child
            .call(move || device.map(device.acquire(0).unwrap()))
            .unwrap();
        assert_eq!(child.call(move || map.nonzero()), None, "child {round}");
        child.call(move || map.fill_with(u64::MAX));
        child.exit();
    }
}

fn zombies_own_nothing() {
    let device = Device::open().unwrap();
    let zombies: Vec<_> = (0..SLOTS)
        .map(|_| {
            process::spawn(move || {
                device.acquire(0).expect("a slot");
            })
        })
        .collect();
    for zombie in &zombies {
        process::wait_until_zombie(*zombie);
        assert_eq!(device.acquire(zombie.as_raw()), Err(Errno::ENOENT));
    }
    assert!(device.acquire(0).is_ok(), "a slot is free");
    zombies.into_iter().for_each(process::expect_success);
}

fn a_child_maps_its_parents_slab_only_as_a_reader() {
    let owner = Actor::spawn();
    let slab = owner.produce();
    let child = owner.fork();
    let inherited = child.call(move || slab.device.map_read(slab.cookie));
    assert_eq!(
        inherited,
        Err(Errno::EINVAL),
        "the file was acquired by another process"
    );
    let pid = owner.pid();
    assert_eq!(
        child.call(move || slab.device.acquire(pid)),
        Ok(slab.cookie)
    );
    let view = child
        .call(move || slab.device.map(slab.cookie))
        .expect("a reader's mapping");
    owner.call(move || slab.map.store(1, 11));
    assert_eq!(child.call(move || view.load(1)), 11);
    assert_eq!(
        child.call(move || view.kernel_store(1, 12)),
        Err(Errno::EFAULT)
    );
    assert_eq!(
        child.call(move || view.protect(libc::PROT_READ | libc::PROT_WRITE)),
        Err(Errno::EACCES)
    );
}

/// Replaces this process by a new image of this program, which checks in
/// [`after_exec`] that `cookie` is, or is not, its own.
fn exec(device: Device, cookie: Cookie, expectation: &CStr) -> ! {
    let words = [c"nds-e2e".to_owned(), c"after-exec".to_owned()];
    let numbers = [device.0.to_string(), cookie.0.to_string()]
        .map(|text| CString::new(text).expect("digits"));
    let arguments: Vec<_> = words
        .into_iter()
        .chain(numbers)
        .chain([expectation.to_owned()])
        .collect();
    let error = execv(c"/proc/self/exe", &arguments).unwrap_err();
    panic!("exec: {error}");
}

/// The check in the new image. Returns whether it holds.
pub(crate) fn after_exec(device: i32, cookie: u64, kept: bool) -> bool {
    let (device, cookie) = (Device(device), Cookie(cookie));
    if !kept {
        return device.acquire(0) == Err(Errno::EBADF)
            && Device::open().unwrap().acquire(own_pid()) == Err(Errno::ENOENT);
    }
    let same = device.acquire(0) == Ok(cookie);
    same && device.map(cookie).is_ok_and(|map| map.load(6) == 66)
}

/// A producer that left 66 in word 6, with its file kept across exec or not.
fn producer_before_exec(kept: bool) -> Session {
    let slab = Session::produce().unwrap();
    slab.map.store(6, 66);
    let flags = if kept {
        FdFlag::empty()
    } else {
        FdFlag::FD_CLOEXEC
    };
    // SAFETY: the descriptor is open for the whole call.
    let file = unsafe { BorrowedFd::borrow_raw(slab.device.0) };
    fcntl(file, FcntlArg::F_SETFD(flags)).expect("set close-on-exec");
    slab
}

fn exec_keeps_the_occupancy_of_a_kept_file() {
    process::in_child(|| {
        let slab = producer_before_exec(true);
        exec(slab.device, slab.cookie, c"kept")
    });
}

fn exec_ends_the_occupancy_of_a_closed_file() {
    process::in_child(|| {
        let slab = producer_before_exec(false);
        exec(slab.device, slab.cookie, c"ended")
    });
}

fn exec_from_another_thread_keeps_the_owner() {
    process::in_child(|| {
        let slab = producer_before_exec(true);
        std::thread::spawn(move || exec(slab.device, slab.cookie, c"kept"));
        loop {
            std::thread::park();
        }
    });
}

fn memory_shared_with_a_survivor_goes_stale() {
    let (far, near) = UnixStream::pair().expect("a socket pair");
    let owner = process::spawn(|| {
        let slab = Session::produce().unwrap();
        slab.map.fill_with(3);
        leave_survivor_in_shared_memory(slab, &far);
    });
    await_survivor(&near);
    process::wait_until_gone(owner);
    assert_eq!(
        Device::open().unwrap().acquire(owner.as_raw()),
        Err(Errno::ENOENT)
    );
    (&near).write_all(b"s").expect("the survivor listens");
    await_survivor(&near);
    let heirs: Vec<_> = (0..SLOTS).map(|_| Actor::spawn()).collect();
    for heir in &heirs {
        let slab = heir.produce();
        assert_eq!(
            heir.call(move || slab.map.nonzero()),
            None,
            "slot {}",
            slab.cookie.slot()
        );
    }
}

fn await_survivor(mut link: &UnixStream) {
    link.read_exact(&mut [0]).expect("the survivor lives");
}

/// Makes a process that shares this one's memory but not its thread group, and
/// ends this one. The survivor says that it runs, waits, scribbles, says so.
fn leave_survivor_in_shared_memory(slab: Session, link: &UnixStream) {
    let stack = Map::anonymous(256 * 1024, libc::PROT_READ | libc::PROT_WRITE).unwrap();
    let order = Box::leak(Box::new((slab, link.as_raw_fd())));
    // SAFETY: the new process runs `survivor` on a stack of its own and with an
    // argument that is never freed; the parent leaves without unwinding.
    let made = unsafe {
        let top = (stack.address + stack.length) as *mut libc::c_void;
        libc::clone(
            survivor,
            top,
            libc::CLONE_VM | libc::SIGCHLD,
            std::ptr::from_mut(order).cast(),
        )
    };
    assert!(made > 0, "clone: {}", Errno::last());
    process::exit(0);
}

extern "C" fn survivor(order: *mut libc::c_void) -> libc::c_int {
    // SAFETY: the pointer is the leaked order of the parent; the descriptor is a
    // copy that this process inherited; only bare system calls are made.
    unsafe {
        let (slab, link) = *order.cast::<(Session, i32)>();
        let byte = [0_u8];
        libc::write(link, byte.as_ptr().cast(), 1);
        libc::read(link, byte.as_ptr().cast_mut().cast(), 1);
        slab.map.fill_with(0xBAD);
        libc::write(link, byte.as_ptr().cast(), 1);
        libc::pause();
    }
    0
}
