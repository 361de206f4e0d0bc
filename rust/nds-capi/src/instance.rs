// SPDX-License-Identifier: MIT OR Apache-2.0
//! The instance behind an `nds_instance_t *`: a mapped slab, and whether it may be written.

use std::ffi::c_void;
use std::mem::{offset_of, size_of};
use std::ptr::NonNull;

use nds_layout::{RawSlab, ReadOnlySlab, REQUIRED_SIZE};

use crate::failure::Failure;
use crate::lock::{Held, Lock};
use crate::ndl::{Device, Mapping};

/// The pid of a producer instance; any other one is that of the process which a reader reads.
const PRODUCER: libc::pid_t = 0;

/// An open slab. Opaque to callers, yet laid out as in the original, so that tools that look into it go on working.
///
/// # Invariants
///
/// `base` is NULL, or the start of an aligned mapping of at least the required size, writable if `pid` is 0, that
/// stays until the instance is closed.
#[repr(C)]
pub struct Instance {
    pid: libc::pid_t,
    device: *mut Device,
    size: usize,
    base: *mut c_void,
    lock: Lock,
}

impl Instance {
    /// An instance that owns a mapping.
    pub(crate) const fn new(mapping: &Mapping) -> Self {
        Self {
            pid: mapping.pid,
            device: mapping.device,
            size: mapping.size,
            base: mapping.base,
            lock: Lock::new(),
        }
    }

    /// The instance at a C pointer; `None` for NULL.
    ///
    /// # Safety
    ///
    /// Not NULL means an open instance.
    pub(crate) unsafe fn at<'a>(instance: *const Self) -> Option<&'a Self> {
        // SAFETY: by the contract, and nothing makes exclusive references to an open instance.
        unsafe { instance.as_ref() }
    }

    /// The mapping, to be closed.
    pub(crate) const fn mapping(&self) -> Mapping {
        Mapping {
            device: self.device,
            pid: self.pid,
            base: self.base,
            size: self.size,
        }
    }

    /// The device that the slab is of.
    pub(crate) const fn device(&self) -> *mut Device {
        self.device
    }

    /// 0, or the process that a reader reads.
    pub(crate) const fn pid(&self) -> libc::pid_t {
        self.pid
    }

    /// Whether this is a reader, which may not write.
    pub(crate) const fn is_reader(&self) -> bool {
        self.pid != PRODUCER
    }

    /// The gate: refuses readers.
    pub(crate) const fn as_producer(&self) -> Result<&Self, Failure> {
        if self.is_reader() {
            Err(Failure::ReadOnly)
        } else {
            Ok(self)
        }
    }

    /// First byte of the slab; NULL without a mapping.
    pub(crate) const fn base(&self) -> *mut c_void {
        self.base
    }

    /// The slab, to read.
    pub(crate) fn slab(&self) -> Result<ReadOnlySlab, Failure> {
        let base = NonNull::new(self.base.cast()).ok_or(Failure::NoMapping)?;
        // SAFETY: mapped by the invariant; the result does not leave the call that uses it.
        unsafe { ReadOnlySlab::read_only(base, self.size) }.ok_or(Failure::UnusableMapping)
    }

    /// The slab, to write. A missing mapping is found before the gate.
    pub(crate) fn writable_slab(&self) -> Result<RawSlab, Failure> {
        let base = NonNull::new(self.base.cast()).ok_or(Failure::NoMapping)?;
        self.as_producer()?;
        // SAFETY: mapped by the invariant, and writable as this is a producer; the result does not leave the call
        // that uses it.
        unsafe { RawSlab::new(base, self.size) }.ok_or(Failure::UnusableMapping)
    }

    /// Waits for the turn to write records and to choose slots.
    pub(crate) fn take_turn(&self) -> Held<'_> {
        self.lock.hold()
    }
}

/// The slab at a pointer that an internal function was given; `None` if there can be none.
///
/// # Safety
///
/// `base` is NULL or the start of a writable mapping of at least the required size, which outlives the result.
pub(crate) unsafe fn slab_at(base: *mut c_void) -> Option<RawSlab> {
    let base = NonNull::new(base.cast())?;
    // SAFETY: promised by the caller.
    unsafe { RawSlab::new(base, REQUIRED_SIZE) }
}

/// Address of a byte of the slab at `base`.
pub(crate) fn in_slab(base: NonNull<u8>, offset: usize) -> *mut c_void {
    base.as_ptr().wrapping_add(offset).cast()
}

const _: () = {
    assert!(offset_of!(Instance, pid) == 0);
    assert!(offset_of!(Instance, device) == 8);
    assert!(offset_of!(Instance, size) == 16);
    assert!(offset_of!(Instance, base) == 24);
    assert!(offset_of!(Instance, lock) == 32);
    assert!(size_of::<Instance>() == 32 + size_of::<libc::pthread_mutex_t>());
};
