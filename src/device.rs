// SPDX-License-Identifier: GPL-2.0
//! The node of a device: registration and file operations, nothing else.

use kernel::{
    fs::{File, Kiocb},
    iov::IovIterDest,
    miscdevice::{MiscDevice, MiscDeviceOptions, MiscDeviceRegistration},
    mm::virt::VmaNew,
    prelude::*,
    seq_file::SeqFile,
    str::CString,
    sync::{
        atomic::{Acquire, Atomic, Release},
        Arc, ArcBorrow,
    },
};

use crate::{
    compat, datastore::Device, debugfs::show_lines, file::OpenFile, ioctl, mapping,
    metrics::RunningTicker, rules::listing, text,
};

/// A registered device node.
///
/// # Invariants
///
/// Every `MiscDeviceRegistration<OpenFile>` is the field `registration` of a `Node`. `name` outlives the registration:
/// fields are dropped in the order of their declaration.
#[pin_data]
pub(crate) struct Node {
    #[pin]
    registration: MiscDeviceRegistration<OpenFile>,
    device: Arc<Device>,
    name: CString,
    _ticker: RunningTicker,
}

impl Node {
    /// Publishes a device that is ready for use as `/dev/<name>`.
    pub(crate) fn publish(
        device: Arc<Device>,
        name: CString,
        ticker: RunningTicker,
    ) -> Result<Pin<KBox<Self>>> {
        // SAFETY: By the type invariant the text stays in place until the registration is gone.
        let registered: &'static CStr = unsafe { &*core::ptr::from_ref::<CStr>(&name) };
        let node = KBox::try_pin_init(
            try_pin_init!(Self {
                // A file may be opened as soon as the node is registered, so that comes last.
                device,
                name,
                _ticker: ticker,
                registration <- MiscDeviceRegistration::register(MiscDeviceOptions { name: registered }),
            }),
            GFP_KERNEL,
        )?;
        compat::own_files(&node.registration);
        Ok(node)
    }

    fn of(registration: &MiscDeviceRegistration<OpenFile>) -> &Self {
        // SAFETY: By the type invariant the registration is in a `Node`, whose other fields were set before it.
        unsafe { &*kernel::container_of!(core::ptr::from_ref(registration), Self, registration) }
    }
}

/// Whether the module is loaded for good. A load that fails half way must not leave an open file behind, since nothing
/// would keep the module's code for it.
static OPENING_ALLOWED: Atomic<bool> = Atomic::new(false);

/// The load has succeeded: files may be opened from now on.
pub(crate) fn allow_opening() {
    OPENING_ALLOWED.store(true, Release);
}

#[vtable]
impl MiscDevice for OpenFile {
    type Ptr = Arc<OpenFile>;
    #[cfg(not(nds_linux_7_2))]
    type OwnerModule = crate::NeuronNds;

    fn open(file: &File, registration: &MiscDeviceRegistration<Self>) -> Result<Arc<OpenFile>> {
        if !OPENING_ALLOWED.load(Acquire) {
            return Err(ENODEV);
        }
        let device = &Node::of(registration).device;
        let listed = OpenFile::new(device.clone(), file)?;
        let open = listed.clone_arc();
        device.add_file(listed);
        Ok(open)
    }

    fn release(open: Arc<OpenFile>, _file: &File) {
        open.device.remove_file(&open);
    }

    fn read_iter(mut call: Kiocb<'_, Arc<OpenFile>>, out: &mut IovIterDest<'_>) -> Result<usize> {
        let open = call.file();
        let mut reading = open.reading.lock();
        text::read(&mut reading, &open.device, call.ki_pos_mut(), out)
    }

    fn mmap(open: ArcBorrow<'_, OpenFile>, _file: &File, vma: &VmaNew) -> Result {
        mapping::map(open, vma)
    }

    #[inline]
    fn ioctl(
        open: ArcBorrow<'_, OpenFile>,
        file: &File,
        command: u32,
        argument: usize,
    ) -> Result<isize> {
        ioctl::dispatch(&open, file, command, argument)
    }

    fn show_fdinfo(open: ArcBorrow<'_, OpenFile>, lines: &SeqFile, _file: &File) {
        let rights = open.device.rights_of(&open);
        show_lines(lines, |number, line| {
            listing::file(open.device.index, &rights, number, line)
        });
    }

    /// The structures differ between word sizes, and the ABI has no 32-bit side.
    #[cfg(CONFIG_COMPAT)]
    fn compat_ioctl(_: ArcBorrow<'_, OpenFile>, _: &File, _: u32, _: usize) -> Result<isize> {
        Err(ENOTTY)
    }
}
