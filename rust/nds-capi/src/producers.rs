// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which devices this process has producer instances on.
//!
//! Closing a reader of the own process makes the kernel take the slab from the producer. A pid alone does not tell:
//! in another pid namespace the same number is another process.
//!
//! No lock and no allocation: a child that was forked while another thread opened a producer can open its own.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::failure::Failure;
use crate::ndl::Device;

/// Producer instances that a process can have open at a time: 16 on each of 64 devices.
const LIMIT: usize = 16 * 64;

/// A place without a producer.
const NONE: usize = 0;

/// The device of each producer instance.
static DEVICES: [AtomicUsize; LIMIT] = [const { AtomicUsize::new(NONE) }; LIMIT];

/// A device as a number that is not [`NONE`], also if it is NULL.
fn number(device: *mut Device) -> usize {
    (device as usize).wrapping_add(1)
}

/// Replaces one entry; whether there was one.
fn replace(old: usize, new: usize) -> bool {
    let exchange =
        |entry: &AtomicUsize| entry.compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed);
    DEVICES.iter().any(|entry| exchange(entry).is_ok())
}

/// Adds a producer instance on a device; fails beyond the limit.
pub(crate) fn add(device: *mut Device) -> Result<(), Failure> {
    if replace(NONE, number(device)) {
        Ok(())
    } else {
        Err(Failure::NoMemory)
    }
}

/// Removes a producer instance on a device.
pub(crate) fn remove(device: *mut Device) {
    replace(number(device), NONE);
}

/// Refuses a reader of this very process on a device that it has a producer instance on.
pub(crate) fn refuse_own(device: *mut Device, pid: i32) -> Result<(), Failure> {
    let is_open = |entry: &AtomicUsize| entry.load(Ordering::Acquire) == number(device);
    if pid == std::process::id() as i32 && DEVICES.iter().any(is_open) {
        return Err(Failure::OwnProducer);
    }
    Ok(())
}
