// SPDX-License-Identifier: MIT OR Apache-2.0
//! One inspected file as JSON. Numbers of 64 bits are hex strings, as in the golden data.

use std::path::Path;

use neff_features::container::{Fault, Finding, Report};
use neff_features::header::Header;
use neff_features::libnrt::Admission;
use neff_features::text::Escaped;
use serde::Serialize;

use super::feature::FeatureView;

/// One file: a report, or the reason why there is none.
#[derive(Debug, Serialize)]
pub(crate) struct FileView {
    file: String,
    #[serde(flatten)]
    content: Content,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Content {
    Report(Box<ReportView>),
    Error { error: String },
}

#[derive(Debug, Serialize)]
struct ReportView {
    size: u64,
    header: Option<HeaderView>,
    digest: &'static str,
    hash_tail: Option<&'static str>,
    compressed: bool,
    arch: Option<i32>,
    features: Vec<FeatureView>,
    cores: Vec<CoreView>,
    members: Vec<String>,
    findings: Vec<FindingView>,
    fatal: Option<FaultView>,
    libnrt_status: u32,
    libnrt_reason: Option<&'static str>,
    exit: u8,
}

#[derive(Debug, Serialize)]
struct HeaderView {
    layout: &'static str,
    pkg_version: String,
    header_size: String,
    data_size: Option<String>,
    schema_min: String,
    version_minor: Option<String>,
    mask: String,
    vnc_size: Option<u32>,
    name: String,
    build: Option<String>,
    uuid: String,
}

#[derive(Debug, Serialize)]
struct CoreView {
    path: String,
    features: Vec<String>,
}

#[derive(Debug, Serialize)]
struct FindingView {
    code: &'static str,
    severity: &'static str,
    #[serde(rename = "where")]
    place: String,
    what: Option<String>,
    offset: String,
    expected: &'static str,
    detail: Option<String>,
}

#[derive(Debug, Serialize)]
struct FaultView {
    code: &'static str,
    offset: String,
    expected: &'static str,
    found: Option<String>,
}

impl FileView {
    pub(crate) fn new(path: &Path, result: Result<Report, String>) -> Self {
        let content = match result {
            Ok(report) => Content::Report(Box::new(report_view(&report))),
            Err(error) => Content::Error { error },
        };
        Self {
            file: path.display().to_string(),
            content,
        }
    }
}

fn report_view(report: &Report) -> ReportView {
    ReportView {
        size: report.file_size,
        header: report.header.as_ref().map(header_view),
        digest: report.digest.name(),
        hash_tail: report.hash_tail().map(|tail| tail.name()),
        compressed: report.compressed,
        arch: report.arch,
        features: report
            .header
            .map(|header| FeatureView::all(header.mask()))
            .unwrap_or_default(),
        cores: report.cores.iter().map(core_view).collect(),
        members: report.members.iter().map(ToString::to_string).collect(),
        findings: report.findings.iter().map(finding_view).collect(),
        fatal: report.fatal.as_ref().map(fault_view),
        libnrt_status: report.libnrt.status(),
        libnrt_reason: match report.libnrt {
            Admission::Accepted { .. } => None,
            Admission::Refused(refusal) => Some(refusal.code()),
        },
        exit: report.outcome() as u8,
    }
}

fn header_view(header: &Header) -> HeaderView {
    let hex = |number: u64| format!("{number:#x}");
    let runtime = match header {
        Header::Runtime(runtime) => Some(runtime),
        Header::Page(_) => None,
    };
    HeaderView {
        layout: header.layout().name(),
        pkg_version: hex(header.pkg_version()),
        header_size: hex(header.header_size()),
        data_size: runtime.map(|runtime| hex(runtime.data_size)),
        schema_min: hex(header.schema_min()),
        version_minor: runtime.map(|runtime| hex(runtime.version_minor)),
        mask: header.mask().to_string(),
        vnc_size: header.vnc_size(),
        name: header.name().to_string(),
        build: runtime.map(|runtime| Escaped::field(&runtime.build_version).to_string()),
        uuid: uuid(&header.uuid()),
    }
}

/// The identifier in its usual form, 8-4-4-4-12 hexadecimal digits.
pub(crate) fn uuid(bytes: &[u8; 16]) -> String {
    let mut text = String::with_capacity(36);
    for (index, byte) in bytes.iter().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        text.push_str(&format!("{byte:02x}"));
    }
    text
}

fn core_view(core: &neff_features::container::Core) -> CoreView {
    CoreView {
        path: core.path.to_string(),
        features: core.features.clone(),
    }
}

fn finding_view(finding: &Finding) -> FindingView {
    FindingView {
        code: finding.code.as_str(),
        severity: finding.code.severity().name(),
        place: finding.place.to_string(),
        what: finding.what.clone(),
        offset: finding.offset.to_string(),
        expected: finding.code.expected(),
        detail: finding.detail.clone(),
    }
}

fn fault_view(fault: &Fault) -> FaultView {
    FaultView {
        code: fault.code.as_str(),
        offset: fault.offset.to_string(),
        expected: fault.code.expected(),
        found: fault.found.clone(),
    }
}
