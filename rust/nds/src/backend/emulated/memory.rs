// SPDX-License-Identifier: MIT OR Apache-2.0
//! The slabs of an emulated device, their mappings in this process, and what they add up to.
//!
//! The slabs are one memory file, so that every mapping is a real one: shared, read-only for
//! readers, and replaced by empty memory when its occupancy ends.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use nds_core::pages::PAGE_SIZE;
use nds_core::{Cookie, CoreMask, PageSet, Platform, Slot, Telemetry, SLOTS};
use nds_layout::{ReadOnlySlab, SLAB_SIZE};
use rustix::fs::MemfdFlags;
use rustix::io::Errno;
use rustix::mm::{Advice, MapFlags};

use crate::backend::{map_shared, unmap, Access, MappedRange};
use crate::mapping::current_pid;
use crate::{Error, Result};

const SIZE: usize = SLOTS * SLAB_SIZE;

/// # Invariants
///
/// In process `owner`, `base` is a mapping of all of `file`, `SIZE` bytes, readable and writable, for
/// the life of the value; `slabs` are its parts, and each of `mappings` is mapped, whole.
pub(super) struct Memory {
    name: String,
    owner: i32,
    file: OwnedFd,
    base: NonNull<u8>,
    slabs: Vec<ReadOnlySlab>,
    mappings: Vec<Mapping>,
    telemetry: Telemetry,
}

/// One mapping of a slab.
struct Mapping {
    base: NonNull<u8>,
    cookie: Cookie,
    access: Access,
}

// SAFETY: the memory belongs to the process, not to a thread; it is accessed under the lock of the
// device, and otherwise with atomic operations only.
unsafe impl Send for Memory {}

impl Memory {
    pub(super) fn new(name: &str) -> Result<Self> {
        let failed = |request| move |errno: Errno| system_error(name, request, errno);
        let file =
            rustix::fs::memfd_create(name, MemfdFlags::CLOEXEC).map_err(failed("memfd_create"))?;
        rustix::fs::ftruncate(&file, SIZE as u64).map_err(failed("ftruncate"))?;
        let base = map(file.as_fd(), 0, SIZE, Access::ReadWrite).map_err(failed("mmap"))?;
        let slabs = (0..SLOTS).filter_map(|slot| {
            // SAFETY: part `slot` of the mapping, which outlives its slabs: both are fields.
            unsafe { ReadOnlySlab::read_only(base.add(slot * SLAB_SIZE), SLAB_SIZE) }
        });
        Ok(Self {
            name: name.to_owned(),
            owner: current_pid(),
            slabs: slabs.collect(),
            file,
            base,
            mappings: Vec::new(),
            telemetry: Telemetry::new(CoreMask::ALL),
        })
    }

    /// What ended occupancies left behind.
    pub(super) fn telemetry(&self) -> &Telemetry {
        &self.telemetry
    }

    /// Another descriptor of the memory file.
    pub(super) fn file(&self) -> Result<OwnedFd> {
        rustix::io::fcntl_dupfd_cloexec(&self.file, 0)
            .map_err(|errno| system_error(&self.name, "dup", errno))
    }

    /// Maps the slab of an occupancy.
    pub(super) fn map(&mut self, cookie: Cookie, access: Access) -> Result<MappedRange> {
        let offset = cookie.slot.index() * SLAB_SIZE;
        let base = map(self.file.as_fd(), offset, SLAB_SIZE, access)
            .map_err(|errno| system_error(&self.name, "mmap", errno))?;
        self.mappings.push(Mapping {
            base,
            cookie,
            access,
        });
        Ok(MappedRange {
            base,
            len: SLAB_SIZE,
        })
    }

    /// Takes a mapping down, revoked or not.
    ///
    /// # Safety
    ///
    /// Nothing uses its addresses any more.
    pub(super) unsafe fn unmap(&mut self, base: NonNull<u8>) {
        if let Some(nth) = self
            .mappings
            .iter()
            .position(|mapping| mapping.base == base)
        {
            self.mappings.swap_remove(nth);
            // SAFETY: a whole mapping by the type's invariants, unused as the caller promises.
            unsafe {
                unmap(MappedRange {
                    base,
                    len: SLAB_SIZE,
                })
            };
        }
    }
}

impl Platform for Memory {
    type Slab = ReadOnlySlab;

    fn slab(&self, slot: Slot) -> &ReadOnlySlab {
        &self.slabs[slot.index()]
    }

    fn revoke(&mut self, cookie: Cookie) {
        for mapping in self
            .mappings
            .iter()
            .filter(|mapping| mapping.cookie == cookie)
        {
            replace_by_empty(mapping);
        }
    }

    fn retire(&mut self, slot: Slot) {
        self.telemetry.retire(slot, &self.slabs[slot.index()]);
    }

    fn zero(&mut self, slot: Slot, pages: PageSet) {
        for (first, count) in pages.runs() {
            let start = slot.index() * SLAB_SIZE + first * PAGE_SIZE;
            for offset in (start..start + count * PAGE_SIZE).step_by(size_of::<u64>()) {
                // SAFETY: words of a slab lie inside the mapping by the type's invariants and are
                // aligned because the mapping is. The reference lasts for one operation.
                let word = unsafe { AtomicU64::from_ptr(self.base.add(offset).cast().as_ptr()) };
                word.store(0, Ordering::Relaxed);
            }
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // A forked child does not have the mapping, and may have something else at its place.
        if current_pid() == self.owner {
            // SAFETY: a whole mapping by the type's invariants; its slabs go with the value.
            unsafe {
                unmap(MappedRange {
                    base: self.base,
                    len: SIZE,
                });
            }
        }
    }
}

/// Maps part of the memory file, not for forked children: as the module's mappings are.
fn map(
    file: BorrowedFd<'_>,
    offset: usize,
    len: usize,
    access: Access,
) -> Result<NonNull<u8>, Errno> {
    let range = map_shared(file, offset as u64, len, access)?;
    keep_from_children(range)?;
    Ok(range.base)
}

fn keep_from_children(range: MappedRange) -> Result<(), Errno> {
    // SAFETY: the range is a mapping of the device, and its contents stay as they are.
    unsafe { rustix::mm::madvise(range.base.as_ptr().cast(), range.len, Advice::LinuxDontFork) }
}

/// Puts zeroed private memory in place of a slab. A stale reader then reads zeros; a former owner
/// writes where nobody reads.
fn replace_by_empty(mapping: &Mapping) {
    let range = MappedRange {
        base: mapping.base,
        len: SLAB_SIZE,
    };
    let (base, flags) = (
        range.base.as_ptr().cast(),
        MapFlags::PRIVATE | MapFlags::FIXED,
    );
    // SAFETY: replaces a whole mapping of the device by memory with the same access; whoever uses
    // it does so with atomic operations, to which any bytes are valid.
    let replaced =
        unsafe { rustix::mm::mmap_anonymous(base, range.len, mapping.access.protection(), flags) };
    // Nothing is known to make these fail; a mapping that stays would show the next owner's slab.
    if replaced.and_then(|_| keep_from_children(range)).is_err() {
        std::process::abort();
    }
}

fn system_error(device: &str, request: &'static str, errno: Errno) -> Error {
    Error::System {
        device: device.to_owned(),
        request,
        source: io::Error::from(errno),
    }
}
