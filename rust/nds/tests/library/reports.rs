// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an emulated device adds up. The rules are tested in `nds-core`; here, that they are asked.

use nds::layout::PackedVersion;
use nds::{prometheus_text, Core, EmulatedDevice, NcCounter, NdCounter, Report, Version};

const COUNT: NcCounter = NcCounter::INFERENCE_COUNT;
const MEMORY: NcCounter = NcCounter::MEM_USAGE_CODE_DEVICE;

fn core() -> Core {
    Core::new(5).expect("a core")
}

fn report(device: &EmulatedDevice) -> Report {
    device
        .process(1000)
        .open_for_reading()
        .report()
        .expect("emulated devices report")
}

fn pids(report: &Report) -> Vec<Option<i32>> {
    report
        .occupancies()
        .map(|occupancy| occupancy.pid)
        .collect()
}

#[test]
fn counts_outlive_their_producer_and_memory_in_use_does_not() {
    let device = EmulatedDevice::new().expect("memory");
    let producers = [1, 2].map(|pid| device.process(pid).open().producer().expect("a free slab"));
    for producer in &producers {
        producer.add_nc(core(), COUNT, 10);
        producer.add_nc(core(), MEMORY, 100);
    }
    let totals = |report: &Report| (report.nc(core(), COUNT), report.nc(core(), MEMORY));
    assert_eq!(totals(&report(&device)), (Some(20), Some(200)));
    let [gone, stays] = producers;
    drop(gone);
    assert_eq!(totals(&report(&device)), (Some(20), Some(100)));
    drop(stays);
    assert_eq!(totals(&report(&device)), (Some(20), Some(0)));
}

#[test]
fn occupancies_name_slot_process_and_active_cores() {
    let device = EmulatedDevice::new().expect("memory");
    let producer = device.process(77).open().producer().expect("a free slab");
    producer.add_nc(core(), COUNT, 1);
    let report = report(&device);
    let rows: Vec<_> = report.occupancies().collect();
    assert_eq!(rows.len(), 1);
    assert_eq!(
        (rows[0].slot, rows[0].pid, rows[0].core_mask),
        (0, Some(77), 1 << 5)
    );
    assert_eq!(report.occupied(), 1);
    assert_eq!(device.open().producers().expect("reported"), [77]);
}

#[test]
fn a_process_that_died_is_not_listed_and_its_counts_are_kept() {
    let device = EmulatedDevice::new().expect("memory");
    let process = device.process(5);
    let producer = process.open().producer().expect("a free slab");
    producer.add_nc(core(), COUNT, 3);
    process.exit();
    let report = report(&device);
    assert_eq!(pids(&report), []);
    assert_eq!(report.nc(core(), COUNT), Some(3));
    assert_eq!(report.statistics().reaps, 1);
}

#[test]
fn versions_are_listed_with_their_users() {
    let device = EmulatedDevice::new().expect("memory");
    let version = Version {
        major: 2,
        minor: 31,
        build: 24,
    };
    let packed = PackedVersion {
        version,
        reserved: 0,
    };
    for pid in 1..=3 {
        let producer = device.process(pid).open().producer().expect("a free slab");
        producer.set_nd(NdCounter::RUNTIME_VERSION, packed.to_word());
    }
    let report = report(&device);
    let usages: Vec<_> = report.versions(NdCounter::RUNTIME_VERSION).collect();
    assert_eq!(usages.len(), 1);
    assert_eq!((usages[0].version, usages[0].occupancies), (packed, 3));
    assert_eq!(report.versions(NdCounter::FEATURE_BITMAP).count(), 0);
}

#[test]
fn the_text_for_prometheus_has_the_totals() {
    let device = EmulatedDevice::new().expect("memory");
    let producer = device.process(9).open().producer().expect("a free slab");
    producer.add_nc(core(), COUNT, 123_456);
    let text = String::from_utf8(report(&device).prometheus_text()).expect("UTF-8");
    assert!(
        text.ends_with('\n') && text.starts_with("# HELP "),
        "{text}"
    );
    let samples = text.lines().filter(|line| !line.starts_with('#'));
    let executed: Vec<_> = samples.filter(|line| line.ends_with(" 123456")).collect();
    assert_eq!(executed.len(), 1, "{text}");
    assert!(
        executed[0].contains("inference") && executed[0].contains("5"),
        "{}",
        executed[0]
    );
}

/// The values of all samples of a metric.
fn values<'a>(text: &'a str, metric: &str) -> Vec<&'a str> {
    let lines = text.lines().filter(|line| line.starts_with(metric));
    lines
        .filter_map(|line| Some(line.rsplit_once(' ')?.1))
        .collect()
}

#[test]
fn the_text_of_several_devices_says_each_metric_once_with_the_samples_of_all() {
    let devices = [5, 7].map(|count| {
        let device = EmulatedDevice::new().expect("memory");
        let producer = device.process(9).open().producer().expect("a free slab");
        producer.add_nc(core(), COUNT, count);
        device
    });
    let only_in_the_second = NdCounter::FEATURE_BITMAP;
    let producer = devices[1].process(9).open().producer();
    producer.expect("a slab").or_nd(only_in_the_second, 1);

    let reports = devices.each_ref().map(report);
    let text = String::from_utf8(prometheus_text(&reports)).expect("UTF-8");
    for head in ["# HELP ", "# TYPE "] {
        let heads = text.lines().filter(|line| line.starts_with(head));
        let mut names: Vec<_> = heads.map(|line| line.split(' ').nth(2)).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "a metric twice in {text}");
    }
    let executed = values(&text, "neuron_nds_inference_count_total{");
    let counted: Vec<_> = executed.iter().filter(|value| **value != "0").collect();
    assert_eq!(counted, [&"5", &"7"]);
    assert_eq!(values(&text, "neuron_nds_feature_bitmap{"), ["1"]);
    let samples = |text: &str| text.lines().filter(|line| !line.starts_with('#')).count();
    let apart = reports.map(|report| String::from_utf8(report.prometheus_text()).expect("UTF-8"));
    assert_eq!(samples(&text), samples(&apart.concat()));
}

#[test]
fn the_text_of_one_device_is_that_of_its_report() {
    let device = EmulatedDevice::new().expect("memory");
    let report = report(&device);
    assert_eq!(prometheus_text([&report]), report.prometheus_text());
    assert_eq!(prometheus_text([]), b"");
}
