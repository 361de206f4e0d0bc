// SPDX-License-Identifier: MIT OR Apache-2.0
//! A mapped slab and its end: unmap, then release.
//!
//! Owns the address range; says nothing about the bytes in it.

use std::fmt;
use std::mem;
use std::os::fd::AsFd;
use std::ptr::NonNull;
use std::sync::Arc;

use nds_layout::{RawSlab, ReadOnlySlab, REQUIRED_SIZE, SLAB_SIZE};

use crate::backend::{map_shared, unmap, Access, Backend, MappedRange, OWN_SLAB};
use crate::{Error, Result};

/// The pid of this process, as a fork changes it.
pub(crate) fn current_pid() -> i32 {
    rustix::process::getpid().as_raw_nonzero().get()
}

/// One slab in the address space of this process.
///
/// Dropping it takes the mapping down and, for the process's own slab, gives the slab back, which
/// makes the kernel fold its counters into the totals and zero it. In a forked child, which does
/// not inherit the mapping, dropping does nothing.
///
/// # Invariants
///
/// - While the value lives, in process `owner`, `range` is mapped and readable, and writable if
///   `access` says so; it is 8-aligned and holds at least [`REQUIRED_SIZE`] bytes.
/// - `end` says truly who takes the range down.
pub struct SlabMapping {
    range: MappedRange,
    access: Access,
    owner: i32,
    end: End,
}

/// What dropping a mapping does.
enum End {
    /// Nothing: another library takes the mapping down.
    Foreign,
    /// Unmaps a file that is not a device.
    Unmap,
    /// Unmaps through the device.
    Device(Arc<dyn Backend>),
    /// Unmaps, then gives the process's own slab back.
    DeviceAndSlab(Arc<dyn Backend>),
}

// SAFETY: the range is plain shared memory that any thread may access; all accesses through this
// crate are atomic, and the backend is `Send + Sync`.
unsafe impl Send for SlabMapping {}
// SAFETY: as above.
unsafe impl Sync for SlabMapping {}

impl SlabMapping {
    /// Acquires and maps the process's own slab.
    pub(crate) fn own(backend: &Arc<dyn Backend>) -> Result<Self> {
        if !backend.writable() {
            return Err(Error::ReadOnlyDevice {
                device: backend.name(),
            });
        }
        Self::acquire(backend, OWN_SLAB, Access::ReadWrite).inspect_err(|error| {
            // The slab may be taken already; without a mapping nobody would ever give it back.
            if matches!(error, Error::System { .. } | Error::MapTooSmall { .. }) {
                let _ = backend.release_own();
            }
        })
    }

    /// Finds and maps, without write permission, the slab of process `pid`.
    pub(crate) fn of_process(backend: &Arc<dyn Backend>, pid: i32) -> Result<Self> {
        if pid == OWN_SLAB {
            return Err(Error::NoSuchProducer {
                device: backend.name(),
                pid,
            });
        }
        Self::acquire(backend, pid, Access::ReadOnly)
    }

    fn acquire(backend: &Arc<dyn Backend>, pid: i32, access: Access) -> Result<Self> {
        let handout = backend.acquire(pid)?;
        if handout.size < REQUIRED_SIZE {
            return Err(Error::MapTooSmall { size: handout.size });
        }
        let range = backend.map(handout, access)?;
        let backend = Arc::clone(backend);
        let end = match access {
            Access::ReadOnly => End::Device(backend),
            Access::ReadWrite => End::DeviceAndSlab(backend),
        };
        // INVARIANT: the backend has just mapped `range` with this access in this process.
        Ok(Self {
            range,
            access,
            owner: current_pid(),
            end,
        })
    }

    /// Maps the slab image that starts at `offset` of a file, without write permission: a dump, or
    /// the memory of an [`EmulatedDevice`](crate::EmulatedDevice) of another process.
    ///
    /// The file must not be truncated while it is mapped: reading what is gone raises `SIGBUS`.
    ///
    /// # Errors
    ///
    /// [`Error::MapTooSmall`] if the file ends before the image does; [`Error::Image`] if it cannot
    /// be mapped, for example because `offset` is not a multiple of the page size.
    pub fn of_file(file: impl AsFd, offset: u64) -> Result<Self> {
        let size = rustix::fs::fstat(&file)
            .map_err(|errno| Error::Image(errno.into()))?
            .st_size;
        let left = u64::try_from(size).unwrap_or(0).saturating_sub(offset);
        let len = usize::try_from(left).unwrap_or(SLAB_SIZE).min(SLAB_SIZE);
        if len < REQUIRED_SIZE {
            return Err(Error::MapTooSmall { size: len });
        }
        let range = map_shared(file.as_fd(), offset, len, Access::ReadOnly)
            .map_err(|errno| Error::Image(errno.into()))?;
        // INVARIANT: just mapped, readable; the size was checked.
        Ok(Self {
            range,
            access: Access::ReadOnly,
            owner: current_pid(),
            end: End::Unmap,
        })
    }

