// SPDX-License-Identifier: GPL-2.0
//! The ioctl commands: decoding, dispatch, encoding. The errno of a refusal is decided in `rules`.
//!
//! Facts: ABI reference, "ioctl".

use kernel::{
    bindings,
    fs::File,
    ioctl::_IOWR,
    prelude::*,
    transmute::{AsBytes, FromBytes},
    uaccess::{UserPtr, UserSlice},
};

use crate::{
    ffi,
    file::OpenFile,
    layout::{
        ioctl::{ACQUIRE, ARGUMENT_SIZE, MMAP_OFFSET_OFFSET, PID_OFFSET, RELEASE, SIZE_OFFSET},
        region::SLAB_SIZE,
    },
    rules::{Cookie, Refusal},
};

/// The magic of this module's own commands.
const OWN_MAGIC: u32 = 0xd5;

/// Report. Its argument begins with a [`ReportHead`]; the size in the word is that of the head, so that it stays when
/// the report grows.
const REPORT: u32 = _IOWR::<ReportHead>(OWN_MAGIC, 1);

const _: () = assert!(REPORT == 0xc008_d501);

/// `struct neuron_ioctl_nds` as words, so that its holes come back as they were.
struct NdsArgument([u64; ARGUMENT_SIZE / size_of::<u64>()]);

const _: () =
    assert!(PID_OFFSET == 0 && MMAP_OFFSET_OFFSET == 8 && SIZE_OFFSET == 16 && ARGUMENT_SIZE == 24);

impl NdsArgument {
    const EMPTY: Self = Self([0; 3]);

    /// Takes over the caller's words.
    #[inline]
    fn read(&mut self, open: &OpenFile, address: usize) -> Result {
        // SAFETY: Takes any address; there is room for three words.
        if unsafe { ffi::nds_get_argument(self.0.as_mut_ptr(), address as *const c_void) } {
            Ok(())
        } else {
            Err(bad_pointer(open))
        }
    }

    /// The process that is named: the low half of the first word.
    const fn pid(&self) -> i32 {
        self.0[0] as i32
    }

    /// Tells the caller what to map. The hole and the tail stay as they were.
    #[inline]
    fn answer(&mut self, open: &OpenFile, address: usize, cookie: Cookie) -> Result {
        self.0[1] = cookie.offset();
        self.0[2] = self.0[2] & !u64::from(u32::MAX) | SLAB_SIZE as u64;
        // SAFETY: Takes any address; the words are three.
        if unsafe { ffi::nds_put_argument(address as *mut c_void, self.0.as_ptr()) } {
            Ok(())
        } else {
            Err(bad_pointer(open))
        }
    }
}

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

#[inline]
fn acquire(open: &OpenFile, file: &File, address: usize) -> Result<isize> {
    let mut argument = NdsArgument::EMPTY;
    argument.read(open, address)?;
    let writable = file.flags() & bindings::O_RDWR != 0;
    if argument.pid() == 0 && writable {
        if let Some(cookie) = open.device.reacquire(open) {
            return argument.answer(open, address, cookie).map(|()| 0);
        }
    }
    acquire_anew(open, &mut argument, address, writable)
}

#[inline(never)]
fn acquire_anew(
    open: &OpenFile,
    argument: &mut NdsArgument,
    address: usize,
    writable: bool,
) -> Result<isize> {
    let device = &open.device;
    let acquired = device
        .acquire(open, argument.pid(), writable)
        .map_err(errno)?;
    if let Err(error) = argument.answer(open, address, acquired.cookie) {
        device.undo(open, acquired);
        return Err(error);
    }
    Ok(0)
}

#[inline(never)]
fn release(open: &OpenFile, address: usize) -> Result<isize> {
    let mut argument = NdsArgument::EMPTY;
    argument.read(open, address)?;
    open.device.release(open, argument.pid());
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
#[inline(never)]
fn report(open: &OpenFile, address: usize) -> Result<isize> {
    let user = UserPtr::from_addr(address);
    let head = UserSlice::new(user, size_of::<ReportHead>())
        .reader()
        .read();
    let ReportHead { size, .. } = head.map_err(|_| bad_pointer(open))?;
    let room = size as usize;
    if room < size_of::<ReportHead>() {
        return refuse(open, Refusal::BadLength);
    }
    let mut snapshot = open.device.report()?;
    let bytes = snapshot.limit(room);
    UserSlice::new(user, bytes)
        .writer()
        .write_slice(snapshot.as_bytes().get(..bytes).ok_or(EINVAL)?)
        .map_err(|_| bad_pointer(open))?;
    Ok(0)
}

#[cold]
fn bad_pointer(open: &OpenFile) -> Error {
    errno(open.device.refuse(Refusal::BadPointer))
}

#[cold]
fn refuse(open: &OpenFile, reason: Refusal) -> Result<isize> {
    Err(errno(open.device.refuse(reason)))
}

/// The errno of a refusal.
pub(crate) fn errno(refusal: Refusal) -> Error {
    Error::from_errno(-refusal.errno())
}
