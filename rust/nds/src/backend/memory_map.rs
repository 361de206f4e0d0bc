// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `mmap` and `munmap` calls, shared by all backends.

use std::os::fd::BorrowedFd;
use std::ptr::{self, NonNull};

use rustix::io::Errno;
use rustix::mm::{MapFlags, ProtFlags};

/// What a mapping may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Loads only: the pages are mapped without write permission.
    ReadOnly,
    /// Loads and stores: the slab of the process itself.
    ReadWrite,
}

impl Access {
    pub(super) fn protection(self) -> ProtFlags {
        match self {
            Self::ReadOnly => ProtFlags::READ,
            Self::ReadWrite => ProtFlags::READ | ProtFlags::WRITE,
        }
    }
}

/// A mapped range of this process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MappedRange {
    pub(crate) base: NonNull<u8>,
    pub(crate) len: usize,
}

/// Maps part of a file, shared with whoever else maps it.
pub(crate) fn map_shared(
    file: BorrowedFd<'_>,
    offset: u64,
    len: usize,
    access: Access,
) -> Result<MappedRange, Errno> {
    let (anywhere, protection) = (ptr::null_mut(), access.protection());
    // SAFETY: a new mapping at an address of the kernel's choice replaces nothing.
    let base =
        unsafe { rustix::mm::mmap(anywhere, len, protection, MapFlags::SHARED, file, offset) }?;
    let base = NonNull::new(base.cast()).ok_or(Errno::INVAL)?;
    Ok(MappedRange { base, len })
}

/// Takes a mapping down. A failure, which such a range excludes, would only leave it.
///
/// # Safety
///
/// `range` is a whole mapping that its caller owns, and nothing uses its addresses any more.
pub(crate) unsafe fn unmap(range: MappedRange) {
    // SAFETY: as the caller promises.
    let _ = unsafe { rustix::mm::munmap(range.base.as_ptr().cast(), range.len) };
}
