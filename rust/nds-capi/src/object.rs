// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects of any type, and what the two process records have in common (libnds reference section 6.4).

use std::ffi::{c_int, c_void};
use std::ptr::{self, NonNull};

use nds_layout::publish::publish;
use nds_layout::{retry, RawSlab};

use crate::allocation::Allocation;
use crate::failure::{code, Failure, OK, TYPE_MISMATCH};
use crate::handle::{Handle, Head, Kind};
use crate::instance::{in_slab, slab_at, Instance};
use crate::model_records;
use crate::objects::{ModelObject, ProcessInfoExtObject, ProcessInfoObject};
use crate::pause::pause;
use crate::payload::{self, object_at, SingleObject};

/// A new object, to be filled in, committed by a producer, and deleted. NULL for an unknown type or without memory.
#[no_mangle]
pub unsafe extern "C" fn nds_obj_new(inst: *mut Instance, r#type: c_int) -> Handle {
    if inst.is_null() {
        return ptr::null_mut();
    }
    match Kind::from_tag(r#type) {
        Ok(Kind::Model) => handle::<ModelObject>(payload::new(inst)),
        Ok(Kind::ProcessInfo) => handle::<ProcessInfoObject>(payload::new(inst)),
        Ok(Kind::ProcessInfoExt) => handle::<ProcessInfoExtObject>(payload::new(inst)),
        Err(_) => ptr::null_mut(),
    }
}

/// Publishes the payload of an object. Returns 0, -22, -1, -12, or **+28** if there is no free slot for a model.
#[no_mangle]
pub unsafe extern "C" fn nds_obj_commit(obj: Handle) -> c_int {
    // SAFETY: NULL or a living handle.
    code(unsafe { commit(obj) })
}

/// # Safety
///
/// `obj` is NULL or a living handle.
unsafe fn commit(obj: Handle) -> Result<(), Failure> {
    // SAFETY: the caller's promise; an instance outlives its handles.
    let instance = unsafe { producer_of(obj)? };
    // SAFETY: as above.
    unsafe { Head::of(obj)? }.kind()?;
    let slab = instance.writable_slab()?;
    // SAFETY: as above; both are of the same instance.
    unsafe {
        match object_at(obj) {
            Some(model) => model_records::commit(&slab, instance, model),
            None => commit_single(&slab, instance, obj),
        }
    }
}

/// Frees a handle; a model that was committed through it is erased first. Returns 0 or -22.
///
/// A process record stays published. A reader's handle, and one that was only read, is just freed.
#[no_mangle]
pub unsafe extern "C" fn nds_obj_delete(obj: Handle) -> c_int {
    // SAFETY: NULL or a living handle.
    code(unsafe { delete(obj) })
}

/// # Safety
///
/// `obj` is NULL or a living handle, which is gone after success.
unsafe fn delete(obj: Handle) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    unsafe { Head::of(obj)? }.kind()?;
    // SAFETY: as above.
    unsafe { withdraw_model(obj) };
    // SAFETY: all objects come from `calloc`, and none has a destructor.
    unsafe { libc::free(obj) };
    Ok(())
}

/// Erases the model that was committed through a handle, if there is one and its slab can be written.
///
/// # Safety
///
/// `obj` is a living handle.
unsafe fn withdraw_model(obj: Handle) {
    // SAFETY: the caller's promise; an instance outlives its handles.
    let (Some(model), Ok(instance)) = (unsafe { (object_at(obj), producer_of(obj)) }) else {
        return;
    };
    if let Ok(slab) = instance.writable_slab() {
        // SAFETY: a model of this instance.
        unsafe {
            if model_records::is_committed(model) {
                model_records::withdraw(&slab, instance, model);
            }
        }
    }
}

