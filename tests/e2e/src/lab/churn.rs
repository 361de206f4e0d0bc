// SPDX-License-Identifier: MIT OR Apache-2.0

//! Coming and going without end: the module loaded and unloaded, processes that
//! acquire and exit with recycled numbers, from several namespaces at once.

use std::ffi::c_void;
use std::fs;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::libc;

use super::tally::Tally;
use super::{leaks, random};
use crate::ktap::Suite;
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::map::Map;
use crate::sys::{identity, module};

pub(super) const SUITE: Suite = Suite {
    name: "lab.churn",
    tests: &[
        super::part("loading_and_unloading", loading_and_unloading),
        super::part("acquiring_and_exiting", acquiring_and_exiting),
    ],
};

/// Loads and unloads of a whole lab, however long they take.
const LOADS: u64 = 200;
/// Processes that acquire and exit in a whole lab, however long they take.
const CYCLES: u64 = 100_000;
/// How long a crowd makes processes before it reports back.
const TURN: Duration = Duration::from_secs(10);
/// So few process numbers are left that each comes again and again.
const PID_MAX: &str = "600";

/// A whole lab ends with the number, a brief one with its time.
fn goes_on(done: u64, number: u64, deadline: Instant) -> bool {
    done < number && !(super::plan().brief && Instant::now() >= deadline)
}

fn loading_and_unloading() {
    let tally = Tally::new(&["loads"]);
    let mut random = random(1);
    let deadline = super::deadline(10);
    module::unload().unwrap();
    while goes_on(tally.get("loads"), LOADS, deadline) {
        let devices = random.u32(1..=4);
        module::load(&format!("devices={devices} metrics_period_ms=1")).unwrap();
        if random.bool() {
            let slab = Session::produce().unwrap();
            slab.map.fill_with(1);
            slab.end().unwrap();
        }
        module::unload().unwrap();
        tally.add("loads", 1);
    }
    leaks::end();
    tally.report();
}

/// Four crowds: of the host, of a user, of a pid namespace, of a user namespace.
fn crowds() -> [Actor; 4] {
    [
        Actor::spawn(),
        Actor::spawn_user(1000),
        Actor::spawn_after(identity::enter_pid_namespace),
        Actor::spawn_after(|| {
            identity::become_user(2000);
            identity::enter_user_namespace();
        }),
    ]
}

fn acquiring_and_exiting() {
    let tally = Tally::new(&[
        "cycles",
        "refused for want of a slot",
        "first looks at a slab",
    ]);
    tally.count_panics();
    let usual =
        fs::read_to_string("/proc/sys/kernel/pid_max").expect("the kernel has CONFIG_PROC_SYSCTL");
    fs::write("/proc/sys/kernel/pid_max", PID_MAX).expect("make process numbers few");
    let deadline = super::deadline(20);
    let crowds = crowds();
    while goes_on(tally.get("cycles"), CYCLES, deadline) {
        let calls = crowds
            .each_ref()
            .map(|crowd| crowd.start(move || churn(tally, deadline)));
        calls.into_iter().for_each(|call| call.wait());
    }
    drop(crowds);
    fs::write("/proc/sys/kernel/pid_max", usual.trim()).expect("set the usual number");
    assert_eq!(
        tally.failures(),
        0,
        "a process found something wrong, see above"
    );
    leaks::assert_all_free_and_zero(1);
    leaks::end();
    tally.report();
}

/// Makes children one after the other for a turn; each has the parent's file.
fn churn(tally: Tally, deadline: Instant) {
    let device = Device::open().unwrap();
    let stack = Map::anonymous(64 * 1024, libc::PROT_READ | libc::PROT_WRITE).unwrap();
    let pause = Instant::now() + TURN;
    while goes_on(tally.get("cycles"), CYCLES, deadline) && Instant::now() < pause {
        match one_life(device, stack) {
            OK => tally.add("first looks at a slab", 1),
            FULL => tally.add("refused for want of a slot", 1),
            other => panic!("a child ended with {other}"),
        }
        tally.add("cycles", 1);
    }
    device.close().unwrap();
}

/// What a child found: a clean slab, none free, a dirty one, another error.
const OK: i32 = 0;
const FULL: i32 = 1;
const DIRTY: i32 = 2;
const REFUSED: i32 = 3;

/// A process that acquires, looks, leaves dirt and exits without a word.
fn one_life(device: Device, stack: Map) -> i32 {
    let top = (stack.address + stack.length) as *mut c_void;
    let argument = device.0 as usize as *mut c_void;
    let mut status = 0;
    // The child has this memory, and this process waits until it is gone
    // (CLONE_VFORK), so a child costs little. `SIG_IGN` on SIGCHLD in actors
    // would reap it unseen, so the child has no exit signal.
    let flags = libc::CLONE_VM | libc::CLONE_VFORK;
    // SAFETY: the child runs `live` on a stack of its own while this thread waits.
    let child = unsafe { libc::clone(live, top, flags, argument) };
    Errno::result(child).expect("clone");
    // SAFETY: `status` outlives the call. __WALL finds children without an exit signal.
    let reaped = unsafe { libc::waitpid(child, &raw mut status, libc::__WALL) };
    assert_eq!(reaped, child, "waitpid: {}", Errno::last());
    assert!(
        libc::WIFEXITED(status),
        "the child ended with status {status:#x}"
    );
    libc::WEXITSTATUS(status)
}

extern "C" fn live(argument: *mut c_void) -> libc::c_int {
    let device = Device(argument as usize as i32);
    match device.acquire(0) {
        Ok(cookie) => match device.map(cookie) {
            Ok(map) => {
                let clean = map.pages(0, 2).nonzero().is_none();
                map.pages(0, 2).fill_with(u64::MAX);
                // The memory is the parent's, too: nothing else would unmap it.
                let _ = map.unmap();
                if clean {
                    OK
                } else {
                    DIRTY
                }
            }
            Err(_) => REFUSED,
        },
        Err(Errno::ENOMEM) => FULL,
        Err(_) => REFUSED,
    }
}
