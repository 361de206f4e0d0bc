// SPDX-License-Identifier: MIT OR Apache-2.0
//! The metric families of the Prometheus text: names, help and types, in the order of the text.
//!
//! Owns the naming: `neuron_nds_`, the catalogue's name in lower case, the unit where it is known, `_total` for what
//! only grows. A counter that the catalogue has no name for is named by its number.

use super::prometheus::Line;
use crate::layout::{CounterInfo, Kind, NcCounter, NdCounter};

const PREFIX: &[u8] = b"neuron_nds_";

/// How the catalogue's names of memory gauges begin; their unit is the byte.
const MEMORY: &str = "MEM_USAGE_";

/// Lines with one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// A per-device counter.
    Device(NdCounter),
    /// A counter of the cores.
    Core(NcCounter),
    /// A number that describes the device or an occupancy.
    Own(Own),
}

/// What the device says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Own {
    /// Counts of [`Statistics`](super::statistics::Statistics).
    Acquires,
    Attaches,
    Releases,
    Closes,
    Reaps,
    StaleUses,
    ZeroedBytes,
    /// One sample for each reason.
    Refusals,
    SlotsOccupied,
    /// One sample for each occupancy that the reader may see.
    Occupancy,
    Age,
    SlotStaleUses,
    /// One sample for each core of an occupancy.
    CoreActive,
}

impl Own {
    const ALL: [Self; 13] = [
        Self::Acquires,
        Self::Attaches,
        Self::Releases,
        Self::Closes,
        Self::Reaps,
        Self::StaleUses,
        Self::ZeroedBytes,
        Self::Refusals,
        Self::SlotsOccupied,
        Self::Occupancy,
        Self::Age,
        Self::SlotStaleUses,
        Self::CoreActive,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Acquires => "acquires_total",
            Self::Attaches => "attaches_total",
            Self::Releases => "releases_total",
            Self::Closes => "closes_total",
            Self::Reaps => "reaps_total",
            Self::StaleUses => "stale_uses_total",
            Self::ZeroedBytes => "zeroed_bytes_total",
            Self::Refusals => "refusals_total",
            Self::SlotsOccupied => "slots_occupied",
            Self::Occupancy => "occupancy_info",
            Self::Age => "occupancy_age_seconds",
            Self::SlotStaleUses => "slot_stale_uses_total",
            Self::CoreActive => "occupancy_core_active",
        }
    }

    const fn help(self) -> &'static str {
        match self {
            Self::Acquires => "Occupancies that began.",
            Self::Attaches => "Look-ups of the slab of another process that were granted.",
            Self::Releases => "Occupancies that their owner released.",
            Self::Closes => "Occupancies that ended because their last file was closed.",
            Self::Reaps => "Occupancies that ended because their owner was found dead.",
            Self::StaleUses => "Uses of mappings whose occupancy had ended.",
            Self::ZeroedBytes => "Bytes of slabs that were zeroed.",
            Self::Refusals => "Requests that were refused, by reason.",
            Self::SlotsOccupied => "Slots that are occupied now.",
            Self::Occupancy => "A present occupancy. The value is always 1.",
            Self::Age => "Time since the occupancy began.",
            Self::SlotStaleUses => "Uses of mappings whose occupancy of this slot had ended.",
            Self::CoreActive => "1 for each core on which the occupancy has counted something.",
        }
    }
}

/// Families that are counters of the catalogue.
const CATALOGUE: usize = NdCounter::COUNT + NcCounter::COUNT;

impl Family {
    /// The family at a place of the text; none after the last.
    pub(super) fn nth(number: usize) -> Option<Self> {
        if let Some(own) = number.checked_sub(CATALOGUE) {
            return Own::ALL.get(own).copied().map(Self::Own);
        }
        match number.checked_sub(NdCounter::COUNT) {
            Some(counter) => NcCounter::new(counter as u32).map(Self::Core),
            None => NdCounter::new(number as u32).map(Self::Device),
        }
    }

    /// Writes the name of the metric.
    pub(super) fn write_name(self, line: &mut Line) {
        line.push(PREFIX);
        match self {
            Self::Device(counter) => write_counter_name(counter.info(), b"nd", line),
            Self::Core(counter) => write_counter_name(counter.info(), b"nc", line),
            Self::Own(own) => {
                line.push(own.name().as_bytes());
            }
        }
    }

    /// Writes the line that says what it is.
    pub(super) fn write_help(self, line: &mut Line) {
        line.push(b"# HELP ");
        self.write_name(line);
        line.push(b" ");
        match self {
            Self::Own(own) => line.push(own.help().as_bytes()),
            Self::Device(counter) => write_counter_help(counter.info(), line),
            Self::Core(counter) => write_counter_help(counter.info(), line),
        };
        line.push(b"\n");
    }

    /// Writes the line that says of which type it is.
    pub(super) fn write_type(self, line: &mut Line) {
        line.push(b"# TYPE ");
        self.write_name(line);
        line.push(if self.is_counter() {
            b" counter\n"
        } else {
            b" gauge\n"
        });
    }

    fn is_counter(self) -> bool {
        match self {
            Self::Own(own) => own.name().ends_with(TOTAL),
            Self::Device(counter) => counter.info().kind == Kind::Monotonic,
            Self::Core(counter) => counter.info().kind == Kind::Monotonic,
        }
    }
}

/// What Prometheus calls a metric that only grows.
const TOTAL: &str = "_total";

fn write_counter_name(info: &CounterInfo, group: &[u8], line: &mut Line) {
    if info.is_named() {
        line.lower_case(info.name.as_bytes());
    } else {
        line.push(b"reserved_")
            .push(group)
            .push(b"_")
            .decimal(info.index.into());
    }
    let suffix = match info.kind {
        Kind::Monotonic => TOTAL,
        Kind::Gauge if info.name.starts_with(MEMORY) => "_bytes",
        // Gauges that the runtime stores; LATENCY_TOTAL must not look like a counter.
        Kind::Gauge => "_stored",
        Kind::Bitmap => "",
        Kind::Version => "_occupancies",
        Kind::Identifier => "_info",
    };
    line.push(suffix.as_bytes());
}

fn write_counter_help<'a>(info: &CounterInfo, line: &'a mut Line) -> &'a mut Line {
    line.push(info.meaning.as_bytes())
        .push(aggregation(info.kind))
}

/// What the value of a counter of this kind is.
const fn aggregation(kind: Kind) -> &'static [u8] {
    match kind {
        Kind::Monotonic => b" Sum over ended and present processes.",
        Kind::Gauge => b" Sum over present processes.",
        Kind::Bitmap => b" 1 for each bit that an ended or present process has set.",
        Kind::Version => b" Occupancies, ended ones included, that had this version.",
        Kind::Identifier => b" The newest that is known. The value is always 1.",
    }
}
