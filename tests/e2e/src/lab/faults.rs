// SPDX-License-Identifier: MIT OR Apache-2.0

//! Every call of a process's and the module's life, again and again, each time
//! with the next fallible step failing, until a call has no step left to fail.
//! A call that fails says so with an errno of its own and leaves nothing.

use std::cell::RefCell;

use nix::errno::Errno;

use super::leaks;
use super::tally::Tally;
use crate::ktap::Suite;
use crate::sys::abi::{Argument, ACQUIRE, MAP_PAGES};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Result};
use crate::sys::fault::Injector;
use crate::sys::process::{self, own_pid};
use crate::sys::report::Report;
use crate::sys::{map::Map, module};

pub(super) const SUITE: Suite = Suite {
    name: "lab.faults",
    tests: &[
        super::part("in_loading_and_unloading", in_loading_and_unloading),
        super::part("in_every_call", in_every_call),
        super::part(
            "in_loading_while_nodes_are_opened",
            in_loading_while_nodes_are_opened,
        ),
    ],
};

const COUNTS: &[&str] = &["injected faults", "calls that failed", "calls that went on"];

/// A step after which a call is sure to have none left that can fail.
const TOO_MANY: u32 = 20_000;

/// Runs `call` with each of its steps failing in turn, and `after` every time
/// with what it returned.
fn fail_each_step<R>(tally: Tally, call: impl Fn() -> Result<R>, after: impl Fn(Result<R>)) {
    fail_steps(tally, |nth| nth + 1, call, after);
}

/// The same for a call of thousands of steps, most of them alike: a brief lab
/// leaves out ever more of them, others for every seed.
fn fail_many_steps<R>(tally: Tally, call: impl Fn() -> Result<R>, after: impl Fn(Result<R>)) {
    let random = RefCell::new(super::random(2));
    let next = |nth: u32| match super::plan().brief {
        true => nth + 1 + random.borrow_mut().u32(0..=nth / 4),
        false => nth + 1,
    };
    fail_steps(tally, next, call, after);
}

fn fail_steps<R>(
    tally: Tally,
    next: impl Fn(u32) -> u32,
    call: impl Fn() -> Result<R>,
    after: impl Fn(Result<R>),
) {
    let injector = Injector::new();
    let mut nth = 1;
    while nth < TOO_MANY {
        let (result, injected) = injector.run(nth, &call);
        if injected {
            tally.add("injected faults", 1);
            let outcome = match result {
                Ok(_) => "calls that went on",
                Err(_) => "calls that failed",
            };
            tally.add(outcome, 1);
        }
        let clean = result.is_ok();
        after(result);
        if !injected {
            assert!(clean, "a call without a fault fails");
            return;
        }
        nth = next(nth);
    }
    panic!("{TOO_MANY} steps and no end");
}

fn in_loading_and_unloading() {
    let tally = Tally::new(COUNTS);
    module::unload().unwrap();
    let file = module::open_file();
    let load_and_unload = || {
        module::load_file(&file, "devices=2")?;
        module::unload()
    };
    fail_many_steps(tally, load_and_unload, |_| {
        // What is left is a whole module, or nothing.
        module::unload_if_loaded().unwrap();
        assert_no_trace();
    });
    leaks::end();
    tally.report();
}

fn assert_no_trace() {
    assert!(!module::is_loaded(), "a failed load left the module");
    assert!(
        module::nodes().is_empty(),
        "a failed load left {:?}",
        module::nodes()
    );
}

fn in_every_call() {
    let tally = Tally::new(COUNTS);
    fail_each_step(tally, Device::open, |device| {
        device.map_or((), |device| device.close().unwrap())
    });
    in_acquire(tally);
    in_attach(tally);
    in_mmap(tally);
    in_touching(tally);
    in_release_and_close(tally);
    in_reading_reports(tally);
    leaks::assert_all_free_and_zero(1);
    leaks::end();
    tally.report();
}

fn in_acquire(tally: Tally) {
    fail_each_step(
        tally,
        || Device::open().and_then(|device| acquire_or_close(device, 0)),
        |acquired| {
            let found = Device::open().and_then(|device| acquire_or_close(device, own_pid()));
            match acquired {
                Ok(device) => {
                    found
                        .expect("an acquire that succeeded is found")
                        .close()
                        .unwrap();
                    device.close().unwrap();
                }
                Err(_) => assert_eq!(found, Err(Errno::ENOENT), "a failed acquire left a slab"),
            }
        },
    );
}

