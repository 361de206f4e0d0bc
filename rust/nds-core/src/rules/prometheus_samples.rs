// SPDX-License-Identifier: MIT OR Apache-2.0
//! The samples of each metric family of the Prometheus text.
//!
//! Owns which samples there are, their labels and values. Only facts: what is not known has no sample.

use super::prometheus::Line;
use super::prometheus_families::{Family, Own};
use super::report::{OccupancyRow, Snapshot};
use super::slot::{Slot, SLOTS};
use super::statistics::Refusal;
use super::versions::{write_version, Usage, VERSIONS_KEPT};
use crate::layout::{Core, CounterInfo, Kind, NcCounter, NdCounter, PackedVersion};

const NANOSECONDS: u64 = 1_000_000_000;
const NANOSECOND_DIGITS: usize = 9;

impl Family {
    /// How many samples it can have, each found by a key below that.
    pub(super) fn keys(self) -> usize {
        match self {
            Self::Core(_) => Core::COUNT,
            Self::Device(counter) => match counter.info().kind {
                Kind::Monotonic | Kind::Gauge | Kind::Identifier => 1,
                Kind::Bitmap => u64::BITS as usize,
                Kind::Version => VERSIONS_KEPT,
            },
            Self::Own(own) => own.keys(),
        }
    }

    /// Whether it has any sample.
    pub(super) fn has_samples(self, snapshot: &Snapshot) -> bool {
        (0..self.keys()).any(|key| self.value(snapshot, key).is_some())
    }

    /// Writes a sample; nothing if there is none.
    pub(super) fn write_sample(self, snapshot: &Snapshot, key: usize, line: &mut Line) {
        let Some(value) = self.value(snapshot, key) else {
            return;
        };
        self.write_name(line);
        line.push(b"{device=\"")
            .decimal(snapshot.device_number().into())
            .push(b"\"");
        self.write_labels(snapshot, key, line);
        line.push(b"} ");
        if self == Self::Own(Own::Age) {
            line.decimal(value / NANOSECONDS)
                .push(b".")
                .padded(value % NANOSECONDS, NANOSECOND_DIGITS);
        } else {
            line.decimal(value);
        }
        line.push(b"\n");
    }

    fn value(self, snapshot: &Snapshot, key: usize) -> Option<u64> {
        match self {
            Self::Core(counter) => core_value(snapshot, counter, key),
            Self::Device(counter) => device_value(snapshot, counter, key),
            Self::Own(own) => own.value(snapshot, key),
        }
    }

    fn write_labels(self, snapshot: &Snapshot, key: usize, line: &mut Line) {
        match self {
            Self::Core(_) => label(line, b"core", key as u64),
            Self::Device(counter) => write_device_labels(snapshot, counter, key, line),
            Self::Own(own) => own.write_labels(snapshot, key, line),
        }
    }
}

/// Appends a label with a number.
fn label(line: &mut Line, name: &[u8], value: u64) {
    line.push(b",")
        .push(name)
        .push(b"=\"")
        .decimal(value)
        .push(b"\"");
}

/// A counter without a name is a fact only once somebody uses it.
fn is_said(info: &CounterInfo, value: u64) -> bool {
    value != 0 || info.is_named()
}

fn core_value(snapshot: &Snapshot, counter: NcCounter, key: usize) -> Option<u64> {
    let value = snapshot.core(Core::new(key as u32)?, counter)?;
    is_said(counter.info(), value).then_some(value)
}

fn device_value(snapshot: &Snapshot, counter: NdCounter, key: usize) -> Option<u64> {
    let value = snapshot.device(counter);
    match counter.info().kind {
        Kind::Monotonic | Kind::Gauge => is_said(counter.info(), value).then_some(value),
        Kind::Identifier => (value != 0).then_some(1),
        Kind::Bitmap => (value.checked_shr(key as u32)? & 1 == 1).then_some(1),
        Kind::Version => Some(version(snapshot, counter, key)?.count),
    }
}

fn version(snapshot: &Snapshot, counter: NdCounter, key: usize) -> Option<&Usage> {
    snapshot.versions(counter)?.iter().nth(key)
}

fn write_device_labels(snapshot: &Snapshot, counter: NdCounter, key: usize, line: &mut Line) {
    match counter.info().kind {
        Kind::Monotonic | Kind::Gauge => {}
        Kind::Identifier => label(line, b"value", snapshot.device(counter)),
        Kind::Bitmap => label(line, b"bit", key as u64),
        Kind::Version => {
            if let Some(usage) = version(snapshot, counter, key) {
                line.push(b",version=\"");
                write_version(line, usage.word);
                line.push(b"\"");
                label(
                    line,
                    b"reserved",
                    PackedVersion::from_word(usage.word).reserved.into(),
                );
            }
        }
    }
}

impl Own {
    const fn keys(self) -> usize {
        match self {
            Self::Refusals => Refusal::COUNT,
            Self::Occupancy | Self::Age | Self::SlotStaleUses => SLOTS,
            Self::CoreActive => SLOTS * Core::COUNT,
            _ => 1,
        }
    }

    fn value(self, snapshot: &Snapshot, key: usize) -> Option<u64> {
        let statistics = snapshot.statistics();
        match self {
            Self::Acquires => Some(statistics.acquires),
            Self::Attaches => Some(statistics.attaches),
            Self::Releases => Some(statistics.releases),
            Self::Closes => Some(statistics.closes),
            Self::Reaps => Some(statistics.reaps),
            Self::StaleUses => Some(statistics.stale_uses),
            Self::ZeroedBytes => Some(statistics.bytes_zeroed),
            Self::Refusals => Some(statistics.refused(*Refusal::ALL.get(key)?)),
            Self::SlotsOccupied => Some(snapshot.occupied().into()),
            Self::Occupancy => self.row(snapshot, key).map(|_| 1),
            Self::Age => self.row(snapshot, key).map(|row| row.age_ns),
            Self::SlotStaleUses => self.row(snapshot, key).map(|row| row.stale_uses),
            Self::CoreActive => {
                let core = Core::new((key % Core::COUNT) as u32)?;
                self.row(snapshot, key)?.cores.contains(core).then_some(1)
            }
        }
    }

    /// The occupancy that a sample is about, if it is about one.
    fn row(self, snapshot: &Snapshot, key: usize) -> Option<&OccupancyRow> {
        let slot = match self {
            Self::Occupancy | Self::Age | Self::SlotStaleUses => key,
            Self::CoreActive => key / Core::COUNT,
            _ => return None,
        };
        snapshot.row(Slot::new(slot as u64)?)
    }

    fn write_labels(self, snapshot: &Snapshot, key: usize, line: &mut Line) {
        if self == Self::Refusals {
            let reason = Refusal::ALL.get(key).map_or("", |reason| reason.name());
            line.push(b",reason=\"").push(reason.as_bytes()).push(b"\"");
        }
        let Some(row) = self.row(snapshot, key) else {
            return;
        };
        label(line, b"slot", row.slot.into());
        if self == Self::SlotStaleUses {
            return;
        }
        label(line, b"generation", row.generation);
        match self {
            Self::Occupancy => write_process(row, line),
            Self::CoreActive => label(line, b"core", (key % Core::COUNT) as u64),
            _ => {}
        }
    }
}

/// A process that has no number in the reader's namespace has no such label.
fn write_process(row: &OccupancyRow, line: &mut Line) {
    if row.process.pid != 0 {
        label(line, b"pid", row.process.pid.unsigned_abs().into());
    }
    label(line, b"uid", row.process.uid.into());
}
