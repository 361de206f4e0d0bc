// SPDX-License-Identifier: GPL-2.0
//! One open file of a device: what it has acquired, and through which address space its mappings can be found.
//!
//! Owns the record and its place in the device's list of files. What a file may do is decided in `rules`.

use core::cell::UnsafeCell;

use kernel::{
    alloc::flags::GFP_KERNEL_ACCOUNT,
    bindings,
    fs::File,
    list::{impl_list_arc_safe, impl_list_item, List, ListArc, ListLinks},
    new_mutex,
    prelude::*,
    sync::{
        atomic::{Atomic, Relaxed},
        Arc, Mutex,
    },
};

use crate::{
    datastore::Device,
    rules::{slot::Slot, FileRights},
    text::Reading,
};

/// The private data of a file.
///
/// # Invariants
///
/// `rights` is accessed only by whoever holds the [`FilesKey`] of `device`. `address_space` is that of the file's
/// inode, and valid until the file is released.
#[pin_data]
pub(crate) struct OpenFile {
    /// The device it was opened on.
    pub(crate) device: Arc<Device>,
    address_space: *mut bindings::address_space,
    rights: UnsafeCell<FileRights>,
    /// Slots of which a mapping may exist, as a set of bits.
    mapped: Atomic<u32>,
    /// The report that is being read through this file.
    #[pin]
    pub(crate) reading: Mutex<Option<Reading>>,
    #[pin]
    links: ListLinks,
}

// SAFETY: By the type invariants nothing is used without the device's lock, or it is atomic or constant.
unsafe impl Send for OpenFile {}
// SAFETY: As above.
unsafe impl Sync for OpenFile {}

impl_list_arc_safe! {
    impl ListArcSafe<0> for OpenFile { untracked; }
}
impl_list_item! {
    impl ListItem<0> for OpenFile { using ListLinks { self.links }; }
}

/// The right to use the rights of a device's files. There is one for each device, behind its lock.
pub(crate) struct FilesKey(());

impl FilesKey {
    /// The key of a new device.
    ///
    /// # Safety
    ///
    /// Called once for each device, and the key stays behind the device's lock.
    pub(crate) unsafe fn new() -> Self {
        Self(())
    }
}

impl OpenFile {
    /// The record of a file that is being opened. It is not in the device's list yet.
    pub(crate) fn new(device: Arc<Device>, file: &File) -> Result<ListArc<Self>> {
        // SAFETY: The file is being opened: its mapping is set and does not change any more.
        let address_space = unsafe { (*file.as_ptr()).f_mapping };
        // INVARIANT: The file keeps its inode until it is released.
        ListArc::pin_init(
            try_pin_init!(Self {
                device,
                address_space,
                rights: UnsafeCell::new(FileRights::new()),
                mapped: Atomic::new(0),
                reading <- new_mutex!(None),
                links <- ListLinks::new(),
            }),
            GFP_KERNEL_ACCOUNT,
        )
    }

    /// What the file has acquired.
    #[inline]
    pub(crate) fn rights<'a>(&'a self, _key: &'a mut FilesKey) -> &'a mut FileRights {
        // SAFETY: By the type invariant the key of this file's device is needed, of which there is one, and it is
        // borrowed for as long as the result is. Keys of other devices are never combined with this file: only
        // `Device` has keys, and it checks nothing but its own files.
        unsafe { &mut *self.rights.get() }
    }

    /// A mapping of that slot through this file may exist from now on. Called under the device's lock.
    pub(crate) fn note_mapping(&self, slot: Slot) {
        self.mapped
            .store(self.mapped.load(Relaxed) | 1 << slot.index(), Relaxed);
    }

    fn take_mapped(&self, slot: Slot) -> bool {
        let mapped = self.mapped.load(Relaxed);
        let bit = 1 << slot.index();
        self.mapped.store(mapped & !bit, Relaxed);
        mapped & bit != 0
    }
}

/// Takes away every mapping that files of this list have of `length` bytes at file offset `offset`, where slot `slot`
/// is. Called under the device's lock. Several device nodes have several address spaces, most files share one.
pub(crate) fn unmap_everywhere(files: &List<OpenFile>, slot: Slot, offset: u64, length: usize) {
    let mut done = core::ptr::null_mut();
    for file in files.iter() {
        if !file.take_mapped(slot) || file.address_space == done {
            continue;
        }
        done = file.address_space;
        // SAFETY: A file in the list has not been released, so its address space is valid. No lock is held that
        // `unmap_mapping_range` takes.
        unsafe { bindings::unmap_mapping_range(done, offset as i64, length as i64, 1) };
    }
}