/// An open file through which `pid` was acquired, or nothing left open.
fn acquire_or_close(device: Device, pid: i32) -> Result<Device> {
    let mut argument = Argument::of(pid);
    match device.call(ACQUIRE, &mut argument) {
        Ok(_) => Ok(device),
        Err(errno) => device.close().and(Err(errno)),
    }
}

fn in_attach(tally: Tally) {
    let owner = Actor::spawn();
    let (slab, pid) = (owner.produce(), owner.pid());
    let device = Device::open().unwrap();
    fail_each_step(
        tally,
        || device.acquire(pid),
        |attached| {
            if let Ok(cookie) = attached {
                assert_eq!(cookie, slab.cookie);
            }
        },
    );
    device.close().unwrap();
}

fn in_mmap(tally: Tally) {
    let device = Device::open().unwrap();
    let cookie = device.acquire(0).unwrap();
    fail_each_step(
        tally,
        || device.map(cookie),
        |mapped| {
            if let Ok(map) = mapped {
                map.touch(MAP_PAGES);
                map.unmap().unwrap();
            }
        },
    );
    device.close().unwrap();
}

/// Unmapping can fail for want of memory, but not for ever.
fn unmap_surely(map: Map) {
    while map.unmap().is_err() {}
}

/// Faults in the fault handler: of a current mapping, and of both stale kinds.
fn in_touching(tally: Tally) {
    let (owner, device) = (Actor::spawn(), Device::open().unwrap());
    let slab = owner.produce();
    let pid = owner.pid();
    let look = || {
        let map = device.map_read(device.acquire(pid)?)?;
        let touched = map.kernel_load(0);
        unmap_surely(map);
        touched
    };
    fail_each_step(tally, look, |_| {});
    let outlive = || {
        let map = device.map(device.acquire(0)?)?;
        let touched = map.kernel_store(0, 1);
        let released = device.release(0);
        let stale = map.kernel_store(0, 2);
        unmap_surely(map);
        touched.and(released).and(stale)
    };
    fail_each_step(tally, outlive, |_| device.release(0).unwrap());
    let view = device.map_read(device.acquire(pid).unwrap()).unwrap();
    owner.call(move || slab.end()).unwrap();
    fail_each_step(tally, || view.kernel_load(0), |_| {});
    view.unmap().unwrap();
    device.close().unwrap();
}

fn in_release_and_close(tally: Tally) {
    let device = Device::open().unwrap();
    let release = || {
        let map = device.map(device.acquire(0)?)?;
        map.touch(MAP_PAGES);
        let released = device.release(0);
        unmap_surely(map);
        released
    };
    fail_each_step(tally, release, |_| device.release(0).unwrap());
    device.close().unwrap();
    let close = || {
        let device = Device::open()?;
        let mapped = device.acquire(0).and_then(|cookie| device.map(cookie));
        if let Ok(map) = mapped {
            map.touch(MAP_PAGES);
            unmap_surely(map);
        }
        device.close().and(mapped)
    };
    fail_each_step(tally, close, |_| {
        let found = Device::open().and_then(|device| acquire_or_close(device, own_pid()));
        assert_eq!(found, Err(Errno::ENOENT), "a close left a slab");
    });
}

fn in_reading_reports(tally: Tally) {
    let device = Device::open().unwrap();
    fail_each_step(tally, || Report::take(device), |_| {});
    device.close().unwrap();
    let read_text = || match std::fs::read(module::node(0)) {
        Ok(_) => Ok(()),
        Err(error) => Err(Errno::from_raw(error.raw_os_error().unwrap_or(0))),
    };
    fail_each_step(tally, read_text, |_| {});
}

/// While a load fails half way, somebody may have opened a node already.
fn in_loading_while_nodes_are_opened() {
    let tally = Tally::new(COUNTS);
    module::unload().unwrap();
    let opener = process::spawn(|| loop {
        if let Ok(device) = Device::open() {
            let _ = device
                .acquire(0)
                .and_then(|cookie| device.map(cookie))
                .map(unmap_surely);
            let _ = device.close();
        }
    });
    let file = module::open_file();
    let load = || module::load_file(&file, "devices=2");
    fail_many_steps(tally, load, |_| {
        process::eventually("the module unloads", || module::unload_if_loaded().is_ok());
    });
    process::kill_and_wait(opener);
    leaks::end();
    tally.report();
}
