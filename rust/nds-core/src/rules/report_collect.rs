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

use super::block::{load_device, CoreWords, NcRow, NdRow};
use super::datastore::Datastore;
use super::platform::{Owner, Platform};
use super::report::{OccupancyRow, Process, Snapshot};
use super::slot::{Slot, SlotSet, SLOTS};
use super::telemetry::Telemetry;
use super::totals::combine;
use super::versions::VERSION_WORDS;
use crate::layout::catalog::nd_counters;
use crate::layout::{Core, Kind, NdCounter};

/// The slots in groups whose slabs are added up together.
const GROUPS: [[Slot; 4]; SLOTS / 4] = [group(0), group(4), group(8), group(12)];

/// The group that begins with that slot. Used for constants only.
const fn group(first: u64) -> [Slot; 4] {
    match (
        Slot::new(first),
        Slot::new(first + 1),
        Slot::new(first + 2),
        Slot::new(first + 3),
    ) {
        (Some(a), Some(b), Some(c), Some(d)) => [a, b, c, d],
        _ => panic!("a device has 16 slots"),
    }
}

/// What is read under one hold of the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Statistics, occupancies and per-device counters.
    Device,
    /// The counters of a core.
    Core(Core),
}

impl Part {
    /// The part of that number, in the order of [`Self::all`]; nothing if there is none.
    pub fn nth(number: u32) -> Option<Self> {
        match number.checked_sub(1) {
            None => Some(Self::Device),
            Some(core) => Core::new(core).map(Self::Core),
        }
    }

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
        describe: impl FnMut(Slot, &O) -> Option<Process>,
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
        mut describe: impl FnMut(Slot, &O) -> Option<Process>,
        snapshot: &mut Snapshot,
    ) {
        snapshot.statistics = self.statistics;
        snapshot.occupied = 0;
        for (slot, row) in Slot::all().zip(&mut snapshot.rows) {
            *row = OccupancyRow::default();
            let Some((cookie, occupancy)) = self.table.get(slot) else {
                continue;
            };
            snapshot.occupied = snapshot.occupied.wrapping_add(1);
            if let Some(process) = describe(slot, &occupancy.owner) {
                row.slot = slot.index() as u16;
                row.generation = cookie.generation.get();
                row.age_ns = now.saturating_sub(occupancy.since);
                row.stale_uses = self.table.stale_uses(slot);
                row.process = process;
            }
        }
    }

    fn collect_device(&self, platform: &impl Platform, snapshot: &mut Snapshot) {
        let mut newest = [0; NdCounter::COUNT];
        for slot in self.table.used().iter() {
            // One that is about to end counts as old.
            let since = self
                .table
                .get(slot)
                .map_or(0, |(_, occupancy)| occupancy.since);
            add_device(
                &load_device(platform.slab(slot)),
                since,
                &mut newest,
                snapshot,
            );
        }
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
        if snapshot.cores.contains(core) {
            let active = self.add_slabs(platform, CoreWords::of(core), sums);
            self.mark_core(active, core, snapshot);
        }
    }

    /// Adds the counters of a core of all slabs in use to `sums`. Gives the slots for which one is not 0.
    fn add_slabs(&self, platform: &impl Platform, words: CoreWords, sums: &mut NcRow) -> SlotSet {
        let mut active = SlotSet::EMPTY;
        let mut note = |slot, seen| {
            if seen != 0 {
                active.insert(slot);
            }
        };
        let used = self.table.used();
        for group in GROUPS {
            if group.iter().all(|slot| used.contains(*slot)) {
                let seen = words.add_four(group.map(|slot| platform.slab(slot)), sums);
                group
                    .into_iter()
                    .zip(seen)
                    .for_each(|(slot, seen)| note(slot, seen));
            } else {
                for slot in group.into_iter().filter(|slot| used.contains(*slot)) {
                    note(slot, words.add(platform.slab(slot), sums));
                }
            }
        }
        active
    }

    /// Notes that occupancies have counted something on a core, unless the row is that of an earlier one.
    fn mark_core(&self, active: SlotSet, core: Core, snapshot: &mut Snapshot) {
        // Else there are only occupancies that have rows.
        let some_began = self.statistics.acquires != snapshot.statistics.acquires;
        for slot in active.iter() {
            let Some(row) = snapshot.rows.get_mut(slot.index()) else {
                continue;
            };
            if row.generation != 0 && !(some_began && self.is_other(slot, row.generation)) {
                row.cores.insert(core);
            }
        }
    }

    fn is_other(&self, slot: Slot, generation: u64) -> bool {
        self.table
            .get(slot)
            .is_none_or(|(cookie, _)| cookie.generation.get() != generation)
    }
}

/// Adds the per-device counters of an occupancy that began at `since`. `newest` says for each identifier since when the
/// process is there whose one it is.
fn add_device(words: &NdRow, since: u64, newest: &mut NdRow, snapshot: &mut Snapshot) {
    let totals = snapshot.nd.iter_mut().zip(words).zip(nd_counters());
    for (((total, word), info), newest) in totals.zip(newest) {
        match info.kind {
            Kind::Version => {}
            Kind::Identifier if *word == 0 || since < *newest => {}
            kind => {
                *newest = since;
                *total = combine(kind, *total, *word);
            }
        }
    }
    for counter in VERSION_WORDS {
        if let Some((table, word)) = snapshot
            .versions
            .get_mut(counter)
            .zip(words.get(counter.index()))
        {
            table.note(*word);
        }
    }
}
