// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inspected files for people: a block each, or a line each.
//!
//! Text from a file passes through `shown` on its way to the terminal.

use std::io::Write;
use std::path::Path;

use neff_features::arch::ArchLevel;
use neff_features::container::{DigestState, Outcome, Report};
use neff_features::header::{HashTail, Header};
use neff_features::text::Escaped;

use super::feature::meaning_table;
use super::shown;
use super::view::uuid;
use crate::failure::Failure;
use crate::table::{render, Column};

const INDENT: usize = 2;

/// Writes all about one file: header, features, names of each core, disagreements.
pub(crate) fn write_report(
    path: &Path,
    report: &Report,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let file = shown::line(&path.display().to_string());
    writeln!(out, "{file}")?;
    for (key, value) in facts(report) {
        writeln!(out, "  {key:<9} {}", shown::line(&value))?;
    }
    if let Some(header) = report.header.filter(|header| !header.mask().is_empty()) {
        write!(out, "\n{}", meaning_table(header.mask(), INDENT))?;
    }
    if !report.cores.is_empty() {
        write!(out, "\n{}", core_table(report))?;
    }
    write_objections(&file, report, out)?;
    Ok(writeln!(out)?)
}

/// What the header and the archive say about themselves.
fn facts(report: &Report) -> Vec<(&'static str, String)> {
    let mut facts = vec![("size", format!("{} bytes", report.file_size))];
    if let Some(header) = &report.header {
        facts.extend(header_facts(header, report));
    }
    if let Some(level) = report.arch.and_then(ArchLevel::find) {
        let ArchLevel {
            runtime_name,
            marketed,
            level,
            ..
        } = level;
        facts.push((
            "target",
            format!("{runtime_name} ({marketed}, level {level})"),
        ));
    }
    if report.fatal.is_none() {
        facts.push(("members", report.members.len().to_string()));
    }
    facts
}

fn header_facts(header: &Header, report: &Report) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("name", header.name().to_string()),
        ("uuid", uuid(&header.uuid())),
        ("layout", layout(header, report)),
        ("package", package(header, report)),
        ("schema", schema(header)),
        ("features", header.mask().to_string()),
    ];
    if let Header::Runtime(runtime) = header {
        facts.insert(
            1,
            ("build", Escaped::field(&runtime.build_version).to_string()),
        );
        facts.push(("vnc size", runtime.vnc_size.to_string()));
    }
    facts
}

fn layout(header: &Header, report: &Report) -> String {
    let name = header.layout().name();
    match report.hash_tail() {
        Some(HashTail::Mirror) => format!("{name}, mirrored for readers of the page layout (dual)"),
        _ => name.to_owned(),
    }
}

/// The schema is the version that loaders print.
fn schema(header: &Header) -> String {
    match header {
        Header::Runtime(runtime) => format!(
            "{0} (version {0}.{1})",
            runtime.version_major, runtime.version_minor
        ),
        Header::Page(page) => page.schema_min.to_string(),
    }
}

fn package(header: &Header, report: &Report) -> String {
    let (version, archive) = (
        header.pkg_version(),
        if report.compressed { "gzip" } else { "plain" },
    );
    let digest = match report.digest {
        DigestState::Skipped => "not computed (--verify always)",
        digest => digest.name(),
    };
    format!("version {version}, {archive}, digest {digest}")
}

fn core_table(report: &Report) -> String {
    let columns = [Column::Text("CORE"), Column::Text("NAMES")];
    let names = |features: &[String]| match features {
        [] => "-".to_owned(),
        features => shown::line(&features.join(" ")),
    };
    let rows: Vec<_> = report
        .cores
        .iter()
        .map(|core| vec![shown::line(&core.path), names(&core.features)])
        .collect();
    render(&columns, &rows, INDENT)
}

/// Fault and findings, each with file and offset, as compilers print theirs.
fn write_objections(file: &str, report: &Report, out: &mut impl Write) -> Result<(), Failure> {
    if report.fatal.is_some() || !report.findings.is_empty() {
        writeln!(out)?;
    }
    for finding in &report.findings {
        writeln!(out, "{file}: {}", shown::line(&finding.to_string()))?;
    }
    if let Some(fault) = &report.fatal {
        writeln!(out, "{file}: {}", shown::line(&fault.to_string()))?;
    }
    Ok(())
}

/// One line of the summary.
pub(crate) struct SummaryRow {
    file: String,
    header: Option<(&'static str, String, String)>,
    cores: usize,
    findings: usize,
    outcome: &'static str,
}

impl SummaryRow {
    /// A row for a file, with dashes where it could not be read.
    pub(crate) fn new(path: &Path, report: Option<&Report>) -> Self {
        let header = report.and_then(|report| report.header);
        Self {
            file: shown::line(&path.display().to_string()),
            header: header.map(|header| {
                (
                    header.layout().name(),
                    header.schema_min().to_string(),
                    header.mask().to_string(),
                )
            }),
            cores: report.map_or(0, |report| report.cores.len()),
            findings: report.map_or(0, |report| report.findings.len()),
            outcome: report.map_or("unreadable", outcome),
        }
    }

    fn cells(&self) -> Vec<String> {
        let dash = || "-".to_owned();
        let (layout, schema, mask) = match &self.header {
            Some((layout, schema, mask)) => ((*layout).to_owned(), schema.clone(), mask.clone()),
            None => (dash(), dash(), dash()),
        };
        let (cores, findings) = (self.cores.to_string(), self.findings.to_string());
        vec![
            self.file.clone(),
            layout,
            schema,
            mask,
            cores,
            findings,
            self.outcome.to_owned(),
        ]
    }
}

fn outcome(report: &Report) -> &'static str {
    match (&report.fatal, report.outcome()) {
        (Some(fault), _) => fault.code.as_str(),
        (None, Outcome::Findings) => "disagrees",
        (None, _) => "ok",
    }
}

pub(crate) fn summary_table(rows: &[SummaryRow]) -> String {
    let columns = [
        Column::Text("FILE"),
        Column::Text("LAYOUT"),
        Column::Number("SCHEMA"),
        Column::Number("FEATURES"),
        Column::Number("CORES"),
        Column::Number("FINDINGS"),
        Column::Text("OUTCOME"),
    ];
    let rows: Vec<_> = rows.iter().map(SummaryRow::cells).collect();
    render(&columns, &rows, 0)
}
