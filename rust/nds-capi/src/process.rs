// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two process records (libnds reference section 6.6).

use std::ptr::{self, NonNull};

use nds_layout::abi;

use crate::handle::{Handle, Kind};
use crate::instance::Instance;
use crate::object::nds_read_generic_obj;
use crate::objects::{ProcessInfoExtObject, ProcessInfoObject};
use crate::payload::object_at;

/// The payload of a process-info object, valid until it is deleted; NULL for an object of another type.
#[no_mangle]
pub unsafe extern "C" fn nds_obj_handle_to_process_info(obj: Handle) -> *mut abi::ProcessInfo {
    let payload = |object: NonNull<ProcessInfoObject>| {
        // SAFETY: a field of a living object.
        unsafe { &raw mut (*object.as_ptr()).info }
    };
    // SAFETY: NULL or a living handle.
    unsafe { object_at(obj) }.map_or(ptr::null_mut(), payload)
}

/// The payload of an extended process-info object, valid until it is deleted; NULL for an object of another type.
#[no_mangle]
pub unsafe extern "C" fn nds_obj_handle_to_process_info_ext(
    obj: Handle,
) -> *mut abi::ProcessInfoExt {
    let payload = |object: NonNull<ProcessInfoExtObject>| {
        // SAFETY: a field of a living object.
        unsafe { &raw mut (*object.as_ptr()).info }
    };
    // SAFETY: NULL or a living handle.
    unsafe { object_at(obj) }.map_or(ptr::null_mut(), payload)
}

/// Reads the process-info record; NULL if there is none that is whole.
#[no_mangle]
pub unsafe extern "C" fn nds_read_process_info(inst: *mut Instance) -> Handle {
    // SAFETY: NULL or an open instance.
    unsafe { nds_read_generic_obj(inst, Kind::ProcessInfo as i32) }
}

/// Reads the extended process-info record; NULL if there is none that is whole.
#[no_mangle]
pub unsafe extern "C" fn nds_read_process_info_ext(inst: *mut Instance) -> Handle {
    // SAFETY: NULL or an open instance.
    unsafe { nds_read_generic_obj(inst, Kind::ProcessInfoExt as i32) }
}
