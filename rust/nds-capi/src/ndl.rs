// SPDX-License-Identifier: MIT OR Apache-2.0
//! The mapping boundary: two functions of NDL that hand a slab out and take it back (libnds reference section 4).

use std::ffi::{c_int, c_void};
use std::mem;
use std::ptr;

use crate::failure::{Failure, OK};

/// A device of NDL, known here by its address only.
#[repr(C)]
pub struct Device {
    _opaque: [u8; 0],
}

extern "C" {
    fn ndl_nds_open(
        device: *mut Device,
        pid: i32,
        data: *mut *mut c_void,
        size: *mut usize,
    ) -> c_int;
    fn ndl_nds_close(device: *mut Device, pid: i32, data: *mut c_void, size: usize) -> c_int;
}

/// A slab that NDL has mapped. Dropping it gives it back.
pub(crate) struct Mapping {
    pub(crate) device: *mut Device,
    pub(crate) pid: i32,
    pub(crate) base: *mut c_void,
    pub(crate) size: usize,
}

impl Mapping {
    /// Maps the slab of the caller (`pid` 0) or of process `pid`.
    ///
    /// # Safety
    ///
    /// `device` is what NDL takes for a device.
    pub(crate) unsafe fn open(device: *mut Device, pid: i32) -> Result<Self, Failure> {
        let mut mapping = Self {
            device,
            pid,
            base: ptr::null_mut(),
            size: 0,
        };
        // SAFETY: the device is the caller's promise; both results have a place.
        match unsafe { ndl_nds_open(device, pid, &mut mapping.base, &mut mapping.size) } {
            OK => Ok(mapping),
            code => {
                mem::forget(mapping);
                Err(Failure::Ndl(code))
            }
        }
    }

    /// Gives the slab back, and says what NDL said.
    pub(crate) fn close(self) -> Result<(), Failure> {
        let code = self.give_back();
        mem::forget(self);
        if code == OK {
            Ok(())
        } else {
            Err(Failure::Ndl(code))
        }
    }

    fn give_back(&self) -> c_int {
        // SAFETY: exactly what `ndl_nds_open` was given and returned, once.
        unsafe { ndl_nds_close(self.device, self.pid, self.base, self.size) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // The failure that led here is the one to report.
        self.give_back();
    }
}
