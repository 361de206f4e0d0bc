// SPDX-License-Identifier: MIT OR Apache-2.0
//! The text for Prometheus, as Prometheus itself sees it: its checker, and a server that scrapes.

mod programs;

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use nds::{prometheus_text, Core, EmulatedDevice, NcCounter, NdCounter, Report};
use programs::{check_metrics, Server};

/// Longest time from the start of Prometheus to its first scrape.
const FIRST_SCRAPE: Duration = Duration::from_secs(60);

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
    let (status, text) = Server::exporter().get("/metrics");
    assert_eq!(status, 200);
    accepted(text.as_bytes());
    assert!(text.contains("neuron_nds_slots_occupied{device=\"0\"} 1\n"));
}

#[test]
fn peers_that_say_nothing_do_not_keep_others_from_being_answered() {
    let exporter = Server::exporter();
    let silent: Vec<_> = (0..6).map(|_| exporter.connect()).collect();
    assert_eq!(exporter.get("/metrics").0, 200);
    drop(silent);
}

/// The configuration of a server that scrapes this address each second.
fn configuration(directory: &Path, target: SocketAddr) -> PathBuf {
    let path = directory.join("prometheus.yml");
    let text = format!(
        "global:\n  scrape_interval: 1s\n\
         scrape_configs:\n  - job_name: nds\n    static_configs:\n      - targets: ['{target}']\n"
    );
    fs::write(&path, text).expect("written");
    path
}

/// The value of an expression with one sample; `None` as long as there is no sample.
fn query(prometheus: &Server, expression: &str) -> Option<u64> {
    let (status, body) = prometheus.get(&format!("/api/v1/query?query={expression}"));
    let answer: serde_json::Value = serde_json::from_str(&body).ok()?;
    let value = answer["data"]["result"][0]["value"][1].as_str()?;
    assert_eq!(status, 200, "{answer}");
    Some(value.parse().expect("a whole number"))
}

#[test]
fn a_prometheus_server_scrapes_the_exact_sums() {
    let exporter = Server::exporter();
    let directory = tempfile::tempdir().expect("a scratch directory");
    let configuration = configuration(directory.path(), exporter.address);
    let prometheus = Server::prometheus(directory.path(), &configuration);

    let started = Instant::now();
    let sum_of_started = loop {
        if let Some(sum) = query(&prometheus, "sum(neuron_nds_inference_count_total)") {
            break sum;
        }
        assert!(started.elapsed() < FIRST_SCRAPE, "nothing was scraped");
        thread::sleep(Duration::from_millis(200));
    };
    assert_eq!(sum_of_started, STARTED);
    let completed = query(&prometheus, "sum(neuron_nds_infer_completed_total)");
    assert_eq!(completed, Some(COMPLETED));
    assert_eq!(query(&prometheus, "up"), Some(1));

    let (_, text) = exporter.get("/metrics");
    let samples = text.lines().filter(|line| !line.starts_with('#')).count();
    // count({__name__=~"neuron_nds_.*"})
    let all = "count(%7B__name__=~%22neuron_nds_.*%22%7D)";
    assert_eq!(query(&prometheus, all), Some(samples as u64));
}
