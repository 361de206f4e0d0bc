// SPDX-License-Identifier: MIT OR Apache-2.0
//! `nds totals`: what a device adds up over all its producers, past and present.

use std::collections::BTreeMap;
use std::io::Write;

use nds::layout::catalog::nd_counters;
use nds::{Device, NdCounter, Refusal, Report, Statistics};
use serde::Serialize;

use crate::args::Totals;
use crate::choose;
use crate::describe::{Counters, Zeros};
use crate::failure::Failure;
use crate::print::write_counters;
use crate::table::{render, Column};

/// The totals of one device.
#[derive(Debug, Serialize)]
pub(crate) struct TotalsView {
    device: String,
    /// Processes that publish now.
    producers: u32,
    counters: Counters,
    /// By component: each version, and how many processes had it.
    versions: BTreeMap<&'static str, Vec<VersionRow>>,
    statistics: BTreeMap<&'static str, u64>,
    refusals: BTreeMap<&'static str, u64>,
}

#[derive(Debug, Serialize)]
struct VersionRow {
    version: String,
    processes: u64,
}

pub(crate) fn run(args: &Totals, out: &mut impl Write) -> Result<(), Failure> {
    let zeros = args.zeros.into();
    let devices = choose::to_read(&args.devices)?;
    if args.prometheus {
        return Ok(out.write_all(&prometheus(&devices)?)?);
    }
    let views = devices
        .iter()
        .map(|device| view(device, zeros))
        .collect::<Result<Vec<_>, _>>()?;
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &views)?;
        return Ok(writeln!(out)?);
    }
    for (nth, view) in views.iter().enumerate() {
        if nth > 0 {
            writeln!(out)?;
        }
        write_totals(view, out)?;
    }
    Ok(())
}

/// What Prometheus scrapes: the reports of all these devices as one text.
pub(crate) fn prometheus(devices: &[Device]) -> Result<Vec<u8>, nds::Error> {
    let reports: Vec<_> = devices
        .iter()
        .map(Device::report)
        .collect::<Result<_, _>>()?;
    Ok(nds::prometheus_text(&reports))
}

/// Takes a report of a device.
pub(crate) fn view(device: &Device, zeros: Zeros) -> Result<TotalsView, nds::Error> {
    let report = device.report()?;
    Ok(TotalsView {
        device: device.name(),
        producers: report.occupied(),
        counters: Counters::of_report(&report, zeros),
        versions: versions(&report),
        statistics: statistics(report.statistics()),
        refusals: refusals(report.statistics()),
    })
}

fn versions(report: &Report) -> BTreeMap<&'static str, Vec<VersionRow>> {
    let rows = |counter| {
        let usages = report.versions(counter);
        usages
            .map(|usage| VersionRow {
                version: usage.version.version.to_string(),
                processes: usage.occupancies,
            })
            .collect::<Vec<_>>()
    };
    let named = nd_counters().iter().zip(NdCounter::all());
    named
        .map(|(info, counter)| (info.name, rows(counter)))
        .filter(|(_, rows)| !rows.is_empty())
        .collect()
}

fn statistics(statistics: &Statistics) -> BTreeMap<&'static str, u64> {
    BTreeMap::from([
        ("acquires", statistics.acquires),
        ("attaches", statistics.attaches),
        ("releases", statistics.releases),
        ("closes", statistics.closes),
        ("reaps", statistics.reaps),
        ("stale_uses", statistics.stale_uses),
        ("bytes_zeroed", statistics.bytes_zeroed),
    ])
}

fn refusals(statistics: &Statistics) -> BTreeMap<&'static str, u64> {
    Refusal::ALL
        .iter()
        .zip(statistics.refusals)
        .map(|(reason, count)| (reason.name(), count))
        .collect()
}

/// Writes the totals as tables.
pub(crate) fn write_totals(view: &TotalsView, out: &mut impl Write) -> Result<(), Failure> {
    writeln!(
        out,
        "totals of {} (producers now: {})",
        view.device, view.producers
    )?;
    write_counters(&view.counters, out)?;
    let rows: Vec<_> = view.versions.iter().flat_map(version_rows).collect();
    if !rows.is_empty() {
        let columns = [
            Column::Text("VERSION OF"),
            Column::Text("VERSION"),
            Column::Number("PROCESSES"),
        ];
        write!(out, "\n{}", render(&columns, &rows, 2))?;
    }
    Ok(())
}

fn version_rows<'a>(
    (component, rows): (&'a &'static str, &'a Vec<VersionRow>),
) -> impl Iterator<Item = Vec<String>> + 'a {
    rows.iter().map(|row| {
        vec![
            (*component).to_owned(),
            row.version.clone(),
            row.processes.to_string(),
        ]
    })
}
