// SPDX-License-Identifier: MIT OR Apache-2.0

//! Threads: an occupancy belongs to the whole thread group.

use std::thread;

use nix::libc;

use crate::ktap::{self, Suite};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::process::{self, own_pid};

pub(super) const SUITE: Suite = Suite {
    name: "ownership.threads",
    tests: ktap::tests![
        every_thread_is_the_owner,
        a_thread_may_release_for_all,
        the_end_of_a_thread_ends_nothing,
        the_end_of_the_first_thread_ends_nothing,
        a_thread_number_names_no_owner,
        threads_that_acquire_at_once_get_one_slab,
    ],
};

/// The result of `body` in another thread.
fn in_thread<R: Send + 'static>(body: impl FnOnce() -> R + Send + 'static) -> R {
    thread::spawn(body)
        .join()
        .expect("the thread does not panic")
}

fn every_thread_is_the_owner() {
    let slab = Session::produce().unwrap();
    let cookie = in_thread(move || {
        let map = slab.device.map(slab.cookie).unwrap();
        map.store(4, 44);
        slab.device.acquire(0)
    });
    assert_eq!(cookie, Ok(slab.cookie));
    assert_eq!(slab.map.load(4), 44);
}

fn a_thread_may_release_for_all() {
    let slab = Session::produce().unwrap();
    in_thread(move || slab.device.release(0)).unwrap();
    assert_ne!(slab.device.acquire(0), Ok(slab.cookie));
}

fn the_end_of_a_thread_ends_nothing() {
    let slab = in_thread(|| Session::produce().unwrap());
    slab.map.store(4, 44);
    assert_eq!(slab.device.acquire(0), Ok(slab.cookie));
    assert_eq!(slab.map.load(4), 44);
}

fn the_end_of_the_first_thread_ends_nothing() {
    // The child's first thread ends by itself; the second goes on as the owner.
    process::in_child(|| {
        let slab = Session::produce().unwrap();
        slab.map.store(4, 44);
        thread::spawn(move || {
            process::eventually("the first thread is a zombie", first_thread_ended);
            // Other processes' calls look for owners that are gone.
            process::in_child(|| Session::produce().unwrap().end().unwrap());
            assert_eq!(slab.device.acquire(0), Ok(slab.cookie));
            assert_eq!(slab.map.load(4), 44);
            process::exit(0);
        });
        // SAFETY: ends the calling thread only; nothing it owns is used afterwards.
        unsafe { libc::syscall(libc::SYS_exit, 0) };
    });
}

fn first_thread_ended() -> bool {
    let path = format!("/proc/{0}/task/{0}/stat", own_pid());
    std::fs::read_to_string(path).is_ok_and(|stat| stat.contains(") Z "))
}

fn a_thread_number_names_no_owner() {
    let (owner, reader) = (Actor::spawn(), Actor::spawn());
    owner.produce();
    let thread = owner.call(|| {
        let (send, receive) = std::sync::mpsc::channel();
        thread::spawn(move || {
            // SAFETY: `gettid` has no preconditions.
            send.send(unsafe { libc::gettid() }).unwrap();
            loop {
                thread::park();
            }
        });
        receive.recv().unwrap()
    });
    assert_ne!(thread, owner.pid());
    let found = reader.call(move || Device::open().unwrap().acquire(thread));
    assert_eq!(found, Err(nix::errno::Errno::ENOENT));
}

fn threads_that_acquire_at_once_get_one_slab() {
    let device = Device::open().unwrap();
    for _ in 0..50 {
        let threads: Vec<_> = (0..4)
            .map(|_| thread::spawn(move || device.acquire(0).unwrap()))
            .collect();
        let mut cookies: Vec<_> = threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect();
        cookies.dedup();
        assert_eq!(cookies.len(), 1, "{cookies:?}");
        device.release(0).unwrap();
    }
}