/// Whether an object has the type `type`: 0 if it has, **+22** if not, -22 for NULL.
#[no_mangle]
pub unsafe extern "C" fn nds_obj_handle_check_type(obj: Handle, r#type: c_int) -> c_int {
    // SAFETY: NULL or a living handle.
    match unsafe { Head::of(obj) } {
        Ok(head) if head.has_tag(r#type) => OK,
        Ok(_) => TYPE_MISMATCH,
        Err(failure) => code(Err(failure)),
    }
}

/// Publishes an object of one of the two process types in the slab at `base`. Returns 0, -22 or -12.
#[no_mangle]
pub unsafe extern "C" fn nds_commit_generic_obj(base: *mut c_void, obj: Handle) -> c_int {
    // SAFETY: NULL or a living handle, NULL or the base of its instance's slab.
    code(
        unsafe { producer_and_slab(base, obj) }.and_then(|(instance, slab)| {
            // SAFETY: as above.
            unsafe { commit_single(&slab, instance, obj) }
        }),
    )
}

/// Reads the record of one of the two process types. NULL if it is of another type, not whole at either of two
/// attempts, or without memory.
#[no_mangle]
pub unsafe extern "C" fn nds_read_generic_obj(inst: *mut Instance, r#type: c_int) -> Handle {
    // SAFETY: NULL or an open instance.
    unsafe {
        match Kind::from_tag(r#type) {
            Ok(Kind::ProcessInfo) => handle::<ProcessInfoObject>(read_single(inst)),
            Ok(Kind::ProcessInfoExt) => handle::<ProcessInfoExtObject>(read_single(inst)),
            _ => ptr::null_mut(),
        }
    }
}

/// The handle of an object; NULL if there is none.
pub(crate) fn handle<O>(object: Option<NonNull<O>>) -> Handle {
    object.map_or(ptr::null_mut(), |object| object.as_ptr().cast())
}

/// The instance of an object. Refuses NULL, and objects of readers.
///
/// # Safety
///
/// `obj` is NULL or a living handle, whose instance is open and stays so while the result is used.
unsafe fn producer_of<'a>(obj: Handle) -> Result<&'a Instance, Failure> {
    // SAFETY: the caller's promise.
    unsafe { Head::of(obj)?.instance()? }.as_producer()
}

/// What the internal committers and the deleter work on.
///
/// # Safety
///
/// As for [`producer_of`]; `base` is NULL or the first byte of the instance's slab.
pub(crate) unsafe fn producer_and_slab<'a>(
    base: *mut c_void,
    obj: Handle,
) -> Result<(&'a Instance, RawSlab), Failure> {
    // SAFETY: the caller's promise.
    let instance = unsafe { producer_of(obj)? };
    // SAFETY: as above; a producer's slab is writable.
    let slab = unsafe { slab_at(base) }.ok_or(Failure::NoMapping)?;
    Ok((instance, slab))
}

/// Publishes an object of one of the two process types.
///
/// # Safety
///
/// `obj` is a living handle of `instance`, whose slab is `slab`.
unsafe fn commit_single(slab: &RawSlab, instance: &Instance, obj: Handle) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    unsafe {
        let info: Option<NonNull<ProcessInfoObject>> = object_at(obj);
        let info_ext: Option<NonNull<ProcessInfoExtObject>> = object_at(obj);
        match (info, info_ext) {
            (Some(object), _) => publish_single(slab, instance, object),
            (_, Some(object)) => publish_single(slab, instance, object),
            (None, None) => Err(Failure::InvalidArgument),
        }
    }
}

/// # Safety
///
/// As for [`commit_single`].
unsafe fn publish_single<O: SingleObject<N>, const N: usize>(
    slab: &RawSlab,
    instance: &Instance,
    object: NonNull<O>,
) -> Result<(), Failure> {
    let mut image = Allocation::<[u8; N]>::zeroed().ok_or(Failure::NoMemory)?;
    // SAFETY: the caller's promise.
    unsafe { payload::copy_out(object, &mut image) };
    *image = O::sealed(&image);
    {
        let _turn = instance.take_turn();
        publish(slab, O::PLACE, &image);
    }
    // SAFETY: the caller's promise; the record is inside the slab.
    unsafe { payload::set_record(object, in_slab(slab.base(), O::PLACE.byte_offset())) };
    Ok(())
}

/// # Safety
///
/// `inst` is NULL or an open instance.
unsafe fn read_single<O: SingleObject<N>, const N: usize>(
    inst: *mut Instance,
) -> Option<NonNull<O>> {
    // SAFETY: the caller's promise.
    let slab = unsafe { Instance::at(inst) }?.slab().ok()?;
    let image = retry::read(&slab, O::PLACE, pause).ok()?;
    let object = payload::new::<O, N>(inst)?;
    // SAFETY: just made.
    unsafe {
        payload::copy_in(object, &image);
        payload::set_record(object, in_slab(slab.base(), O::PLACE.byte_offset()));
    }
    Some(object)
}
