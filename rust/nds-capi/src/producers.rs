// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which devices this process has producer instances on.
//!
//! Closing a reader of the own process makes the kernel take the slab from the producer. A pid alone does not tell:
//! in another pid namespace the same number is another process.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::failure::Failure;
use crate::ndl::Device;

/// Address of the device of each producer instance.
static DEVICES: Mutex<Vec<usize>> = Mutex::new(Vec::new());

fn devices() -> MutexGuard<'static, Vec<usize>> {
    DEVICES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds a producer instance on a device.
pub(crate) fn add(device: *mut Device) -> Result<(), Failure> {
    let mut devices = devices();
    let length = devices.len();
    devices.try_reserve(1).map_err(|_| Failure::NoMemory)?;
    if let Some(place) = devices.spare_capacity_mut().first_mut() {
        place.write(device as usize);
        // SAFETY: the place after the last element was just written.
        unsafe { devices.set_len(length + 1) };
    }
    Ok(())
}

/// Removes a producer instance on a device.
pub(crate) fn remove(device: *mut Device) {
    let mut devices = devices();
    let Some(last) = devices.pop() else { return };
    if let Some(place) = devices.iter_mut().find(|entry| **entry == device as usize) {
        *place = last;
    }
    if devices.is_empty() {
        // Nothing stays allocated when everything is closed.
        *devices = Vec::new();
    }
}

/// Refuses a reader of this very process on a device that it has a producer instance on.
pub(crate) fn refuse_own(device: *mut Device, pid: i32) -> Result<(), Failure> {
    let own = pid == std::process::id() as i32;
    if own && devices().contains(&(device as usize)) {
        return Err(Failure::OwnProducer);
    }
    Ok(())
}
