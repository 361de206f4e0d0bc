// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a device does for this library, whatever kind it is.
//!
//! [`Backend`] is the one seam between a device file and the emulated device; it is chosen when a
//! device is opened and not visible outside the crate.

mod emulated;
mod file;
mod memory_map;

pub use emulated::{EmulatedDevice, EmulatedProcess};
pub(crate) use file::DeviceFile;
pub use memory_map::Access;
pub(crate) use memory_map::{map_shared, unmap, MappedRange};

use std::fmt::Debug;

use crate::{Report, Result};

/// The pid that means "the caller's own slab" in acquire and release.
pub(crate) const OWN_SLAB: i32 = 0;

/// What makes two open devices the same for one process: they share one producer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DeviceKey {
    /// Device number of a device file.
    File(u64),
    /// Numbers of an emulated device and of a process that it knows.
    Emulated { device: u64, process: u64 },
}

/// Answer to an acquire: where the slab can be mapped, and its size in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handout {
    pub(crate) cookie: u64,
    pub(crate) size: usize,
}

/// One open device.
pub(crate) trait Backend: Debug + Send + Sync {
    /// Name for messages: the path of a device file.
    fn name(&self) -> String;

    /// Identity of the device and of the process that uses it.
    fn key(&self) -> DeviceKey;

    /// Whether a producer can be opened.
    fn writable(&self) -> bool;

    /// Takes or finds the caller's slab ([`OWN_SLAB`]), or finds the slab of process `pid`.
    fn acquire(&self, pid: i32) -> Result<Handout>;

    /// Maps a slab that [`acquire`](Self::acquire) named.
    fn map(&self, handout: Handout, access: Access) -> Result<MappedRange>;

    /// Takes a mapping down.
    ///
    /// # Safety
    ///
    /// `range` comes from [`map`](Self::map) of this backend in this process, is passed once, and
    /// nothing uses its addresses any more.
    unsafe fn unmap(&self, range: MappedRange);

    /// Gives the caller's own slab back; no error when there is none.
    fn release_own(&self) -> Result<()>;

    /// Takes a report.
    fn report(&self) -> Result<Report>;
}
