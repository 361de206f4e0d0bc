// SPDX-License-Identifier: GPL-2.0
//! What older kernels lack of the newest that the module supports. Kbuild says which kernel it is.
//!
//! A kernel of the same interface as the newest needs nothing here.

use core::borrow::Borrow;

use kernel::{bindings, miscdevice::MiscDeviceRegistration};

use crate::file::OpenFile;

/// Lets open files keep the module. Must come before the first file can be opened.
///
/// Linux 7.3 does so by `MiscDevice::OwnerModule`.
#[cfg(not(nds_linux_7_2))]
pub(crate) fn own_files(_: &MiscDeviceRegistration<OpenFile>) {}

/// Lets open files keep the module. Must come before the first file can be opened.
///
/// `MiscDevice` of Linux 7.2 has no owner.
#[cfg(nds_linux_7_2)]
pub(crate) fn own_files(registration: &MiscDeviceRegistration<OpenFile>) {
    // SAFETY: Registered, so it is valid and has file operations; no file is open yet.
    unsafe { crate::ffi::nds_own_files(registration.as_raw()) };
}

/// The value of a parameter, of which Linux 7.3 gives a copy and Linux 7.2 a reference.
pub(crate) fn copied<T: Copy>(value: impl Borrow<T>) -> T {
    *value.borrow()
}

/// This module, as the owner of file operations.
#[cfg(not(nds_linux_7_2))]
pub(crate) const fn this_module() -> *mut bindings::module {
    kernel::module::this_module::<crate::NeuronNds>().as_ptr()
}

/// This module, as the owner of file operations. Linux 7.2 has it as a static only.
#[cfg(nds_linux_7_2)]
pub(crate) const fn this_module() -> *mut bindings::module {
    crate::THIS_MODULE.as_ptr()
}
