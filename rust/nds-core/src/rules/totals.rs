// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the ended occupancies of a device left behind: the retired part of its totals.
//!
//! Owns how a counter's kind decides what outlives an occupancy. Adding the live part is in [`super::report_collect`].
//!
//! | Kind | Retired | Total |
//! |---|---|---|
//! | monotonic | sum of the last values, modulo 2^64 | retired + sum of the live values |
//! | gauge | nothing | sum of the live values |
//! | bitmap | OR of the last values | OR of retired and all live values |
//! | version | how many occupancies had it | retired + how many have it |
//! | identifier | the last that was not 0 | that of the live occupancy that began last and has one, else retired |

use super::block::{CoreWords, HeadRow, NcRow, NdRow};
use super::cores::CoreMask;
use super::versions::VersionTables;
use crate::layout::catalog::nc_counters;
use crate::layout::{Core, Kind, NdCounter, SlabRead};

/// The retired totals of a device.
///
/// All zero bytes are the valid start, so that a body can make it in zeroed memory: it is too large for a kernel stack.
///
/// # Invariants
///
/// Words of gauges and versions are 0 in `nd` and `nc`; versions are in `versions`.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Totals {
    nd: NdRow,
    nc: [NcRow; Core::COUNT],
    versions: VersionTables,
}

impl Totals {
    /// Nothing has ended yet.
    pub const fn new() -> Self {
        Self {
            nd: [0; NdCounter::COUNT],
            nc: [[0; nc_counters().len()]; Core::COUNT],
            versions: VersionTables::new(),
        }
    }

    /// Takes over the per-device counters of an occupancy that has ended.
    pub(super) fn fold_device(&mut self, words: &NdRow) {
        for ((retired, word), counter) in self.nd.iter_mut().zip(words).zip(NdCounter::all()) {
            match (counter.info().kind, self.versions.get_mut(counter)) {
                (Kind::Gauge, _) => {}
                (_, Some(table)) => table.note(*word),
                (kind, None) => *retired = combine(kind, *retired, *word),
            }
        }
    }

    /// Takes over the counters of the cores from a slab that nobody can change any more, and adds each of the first
    /// counters over all cores to `head`.
    pub(super) fn fold_cores(&mut self, slab: &impl SlabRead, cores: CoreMask, head: &mut HeadRow) {
        for core in cores.iter() {
            if let Some(retired) = self.nc.get_mut(core.index()) {
                CoreWords::of(core).add_with_head(slab, retired, head);
                forget_gauges(retired);
            }
        }
    }

    /// The per-device counters; 0 for gauges and versions.
    pub const fn device(&self) -> &NdRow {
        &self.nd
    }

    /// The counters of a core; 0 for gauges.
    pub fn core(&self, core: Core) -> Option<&NcRow> {
        self.nc.get(core.index())
    }

    /// The versions.
    pub const fn versions(&self) -> &VersionTables {
        &self.versions
    }
}

impl Default for Totals {
    fn default() -> Self {
        Self::new()
    }
}

/// One more value of a counter. Not for versions, whose words are not values.
pub(super) const fn combine(kind: Kind, sum: u64, value: u64) -> u64 {
    match kind {
        Kind::Monotonic | Kind::Gauge => sum.wrapping_add(value),
        Kind::Bitmap => sum | value,
        Kind::Identifier if value != 0 => value,
        Kind::Identifier | Kind::Version => sum,
    }
}

/// Gauges among the counters of a core.
const NC_GAUGES: usize = {
    let mut gauges = 0;
    let mut number = 0;
    while number < nc_counters().len() {
        match nc_counters()[number].kind {
            Kind::Monotonic => {}
            Kind::Gauge => gauges += 1,
            Kind::Bitmap | Kind::Version | Kind::Identifier => {
                panic!("counters of cores are added up")
            }
        }
        number += 1;
    }
    gauges
};

/// Their numbers.
const NC_GAUGE_NUMBERS: [usize; NC_GAUGES] = {
    let mut numbers = [0; NC_GAUGES];
    let mut found = 0;
    let mut number = 0;
    while number < nc_counters().len() {
        if matches!(nc_counters()[number].kind, Kind::Gauge) {
            numbers[found] = number;
            found += 1;
        }
        number += 1;
    }
    numbers
};

/// INVARIANT of `Totals`: what was in use is not any more. Cheaper than leaving gauges out of the sums.
#[inline(always)]
fn forget_gauges(row: &mut NcRow) {
    for number in NC_GAUGE_NUMBERS {
        if let Some(gauge) = row.get_mut(number) {
            *gauge = 0;
        }
    }
}
