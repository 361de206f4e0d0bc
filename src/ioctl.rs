// SPDX-License-Identifier: GPL-2.0
//! The ioctl commands: decoding, dispatch, encoding, and every errno.
//!
//! Owns the mapping of refusals to errnos. Facts: ABI reference, "ioctl".

use core::mem::offset_of;

use kernel::{
    bindings,
    fs::File,
    ioctl::_IOWR,
    prelude::*,
    transmute::{AsBytes, FromBytes},
    uaccess::{UserPtr, UserSlice},
};

use crate::{
    file::OpenFile,
    layout::{
        ioctl::{ACQUIRE, ARGUMENT_SIZE, MMAP_OFFSET_OFFSET, RELEASE, SIZE_OFFSET},
        region::SLAB_SIZE,
    },
    rules::Refusal,
};

/// The magic of this module's own commands.
const OWN_MAGIC: u32 = 0xd5;

/// Report. Its argument begins with a [`ReportHead`]; the size in the word is that of the head, so that it stays when
/// the report grows.
const REPORT: u32 = _IOWR::<ReportHead>(OWN_MAGIC, 1);

const _: () = assert!(REPORT == 0xc008_d501);

/// `struct neuron_ioctl_nds`.
#[repr(C)]
struct NdsArgument {
    pid: i32,
    _hole: u32,
    mmap_offset: u64,
    size: u32,
    _tail: u32,
}

const _: () = assert!(
    size_of::<NdsArgument>() == ARGUMENT_SIZE
        && offset_of!(NdsArgument, mmap_offset) == MMAP_OFFSET_OFFSET
        && offset_of!(NdsArgument, size) == SIZE_OFFSET
);

// SAFETY: Every bit pattern is a value of each field, and there is no padding.
unsafe impl FromBytes for NdsArgument {}
// SAFETY: There is no padding, and no pointer in it.
unsafe impl AsBytes for NdsArgument {}

/// Answers an ioctl of a 64-bit caller.
///
/// # Errors
///
/// `EINVAL` for an unknown word or a write-only file, `EFAULT` for a pointer that cannot be read and written, and those
/// of [`errno`].
#[inline]
pub(crate) fn dispatch(
    open: &OpenFile,
    file: &File,
    command: u32,
    argument: usize,
) -> Result<isize> {
    if file.flags() & bindings::O_WRONLY != 0 {
        return refuse(open, Refusal::BadWord);
    }
    match command {
        ACQUIRE => acquire(open, file, argument),
        RELEASE => release(open, argument),
        REPORT => report(open, argument),
        _ => refuse(open, Refusal::BadWord),
    }
}

fn acquire(open: &OpenFile, file: &File, address: usize) -> Result<isize> {
    let mut argument: NdsArgument = read(open, address)?;
    let writable = file.flags() & bindings::O_RDWR != 0;
    let acquired = open
        .device
        .acquire(open, argument.pid, writable)
        .map_err(errno)?;
    argument.mmap_offset = acquired.cookie.offset();
    argument.size = SLAB_SIZE as u32;
    let user = UserSlice::new(UserPtr::from_addr(address), size_of::<NdsArgument>());
    if let Err(fault) = user.writer().write(&argument) {
        open.device.undo(open, acquired);
        return Err(fault);
    }
    Ok(0)
}

fn release(open: &OpenFile, address: usize) -> Result<isize> {
    let argument: NdsArgument = read(open, address)?;
    open.device.release(open, argument.pid);
    Ok(0)
}

/// The start of a report: how many bytes the caller has room for, and the edition.
#[repr(C)]
struct ReportHead {
    size: u32,
    version: u32,
}

// SAFETY: Every bit pattern is a value of each field, and there is no padding.
unsafe impl FromBytes for ReportHead {}

/// Fills as much of a report as caller and module both know; its `size` says how much that is.
fn report(open: &OpenFile, address: usize) -> Result<isize> {
    let room = read::<ReportHead>(open, address)?.size as usize;
    if room < size_of::<ReportHead>() {
        return refuse(open, Refusal::BadLength);
    }
    let mut snapshot = open.device.report()?;
    let bytes = snapshot.limit(room);
    UserSlice::new(UserPtr::from_addr(address), bytes)
        .writer()
        .write_slice(snapshot.as_bytes().get(..bytes).ok_or(EINVAL)?)
        .inspect_err(|_| count_bad_pointer(open))?;
    Ok(0)
}

fn read<T: FromBytes>(open: &OpenFile, address: usize) -> Result<T> {
    UserSlice::new(UserPtr::from_addr(address), size_of::<T>())
        .reader()
        .read()
        .inspect_err(|_| count_bad_pointer(open))
}

fn count_bad_pointer(open: &OpenFile) {
    open.device.refuse(Refusal::BadPointer);
}

fn refuse(open: &OpenFile, reason: Refusal) -> Result<isize> {
    Err(errno(open.device.refuse(reason)))
}

/// The errno of a refusal.
pub(crate) fn errno(refusal: Refusal) -> Error {
    match refusal {
        Refusal::NoSlot => ENOMEM,
        Refusal::NoSuchOwner => ENOENT,
        Refusal::Policy | Refusal::NotWritable => EACCES,
        Refusal::BadPointer => EFAULT,
        Refusal::BadCookie | Refusal::BadLength | Refusal::PrivateWritable | Refusal::BadWord => {
            EINVAL
        }
    }
}
