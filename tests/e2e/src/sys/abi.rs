// SPDX-License-Identifier: MIT OR Apache-2.0

//! The numbers of the kernel ABI, written down once more.
//!
//! They are literals on purpose: a test that took them from the code under test
//! could not notice that the code moved. Nothing here performs a system call.

/// ioctl 71: take or find a slab.
pub(crate) const ACQUIRE: u32 = 0x8008_4E47;
/// ioctl 72: give a slab back.
pub(crate) const RELEASE: u32 = 0x8008_4E48;
/// Bytes of one slab, and the only length that `mmap` accepts.
pub(crate) const SLAB_SIZE: usize = 262_144;
/// Slabs of one device.
pub(crate) const SLOTS: usize = 16;
/// Bytes of one page.
pub(crate) const PAGE: usize = 4096;
/// Pages that the defined map (67 200 bytes) touches.
pub(crate) const MAP_PAGES: usize = 17;
/// 64-bit words of one slab.
pub(crate) const WORDS: usize = SLAB_SIZE / 8;
/// 64-bit words of one page.
pub(crate) const PAGE_WORDS: usize = PAGE / 8;
/// The header of a stamped slab: `nds`, a NUL, and layout version 100000.
pub(crate) const HEADER: u64 = 0x0001_86A0_0073_646E;

const COOKIE_SLOT_SHIFT: u32 = 18;
const COOKIE_GENERATION_SHIFT: u32 = 22;

/// The struct of both ioctls: 24 bytes, with both holes named so that a test
/// can see that they come back as they went in.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Argument {
    pub(crate) pid: i32,
    pub(crate) hole_low: u32,
    pub(crate) mmap_offset: u64,
    pub(crate) size: u32,
    pub(crate) hole_high: u32,
}

const _: () = assert!(size_of::<Argument>() == 24);

impl Argument {
    /// An argument for `pid` with every other byte zero.
    pub(crate) fn of(pid: i32) -> Self {
        Self {
            pid,
            ..Self::default()
        }
    }
}

/// What acquire hands out and `mmap` takes as its offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Cookie(pub(crate) u64);

impl Cookie {
    /// The cookie of a slot in a generation.
    pub(crate) fn new(generation: u64, slot: u64) -> Self {
        Self(generation << COOKIE_GENERATION_SHIFT | slot << COOKIE_SLOT_SHIFT)
    }

    /// The slot it names.
    pub(crate) fn slot(self) -> usize {
        (self.0 >> COOKIE_SLOT_SHIFT) as usize % SLOTS
    }

    /// The generation it names.
    pub(crate) fn generation(self) -> u64 {
        self.0 >> COOKIE_GENERATION_SHIFT
    }
}
