// SPDX-License-Identifier: MIT OR Apache-2.0
//! The text for Prometheus, as Prometheus itself sees it: its checker, and a server that scrapes.

mod programs;
mod promtool;

use nds::{prometheus_text, Core, EmulatedDevice, NcCounter, NdCounter, Report};
use programs::Server;
use promtool::check_metrics;

/// Executions of `nds serve --demo`: 2 processes, 2 cores, 1000 each.
const STARTED: u64 = 4000;
/// Of the workload's executions, one in 1000 fails.
const COMPLETED: u64 = STARTED - STARTED / 1000;

/// Nothing to say is the best that the checker says: it warns of doubtful names with status 3.
fn accepted(text: &[u8]) {
    let output = check_metrics(text);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && said.is_empty(), "{said}");
}

/// `nds serve`, on an emulated device with known sums.
fn exporter() -> Server {
    Server::exporter(env!("CARGO_BIN_EXE_nds"), &["--demo"])
}

/// The report of a device on which every counter, reserved ones too, was used by a process that is
/// there, and by one that is gone.
fn full_report() -> Report {
    let device = EmulatedDevice::new().expect("memory");
    let [_present, gone] = [1, 2].map(|pid| {
        let producer = device.process(pid).open().producer().expect("a free slab");
        for counter in NdCounter::all() {
            producer.set_nd(counter, u64::MAX / 3);
        }
        for core in Core::all() {
            NcCounter::all().for_each(|counter| producer.set_nc(core, counter, u64::MAX / 3));
        }
        producer
    });
    drop(gone);
    device.open().report().expect("emulated devices report")
}

#[test]
fn promtool_accepts_every_metric_there_is() {
    accepted(&full_report().prometheus_text());
}

#[test]
fn promtool_accepts_several_devices_together_but_not_one_after_another() {
    let reports = [full_report(), full_report()];
    accepted(&prometheus_text(&reports));
    let apart = reports.map(|report| report.prometheus_text()).concat();
    assert!(!check_metrics(&apart).status.success());
}

#[test]
fn promtool_accepts_what_is_served() {
    let (status, text) = exporter().get("/metrics");
    assert_eq!(status, 200);
    accepted(text.as_bytes());
    assert!(text.contains("neuron_nds_slots_occupied{device=\"0\"} 1\n"));
}

#[test]
fn peers_that_say_nothing_do_not_keep_others_from_being_answered() {
    let exporter = exporter();
    let silent: Vec<_> = (0..6).map(|_| exporter.connect()).collect();
    assert_eq!(exporter.get("/metrics").0, 200);
    drop(silent);
}

#[test]
fn a_prometheus_server_scrapes_the_exact_sums() {
    let exporter = exporter();
    let directory = tempfile::tempdir().expect("a scratch directory");
    let prometheus = Server::prometheus(directory.path(), exporter.address);

    let sum_of_started = prometheus.query_scraped("sum(neuron_nds_inference_count_total)");
    assert_eq!(sum_of_started, STARTED);
    let completed = prometheus.query("sum(neuron_nds_infer_completed_total)");
    assert_eq!(completed, Some(COMPLETED));
    assert_eq!(prometheus.query("up"), Some(1));

    let (_, text) = exporter.get("/metrics");
    let samples = text.lines().filter(|line| !line.starts_with('#')).count();
    // count({__name__=~"neuron_nds_.*"})
    let all = "count(%7B__name__=~%22neuron_nds_.*%22%7D)";
    assert_eq!(prometheus.query(all), Some(samples as u64));
}
