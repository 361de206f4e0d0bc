// SPDX-License-Identifier: MIT OR Apache-2.0
//! `nds neff` as scripts see it: exit status, JSON, and messages that name file, offset and
//! expectation.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use neff_features::header::RuntimeHeader;
use neff_features::FeatureMask;
use serde_json::Value;
use tempfile::TempDir;

fn nds(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nds"))
        .arg("neff")
        .args(arguments)
        .output()
        .expect("nds runs")
}

fn status(output: &Output) -> i32 {
    output
        .status
        .code()
        .unwrap_or_else(|| panic!("killed: {}", text(&output.stderr)))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn name(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// A file with this header and no payload: enough for the gates.
fn header_only(folder: &TempDir, mask: u64, schema: u64) -> PathBuf {
    let path = folder.path().join(format!("{mask:x}-{schema}.neff"));
    let mut file = RuntimeHeader::new(FeatureMask::new(mask), schema, 4, [0; 16])
        .write()
        .to_vec();
    file.extend_from_slice(b"data");
    fs::write(&path, file).expect("temporary file");
    path
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("temporary folder")
}

/// The generated files of the crate, with their index.
fn generated(folder: &TempDir) -> Vec<Value> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../neff-features/tests/data/make_neff_files.py");
    let status = Command::new("python3")
        .arg(script)
        .arg(folder.path())
        .stdout(Stdio::null())
        .status();
    assert!(status.expect("python3 runs").success());
    let index = fs::read(folder.path().join("index.json")).expect("index");
    let index: Value = serde_json::from_slice(&index).expect("index is JSON");
    index["files"].as_array().expect("files").clone()
}

#[test]
fn inspect_ends_with_the_status_of_the_index_for_every_generated_file() {
    let folder = folder();
    for file in generated(&folder) {
        let path = folder.path().join(file["file"].as_str().expect("name"));
        let limit = file["options"]["max_inflated"]
            .as_u64()
            .unwrap_or(4 << 30)
            .to_string();
        let output = nds(&["inspect", "--json", "--max-unpacked", &limit, name(&path)]);
        let expect = &file["expect"];
        assert_eq!(
            u64::try_from(status(&output)).ok(),
            expect["exit"].as_u64(),
            "{}",
            file["file"]
        );
        let report = &json(&output)[0];
        assert_eq!(report["fatal"]["code"], expect["fatal"], "{}", file["file"]);
        assert_eq!(report["header"]["mask"], expect["mask"], "{}", file["file"]);
        assert_eq!(
            report["libnrt_status"], expect["libnrt_header_gate"]["status"],
            "{}",
            file["file"]
        );
        let codes = |findings: &Value| -> Vec<Value> {
            findings
                .as_array()
                .expect("array")
                .iter()
                .map(|finding| finding["code"].clone())
                .collect()
        };
        assert_eq!(
            codes(&report["findings"]),
            codes(&expect["findings"]),
            "{}",
            file["file"]
        );
    }
}

#[test]
fn inspect_takes_a_directory_of_a_hundred_files_in_one_call() {
    let folder = folder();
    for number in 0..100 {
        header_only(&folder, number << 1, 2);
    }
    let output = nds(&["inspect", "--json", name(folder.path())]);
    assert_eq!(json(&output).as_array().map(Vec::len), Some(100));
    let output = nds(&["inspect", "--summary", name(folder.path())]);
    assert_eq!(text(&output.stdout).lines().count(), 101);
}

#[test]
fn inspect_names_file_offset_and_expectation_of_whatever_is_wrong() {
    let folder = folder();
    let damaged = header_only(&folder, 0x4, 2);
    let absent = folder.path().join("absent.neff");
    let output = nds(&["inspect", name(&damaged), name(&absent)]);
    assert_eq!(status(&output), 2);
    let said = text(&output.stdout);
    let line = format!(
        "{}: offset 1024: payload-not-archive: expected ",
        damaged.display()
    );
    assert!(said.contains(&line), "{said}");
    let said = text(&output.stderr);
    let line = format!("nds: {}: offset 0: cannot read: ", absent.display());
    assert!(
        said.starts_with(&line) && said.contains("expected"),
        "{said}"
    );
}

#[test]
fn inspect_shows_header_meaning_names_and_target() {
    let folder = folder();
    generated(&folder);
    let output = nds(&["inspect", name(&folder.path().join("g07-two-cores.neff"))]);
    assert_eq!(status(&output), 0);
    let said = text(&output.stdout);
    for part in [
        "2 (version 2.0)",
        "0xd00",
        "DMA checks index bounds",
        "sg01/def.json",
        "cayman",
        "digest ok",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn nothing_from_a_file_steers_the_terminal() {
    let folder = folder();
    let path = header_only(&folder, 0, 1);
    let mut header = RuntimeHeader::new(FeatureMask::EMPTY, 1, 4, [0; 16]);
    assert!(header.set_name("\u{1b}[2J\u{9b}1m\u{202e}"));
    let mut file = File::options()
        .write(true)
        .open(&path)
        .expect("temporary file");
    file.write_all(&header.write()).expect("disk space");
    let said = text(&nds(&["inspect", name(&path)]).stdout);
    assert!(!said.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{said:?}");
}

#[test]
fn check_accepts_rejects_or_cannot_read() {
    let folder = folder();
    let old = name(&header_only(&folder, 0x10, 2)).to_owned();
    let new = name(&header_only(&folder, 0x100, 2)).to_owned();
    let short = folder.path().join("short.neff");
    fs::write(&short, b"short").expect("temporary file");
    for (file, runtime, expected) in [
        (old.as_str(), "0xff", 0),
        (&new, "0xff", 1),
        (&new, "public-0xff", 1),
        (&new, "2.31.24", 0),
        (name(&short), "0xff", 2),
        (name(&short), "2.31.24", 2),
        ("/nonexistent.neff", "0xff", 2),
    ] {
        assert_eq!(
            status(&nds(&["check", file, "--runtime", runtime])),
            expected,
            "{file} {runtime}"
        );
    }
}

#[test]
fn check_gives_the_reasons_with_offset_expectation_and_feature() {
    let folder = folder();
    let file = header_only(&folder, 0x100, 3);
    let output = nds(&["check", name(&file), "--runtime", "0x80000000000000ff"]);
    let said = text(&output.stdout);
    for part in [
        "offset 544: unsupported-feature: expected only bits within 0x80000000000000ff, found 0x100",
        "bit 8 neff_feature_indirect_memcpy_bound_check",
        "offset 24: schema-too-new: expected a schema of at most 2, found 3",
        "newer runtime",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let output = nds(&["check", "--json", name(&file), "--runtime", "0xff"]);
    let reasons = &json(&output)[0]["reasons"];
    assert_eq!(
        (status(&output), &reasons[0]["unknown_bits"][0]),
        (1, &Value::from(8))
    );
}

#[test]
fn check_refuses_a_runtime_it_knows_nothing_about() {
    let output = nds(&["check", "x.neff", "--runtime", "9.9"]);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("libnrt-2.31.24"));
}

#[test]
fn explain_takes_a_mask_a_pasted_line_or_a_log() {
    let log = "E NEFF version: 2.0, features: 0x100 are not supported.  Currently supporting: 0xff";
    for arguments in [
        &["explain", "0x100"][..],
        &["explain", "256"],
        &["explain", log],
        &["explain", "E", &log[2..]],
        &["explain", "NEFF version: 2.0, features: 0x100"],
    ] {
        let output = nds(arguments);
        let said = text(&output.stdout);
        assert_eq!(status(&output), 0);
        assert!(
            said.contains("neff_feature_indirect_memcpy_bound_check"),
            "{said}"
        );
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_nds"))
        .args(["neff", "explain", "--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("nds runs");
    let mut input = child.stdin.take().expect("pipe");
    input
        .write_all(b"\xff\xfe noise\n")
        .and_then(|()| input.write_all(log.as_bytes()))
        .expect("pipe");
    drop(input);
    let output = child.wait_with_output().expect("nds ends");
    assert_eq!(json(&output)[0]["missing"], "0x100");
}

#[test]
fn explain_says_when_there_is_nothing_to_explain() {
    for quoted in [
        "nrt_load status=2",
        "features: 0x",
        "features: 0x1ffffffffffffffff",
    ] {
        let output = nds(&["explain", quoted]);
        assert_eq!(status(&output), 2, "{quoted}");
        assert!(text(&output.stderr).contains("expected a mask"));
    }
}

#[test]
fn features_lists_every_assigned_bit() {
    let output = nds(&["features", "--json"]);
    assert_eq!(json(&output)["features"].as_array().map(Vec::len), Some(22));
    let said = text(&nds(&["features"]).stdout);
    for row in neff_features::bits::ASSEMBLY_ORDER {
        assert!(said.contains(row.label()), "{}", row.label());
    }
}

/// A header block of a tar member.
fn block(name: &str, size: u64) -> [u8; 512] {
    let mut block = [0; 512];
    block[..name.len()].copy_from_slice(name.as_bytes());
    block[124..136].copy_from_slice(format!("{size:011o}\0").as_bytes());
    block[148..156].fill(b' ');
    let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}

/// A gibibyte of hole, then the members that matter.
fn write_large(path: &Path) -> std::io::Result<()> {
    let rest = [
        &block("neff.json", 2)[..],
        b"{}",
        &[0; 510],
        &block("sg00/def.json", 2),
        b"{}",
        &[0; 510 + 1024],
    ]
    .concat();
    let size = 512 + (1 << 30) + rest.len() as u64;
    let mut file = File::create(path)?;
    file.write_all(&RuntimeHeader::new(FeatureMask::EMPTY, 1, size, [0; 16]).write())?;
    file.write_all(&block("weights.bin", 1 << 30))?;
    file.seek(SeekFrom::Current(1 << 30))?;
    file.write_all(&rest)
}

#[test]
fn a_gibibyte_is_inspected_within_a_second_and_64_mib_of_address_space() {
    let folder = folder();
    let path = folder.path().join("large.neff");
    write_large(&path).expect("sparse file");
    // The address space is never smaller than the resident memory.
    let limited = "ulimit -v 65536 && exec \"$0\" neff inspect --json \"$1\"";
    let start = Instant::now();
    let output = Command::new("sh")
        .args(["-c", limited, env!("CARGO_BIN_EXE_nds")])
        .arg(&path)
        .output();
    let time = start.elapsed();
    let output = output.expect("sh runs");
    let report = &json(&output)[0];
    assert_eq!(
        report["cores"][0]["path"],
        "sg00/def.json",
        "{}",
        text(&output.stderr)
    );
    assert!(time <= Duration::from_secs(1), "{time:?}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let folder = folder();
    for number in 0..100 {
        header_only(&folder, number << 1, 2);
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_nds"))
        .args(["neff", "inspect", name(folder.path())])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("nds runs");
    let mut first = [0; 1];
    child
        .stdout
        .take()
        .expect("pipe")
        .read_exact(&mut first)
        .expect("some output");
    let output = child.wait_with_output().expect("nds ends");
    assert_eq!(text(&output.stderr), "");
}
