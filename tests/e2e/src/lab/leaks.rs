// SPDX-License-Identifier: MIT OR Apache-2.0

//! The end of a test and of a part: the device is as new, the module unloads,
//! and the kernel knows of no memory that nobody refers to.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::ktap::Suite;
use crate::sys::abi::SLOTS;
use crate::sys::actor::Actor;
use crate::sys::device::Device;
use crate::sys::{module, process};

const KMEMLEAK: &str = "/sys/kernel/debug/kmemleak";
/// The kernel suspects nothing that is younger than five seconds.
const MINIMUM_AGE: Duration = Duration::from_secs(6);

/// Every slot of each of `devices` devices can be had, and is zero to the last word.
pub(super) fn assert_all_free_and_zero(devices: usize) {
    let owners: Vec<_> = (0..SLOTS).map(|_| Actor::spawn()).collect();
    for index in 0..devices {
        for (number, owner) in owners.iter().enumerate() {
            let dirty = owner.call(move || {
                let device = Device::open_as(index, nix::fcntl::OFlag::O_RDWR).unwrap();
                let cookie = device.acquire(0).expect("a free slot");
                device.map(cookie).unwrap().nonzero()
            });
            assert_eq!(dirty, None, "device {index}, process {number}");
        }
    }
}

/// Unloads the module, which what a part left running may hold for a moment.
pub(super) fn end() {
    process::eventually("the module unloads", || module::unload_if_loaded().is_ok());
}

/// What each part ends with.
pub(super) const SUITE: Suite = Suite {
    name: "lab.leaks",
    tests: &[super::part("no_memory_is_leaked", no_memory_is_leaked)],
};

/// No object of the kernel is without a reference.
fn no_memory_is_leaked() {
    module::unload().unwrap();
    if !Path::new(KMEMLEAK).exists() {
        println!("this kernel cannot search for leaks (CONFIG_DEBUG_KMEMLEAK)");
        return;
    }
    thread::sleep(MINIMUM_AGE);
    // The first scan only notes what might be leaked; the second is sure of it.
    for _ in 0..2 {
        fs::write(KMEMLEAK, "scan").expect("scan for leaks");
    }
    let found = fs::read_to_string(KMEMLEAK).expect("read the leaks");
    assert!(found.is_empty(), "leaked memory:\n{found}");
}
