// SPDX-License-Identifier: MIT OR Apache-2.0
//! Opening and closing a slab, and its header (libnds reference section 6.1).

use std::ffi::{c_int, c_void};
use std::mem;
use std::ptr::{self, NonNull};

use nds_layout::{header, retry, ReadOnlySlab};

use crate::allocation::Allocation;
use crate::failure::{code, Failure};
use crate::instance::Instance;
use crate::ndl::{Device, Mapping};
use crate::pause::pause;
use crate::producers;

/// Opens the slab of this process (`pid` 0, a producer) or of process `pid` (a reader).
///
/// `*inst` is written on success only. Returns 0, what NDL returned, -22 or -12.
#[no_mangle]
pub unsafe extern "C" fn nds_open(
    device: *mut Device,
    pid: libc::pid_t,
    inst: *mut *mut Instance,
) -> c_int {
    let Some(inst) = NonNull::new(inst) else {
        return code(Err(Failure::InvalidArgument));
    };
    // SAFETY: the caller's promises are passed on.
    let opened = unsafe { open(device, pid) };
    // SAFETY: a place for a pointer, by the contract of the header.
    code(opened.map(|instance| unsafe { inst.write(instance.into_raw()) }))
}

/// # Safety
///
/// As [`Mapping::open`].
unsafe fn open(device: *mut Device, pid: libc::pid_t) -> Result<Allocation<Instance>, Failure> {
    producers::refuse_own(device, pid)?;
    // SAFETY: the caller's promise.
    let mapping = unsafe { Mapping::open(device, pid)? };
    let instance = Instance::new(&mapping);
    let slab = instance.slab().map_err(|_| Failure::UnusableMapping)?;
    let instance = Allocation::holding(instance).ok_or(Failure::NoMemory)?;
    if instance.is_reader() {
        check(&slab)?;
    } else {
        producers::add(device)?;
        header::commit(&instance.writable_slab()?);
    }
    // From here on the instance ends the mapping.
    mem::forget(mapping);
    Ok(instance)
}

/// Gives the slab back and frees the instance, whatever NDL says to it. Returns what NDL returned.
///
/// A reader of this very process stays open, with -22, while the process has a producer on the same device: the
/// kernel would take the slab from the producer.
#[no_mangle]
pub unsafe extern "C" fn nds_close(inst: *mut Instance) -> c_int {
    // SAFETY: NULL or an open instance.
    code(unsafe { close(inst) })
}

/// # Safety
///
/// `inst` is NULL or an open instance; it is gone afterwards unless the answer is `OwnProducer`.
unsafe fn close(inst: *mut Instance) -> Result<(), Failure> {
    let inst = NonNull::new(inst).ok_or(Failure::InvalidArgument)?;
    {
        // SAFETY: an open instance.
        let instance = unsafe { inst.as_ref() };
        producers::refuse_own(instance.device(), instance.pid())?;
    }
    // SAFETY: from `nds_open`, and closed once.
    let instance = unsafe { Allocation::from_raw(inst) };
    if !instance.is_reader() {
        producers::remove(instance.device());
    }
    instance.mapping().close()
}

/// First byte of the slab; NULL if there is none.
#[no_mangle]
pub unsafe extern "C" fn nds_get_ptr(inst: *mut Instance) -> *mut c_void {
    // SAFETY: NULL or an open instance.
    unsafe { Instance::at(inst) }.map_or(ptr::null_mut(), Instance::base)
}

/// Whether the instance is a reader. NULL counts as one: nothing can be written through it.
#[no_mangle]
pub unsafe extern "C" fn nds_is_read_only(inst: *mut Instance) -> bool {
    // SAFETY: NULL or an open instance.
    unsafe { Instance::at(inst) }.is_none_or(Instance::is_reader)
}

/// Stamps the header of a producer's slab. Does nothing to a reader's.
#[no_mangle]
pub unsafe extern "C" fn nds_commit_header(inst: *mut Instance) {
    // SAFETY: NULL or an open instance.
    if let Some(Ok(slab)) = unsafe { Instance::at(inst) }.map(Instance::writable_slab) {
        header::commit(&slab);
    }
}

/// Checks the header, and once more after 500 us. Returns 0, -1 or -22.
#[no_mangle]
pub unsafe extern "C" fn nds_check_header(inst: *mut Instance) -> c_int {
    // SAFETY: NULL or an open instance.
    let slab = unsafe { Instance::at(inst) }
        .ok_or(Failure::InvalidArgument)
        .and_then(Instance::slab);
    code(slab.and_then(|slab| check(&slab)))
}

fn check(slab: &ReadOnlySlab) -> Result<(), Failure> {
    if retry::check_header(slab, pause) {
        Ok(())
    } else {
        Err(Failure::BadHeader)
    }
}
