// SPDX-License-Identifier: GPL-2.0
//! Mappings of slabs: the set-up of a VMA and its faults.
//!
//! Owns the VMA flags, the VMA operations and the private page of a former owner. Who may map what, and what a touch
//! gets, is decided in `rules`.

use kernel::{
    alloc::{flags::GFP_KERNEL_ACCOUNT, AllocError},
    bindings,
    mm::virt::{flags, VmaNew},
    page::Page,
    prelude::*,
    sync::{
        atomic::{Atomic, Relaxed},
        Arc, ArcBorrow, SetOnce,
    },
    types::ForeignOwnable,
};

use crate::{
    ffi,
    file::OpenFile,
    ioctl::errno,
    rules::{
        pages::{PageSet, PAGE_SIZE, SLAB_PAGES},
        Cookie, Fault, MapRequest, Refusal, Role,
    },
};

/// What a VMA of ours, and every piece it is split into, carries.
///
/// # Invariants
///
/// `vm_private_data` of every VMA that has [`OPERATIONS`] owns one reference to one of these.
struct Mapping {
    file: Arc<OpenFile>,
    cookie: Cookie,
    /// Where a former owner's writes go: nobody else ever sees it.
    scratch: SetOnce<Page>,
    /// Whether a touch after the end was reported.
    reported: Atomic<bool>,
}

/// No operation but these; in particular no `access`, so that ptrace and `/proc/pid/mem` reach nothing.
const OPERATIONS: bindings::vm_operations_struct = bindings::vm_operations_struct {
    open: Some(vma_open),
    close: Some(vma_close),
    fault: Some(vma_fault),
    ..pin_init::zeroed()
};

/// Answers `mmap`. No page is put in place here: only a fault finds the VMA where revocation finds it too.
///
/// # Errors
///
/// `EINVAL` for everything but a whole slab that this caller acquired through this file, and for a private mapping
/// that could be written; `ENOMEM`.
pub(crate) fn map(file: ArcBorrow<'_, OpenFile>, vma: &VmaNew) -> Result {
    let request = MapRequest {
        offset: file_offset(vma).ok_or_else(|| errno(file.device.refuse(Refusal::BadCookie)))?,
        length: vma.end() - vma.start(),
        private: vma.flags() & flags::SHARED == 0,
        may_write: vma.flags() & flags::MAYWRITE != 0,
    };
    let (cookie, role) = file.device.map(&file, request).map_err(errno)?;
    let mapping = Arc::new(
        Mapping {
            file: file.into(),
            cookie,
            scratch: SetOnce::new(),
            reported: Atomic::new(false),
        },
        GFP_KERNEL_ACCOUNT,
    )?;
    set_up(vma, role, mapping);
    Ok(())
}

/// Not pinnable, not growable, not in core dumps, not inherited; and for a reader never writable.
fn set_up(vma: &VmaNew, role: Role, mapping: Arc<Mapping>) {
    let set = flags::IO | flags::PFNMAP | flags::DONTEXPAND | flags::DONTDUMP | flags::DONTCOPY;
    let clear = match role {
        Role::Producer => flags::NONE,
        Role::Reader => flags::WRITE | flags::MAYWRITE,
    };
    // SAFETY: The VMA is being set up, and nobody else uses it yet. A private mapping that may be written is refused,
    // so PFNMAP is never combined with copy on write.
    // INVARIANT: The reference goes to `vm_private_data` together with the operations.
    unsafe {
        ffi::nds_vm_flags_mod(vma.as_ptr(), set, clear);
        (*vma.as_ptr()).vm_private_data = mapping.into_foreign();
        (*vma.as_ptr()).vm_ops = &OPERATIONS;
    }
}

fn file_offset(vma: &VmaNew) -> Option<u64> {
    // SAFETY: The VMA is being set up by us.
    let first_page = unsafe { (*vma.as_ptr()).vm_pgoff } as u64;
    first_page.checked_mul(PAGE_SIZE as u64)
}

/// A VMA was split or moved: the new piece has its own reference.
///
/// # Safety
///
/// Called by the kernel for a new VMA that is a copy of one of ours.
unsafe extern "C" fn vma_open(vma: *mut bindings::vm_area_struct) {
    // SAFETY: The kernel copied `vm_private_data` from a VMA that owns a reference.
    let mapping = unsafe { Arc::<Mapping>::borrow((*vma).vm_private_data) };
    // INVARIANT: This reference is the new piece's.
    let _ = Arc::from(mapping).into_foreign();
}

/// A VMA is gone, its page table entries before it.
///
/// # Safety
///
/// Called by the kernel, once for each VMA of ours, as the last use of it.
unsafe extern "C" fn vma_close(vma: *mut bindings::vm_area_struct) {
    // SAFETY: By the type invariant of `Mapping` the VMA owns a reference, and is not used any more.
    drop(unsafe { Arc::<Mapping>::from_foreign((*vma).vm_private_data) });
}

