// SPDX-License-Identifier: MIT OR Apache-2.0
//! The report of a device: one snapshot of everything it adds up, from which every surface is filled.
//!
//! Owns the shape of the snapshot, which is also what the report ioctl hands out: fields never move, new ones are added
//! at the end, and [`VERSION`] rises with each. The C form is `struct neuron_nds_report` of `neuron_nds.h`. How it is
//! taken without stopping the device is in [`super::report_collect`], its text form in [`super::prometheus`].

use core::mem::offset_of;

use super::block::{NcRow, NdRow};
use super::cores::CoreMask;
use super::slot::{Slot, SLOTS};
use super::statistics::Statistics;
use super::versions::{VersionTable, VersionTables};
use crate::layout::catalog::nc_counters;
use crate::layout::{Core, NcCounter, NdCounter};

// The most that reading a report may cost.
const _: () = assert!(size_of::<Snapshot>() <= 64 * 1024);

/// Which edition of [`Snapshot`] this is.
pub const VERSION: u32 = 1;

/// Everything a device adds up, at one moment.
///
/// All zero bytes are a valid empty snapshot, so that a body can make it in zeroed memory: it is too large for a kernel
/// stack.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Snapshot {
    size: u32,
    version: u32,
    device: u32,
    pub(super) cores: CoreMask,
    reserved: u16,
    pub(super) occupied: u32,
    reserved_too: u32,
    pub(super) statistics: Statistics,
    pub(super) rows: [OccupancyRow; SLOTS],
    pub(super) nd: NdRow,
    pub(super) versions: VersionTables,
    pub(super) nc: [NcRow; Core::COUNT],
}

/// Where the parts of a [`Snapshot`] begin, by their names in C, in bytes.
pub const OFFSETS: [(&str, usize); 10] = [
    ("size", offset_of!(Snapshot, size)),
    ("version", offset_of!(Snapshot, version)),
    ("device", offset_of!(Snapshot, device)),
    ("cores", offset_of!(Snapshot, cores)),
    ("occupied", offset_of!(Snapshot, occupied)),
    ("statistics", offset_of!(Snapshot, statistics)),
    ("occupancies", offset_of!(Snapshot, rows)),
    ("nd", offset_of!(Snapshot, nd)),
    ("versions", offset_of!(Snapshot, versions)),
    ("nc", offset_of!(Snapshot, nc)),
];

// The ABI: no hole anywhere, so that no byte is handed out that was not written.
const _: () = assert!(
    offset_of!(Snapshot, statistics) == 24
        && offset_of!(Snapshot, rows) == offset_of!(Snapshot, statistics) + size_of::<Statistics>()
        && offset_of!(Snapshot, nd)
            == offset_of!(Snapshot, rows) + SLOTS * size_of::<OccupancyRow>()
        && offset_of!(Snapshot, versions) == offset_of!(Snapshot, nd) + size_of::<NdRow>()
        && offset_of!(Snapshot, nc) == offset_of!(Snapshot, versions) + size_of::<VersionTables>()
        && size_of::<Snapshot>() == offset_of!(Snapshot, nc) + Core::COUNT * size_of::<NcRow>()
        && size_of::<OccupancyRow>() == 40
        && size_of::<Snapshot>() == 13648
);

/// An occupancy as a report shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct OccupancyRow {
    /// Which use of the slot; 0 for a row that shows nothing.
    pub generation: u64,
    /// How long ago it began, in nanoseconds.
    pub age_ns: u64,
    /// Uses of mappings of this slot's earlier occupancies after they had ended.
    pub stale_uses: u64,
    /// Its process.
    pub process: Process,
    /// The cores for which a counter is not 0.
    pub cores: CoreMask,
    /// The number of the slot.
    pub slot: u16,
    reserved: u32,
}

/// The process of an occupancy, as the reader of a report knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Process {
    /// Its number in the reader's pid namespace; 0 if it has none there.
    pub pid: i32,
    /// The user as whom it acquired its slab.
    pub uid: u32,
}

impl OccupancyRow {
    const EMPTY: Self = Self {
        generation: 0,
        age_ns: 0,
        stale_uses: 0,
        process: Process { pid: 0, uid: 0 },
        cores: CoreMask::NONE,
        slot: 0,
        reserved: 0,
    };
}

impl Snapshot {
    /// An empty snapshot.
    pub const fn new() -> Self {
        Self {
            size: size_of::<Self>() as u32,
            version: VERSION,
            device: 0,
            cores: CoreMask::NONE,
            reserved: 0,
            occupied: 0,
            reserved_too: 0,
            statistics: Statistics::new(),
            rows: [OccupancyRow::EMPTY; SLOTS],
            nd: [0; NdCounter::COUNT],
            versions: VersionTables::new(),
            nc: [[0; nc_counters().len()]; Core::COUNT],
        }
    }

    /// Says of which device this is, and in which edition.
    pub fn set_device(&mut self, device: u32) {
        self.size = size_of::<Self>() as u32;
        self.version = VERSION;
        self.device = device;
    }

    /// Says that only the first `room` bytes of it are handed out, if it has more. Gives the number of bytes.
    pub fn limit(&mut self, room: usize) -> usize {
        let size = size_of::<Self>().min(room);
        self.size = size as u32;
        size
    }

    /// The number of the device.
    pub const fn device_number(&self) -> u32 {
        self.device
    }

    /// How many bytes of it were filled in; a module older than this crate fills fewer, and the rest is 0.
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// Its edition, see [`VERSION`]; that of the module that made it.
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// The total of a per-device counter. For an identifier 0 means unknown; for a version it is 0, see
    /// [`Self::versions`].
    pub fn device(&self, counter: NdCounter) -> u64 {
        self.nd.get(counter.index()).copied().unwrap_or(0)
    }

    /// The total of a counter of a core; nothing if the device does not have the core.
    pub fn core(&self, core: Core, counter: NcCounter) -> Option<u64> {
        if self.cores.contains(core) {
            self.nc.get(core.index())?.get(counter.index()).copied()
        } else {
            None
        }
    }

    /// How many occupancies, ended ones included, had each version; nothing if the counter is not a version.
    pub fn versions(&self, counter: NdCounter) -> Option<&VersionTable> {
        self.versions.get(counter)
    }

    /// What the device did so far.
    pub const fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The cores of the device.
    pub const fn cores(&self) -> CoreMask {
        self.cores
    }

    /// How many slots are occupied, rows that the reader may not see included.
    pub const fn occupied(&self) -> u32 {
        self.occupied
    }

    /// The row of a slot, if it is occupied and the reader may see it.
    pub fn row(&self, slot: Slot) -> Option<&OccupancyRow> {
        self.rows
            .get(slot.index())
            .filter(|row| row.generation != 0)
    }

    /// The rows that the reader may see, by slot.
    pub fn rows(&self) -> impl Iterator<Item = &OccupancyRow> {
        Slot::all().filter_map(|slot| self.row(slot))
    }
}

impl Default for Snapshot {
    fn default() -> Self {
        Self::new()
    }
}
