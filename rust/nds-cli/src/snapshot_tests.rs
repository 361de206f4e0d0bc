// SPDX-License-Identifier: MIT OR Apache-2.0
//! The output of the commands, over an emulated device and a workload without a clock.

use std::time::{Duration, Instant};

use nds::{Device, EmulatedDevice, SlabSnapshot};

use crate::args::{CoreList, WorkloadArgs};
use crate::describe::Zeros;
use crate::print::write_view;
use crate::show::view;
use crate::top::{table, Row};
use crate::totals::{view as totals_view, write_totals};
use crate::workload::Workload;

const PID: i32 = 4711;

fn args(cores: &str, tag: &str) -> WorkloadArgs {
    let cores: CoreList = cores.parse().expect("cores");
    WorkloadArgs {
        rate: 100,
        models: 3,
        cores,
        tag: Some(tag.to_owned()),
    }
}

/// A producer that has executed 2500 times on each core, and a device to look at it.
fn at_work(emulated: &EmulatedDevice, args: &WorkloadArgs) -> (Workload, Device) {
    let producer = emulated
        .process(PID)
        .open()
        .producer()
        .expect("a free slab");
    let mut workload = Workload::start(producer, args, PID).expect("this process");
    for _ in 0..5 {
        workload.execute(500).expect("this process");
    }
    (workload, emulated.open())
}

/// The name of the device is a number of this process; the snapshots call it `emulated`.
fn with_stable_name(text: &[u8], device: &Device) -> String {
    String::from_utf8(text.to_vec())
        .expect("UTF-8")
        .replace(&device.name(), "emulated")
}

#[test]
fn show() {
    let emulated = EmulatedDevice::new().expect("memory");
    let (_workload, device) = at_work(&emulated, &args("0-3,7", "job \x1b[31mred"));
    let view = view(&device, PID, Zeros::Hidden).expect("a producer");
    let mut text = Vec::new();
    write_view(&view, &mut text).expect("memory");
    insta::assert_snapshot!("show", with_stable_name(&text, &device));
    let json = serde_json::to_vec_pretty(&[view]).expect("memory");
    insta::assert_snapshot!("show_json", with_stable_name(&json, &device));
}

#[test]
fn totals() {
    let emulated = EmulatedDevice::new().expect("memory");
    let (workload, device) = at_work(&emulated, &args("0-1", "job"));
    drop(workload);
    let view = totals_view(&device, Zeros::Hidden).expect("a report");
    let mut text = Vec::new();
    write_totals(&view, &mut text).expect("memory");
    insta::assert_snapshot!("totals", with_stable_name(&text, &device));
    let json = serde_json::to_vec_pretty(&[view]).expect("memory");
    insta::assert_snapshot!("totals_json", with_stable_name(&json, &device));
}

#[test]
fn top() {
    let emulated = EmulatedDevice::new().expect("memory");
    let (mut workload, device) = at_work(&emulated, &args("0-1", "job"));
    let start = Instant::now();
    let look = |seconds| {
        let snapshot = device
            .reader(PID)
            .expect("a producer")
            .snapshot()
            .expect("this process");
        Row::new(
            "emulated".to_owned(),
            PID,
            &snapshot,
            start + Duration::from_secs(seconds),
        )
    };
    let first = look(0);
    insta::assert_snapshot!("top_at_first", table(std::slice::from_ref(&first)));
    workload.execute(1000).expect("this process");
    insta::assert_snapshot!("top", table(&[look(4).since(&first)]));
}

#[test]
fn a_count_that_fell_gives_no_rate() {
    let emulated = EmulatedDevice::new().expect("memory");
    let (_workload, device) = at_work(&emulated, &args("0", "job"));
    let snapshot = device
        .reader(PID)
        .expect("a producer")
        .snapshot()
        .expect("this process");
    let start = Instant::now();
    let busy = Row::new("emulated".to_owned(), PID, &snapshot, start);
    let later = start + Duration::from_secs(1);
    let other = Row::new("emulated".to_owned(), PID, &SlabSnapshot::new(), later).since(&busy);
    assert!(table(&[other])
        .lines()
        .nth(1)
        .is_some_and(|line| line.contains("- ")));
}

#[test]
fn zeros_are_shown_on_request_but_not_counters_without_a_name() {
    let emulated = EmulatedDevice::new().expect("memory");
    let (_workload, device) = at_work(&emulated, &args("0", "job"));
    let view = view(&device, PID, Zeros::Shown).expect("a producer");
    let mut text = Vec::new();
    write_view(&view, &mut text).expect("memory");
    let text = String::from_utf8(text).expect("UTF-8");
    assert!(text.contains("HW_ERR_HBM_UE") && text.contains("CORE 15"));
    assert!(!text.contains("RESERVED"));
}
