// SPDX-License-Identifier: MIT OR Apache-2.0

//! What the tool prints for programs is what the kernel says.

use std::process::Command;

use nds::layout::catalog::nc_counters;
use serde_json::Value;

use super::surfaces::scene;
use crate::ktap::{self, Suite};
use crate::sys::module;
use crate::sys::report::{Report, Statistic, CORES, REFUSALS_BY_NAME};

pub(super) const SUITE: Suite = Suite {
    name: "report.json",
    tests: ktap::tests![
        json_and_ioctl_agree_on_every_counter,
        json_and_ioctl_agree_on_statistics,
        json_and_ioctl_agree_on_occupancies,
    ],
};

/// What `nds` prints with `--json` and these arguments about the one device.
fn json(arguments: &[&str]) -> Value {
    let mut command = Command::new("nds");
    command.args(arguments);
    command.args(["--json", "--device", &module::node(0)]);
    let output = command.output().expect("the tool is on the path");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn json_and_ioctl_agree_on_every_counter() {
    let _owners = scene();
    let (json, report) = (json(&["totals", "--zeros"]), Report::now());
    let cores = &json[0]["counters"]["cores"];
    for core in 0..CORES {
        for (counter, info) in nc_counters().iter().enumerate() {
            let shown = cores[core.to_string()][info.name].as_u64();
            let expected = Some(report.nc(core, counter));
            assert_eq!(shown, expected, "{} of core {core}", info.name);
        }
    }
    let features = json[0]["counters"]["device"]["FEATURE_BITMAP"].as_u64();
    assert_eq!(features, Some(report.nd(3)));
}

fn json_and_ioctl_agree_on_statistics() {
    let _owners = scene();
    let (json, report) = (json(&["totals"]), Report::now());
    for (which, name) in Statistic::ALL {
        let shown = json[0]["statistics"][name].as_u64();
        assert_eq!(shown, Some(report.statistic(which)), "{name}");
    }
    for reason in REFUSALS_BY_NAME {
        let shown = json[0]["refusals"][reason].as_u64();
        assert_eq!(shown, Some(report.refused(reason)), "{reason}");
    }
}

fn json_and_ioctl_agree_on_occupancies() {
    let _owners = scene();
    let (json, rows) = (json(&["list"]), Report::now().rows());
    let listed = json.as_array().expect("a list");
    assert_eq!(listed.len(), rows.len());
    for (shown, row) in listed.iter().zip(rows) {
        assert_eq!(shown["slot"].as_u64(), Some(row.slot.into()));
        assert_eq!(shown["pid"].as_i64(), Some(row.pid.into()));
        assert_eq!(shown["uid"].as_u64(), Some(row.uid.into()));
    }
}
