// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is shown of a producer and of a device's totals, as data: the schema of `--json`, from which
//! the tables are made too.
//!
//! Text of other processes is untrusted bytes: what is not UTF-8 is replaced, and control
//! characters, which a terminal would obey, are escaped.

use std::collections::BTreeMap;

use nds::layout::catalog::{nc_counters, nd_counters, CounterInfo};
use nds::layout::record::model::CATEGORY_NAMES;
use nds::{
    Core, MemoryUsage, Model, ModelSlot, NcCounter, NdCounter, ProcessInfo, Report, SlabSnapshot,
};
use serde::{Serialize, Serializer};

/// One process's slab.
#[derive(Debug, Serialize)]
pub(crate) struct ProducerView {
    pub(crate) device: String,
    pub(crate) pid: i32,
    #[serde(flatten)]
    pub(crate) content: SlabView,
}

/// What a slab says.
#[derive(Debug, Serialize)]
pub(crate) struct SlabView {
    /// `None` if no valid record is published.
    pub(crate) process: Option<ProcessView>,
    /// The long tag; `None` if no valid record is published.
    pub(crate) long_tag: Option<String>,
    pub(crate) counters: Counters,
    pub(crate) models: Vec<ModelView>,
    /// Taken model slots without a valid record.
    pub(crate) unreadable_models: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct ProcessView {
    pub(crate) tag: String,
    pub(crate) framework: String,
    pub(crate) framework_version: String,
    pub(crate) fal_version: String,
    pub(crate) runtime_version: String,
}

/// The counters of a slab or of a device.
#[derive(Debug, Serialize)]
pub(crate) struct Counters {
    pub(crate) device: Values,
    /// By the number of the core.
    pub(crate) cores: BTreeMap<u32, Values>,
}

/// Counters by their names in the catalogue, in the order of the catalogue.
#[derive(Debug)]
pub(crate) struct Values(Vec<(&'static CounterInfo, u64)>);

impl Values {
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static CounterInfo, u64)> + '_ {
        self.0.iter().copied()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of the counter of that number; `None` if it is not shown.
    pub(crate) fn get(&self, index: u32) -> Option<u64> {
        self.iter()
            .find(|(info, _)| info.index == index)
            .map(|(_, value)| value)
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(info, value)| (info.name, value)))
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct ModelView {
    pub(crate) slot: u32,
    pub(crate) model_id: u32,
    pub(crate) model_node_id: u32,
    pub(crate) name: String,
    pub(crate) uuid: String,
    pub(crate) nc_index: u8,
    pub(crate) sg_index: u8,
    pub(crate) host_memory: Vec<UsageView>,
    pub(crate) device_memory: Vec<UsageView>,
}

#[derive(Debug, Serialize)]
pub(crate) struct UsageView {
    pub(crate) category: String,
    pub(crate) bytes: u64,
    pub(crate) chunks: u32,
}

/// Which counters are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zeros {
    Hidden,
    Shown,
}

impl From<bool> for Zeros {
    fn from(shown: bool) -> Self {
        if shown {
            Self::Shown
        } else {
            Self::Hidden
        }
    }
}

impl SlabView {
    pub(crate) fn new(snapshot: &SlabSnapshot, zeros: Zeros) -> Self {
        let cores = match zeros {
            Zeros::Hidden => snapshot.active_cores().collect(),
            Zeros::Shown => Core::all().collect(),
        };
        let counters = Counters::new(
            cores,
            zeros,
            |counter| snapshot.nd(counter),
            |core, counter| snapshot.nc(core, counter),
        );
        Self {
            process: snapshot.process_info().ok().map(ProcessView::new),
            long_tag: snapshot
                .process_info_ext()
                .ok()
                .map(|info| text(info.tag_text())),
            counters,
            models: snapshot
                .models()
                .iter()
                .map(|(slot, model)| model_view(slot, &model))
                .collect(),
            unreadable_models: snapshot.unreadable_models(),
        }
    }
}

impl Counters {
    /// The totals of a device.
    pub(crate) fn of_report(report: &Report, zeros: Zeros) -> Self {
        let nc = |core, counter| report.nc(core, counter).unwrap_or(0);
        let cores = report.cores().filter(|core| {
            zeros == Zeros::Shown || NcCounter::all().any(|counter| nc(*core, counter) != 0)
        });
        Self::new(cores.collect(), zeros, |counter| report.nd(counter), nc)
    }

