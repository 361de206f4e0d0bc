// SPDX-License-Identifier: MIT OR Apache-2.0
//! A naive model of a device's telemetry: it keeps every occupancy that ever was, and adds up from scratch.
//!
//! Shares no code with the rules but the catalogue.

use std::collections::BTreeMap;

use crate::layout::{Core, Kind, NcCounter, NdCounter};

/// Cores of the model.
const CORES: usize = 16;

/// The counters of one occupancy.
#[derive(Clone)]
pub(crate) struct Counters {
    pub(crate) nd: [u64; 31],
    pub(crate) nc: Vec<[u64; 95]>,
}

impl Counters {
    fn new() -> Self {
        Self {
            nd: [0; 31],
            nc: vec![[0; 95]; CORES],
        }
    }

    /// A counter, added up over the cores.
    fn over_cores(&self, counter: NcCounter) -> u64 {
        self.nc
            .iter()
            .fold(0, |sum: u64, row| sum.wrapping_add(row[counter.index()]))
    }
}

/// One occupancy: its counters, and what of each the posts have taken into account.
struct Occupancy {
    counters: Counters,
    seen: BTreeMap<u32, u64>,
}

/// All occupancies of a device.
#[derive(Default)]
pub(crate) struct Model {
    /// By process, with the order in which they began.
    live: BTreeMap<u32, (u64, Occupancy)>,
    /// In the order in which they ended.
    ended: Vec<Counters>,
    begun: u64,
    /// What the posts should say in the end, by counter.
    pub(crate) grown: BTreeMap<u32, u64>,
}

impl Model {
    pub(crate) fn begin(&mut self, process: u32) {
        self.begun += 1;
        let fresh = Occupancy {
            counters: Counters::new(),
            seen: BTreeMap::new(),
        };
        self.live.insert(process, (self.begun, fresh));
    }

    pub(crate) fn is_live(&self, process: u32) -> bool {
        self.live.contains_key(&process)
    }

    pub(crate) fn live(&self) -> Vec<u32> {
        self.live.keys().copied().collect()
    }

    pub(crate) fn counters(&mut self, process: u32) -> Option<&mut Counters> {
        self.live
            .get_mut(&process)
            .map(|(_, occupancy)| &mut occupancy.counters)
    }

    pub(crate) fn end(&mut self, process: u32) {
        self.look_at(process);
        let (_, occupancy) = self.live.remove(&process).expect("it is live");
        self.ended.push(occupancy.counters);
    }

    pub(crate) fn tick(&mut self) {
        self.live()
            .into_iter()
            .for_each(|process| self.look_at(process));
    }

    /// The posts look at a process: what rose since they last did has grown, what fell has not.
    fn look_at(&mut self, process: u32) {
        let (_, occupancy) = self.live.get_mut(&process).expect("it is live");
        for counter in NcCounter::all() {
            let now = occupancy.counters.over_cores(counter);
            let seen = occupancy.seen.insert(counter.get(), now).unwrap_or(0);
            let grown = self.grown.entry(counter.get()).or_default();
            *grown = grown.wrapping_add(now.saturating_sub(seen));
        }
    }

    fn live_counters(&self) -> impl Iterator<Item = &Counters> {
        self.live.values().map(|(_, occupancy)| &occupancy.counters)
    }

    /// The total of a counter of a core.
    pub(crate) fn core(&self, core: Core, counter: NcCounter) -> u64 {
        let value = |counters: &Counters| counters.nc[core.index()][counter.index()];
        let live = self.live_counters().map(value);
        match counter.info().kind {
            Kind::Gauge => sum(live),
            _ => sum(live.chain(self.ended.iter().map(value))),
        }
    }

    /// The total of a per-device counter; 0 for a version.
    pub(crate) fn device(&self, counter: NdCounter) -> u64 {
        let value = |counters: &Counters| counters.nd[counter.index()];
        let live = self.live_counters().map(value);
        let ended = self.ended.iter().map(value);
        match counter.info().kind {
            Kind::Monotonic => sum(live.chain(ended)),
            Kind::Gauge => sum(live),
            Kind::Bitmap => live.chain(ended).fold(0, |bits, more| bits | more),
            Kind::Identifier => self
                .newest(counter)
                .or(ended.rev().find(|value| *value != 0))
                .unwrap_or(0),
            Kind::Version => 0,
        }
    }

    fn newest(&self, counter: NdCounter) -> Option<u64> {
        let values = self
            .live
            .values()
            .map(|(begun, found)| (begun, found.counters.nd[counter.index()]));
        values
            .filter(|(_, value)| *value != 0)
            .max()
            .map(|(_, value)| value)
    }

    /// How many occupancies had each version.
    pub(crate) fn versions(&self, counter: NdCounter) -> BTreeMap<u64, u64> {
        let mut versions = BTreeMap::new();
        for counters in self.live_counters().chain(&self.ended) {
            *versions.entry(counters.nd[counter.index()]).or_default() += 1;
        }
        versions.remove(&0);
        versions
    }
}

fn sum(values: impl Iterator<Item = u64>) -> u64 {
    values.fold(0, u64::wrapping_add)
}
