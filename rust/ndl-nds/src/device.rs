// SPDX-License-Identifier: MIT OR Apache-2.0
//! Devices as C programs hold them: opened by path or number, or emulated.
//!
//! Owns: the device and the mappings that were handed out through it. Does not own: handing them out (`boundary`).

use std::ffi::{c_char, c_int, CStr, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

use nds::{EmulatedDevice, SlabMapping};

use crate::errno::code;

/// An open device.
#[derive(Debug)]
pub struct Device {
    pub(crate) device: nds::Device,
    /// What it is a handle of, if it is emulated.
    emulated: Option<EmulatedDevice>,
    mappings: Mutex<Vec<SlabMapping>>,
}

impl Device {
    fn new(device: nds::Device, emulated: Option<EmulatedDevice>) -> Self {
        Self {
            device,
            emulated,
            mappings: Mutex::new(Vec::new()),
        }
    }

    /// The mappings that are handed out.
    pub(crate) fn mappings(&self) -> MutexGuard<'_, Vec<SlabMapping>> {
        self.mappings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Opens the device file at `path`, for readers only if `read_only`.
#[no_mangle]
pub unsafe extern "C" fn ndl_nds_device_open(
    path: *const c_char,
    read_only: bool,
    device: *mut *mut Device,
) -> c_int {
    if path.is_null() {
        return -libc::EINVAL;
    }
    // SAFETY: a text that ends with NUL, by the contract of the header.
    let path = Path::new(OsStr::from_bytes(
        unsafe { CStr::from_ptr(path) }.to_bytes(),
    ));
    // SAFETY: NULL or a place for a pointer.
    unsafe { hand_out(device, || open_file(path, read_only)) }
}

/// Opens the device file with this number, for readers only if `read_only`.
#[no_mangle]
pub unsafe extern "C" fn ndl_nds_device_open_index(
    index: u32,
    read_only: bool,
    device: *mut *mut Device,
) -> c_int {
    let open = || open_file(&nds::device_path(index)?, read_only);
    // SAFETY: NULL or a place for a pointer.
    unsafe { hand_out(device, open) }
}

/// Makes an emulated device with 16 free slabs, and opens it as this process.
#[no_mangle]
pub unsafe extern "C" fn ndl_nds_emulated_open(device: *mut *mut Device) -> c_int {
    let open = || {
        let emulated = EmulatedDevice::new()?;
        Ok(Device::new(emulated.open(), Some(emulated)))
    };
    // SAFETY: NULL or a place for a pointer.
    unsafe { hand_out(device, open) }
}

/// Opens the emulated device of another handle once more, as the pretended process `pid`.
#[no_mangle]
pub unsafe extern "C" fn ndl_nds_emulated_open_as(
    of: *const Device,
    pid: i32,
    device: *mut *mut Device,
) -> c_int {
    // SAFETY: NULL or an open device.
    let Some(emulated) = unsafe { of.as_ref() }.and_then(|of| of.emulated.clone()) else {
        return -libc::EINVAL;
    };
    let open = || Ok(Device::new(emulated.process(pid).open(), Some(emulated)));
    // SAFETY: NULL or a place for a pointer.
    unsafe { hand_out(device, open) }
}

/// Closes a device. What is still mapped through it is unmapped, and an own slab is given back.
#[no_mangle]
pub unsafe extern "C" fn ndl_nds_device_close(device: *mut Device) -> c_int {
    if device.is_null() {
        return -libc::EINVAL;
    }
    // SAFETY: an open device, which came from a box in `hand_out`.
    drop(unsafe { Box::from_raw(device) });
    0
}

fn open_file(path: &Path, read_only: bool) -> nds::Result<Device> {
    let device = if read_only {
        nds::Device::open_for_reading(path)?
    } else {
        nds::Device::open(path)?
    };
    Ok(Device::new(device, None))
}

/// Opens a device and stores its address, on success only.
///
/// # Safety
///
/// `place` is NULL or a place for a pointer.
unsafe fn hand_out(place: *mut *mut Device, open: impl FnOnce() -> nds::Result<Device>) -> c_int {
    let Some(place) = NonNull::new(place) else {
        return -libc::EINVAL;
    };
    code(open().map(|device| {
        // SAFETY: the caller's promise.
        unsafe { place.write(Box::into_raw(Box::new(device))) };
    }))
}
