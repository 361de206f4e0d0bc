// SPDX-License-Identifier: GPL-2.0
//! The devices in debugfs: slots, last post and statistics, for people.
//!
//! Owns the files and their text. Everything in it comes from a report or from the last post. The files are made by
//! hand and not with `kernel::debugfs`, whose file operations have no owner: an open file has to keep the module.

use core::{marker::PhantomData, ptr};

use kernel::{bindings, prelude::*, seq_file::SeqFile, seq_print, str::CString, sync::Arc};

use crate::{
    compat,
    datastore::Device,
    rules::{OccupancyRow, Refusal, Statistics},
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

/// A row an occupancy.
struct Slots;

impl Show for Slots {
    const NAME: &'static CStr = c"slots";

    fn show(device: &Device, out: &SeqFile) -> Result {
        let report = device.report()?;
        seq_print!(out, "slot generation pid uid age_ms cores stale_uses\n");
        report.rows().for_each(|row| show_row(row, out));
        Ok(())
    }
}

fn show_row(row: &OccupancyRow, out: &SeqFile) {
    let age_ms = row.age_ns / 1_000_000;
    let (pid, uid, cores) = (row.process.pid, row.process.uid, row.cores.bits());
    let (slot, generation, stale) = (row.slot, row.generation, row.stale_uses);
    seq_print!(
        out,
        "{slot} {generation} {pid} {uid} {age_ms} {cores:#06x} {stale}\n"
    );
}

/// The bytes in hexadecimal, then one record a line as `id:length:value`.
struct LastPost;

impl Show for LastPost {
    const NAME: &'static CStr = c"last_post";

    fn show(device: &Device, out: &SeqFile) -> Result {
        let message = device.last_post();
        for byte in message.as_bytes() {
            seq_print!(out, "{byte:02x}");
        }
        seq_print!(out, "\n");
        for record in message.records() {
            seq_print!(out, "{}:{}:", record.id, record.value.len());
            for byte in record.value {
                seq_print!(out, "{}", char::from(*byte));
            }
            seq_print!(out, "\n");
        }
        Ok(())
    }
}

/// What the device did.
struct Counts;

impl Show for Counts {
    const NAME: &'static CStr = c"statistics";

    fn show(device: &Device, out: &SeqFile) -> Result {
        let report = device.report()?;
        show_counts(report.statistics(), out);
        Ok(())
    }
}

fn show_counts(counts: &Statistics, out: &SeqFile) {
    let named = [
        ("acquires", counts.acquires),
        ("attaches", counts.attaches),
        ("releases", counts.releases),
        ("closes", counts.closes),
        ("reaps", counts.reaps),
        ("stale_uses", counts.stale_uses),
        ("bytes_zeroed", counts.bytes_zeroed),
    ];
    for (name, count) in named {
        seq_print!(out, "{name} {count}\n");
    }
    for reason in Refusal::ALL {
        seq_print!(
            out,
            "refused_{} {}\n",
            reason.name(),
            counts.refused(reason)
        );
    }
}
