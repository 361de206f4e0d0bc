// SPDX-License-Identifier: GPL-2.0
//! Declarations of what `helpers.c` and `parameters.c` define. Owns the signatures; the safe wrappers are with their
//! users.

use kernel::{bindings, prelude::*};

/// A thread group and its effective credentials.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Identity {
    pub(crate) tgid: *mut bindings::pid,
    pub(crate) cred: *const bindings::cred,
}

#[allow(
    improper_ctypes,
    reason = "the structures are only pointed to, never passed"
)]
extern "C" {
    /// The parameter `attach_policy`: a NUL-terminated string that stays for the life of the module.
    pub(crate) static nds_attach_policy: *const c_char;
    /// The parameter `compat_names`; set before the module begins, and never changed.
    pub(crate) static nds_compat_names: bool;

    /// The version of the module, a NUL-terminated string that stays.
    pub(crate) fn nds_version() -> *const c_char;

    /// The asset tag of the board, a NUL-terminated string that stays, or null.
    pub(crate) fn nds_board_asset_tag() -> *const c_char;

    /// Sets and clears flags of a VMA whose write lock is held.
    pub(crate) fn nds_vm_flags_mod(
        vma: *mut bindings::vm_area_struct,
        set: bindings::vm_flags_t,
        clear: bindings::vm_flags_t,
    );

    /// Who the current task is; valid while it neither ends nor changes its credentials.
    pub(crate) fn nds_current() -> Identity;

    /// Reads three words of user memory, all or none.
    pub(crate) fn nds_get_argument(words: *mut u64, from: *const c_void) -> bool;

    /// Writes three words of user memory; false if not all were written.
    pub(crate) fn nds_put_argument(to: *mut c_void, words: *const u64) -> bool;

    /// Zeroes whole pages.
    pub(crate) fn nds_clear_pages(start: *mut c_void, pages: c_ulong);

    /// Puts page frames into consecutive places of a PFNMAP VMA that are still empty; 0 or `-ENOMEM`.
    pub(crate) fn nds_insert_frames(
        vma: *mut bindings::vm_area_struct,
        address: c_ulong,
        pages: c_ulong,
        frames: *const c_ulong,
    ) -> c_int;

    /// Gives the device's files an owner. It must be registered, and none of its files be open.
    #[cfg(nds_linux_7_2)]
    pub(crate) fn nds_own_files(device: *mut bindings::miscdevice);
    /// Whether a thread of the group lives. `tgid` must be a counted reference.
    pub(crate) fn nds_thread_group_lives(tgid: *mut bindings::pid) -> bool;

    /// The page frame of the page of zeros that everybody shares.
    pub(crate) fn nds_zero_pfn(address: c_ulong) -> c_ulong;

    /// The page frame of a page.
    pub(crate) fn nds_page_frame(page: *mut bindings::page) -> c_ulong;

    /// A rate-limited warning about a touch of an ended occupancy.
    pub(crate) fn nds_warn_stale(device: c_uint, slot: c_uint);
}
