// SPDX-License-Identifier: GPL-2.0
//! The devices in debugfs: slots, last post and statistics, for people.
//!
//! Owns the files; their text is made in `rules` from a report or from the last post. The files are made by hand and
//! not with `kernel::debugfs`, whose file operations have no owner: an open file has to keep the module.

use core::{marker::PhantomData, ptr};

use kernel::{bindings, prelude::*, seq_file::SeqFile, str::CString, sync::Arc};

use crate::{
    compat,
    datastore::Device,
    rules::listing::{self, Line},
};

/// A directory; it goes, with all in it, when this goes. Where debugfs gives none there are no files, and that is all.
///
/// # Invariants
///
/// The pointer is what `debugfs_create_dir` gave.
struct Dir(*mut bindings::dentry);

// SAFETY: debugfs takes the locks it needs, whoever calls.
unsafe impl Send for Dir {}
// SAFETY: As above.
unsafe impl Sync for Dir {}

impl Dir {
    fn new(name: &CStr, parent: Option<&Self>) -> Self {
        let parent = parent.map_or(ptr::null_mut(), |dir| dir.0);
        // SAFETY: The name is terminated, and copied; the parent is null or a directory of ours.
        Self(unsafe { bindings::debugfs_create_dir(name.as_char_ptr(), parent) })
    }

    /// Makes a file that shows something of a device.
    ///
    /// # Safety
    ///
    /// The device must outlive the directory.
    unsafe fn add_file<T: Show>(&self, device: &Device) {
        let data = ptr::from_ref(device).cast_mut().cast();
        // SAFETY: The name is terminated, and copied; the operations are a constant; the caller keeps the device.
        unsafe {
            bindings::debugfs_create_file_full(
                T::NAME.as_char_ptr(),
                0o400,
                self.0,
                data,
                ptr::null(),
                &Operations::<T>::TABLE,
            );
        }
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        // SAFETY: By the type invariant; this waits for readers of the files.
        unsafe { bindings::debugfs_remove(self.0) };
    }
}

/// The files of all devices; they go when this goes.
pub(crate) struct Shown {
    _files: KVec<Files>,
    _root: Dir,
}

impl Shown {
    /// Makes them. Where memory is short some are missing, and nothing else suffers.
    pub(crate) fn new(devices: &[Arc<Device>]) -> Self {
        let root = Dir::new(c"neuron_nds", None);
        let mut files = KVec::new();
        for device in devices {
            let made = Files::new(&root, device.clone());
            if made
                .and_then(|made| Ok(files.push(made, GFP_KERNEL)?))
                .is_err()
            {
                break;
            }
        }
        Self {
            _files: files,
            _root: root,
        }
    }
}

/// The files of one device. The directory comes first, since it has to go before the device.
struct Files {
    _dir: Dir,
    _device: Arc<Device>,
}

impl Files {
    /// Makes the files of a device in a directory with its number.
    ///
    /// # Errors
    ///
    /// `ENOMEM`.
    fn new(root: &Dir, device: Arc<Device>) -> Result<Self> {
        let number = CString::try_from_fmt(fmt!("{}", device.index))?;
        let dir = Dir::new(&number, Some(root));
        // SAFETY: The device is kept beside the directory, and dropped after it.
        unsafe {
            dir.add_file::<Slots>(&device);
            dir.add_file::<LastPost>(&device);
            dir.add_file::<Counts>(&device);
        }
        Ok(Self {
            _dir: dir,
            _device: device,
        })
    }
}

/// What a file shows.
trait Show {
    const NAME: &'static CStr;

    fn show(device: &Device, out: &SeqFile) -> Result;
}

/// Writes the lines that `line` makes, by number, until it makes none.
pub(crate) fn show_lines(out: &SeqFile, line: impl Fn(usize, &mut Line) -> bool) {
    let mut text = Line::new();
    let mut number = 0;
    while line(number, &mut text) {
        let bytes = text.as_bytes();
        // SAFETY: A `SeqFile` is a valid `seq_file`; the bytes are read only during the call.
        unsafe {
            let lines = ptr::from_ref(out).cast_mut().cast::<bindings::seq_file>();
            bindings::seq_write(lines, bytes.as_ptr().cast(), bytes.len());
        }
        text.clear();
        number += 1;
    }
}

/// The file operations of one kind of file.
struct Operations<T>(PhantomData<T>);

impl<T: Show> Operations<T> {
    const TABLE: bindings::file_operations = bindings::file_operations {
        owner: compat::this_module(),
        open: Some(Self::open),
        read: Some(bindings::seq_read),
        llseek: Some(bindings::seq_lseek),
        release: Some(bindings::single_release),
        ..pin_init::zeroed()
    };

    /// # Safety
    ///
    /// Called by the kernel for a file that was made by [`Dir::add_file`] and is being opened.
    unsafe extern "C" fn open(inode: *mut bindings::inode, file: *mut bindings::file) -> c_int {
        // SAFETY: The kernel passes a file that is being opened, and its inode, which has the data it was made with.
        unsafe { bindings::single_open(file, Some(Self::show), (*inode).i_private) }
    }

    /// # Safety
    ///
    /// Called by the kernel for a file that [`Self::open`] opened.
    unsafe extern "C" fn show(lines: *mut bindings::seq_file, _: *mut c_void) -> c_int {
        // SAFETY: The data is a device that outlives the file, and debugfs lets nobody read a file that is gone. The
        // kernel passes a `seq_file` for this thread alone.
        let (device, lines) = unsafe {
            (
                &*(*lines).private.cast::<Device>(),
                SeqFile::from_raw(lines),
            )
        };
        match T::show(device, lines) {
            Ok(()) => 0,
            Err(error) => error.to_errno(),
        }
    }
}

struct Slots;

impl Show for Slots {
    const NAME: &'static CStr = c"slots";

    fn show(device: &Device, out: &SeqFile) -> Result {
        let report = device.report()?;
        show_lines(out, |number, line| listing::slots(&report, number, line));
        Ok(())
    }
}

struct LastPost;

impl Show for LastPost {
    const NAME: &'static CStr = c"last_post";

    fn show(device: &Device, out: &SeqFile) -> Result {
        let message = device.last_post();
        show_lines(out, |number, line| {
            listing::last_post(&message, number, line)
        });
        Ok(())
    }
}

struct Counts;

impl Show for Counts {
    const NAME: &'static CStr = c"statistics";

    fn show(device: &Device, out: &SeqFile) -> Result {
        let report = device.report()?;
        show_lines(out, |number, line| {
            listing::statistics(report.statistics(), number, line)
        });
        Ok(())
    }
}
