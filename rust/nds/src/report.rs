// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a device adds up over all its producers, past and present.

use std::time::Duration;

use nds_core::prometheus::{TextCursor, LINE_MAX};
use nds_core::statistics::Statistics;
use nds_core::{OccupancyRow, Snapshot, Usage};
use nds_layout::{Core, NcCounter, NdCounter, PackedVersion};

/// The totals of a device and its occupancies, from one look at it.
#[derive(Clone, Debug)]
pub struct Report {
    snapshot: Box<Snapshot>,
}

/// One use of a slot by one process, as a report shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Number of the slot, 0..16.
    pub slot: u16,
    /// Process, in the caller's pid namespace; `None` if it has no number there.
    pub pid: Option<i32>,
    /// User as whom the process acquired its slab.
    pub uid: u32,
    /// Which use of the slot it is.
    pub generation: u64,
    /// Time since it began.
    pub age: Duration,
    /// Cores of which a counter is not 0: bit n for core n.
    pub core_mask: u16,
    /// Uses of mappings of this slot's earlier occupancies after they had ended.
    pub stale_uses: u64,
}

/// How many occupancies, past and present, had a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VersionUsage {
    /// The version.
    pub version: PackedVersion,
    /// Occupancies that had it.
    pub occupancies: u64,
}

impl Report {
    pub(crate) fn new(snapshot: Box<Snapshot>) -> Self {
        Self { snapshot }
    }

    /// The total of a per-device counter. Of an identifier 0 means that nobody has set it; for
    /// versions see [`versions`](Self::versions).
    #[must_use]
    pub fn nd(&self, counter: NdCounter) -> u64 {
        self.snapshot.device(counter)
    }

    /// The total of a counter of a core; `None` if the device does not have the core.
    #[must_use]
    pub fn nc(&self, core: Core, counter: NcCounter) -> Option<u64> {
        self.snapshot.core(core, counter)
    }

    /// The cores of the device, in ascending order.
    pub fn cores(&self) -> impl Iterator<Item = Core> + Clone {
        self.snapshot.cores().iter()
    }

    /// The versions that a component had; none if the counter is not a version.
    pub fn versions(&self, counter: NdCounter) -> impl Iterator<Item = VersionUsage> + '_ {
        self.snapshot
            .versions(counter)
            .into_iter()
            .flat_map(|table| table.iter())
            .map(Into::into)
    }

    /// The occupancies that the caller may see, by slot.
    pub fn occupancies(&self) -> impl Iterator<Item = Occupancy> + '_ {
        self.snapshot.rows().map(Into::into)
    }

    /// How many slots are occupied, whether the caller may see by whom or not.
    #[must_use]
    pub fn occupied(&self) -> u32 {
        self.snapshot.occupied()
    }

    /// The report as Prometheus text (exposition format 0.0.4): what reading the module's device file
    /// gives.
    #[must_use]
    pub fn prometheus_text(&self) -> Vec<u8> {
        let (mut cursor, mut text) = (TextCursor::new(), Vec::new());
        let mut piece = [0; LINE_MAX];
        loop {
            match cursor.fill(&self.snapshot, &mut piece) {
                0 => return text,
                written => text.extend_from_slice(&piece[..written]),
            }
        }
    }

    /// What the device did so far.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        self.snapshot.statistics()
    }
}

impl From<&OccupancyRow> for Occupancy {
    fn from(row: &OccupancyRow) -> Self {
        Self {
            slot: row.slot,
            pid: (row.process.pid != 0).then_some(row.process.pid),
            uid: row.process.uid,
            generation: row.generation,
            age: Duration::from_nanos(row.age_ns),
            core_mask: row.cores.bits(),
            stale_uses: row.stale_uses,
        }
    }
}

impl From<&Usage> for VersionUsage {
    fn from(usage: &Usage) -> Self {
        Self {
            version: PackedVersion::from_word(usage.word),
            occupancies: usage.count,
        }
    }
}
