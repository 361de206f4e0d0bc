// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C header of the report and the Rust snapshot are one ABI: a C compiler asserts the offsets that Rust has.

use nds_core::{report, OccupancyRow, Refusal, Snapshot, Statistics};
use std::fmt::Write as _;
use std::mem::{offset_of, size_of};
use std::path::Path;
use std::process::Command;

/// (C type, size in Rust).
fn sizes() -> [(&'static str, usize); 3] {
    [
        ("struct neuron_nds_report", size_of::<Snapshot>()),
        ("struct neuron_nds_occupancy", size_of::<OccupancyRow>()),
        ("struct neuron_nds_statistics", size_of::<Statistics>()),
    ]
}

/// (C type, member, offset in Rust) of what Rust shows.
fn offsets() -> Vec<(&'static str, &'static str, usize)> {
    let row = "struct neuron_nds_occupancy";
    let counts = "struct neuron_nds_statistics";
    vec![
        (row, "generation", offset_of!(OccupancyRow, generation)),
        (row, "age_ns", offset_of!(OccupancyRow, age_ns)),
        (row, "stale_uses", offset_of!(OccupancyRow, stale_uses)),
        (row, "pid", offset_of!(OccupancyRow, process)),
        (row, "uid", offset_of!(OccupancyRow, process) + 4),
        (row, "cores", offset_of!(OccupancyRow, cores)),
        (row, "slot", offset_of!(OccupancyRow, slot)),
        (counts, "acquires", offset_of!(Statistics, acquires)),
        (counts, "attaches", offset_of!(Statistics, attaches)),
        (counts, "releases", offset_of!(Statistics, releases)),
        (counts, "closes", offset_of!(Statistics, closes)),
        (counts, "reaps", offset_of!(Statistics, reaps)),
        (counts, "stale_uses", offset_of!(Statistics, stale_uses)),
        (counts, "bytes_zeroed", offset_of!(Statistics, bytes_zeroed)),
        (counts, "refusals", offset_of!(Statistics, refusals)),
    ]
}

fn program() -> String {
    let mut text = String::from("#include <stddef.h>\n#include <neuron_nds_report.h>\n");
    for (name, size) in sizes() {
        writeln!(
            text,
            "_Static_assert(sizeof({name}) == {size}, \"{name}\");"
        )
        .unwrap();
    }
    for (name, member, offset) in offsets() {
        let check = format!("offsetof({name}, {member}) == {offset}");
        writeln!(text, "_Static_assert({check}, \"{name}.{member}\");").unwrap();
    }
    for (name, offset) in report::OFFSETS {
        let check = format!("offsetof(struct neuron_nds_report, {name}) == {offset}");
        writeln!(text, "_Static_assert({check}, \"{name}\");").unwrap();
    }
    for reason in Refusal::ALL {
        let name = format!("NEURON_NDS_REFUSAL_{}", reason.name().to_uppercase());
        writeln!(
            text,
            "_Static_assert({name} == {}, \"{name}\");",
            reason as usize
        )
        .unwrap();
    }
    let edition = report::VERSION;
    writeln!(
        text,
        "_Static_assert(NEURON_NDS_REPORT_VERSION == {edition}, \"edition\");"
    )
    .unwrap();
    writeln!(
        text,
        "_Static_assert(NEURON_NDS_IOCTL_REPORT == 0xc008d501, \"word\");"
    )
    .unwrap();
    text
}

#[test]
fn header_and_snapshot_agree_on_every_offset() {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include/uapi");
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report_header.c");
    std::fs::write(&source, program()).unwrap();
    let output = Command::new("cc")
        .args([
            "-std=c11",
            "-Wall",
            "-Wextra",
            "-Wpedantic",
            "-Werror",
            "-fsyntax-only",
            "-I",
        ])
        .arg(include)
        .arg(source)
        .output()
        .expect("a C compiler");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
