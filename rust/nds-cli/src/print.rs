// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables for people: views of producers and counters.

use std::io::Write;

use nds::layout::catalog::{nc_counters, CounterInfo};
use nds::layout::Kind;
use nds::PackedVersion;

use crate::describe::{
    Counters, ModelView, ProcessView, ProducerView, SlabView, UsageView, Values,
};
use crate::failure::Failure;
use crate::table::{render, Column};

const INDENT: usize = 2;

/// As many columns of 14-digit numbers as fit a terminal.
const CORES_A_TABLE: usize = 4;

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
        "\"{}\", {} {}, runtime {}, adaptation layer {}",
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
        let row = |(info, value)| vec![info_name(info), device_value(info, value)];
        let rows: Vec<_> = counters.device.iter().map(row).collect();
        let columns = [Column::Text("DEVICE COUNTER"), Column::Number("VALUE")];
        write!(out, "\n{}", render(&columns, &rows, INDENT))?;
    }
    let cores: Vec<_> = counters.cores.iter().collect();
    for cores in cores.chunks(CORES_A_TABLE) {
        write!(out, "\n{}", core_table(cores))?;
    }
    Ok(())
}

fn info_name(info: &CounterInfo) -> String {
    info.name.to_owned()
}

fn core_table(cores: &[(&u32, &Values)]) -> String {
    let headings: Vec<_> = cores
        .iter()
        .map(|(core, _)| format!("CORE {core}"))
        .collect();
    let mut columns = vec![Column::Text("CORE COUNTER")];
    columns.extend(headings.iter().map(|heading| Column::Number(heading)));
    let rows: Vec<_> = nc_counters()
        .iter()
        .filter_map(|info| core_row(info, cores))
        .collect();
    render(&columns, &rows, INDENT)
}

/// One counter of all these cores; `None` if it is shown of none.
fn core_row(info: &CounterInfo, cores: &[(&u32, &Values)]) -> Option<Vec<String>> {
    let values: Vec<_> = cores
        .iter()
        .map(|(_, values)| values.get(info.index))
        .collect();
    values.iter().any(Option::is_some).then(|| {
        let values = values.iter().map(|value| value.unwrap_or(0).to_string());
        std::iter::once(info_name(info)).chain(values).collect()
    })
}

/// A value as its kind is best read.
fn device_value(info: &CounterInfo, value: u64) -> String {
    match info.kind {
        Kind::Version if value != 0 => PackedVersion::from_word(value).version.to_string(),
        Kind::Bitmap | Kind::Identifier => format!("{value:#x}"),
        _ => value.to_string(),
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
