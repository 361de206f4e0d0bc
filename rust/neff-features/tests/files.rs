// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every file that `tests/data/make_neff_files.py` writes is judged as its index says.
//!
//! The script needs Python 3 and nothing else. The index is written with the files, because
//! compressed sizes differ between zlib builds.
#![cfg(feature = "container")]

#[path = "common/verdicts.rs"]
mod verdicts;

use std::fs;
use std::path::Path;
use std::process::Command;

use neff_features::container::{inspect_path, Finding, Limits, Options, Report};
use neff_features::{gate, libnrt, Capability, FeatureMask};
use serde_json::{json, Map, Value};
use tempfile::TempDir;

use verdicts::{admission_json, verdict_json};

/// Files in the index of the generator.
const FILES: usize = 80;

/// Writes the files and reads the index.
fn generated() -> (TempDir, Vec<Value>) {
    let folder = tempfile::tempdir().expect("temporary folder");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/make_neff_files.py");
    let status = Command::new("python3")
        .arg(script)
        .arg(folder.path())
        .status();
    assert!(status.expect("python3 runs").success());
    let index = fs::read_to_string(folder.path().join("index.json")).expect("index");
    let index: Value = serde_json::from_str(&index).expect("index is JSON");
    let files = index["files"].as_array().expect("files").clone();
    assert_eq!(files.len(), FILES);
    (folder, files)
}

fn options(listed: &Value) -> Options {
    let default = Limits::DEFAULT.max_inflated;
    let max_inflated = listed["max_inflated"].as_u64().unwrap_or(default);
    Options {
        limits: Limits {
            max_inflated,
            ..Limits::DEFAULT
        },
        ..Options::default()
    }
}

fn finding_json(finding: &Finding) -> Value {
    json!({
        "code": finding.code.as_str(),
        "severity": finding.code.severity().name(),
        "where": finding.place.to_string(),
        "what": finding.what,
    })
}

fn gate_json(report: &Report, supported: FeatureMask) -> Option<Value> {
    let header = report.header?;
    let runtime = Capability {
        supported,
        max_schema: 2,
    };
    Some(verdict_json(&gate(
        header.mask(),
        header.schema_min(),
        &runtime,
    )))
}

fn report_json(report: &Report) -> Value {
    let header = report.header.as_ref();
    let cores: Map<String, Value> = report
        .cores
        .iter()
        .map(|core| (core.path.to_string(), json!(core.features)))
        .collect();
    json!({
        "layout": header.map(|header| header.layout().name()),
        "fatal": report.fatal.as_ref().map(|fault| fault.code.as_str()),
        "findings": report.findings.iter().map(finding_json).collect::<Vec<_>>(),
        "mask": header.map(|header| header.mask().to_string()),
        "schema_min": header.map(|header| format!("{:#x}", header.schema_min())),
        "bits": header.map(|header| header.mask().bits().collect::<Vec<_>>()),
        "cores": cores,
        "members": report.members.iter().map(|name| name.as_ref()).collect::<Vec<&str>>(),
        "compressed": report.compressed,
        "arch": report.arch,
        "hash": report.digest.name(),
        "hash_tail": report.hash_tail().map(|tail| tail.name()),
        "gate_assigned": gate_json(report, FeatureMask::ASSIGNED),
        "gate_window": gate_json(report, libnrt::SUPPORTED),
        "libnrt_header_gate": admission_json(report.libnrt),
        "exit": report.outcome() as u8,
    })
}

#[test]
fn every_generated_file_is_judged_as_its_index_says() {
    let (folder, files) = generated();
    let mut wrong = Vec::new();
    for file in &files {
        let name = file["file"].as_str().expect("name");
        let report =
            inspect_path(&folder.path().join(name), &options(&file["options"])).expect("readable");
        let got = report_json(&report);
        let differs = |(key, golden): (&String, &Value)| {
            (got[key] != *golden)
                .then(|| format!("{name} {key}\n  expected {golden}\n  found    {}", got[key]))
        };
        wrong.extend(
            file["expect"]
                .as_object()
                .expect("map")
                .iter()
                .filter_map(differs),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_golden_data_is_what_its_generator_writes() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/make_neff_vectors.py");
    let status = Command::new("python3").arg(script).arg("--check").status();
    assert!(status.expect("python3 runs").success());
}

#[test]
fn every_fault_and_finding_says_where_it_is_and_what_was_expected() {
    let (folder, files) = generated();
    for file in &files {
        let path = folder.path().join(file["file"].as_str().expect("name"));
        let report = inspect_path(&path, &options(&file["options"])).expect("readable");
        let faults = report.fatal.iter().map(ToString::to_string);
        for said in faults.chain(report.findings.iter().map(ToString::to_string)) {
            assert!(
                said.starts_with("offset ") && said.contains("expected "),
                "{said}"
            );
        }
    }
}