    fn new(
        cores: Vec<Core>,
        zeros: Zeros,
        nd: impl Fn(NdCounter) -> u64,
        nc: impl Fn(Core, NcCounter) -> u64,
    ) -> Self {
        let row = |core| {
            named(
                nc_counters(),
                zeros,
                NcCounter::all().map(|counter| nc(core, counter)),
            )
        };
        Self {
            device: named(nd_counters(), zeros, NdCounter::all().map(nd)),
            cores: cores
                .into_iter()
                .map(|core| (core.get(), row(core)))
                .collect(),
        }
    }
}

/// The values to show. Reserved counters are shown if a newer runtime has filled them.
fn named(infos: &'static [CounterInfo], zeros: Zeros, values: impl Iterator<Item = u64>) -> Values {
    let all = infos.iter().zip(values);
    let is_shown =
        |info: &CounterInfo, value| value != 0 || zeros == Zeros::Shown && info.is_named();
    Values(all.filter(|(info, value)| is_shown(info, *value)).collect())
}

impl ProcessView {
    fn new(info: &ProcessInfo) -> Self {
        Self {
            tag: text(info.tag_text()),
            framework: framework(info.framework_type),
            framework_version: info.framework_version.to_string(),
            fal_version: info.fal_version.to_string(),
            runtime_version: info.runtime_version.to_string(),
        }
    }
}

fn framework(number: i8) -> String {
    let name = match number {
        0 => "unknown",
        1 => "none",
        2 => "TensorFlow",
        3 => "PyTorch",
        4 => "MXNet",
        5 => "precheck",
        other => return format!("type {other}"),
    };
    name.to_owned()
}

fn model_view(slot: ModelSlot, model: &Model) -> ModelView {
    ModelView {
        slot: slot.get(),
        model_id: model.model_id,
        model_node_id: model.model_node_id,
        name: text(model.name_text()),
        uuid: model
            .uuid
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect(),
        nc_index: model.nc_index,
        sg_index: model.sg_index,
        host_memory: usage_views(&model.host_usage),
        device_memory: usage_views(&model.device_usage),
    }
}

/// The categories that are in use.
fn usage_views(usage: &[MemoryUsage]) -> Vec<UsageView> {
    let used = usage
        .iter()
        .enumerate()
        .filter(|(_, usage)| **usage != MemoryUsage::default());
    used.map(|(place, usage)| UsageView {
        category: CATEGORY_NAMES
            .get(place)
            .map_or(format!("RESERVED_{place}"), |name| (*name).to_owned()),
        bytes: usage.total_size,
        chunks: usage.chunk_count,
    })
    .collect()
}

/// Bytes of another process as text that is safe to print.
pub(crate) fn text(bytes: &[u8]) -> String {
    let escape = |character: char| match character.is_control() {
        true => character.escape_default().to_string(),
        false => character.to_string(),
    };
    String::from_utf8_lossy(bytes).chars().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_other_processes_cannot_command_the_terminal() {
        assert_eq!(text(b"plain \xc3\xa9"), "plain \u{e9}");
        assert_eq!(text(b"\x1b[2J\n"), "\\u{1b}[2J\\n");
        assert_eq!(text(b"\xff\xfe"), "\u{fffd}\u{fffd}");
    }

    #[test]
    fn a_framework_that_has_no_name_is_shown_by_its_number() {
        assert_eq!(framework(3), "PyTorch");
        assert_eq!(framework(-1), "type -1");
    }
}