/// A page of a VMA was touched that is not there.
///
/// # Safety
///
/// Called by the kernel for a VMA of ours, with its lock held.
unsafe extern "C" fn vma_fault(vmf: *mut bindings::vm_fault) -> bindings::vm_fault_t {
    // SAFETY: The kernel passes a valid fault on a VMA of ours, whose lock it holds.
    let (vma, touched) = unsafe { ((*vmf).__bindgen_anon_1.vma, (*vmf).__bindgen_anon_1.pgoff) };
    // SAFETY: By the type invariant of `Mapping`; the VMA keeps its reference during the fault.
    let mapping = unsafe { Arc::<Mapping>::borrow((*vma).vm_private_data) };
    let piece = Piece::new(vma);
    let page = touched % SLAB_PAGES;
    let mut result = bindings::vm_fault_reason_VM_FAULT_NOPAGE;
    let insert = |first, frames: &[c_ulong]| {
        if !piece.insert_run(first, frames) {
            result = bindings::vm_fault_reason_VM_FAULT_OOM;
        }
    };
    let device = &mapping.file.device;
    match device.fault(
        mapping.cookie,
        page,
        piece.pages(),
        piece.may_write(),
        insert,
    ) {
        Fault::Slab(_) => result,
        Fault::Stale => stale(&mapping, &piece, page),
    }
}

/// The occupancy has ended: zeros, and for who may write a page of its own. The process goes on undisturbed.
fn stale(mapping: &Mapping, piece: &Piece, page: usize) -> bindings::vm_fault_t {
    mapping.report_stale_use();
    if !piece.may_write() {
        // SAFETY: Gives a page frame number, for any address.
        return piece.insert(page, unsafe { ffi::nds_zero_pfn(piece.start as c_ulong) });
    }
    match mapping.scratch_page() {
        // SAFETY: The page is valid as long as the mapping is.
        Ok(Some(own)) => piece.insert(page, unsafe { ffi::nds_page_frame(own.as_ptr()) }),
        // Another thread is about to set it: let this one fault again.
        Ok(None) => bindings::vm_fault_reason_VM_FAULT_NOPAGE,
        Err(_) => bindings::vm_fault_reason_VM_FAULT_OOM,
    }
}

impl Mapping {
    /// One line in the log for each mapping, and not too many of them.
    fn report_stale_use(&self) {
        if !self.reported.xchg(true, Relaxed) {
            let (device, slot) = (self.file.device.index, self.cookie.slot.index() as u32);
            // SAFETY: Prints a rate-limited line.
            unsafe { ffi::nds_warn_stale(device, slot) };
        }
    }

    /// The former owner's own page, allocated at its first use; nothing while another thread does that.
    fn scratch_page(&self) -> Result<Option<&Page>, AllocError> {
        if self.scratch.as_ref().is_none() {
            let zeroed = GFP_KERNEL_ACCOUNT | kernel::alloc::flags::__GFP_ZERO;
            // Whoever loses the race frees its page again.
            let _ = self.scratch.populate(Page::alloc_page(zeroed)?);
        }
        Ok(self.scratch.as_ref())
    }
}

/// The part of a slab that one VMA spans.
///
/// # Invariants
///
/// `vma` is locked against changes for as long as this object is used.
struct Piece {
    vma: *mut bindings::vm_area_struct,
    start: usize,
    /// The number of the page at `start`.
    first: usize,
    count: usize,
    flags: bindings::vm_flags_t,
}

impl Piece {
    fn new(vma: *mut bindings::vm_area_struct) -> Self {
        // SAFETY: Called in a fault, which holds the VMA's lock.
        unsafe {
            let span = (*vma).__bindgen_anon_1.__bindgen_anon_1;
            Self {
                vma,
                start: span.vm_start,
                first: (*vma).vm_pgoff % SLAB_PAGES,
                count: (span.vm_end - span.vm_start) / PAGE_SIZE,
                flags: (*vma).__bindgen_anon_2.vm_flags,
            }
        }
    }

    fn pages(&self) -> PageSet {
        PageSet::range(self.first, self.count)
    }

    /// Whether the VMA can be written, now or after `mprotect`.
    fn may_write(&self) -> bool {
        self.flags & flags::MAYWRITE != 0
    }

    /// The address of a page of [`Self::pages`].
    fn address(&self, page: usize) -> c_ulong {
        (self.start + (page - self.first) * PAGE_SIZE) as c_ulong
    }

    /// Puts a page frame at the place of a page of [`Self::pages`].
    fn insert(&self, page: usize, frame: c_ulong) -> bindings::vm_fault_t {
        // SAFETY: The VMA is PFNMAP, not copy on write, and locked; the address is within it.
        unsafe { bindings::vmf_insert_pfn(self.vma, self.address(page), frame) }
    }

    /// Puts page frames at the places of a run of [`Self::pages`] that are still empty; false if there is no memory for
    /// the page tables.
    fn insert_run(&self, first: usize, frames: &[c_ulong]) -> bool {
        let (address, count) = (self.address(first), frames.len() as c_ulong);
        // SAFETY: As for `insert`; `frames` has `count` elements.
        unsafe { ffi::nds_insert_frames(self.vma, address, count, frames.as_ptr()) == 0 }
    }
}
