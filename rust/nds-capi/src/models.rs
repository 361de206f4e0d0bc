// SPDX-License-Identifier: MIT OR Apache-2.0
//! The model records and their slots (libnds reference section 6.5).

use std::ffi::{c_int, c_void};
use std::ptr::{self, NonNull};

use nds_layout::abi::{ModelNodeInfo, ModelNodeMemUsageInfo};
use nds_layout::bitmap;

use crate::failure::{code, Failure};
use crate::handle::Handle;
use crate::helpers::{nds_get_empty_map_slot, nds_mark_map_slot, slot_from_c};
use crate::instance::{slab_at, Instance};
use crate::model_records::{bitmap_at, commit, read_all, read_one, withdraw};
use crate::object::producer_and_slab;
use crate::objects::ModelObject;
use crate::payload::object_at;

/// Publishes a model object in the slab at `base`: in the lowest free slot, and from then on in the same one.
///
/// Returns 0, -22, or **+28** if there is no free slot.
#[no_mangle]
pub unsafe extern "C" fn nds_commit_model_node_info(base: *mut c_void, obj: Handle) -> c_int {
    // SAFETY: NULL or a living handle, NULL or the base of its instance's slab.
    code(
        unsafe { producer_and_slab(base, obj) }.and_then(|(instance, slab)| {
            // SAFETY: as above.
            unsafe {
                let model = object_at(obj).ok_or(Failure::InvalidArgument)?;
                commit(&slab, instance, model)
            }
        }),
    )
}

/// Erases the record that a model object has in the slab at `base`, then frees its slot. Returns 0 or -22.
#[no_mangle]
pub unsafe extern "C" fn nds_delete_model_node_info(base: *mut c_void, obj: Handle) -> c_int {
    // SAFETY: NULL or a living handle, NULL or the base of its instance's slab.
    code(
        unsafe { producer_and_slab(base, obj) }.and_then(|(instance, slab)| {
            // SAFETY: as above.
            unsafe {
                let model = object_at(obj).ok_or(Failure::InvalidArgument)?;
                withdraw(&slab, instance, model);
            }
            Ok(())
        }),
    )
}

/// Reads the record of one slot. NULL if it is not whole at either of two attempts, or without memory.
#[no_mangle]
pub unsafe extern "C" fn nds_read_model_node_info_data(inst: *mut Instance, slot: c_int) -> Handle {
    let read = || {
        let slot = slot_from_c(slot)?;
        // SAFETY: NULL or an open instance.
        let slab = unsafe { Instance::at(inst) }?.slab().ok()?;
        read_one(inst, &slab, slot)
    };
    read().unwrap_or(ptr::null_mut())
}

/// Reads the records of all taken slots, in ascending order; those that are not whole are left out.
///
/// `*models` is an array of `*count` handles. The caller deletes each handle and frees the array with `free`; it is
/// never NULL after success. Returns 0, -22, -1 or -12, and after an error writes nothing.
#[no_mangle]
pub unsafe extern "C" fn nds_read_all_model_nodes(
    inst: *mut Instance,
    models: *mut *mut Handle,
    count: *mut usize,
) -> c_int {
    let (Some(models), Some(count)) = (NonNull::new(models), NonNull::new(count)) else {
        return code(Err(Failure::InvalidArgument));
    };
    // SAFETY: NULL or an open instance.
    let slab = unsafe { Instance::at(inst) }
        .ok_or(Failure::InvalidArgument)
        .and_then(Instance::slab);
    let read = slab.and_then(|slab| read_all(inst, &slab));
    code(read.map(|(handles, length)| {
        // SAFETY: places for a pointer and a size, by the contract of the header.
        unsafe {
            models.write(handles.into_raw().cast());
            count.write(length);
        }
    }))
}

/// The lowest free slot of the slab at `base`; -1 if there is none.
#[no_mangle]
pub unsafe extern "C" fn nds_get_empty_model_slot(base: *mut c_void) -> c_int {
    // SAFETY: NULL or the base of a slab.
    let map = unsafe { slab_at(base) }.map_or(u64::MAX, |slab| bitmap::load(&slab));
    nds_get_empty_map_slot(map)
}

/// Marks a slot of the slab at `base` as taken or free.
#[no_mangle]
pub unsafe extern "C" fn nds_mark_model_slot(base: *mut c_void, slot: c_int, used: bool) {
    // SAFETY: NULL or the base of a writable slab.
    if let Some(slab) = unsafe { slab_at(base) } {
        // SAFETY: the bitmap of that slab.
        unsafe { nds_mark_map_slot(bitmap_at(slab.base()).cast(), slot, used) };
    }
}

/// The node info of a model object, valid until it is deleted; NULL for an object of another type.
#[no_mangle]
pub unsafe extern "C" fn nds_obj_handle_to_model_node_info(obj: Handle) -> *mut ModelNodeInfo {
    let payload = |object: NonNull<ModelObject>| {
        // SAFETY: a field of a living object.
        unsafe { &raw mut (*object.as_ptr()).node_info }
    };
    // SAFETY: NULL or a living handle.
    unsafe { object_at(obj) }.map_or(ptr::null_mut(), payload)
}

/// The memory usage of a model object, valid until it is deleted; NULL for an object of another type.
#[no_mangle]
pub unsafe extern "C" fn nds_obj_handle_to_model_node_mem_usage(
    obj: Handle,
) -> *mut ModelNodeMemUsageInfo {
    let payload = |object: NonNull<ModelObject>| {
        // SAFETY: a field of a living object.
        unsafe { &raw mut (*object.as_ptr()).mem_usage }
    };
    // SAFETY: NULL or a living handle.
    unsafe { object_at(obj) }.map_or(ptr::null_mut(), payload)
}