    /// Wraps a mapping that another library made and will take down.
    ///
    /// # Errors
    ///
    /// [`Error::MapTooSmall`] if `len` is below the 67 200 bytes of the layout.
    ///
    /// # Safety
    ///
    /// `base` is 8-aligned; `len` bytes from it stay mapped shared, readable and (with
    /// [`Access::ReadWrite`]) writable until the value and everything made from it is gone; no
    /// Rust reference to these bytes exists.
    pub unsafe fn from_raw(base: NonNull<u8>, len: usize, access: Access) -> Result<Self> {
        if len < REQUIRED_SIZE {
            return Err(Error::MapTooSmall { size: len });
        }
        // INVARIANT: promised by the caller, size just checked.
        let range = MappedRange { base, len };
        Ok(Self {
            range,
            access,
            owner: current_pid(),
            end: End::Foreign,
        })
    }

    /// First byte of the slab.
    #[must_use]
    pub fn base(&self) -> NonNull<u8> {
        self.range.base
    }

    /// Length of the mapping in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.range.len
    }

    /// Whether the mapping is writable.
    #[must_use]
    pub fn access(&self) -> Access {
        self.access
    }

    /// The words of the slab, to write.
    ///
    /// # Errors
    ///
    /// [`Error::ReadOnlyMapping`].
    ///
    /// # Safety
    ///
    /// The result is not used after the mapping is dropped.
    pub(crate) unsafe fn writable_slab(&self) -> Result<RawSlab> {
        if self.access != Access::ReadWrite {
            return Err(Error::ReadOnlyMapping);
        }
        // SAFETY: mapped and writable by the invariants, for as long as the caller promises; this
        // crate accesses it through `RawSlab` only.
        let slab = unsafe { RawSlab::new(self.range.base, self.range.len) };
        slab.ok_or(Error::MapTooSmall {
            size: self.range.len,
        })
    }

    /// The words of the slab, to read.
    ///
    /// # Errors
    ///
    /// [`Error::MapTooSmall`], which the invariants exclude.
    ///
    /// # Safety
    ///
    /// The result is not used after the mapping is dropped.
    pub(crate) unsafe fn readable_slab(&self) -> Result<ReadOnlySlab> {
        // SAFETY: mapped and readable by the invariants, for as long as the caller promises; this
        // crate accesses it through `RawSlab` only.
        let slab = unsafe { ReadOnlySlab::read_only(self.range.base, self.range.len) };
        slab.ok_or(Error::MapTooSmall {
            size: self.range.len,
        })
    }

    /// Whether this process is a forked child, which has the value but not the mapping.
    pub(crate) fn is_inherited(&self) -> bool {
        current_pid() != self.owner
    }

    /// Leaves the slab to another mapping of it, so that this one only unmaps when it ends.
    pub fn leave_slab(&mut self) {
        if let End::DeviceAndSlab(backend) = &self.end {
            self.end = End::Device(Arc::clone(backend));
        }
    }

    /// Ends the mapping as dropping it does, and tells whether the slab could be given back.
    ///
    /// # Errors
    ///
    /// Failures of the release. The mapping is gone all the same.
    pub fn close(mut self) -> Result<()> {
        self.finish()
    }

    /// Ends the mapping; a second time does nothing.
    fn finish(&mut self) -> Result<()> {
        let end = mem::replace(&mut self.end, End::Foreign);
        if self.is_inherited() {
            return Ok(());
        }
        // SAFETY: by the type's invariants the range is a mapping of this kind in this process, and
        // nothing can use it once its owner is finished.
        unsafe {
            match &end {
                End::Foreign => {}
                End::Unmap => unmap(self.range),
                End::Device(backend) | End::DeviceAndSlab(backend) => backend.unmap(self.range),
            }
        }
        match end {
            End::DeviceAndSlab(backend) => backend.release_own(),
            _ => Ok(()),
        }
    }

    /// The process the mapping exists in.
    pub(crate) fn owner(&self) -> i32 {
        self.owner
    }
}

impl Drop for SlabMapping {
    fn drop(&mut self) {
        // Not reportable from a destructor; the kernel also releases when the file goes.
        let _ = self.finish();
    }
}

impl fmt::Debug for SlabMapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SlabMapping")
            .field("base", &self.range.base)
            .field("size", &self.range.len)
            .field("access", &self.access)
            .finish_non_exhaustive()
    }
}
