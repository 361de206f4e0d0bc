// SPDX-License-Identifier: MIT OR Apache-2.0
//! Handing slabs out and taking them back.
//!
//! Owns: which mapping is taken down by which close. Does not own: the system calls (`nds`).

use std::ffi::{c_int, c_void};
use std::ptr::NonNull;

use nds::{Access, SlabMapping};

use crate::device::Device;
use crate::errno::code;

/// The pid that stands for the caller's own slab.
const OWN: i32 = 0;

/// Acquires and maps the slab of this process (`pid` 0), or maps that of process `pid` without write permission.
///
/// `*data` and `*size` are written on success only.
#[no_mangle]
pub unsafe extern "C" fn ndl_nds_open(
    device: *mut Device,
    pid: i32,
    data: *mut *mut c_void,
    size: *mut usize,
) -> c_int {
    // SAFETY: NULL or an open device.
    let device = unsafe { device.as_ref() };
    let (Some(device), Some(data), Some(size)) = (device, NonNull::new(data), NonNull::new(size))
    else {
        return -libc::EINVAL;
    };
    code(map(&device.device, pid).map(|mapping| {
        // SAFETY: places for a pointer and a size, by the contract of the header.
        unsafe {
            data.write(mapping.base().as_ptr().cast());
            size.write(mapping.size());
        }
        device.mappings().push(mapping);
    }))
}

fn map(device: &nds::Device, pid: i32) -> nds::Result<SlabMapping> {
    if pid == OWN {
        device.map_own()
    } else {
        device.map_process(pid)
    }
}

/// Unmaps what [`ndl_nds_open`] returned for these arguments; the slab of this process is given back with its last
/// mapping.
#[no_mangle]
pub unsafe extern "C" fn ndl_nds_close(
    device: *mut Device,
    pid: i32,
    data: *mut c_void,
    size: usize,
) -> c_int {
    // SAFETY: NULL or an open device.
    let Some(device) = (unsafe { device.as_ref() }) else {
        return -libc::EINVAL;
    };
    let mut mappings = device.mappings();
    let is_meant = |mapping: &SlabMapping| {
        mapping.base().as_ptr() == data.cast()
            && mapping.size() == size
            && is_own(mapping) == (pid == OWN)
    };
    let Some(place) = mappings.iter().position(is_meant) else {
        return -libc::EINVAL;
    };
    let mut mapping = mappings.swap_remove(place);
    if mappings.iter().any(is_own) {
        mapping.leave_slab();
    }
    code(mapping.close())
}

fn is_own(mapping: &SlabMapping) -> bool {
    mapping.access() == Access::ReadWrite
}
