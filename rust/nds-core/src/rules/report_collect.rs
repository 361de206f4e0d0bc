// SPDX-License-Identifier: MIT OR Apache-2.0
//! Taking the snapshot of a report in parts, each under its own short hold of the device's lock.
//!
//! Owns the order in which a report reads totals and slabs.
//!
//! A report is taken by *core*, not by slab: one part reads the counters of one core from all slabs together with the
//! retired totals of that core. An occupancy that ends moves its counters from its slab to the retired totals under the
//! same lock, so a part sees each of them in exactly one of the two places. Therefore, for every counter:
//!
//! - none is lost and none is counted twice, whatever ends or begins between two parts: there is nothing to take back;
//! - the total of a monotonic counter does not fall from one report to the next: what left a slab is in the retired
//!   totals before the lock is released, and neither part ever gets smaller otherwise;
//! - what was counted before a report began is in it.
//!
//! Totals of different cores are of slightly different moments, as are counters of one slab. A part reads 16 x 95
//! words of slabs, fewer than the counters of a single slab (1551), which bounds how long it keeps a producer waiting.

use super::block::{add_core, load_device};
use super::datastore::Datastore;
use super::platform::{Owner, Platform};
use super::report::{OccupancyRow, Process, Snapshot};
use super::slot::{Slot, SLOTS};
use super::telemetry::Telemetry;
use super::totals::combine;
use crate::layout::{Core, NdCounter, SlabRead};

/// What is read under one hold of the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Statistics, occupancies and per-device counters.
    Device,
    /// The counters of a core.
    Core(Core),
}

impl Part {
    /// All parts of a report, in the order in which they are collected.
    pub fn all() -> impl Iterator<Item = Self> {
        core::iter::once(Self::Device).chain(Core::all().map(Self::Core))
    }
}

impl<O: Owner> Datastore<O> {
    /// Collects a part of a report; a report is complete after [`Part::all`]. `now` is the platform's clock in
    /// nanoseconds. `describe` names the process of an occupancy as the reader knows it, or hides its row.
    pub fn collect(
        &self,
        telemetry: &Telemetry,
        platform: &impl Platform,
        part: Part,
        now: u64,
        describe: impl FnMut(&O) -> Option<Process>,
        snapshot: &mut Snapshot,
    ) {
        match part {
            Part::Device => {
                snapshot.cores = telemetry.cores();
                snapshot.nd = *telemetry.totals().device();
                snapshot.versions = *telemetry.totals().versions();
                self.collect_rows(now, describe, snapshot);
                self.collect_device(platform, snapshot);
            }
            Part::Core(core) => self.collect_core(telemetry, platform, core, snapshot),
        }
    }

    fn collect_rows(
        &self,
        now: u64,
        mut describe: impl FnMut(&O) -> Option<Process>,
        snapshot: &mut Snapshot,
    ) {
        snapshot.statistics = self.statistics;
        snapshot.occupied = self.table.used().iter().count() as u32;
        for (slot, row) in Slot::all().zip(&mut snapshot.rows) {
            *row = OccupancyRow::default();
            let Some((cookie, occupancy)) = self.table.get(slot) else {
                continue;
            };
            if let Some(process) = describe(&occupancy.owner) {
                row.slot = slot.index() as u16;
                row.generation = cookie.generation.get();
                row.age_ns = now.saturating_sub(occupancy.since);
                row.stale_uses = self.table.stale_uses(slot);
                row.process = process;
            }
        }
    }

    fn collect_device(&self, platform: &impl Platform, snapshot: &mut Snapshot) {
        let mut last = None;
        // In the order in which they began, so that the newest identifier is the last.
        while let Some(next) = self.began_after(last) {
            add_device(platform.slab(next.1), snapshot);
            last = Some(next);
        }
    }

    /// The slot whose occupancy began next after that one, or first. One that is about to end counts as the oldest.
    fn began_after(&self, last: Option<(u64, Slot)>) -> Option<(u64, Slot)> {
        let since = |slot| {
            self.table
                .get(slot)
                .map_or(0, |(_, occupancy)| occupancy.since)
        };
        let used = self.table.used().iter().map(|slot| (since(slot), slot));
        used.filter(|next| Some(*next) > last).min()
    }

    fn collect_core(
        &self,
        telemetry: &Telemetry,
        platform: &impl Platform,
        core: Core,
        snapshot: &mut Snapshot,
    ) {
        let sums = snapshot.nc.get_mut(core.index());
        let (Some(sums), Some(retired)) = (sums, telemetry.totals().core(core)) else {
            return;
        };
        *sums = *retired;
        if !snapshot.cores.contains(core) {
            return;
        }
        for slot in self.table.used().iter() {
            if add_core(platform.slab(slot), core, sums) != 0 {
                self.mark_core(slot, core, &mut snapshot.rows);
            }
        }
    }

    /// Notes that the occupancy has counted something on a core, unless the row is that of an earlier one.
    fn mark_core(&self, slot: Slot, core: Core, rows: &mut [OccupancyRow; SLOTS]) {
        if let (Some(row), Some((cookie, _))) = (rows.get_mut(slot.index()), self.table.get(slot)) {
            if row.generation == cookie.generation.get() {
                row.cores.insert(core);
            }
        }
    }
}

/// Adds the per-device counters of a live occupancy.
fn add_device(slab: &impl SlabRead, snapshot: &mut Snapshot) {
    let words = load_device(slab);
    for ((total, word), counter) in snapshot.nd.iter_mut().zip(words).zip(NdCounter::all()) {
        match snapshot.versions.get_mut(counter) {
            Some(table) => table.note(word),
            None => *total = combine(counter.info().kind, *total, word),
        }
    }
}
