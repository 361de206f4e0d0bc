// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables for people: views of producers and counters.

use std::io::Write;

use nds::layout::catalog::{nc_counters, nd_counters};
use nds::layout::Kind;
use nds::PackedVersion;

use crate::describe::{Counters, ModelView, Named, ProcessView, ProducerView, SlabView, UsageView};
use crate::failure::Failure;
use crate::table::{render, Column};

const INDENT: usize = 2;

/// Writes one process's view as tables.
pub(crate) fn write_view(view: &ProducerView, out: &mut impl Write) -> Result<(), Failure> {
    write!(out, "process {} on {}", view.pid, view.device)?;
    match &view.content.process {
        Some(process) => writeln!(out, ": {}", identity(process))?,
        None => writeln!(out, ": no valid process record")?,
    }
    if let Some(tag) = view.content.long_tag.as_ref().filter(|tag| !tag.is_empty()) {
        writeln!(out, "  long tag: {tag}")?;
    }
    write_counters(&view.content.counters, out)?;
    write_models(&view.content, out)
}

fn identity(process: &ProcessView) -> String {
    format!(
        "{:?}, {} {}, runtime {}, adaptation layer {}",
        process.tag,
        process.framework,
        process.framework_version,
        process.runtime_version,
        process.fal_version
    )
}

/// Writes per-device counters as rows, and those of cores as rows with a column a core.
pub(crate) fn write_counters(counters: &Counters, out: &mut impl Write) -> Result<(), Failure> {
    if !counters.device.is_empty() {
        let rows: Vec<_> = counters
            .device
            .iter()
            .map(|c| vec![c.name.to_owned(), device_value(c)])
            .collect();
        let columns = [Column::Text("DEVICE COUNTER"), Column::Number("VALUE")];
        write!(out, "\n{}", render(&columns, &rows, INDENT))?;
    }
    if !counters.cores.is_empty() {
        write!(out, "\n{}", core_table(counters))?;
    }
    Ok(())
}

fn core_table(counters: &Counters) -> String {
    let headings: Vec<_> = counters
        .cores
        .keys()
        .map(|core| format!("CORE {core}"))
        .collect();
    let mut columns = vec![Column::Text("CORE COUNTER")];
    columns.extend(headings.iter().map(|heading| Column::Number(heading)));
    let names = nc_counters().iter().map(|info| info.name);
    let rows: Vec<_> = names
        .map(|name| (name, counters.cores.values().map(|row| value_of(row, name))))
        .filter(|(_, values)| values.clone().any(|value| value.is_some()))
        .map(|(name, values)| {
            let values = values.map(|value| value.unwrap_or(0).to_string());
            std::iter::once(name.to_owned()).chain(values).collect()
        })
        .collect();
    render(&columns, &rows, INDENT)
}

fn value_of(row: &[Named], name: &str) -> Option<u64> {
    row.iter()
        .find(|counter| counter.name == name)
        .map(|counter| counter.value)
}

/// A value as its kind is best read.
fn device_value(counter: &Named) -> String {
    let kind = nd_counters()
        .iter()
        .find(|info| info.name == counter.name)
        .map(|info| info.kind);
    match kind {
        Some(Kind::Version) if counter.value != 0 => {
            PackedVersion::from_word(counter.value).version.to_string()
        }
        Some(Kind::Bitmap | Kind::Identifier) => format!("{:#x}", counter.value),
        _ => counter.value.to_string(),
    }
}

fn write_models(content: &SlabView, out: &mut impl Write) -> Result<(), Failure> {
    if !content.models.is_empty() {
        let columns = [
            Column::Number("SLOT"),
            Column::Number("MODEL"),
            Column::Number("NODE"),
            Column::Number("CORE"),
            Column::Number("HOST BYTES"),
            Column::Number("DEVICE BYTES"),
            Column::Text("NAME"),
        ];
        let rows: Vec<_> = content.models.iter().map(model_row).collect();
        write!(out, "\n{}", render(&columns, &rows, INDENT))?;
    }
    if content.unreadable_models > 0 {
        writeln!(
            out,
            "\n  {} taken model slots have no valid record",
            content.unreadable_models
        )?;
    }
    Ok(())
}

fn model_row(model: &ModelView) -> Vec<String> {
    let bytes = |usage: &[UsageView]| {
        usage
            .iter()
            .fold(0_u64, |sum, usage| sum.wrapping_add(usage.bytes))
            .to_string()
    };
    vec![
        model.slot.to_string(),
        model.model_id.to_string(),
        model.model_node_id.to_string(),
        model.nc_index.to_string(),
        bytes(&model.host_memory),
        bytes(&model.device_memory),
        model.name.clone(),
    ]
}
