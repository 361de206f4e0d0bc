// SPDX-License-Identifier: MIT OR Apache-2.0
//! `nds neff features`: the features that are known, and the runtimes whose masks are.

use std::io::Write;

use neff_features::profiles::PROFILES;
use neff_features::FeatureMask;
use serde::Serialize;

use super::args::Features;
use super::feature::{full_table, FeatureView};
use crate::failure::Failure;
use crate::table::{render, Column};

#[derive(Debug, Serialize)]
struct View {
    assigned: String,
    named: String,
    features: Vec<FeatureView>,
    runtimes: Vec<RuntimeView>,
}

#[derive(Debug, Serialize)]
struct RuntimeView {
    name: &'static str,
    supported: String,
    printed: String,
    max_schema: u64,
    basis: &'static str,
}

pub(crate) fn run(args: &Features, out: &mut impl Write) -> Result<(), Failure> {
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &view())?;
        return Ok(writeln!(out)?);
    }
    write!(out, "{}\n{}", full_table(), runtime_table())?;
    Ok(())
}

fn view() -> View {
    View {
        assigned: FeatureMask::ASSIGNED.to_string(),
        named: FeatureMask::NAMED.to_string(),
        features: FeatureView::all(FeatureMask::ASSIGNED),
        runtimes: runtimes(),
    }
}

fn runtimes() -> Vec<RuntimeView> {
    let view = |profile: &neff_features::profiles::Profile| RuntimeView {
        name: profile.name,
        supported: profile.capability.supported.to_string(),
        printed: profile.printed.to_string(),
        max_schema: profile.capability.max_schema,
        basis: profile.basis,
    };
    PROFILES.iter().map(view).collect()
}

fn runtime_table() -> String {
    let columns = [
        Column::Text("RUNTIME"),
        Column::Number("SUPPORTED"),
        Column::Number("PRINTED AS"),
        Column::Number("SCHEMA"),
        Column::Text("KNOWN FROM"),
    ];
    let cells = |view: RuntimeView| {
        vec![
            view.name.to_owned(),
            view.supported,
            view.printed,
            view.max_schema.to_string(),
            view.basis.to_owned(),
        ]
    };
    let rows: Vec<_> = runtimes().into_iter().map(cells).collect();
    render(&columns, &rows, 0)
}
