// SPDX-License-Identifier: MIT OR Apache-2.0
//! `docs/metrics.md` lists exactly the metrics that the Prometheus text has.
//!
//! The page is made here from the catalogue and from the text of a device on which everything is
//! set. With `NDS_UPDATE_DOCS=1` in the environment it is written instead of compared.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::layout::catalog::{nc_counters, nd_counters};
use crate::layout::{CounterInfo, Kind, NcCounter, NdCounter};
use crate::support::with_dense_world;
use crate::text::{full_world, report_text};

const INTRODUCTION: &str = "\
# Metrics

Generated from the counter catalogue; do not edit. After a change of the catalogue:

    NDS_UPDATE_DOCS=1 cargo test -p nds-core --test telemetry metrics_page

`cat /dev/neuron_nds0` gives these metrics in the Prometheus text format, with the label `device`. Those of a NeuronCore
have the label `core`, too. `nds totals` shows the same sums under the names of the catalogue. A metric without a
sample is one that nobody has set. Numbers that the catalogue has no name for yet appear as `neuron_nds_reserved_nd_N_total`
and `neuron_nds_reserved_nc_N_total` when a newer runtime fills them.
";

const KINDS: &str = "
## Kinds

| Kind | What the value of the device is |
|---|---|
| monotonic | sum over ended and present processes; never decreases while the module is loaded |
| gauge | sum over the present processes |
| bitmap | a sample with the value 1 for each bit that an ended or present process has set |
| version | a sample for each version: how many occupancies, ended ones included, had it |
| identifier | a sample with the value 1 and the newest identifier that is known as its label |
";

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Monotonic => "monotonic",
        Kind::Gauge => "gauge",
        Kind::Bitmap => "bitmap",
        Kind::Version => "version",
        Kind::Identifier => "identifier",
    }
}

/// The counters of the catalogue that have a name, each with the metric of the same place.
fn counter_table(page: &mut String, counters: &[CounterInfo], metrics: &[(&str, &str)]) {
    page.push_str("\n| No. | Counter | Metric | Kind | Meaning |\n|---|---|---|---|---|\n");
    for (info, (metric, _)) in counters.iter().zip(metrics) {
        if info.is_named() {
            let (number, name, meaning) = (info.index, info.name, info.meaning);
            let kind = kind(info.kind);
            writeln!(
                page,
                "| {number} | `{name}` | `{metric}` | {kind} | {meaning} |"
            )
            .unwrap();
        }
    }
}

/// The page, from the text of a device on which everything is set.
fn page(text: &str) -> String {
    let helps = text.lines().filter_map(|line| line.strip_prefix("# HELP "));
    let metrics: Vec<_> = helps.map(|help| help.split_once(' ').unwrap()).collect();
    let (device, rest) = metrics.split_at(NdCounter::COUNT);
    let (core, own) = rest.split_at(NcCounter::COUNT);
    let mut page = INTRODUCTION.to_owned();
    page.push_str("\n## Counters of a device\n");
    counter_table(&mut page, nd_counters(), device);
    page.push_str("\n## Counters of a NeuronCore\n");
    counter_table(&mut page, nc_counters(), core);
    page.push_str("\n## What the module counts itself\n\n| Metric | Meaning |\n|---|---|\n");
    for (metric, meaning) in own {
        writeln!(page, "| `{metric}` | {meaning} |").unwrap();
    }
    page + KINDS
}

#[test]
fn the_page_of_metrics_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/metrics.md");
    with_dense_world(|world| {
        full_world(world);
        let page = page(&report_text(world));
        if std::env::var_os("NDS_UPDATE_DOCS").is_some() {
            fs::write(&path, &page).unwrap();
        }
        let found = fs::read_to_string(&path).unwrap();
        assert!(
            found == page,
            "docs/metrics.md is not current; it says how to make it so"
        );
    });
}
