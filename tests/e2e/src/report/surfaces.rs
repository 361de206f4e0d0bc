// SPDX-License-Identifier: MIT OR Apache-2.0

//! Ioctl, text, debugfs and fdinfo are views of one snapshot: at rest, they say
//! the same numbers.

use std::collections::BTreeMap;

use crate::ktap::{self, Suite};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::module;
use crate::sys::process::own_pid;
use crate::sys::report::{nc_word, nd_word, Report, Statistic, CORES, COUNTERS, REFUSALS_BY_NAME};
use crate::sys::scrape::Scrape;

pub(super) const SUITE: Suite = Suite {
    name: "report.surfaces",
    tests: ktap::tests![
        text_and_ioctl_agree_on_every_counter,
        text_debugfs_and_ioctl_agree_on_statistics,
        all_surfaces_agree_on_occupancies,
        fdinfo_says_what_a_file_acquired,
        the_last_post_is_short_and_well_formed,
        debugfs_is_for_root,
    ],
};

/// Some history and some present, with a different amount everywhere.
pub(super) fn scene() -> Vec<Actor> {
    let mut owners: Vec<_> = (0..4).map(|_| Actor::spawn()).collect();
    for (index, owner) in owners.iter().enumerate() {
        let slab = owner.produce();
        owner.call(move || {
            for core in 0..CORES {
                for counter in 0..COUNTERS {
                    let amount = ((index + 1) * (core * COUNTERS + counter + 1)) as u64;
                    slab.map.store(nc_word(core, counter), amount);
                }
            }
            slab.map.store(nd_word(0), 0x0000_021F_0000_0018);
            slab.map.store(nd_word(3), 1 << index);
        });
    }
    owners.pop().expect("four owners").exit();
    owners.pop().expect("three owners").kill();
    let _ = Device::open().unwrap().acquire(-1);
    owners
}

fn text() -> Scrape {
    Scrape::parse(&std::fs::read_to_string(module::node(0)).expect("the text of the device"))
}

fn text_and_ioctl_agree_on_every_counter() {
    let _owners = scene();
    let (scrape, report) = (text(), Report::now());
    let mut by_family: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for sample in scrape
        .samples
        .iter()
        .filter(|sample| sample.label("slot").is_none())
    {
        if let Some(core) = sample.label("core") {
            let values = by_family
                .entry(&sample.name)
                .or_insert_with(|| vec![0; CORES]);
            values[core.parse::<usize>().expect("a core number")] = sample.number();
        }
    }
    assert_eq!(by_family.len(), COUNTERS, "families with a core");
    // Amounts differ everywhere, so a row of 16 totals names its counter.
    for counter in 0..COUNTERS {
        let totals: Vec<_> = (0..CORES).map(|core| report.nc(core, counter)).collect();
        let named: Vec<_> = by_family
            .iter()
            .filter(|(_, values)| **values == totals)
            .collect();
        assert_eq!(
            named.len(),
            1,
            "counter {counter} with {totals:?}: {named:?}"
        );
    }
    let bits = scrape.of("neuron_nds_feature_bitmap").count();
    assert_eq!(bits, report.nd(3).count_ones() as usize);
    let versions: u64 = scrape
        .of("neuron_nds_runtime_version_occupancies")
        .map(|sample| sample.number())
        .sum();
    assert_eq!(
        versions,
        report
            .versions(0)
            .iter()
            .map(|(_, count)| count)
            .sum::<u64>()
    );
}

/// The lines of a debugfs file, as words.
fn debugfs(name: &str) -> Vec<Vec<String>> {
    let path = format!("/sys/kernel/debug/neuron_nds/0/{name}");
    let content = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    content.lines().map(words).collect()
}

fn text_debugfs_and_ioctl_agree_on_statistics() {
    let _owners = scene();
    let (scrape, report) = (text(), Report::now());
    let by_name: BTreeMap<_, _> = debugfs("statistics")
        .into_iter()
        .map(|words| (words[0].clone(), words[1].parse::<u64>().expect("a number")))
        .collect();
    for (which, name) in Statistic::ALL {
        let family = match which {
            Statistic::BytesZeroed => "neuron_nds_zeroed_bytes_total".to_owned(),
            _ => format!("neuron_nds_{name}_total"),
        };
        let expected = report.statistic(which);
        assert_eq!(by_name.get(name), Some(&expected), "debugfs: {name}");
        assert_eq!(scrape.only(&family), expected, "{family}");
    }
    for reason in REFUSALS_BY_NAME {
        let expected = report.refused(reason);
        assert_eq!(
            by_name.get(&format!("refused_{reason}")),
            Some(&expected),
            "debugfs: {reason}"
        );
        let mut samples = scrape.of("neuron_nds_refusals_total");
        let sample = samples.find(|sample| sample.label("reason") == Some(reason));
        assert_eq!(
            sample.map(|sample| sample.number()),
            Some(expected),
            "text: {reason}"
        );
    }
    assert_eq!(report.statistic(Statistic::Acquires), 4);
}

fn all_surfaces_agree_on_occupancies() {
    let owners = scene();
    let rows = Report::now().rows();
    assert_eq!(rows.len(), owners.len());
    let scrape = text();
    let listed = debugfs("slots");
    assert_eq!(
        listed.len(),
        rows.len() + 1,
        "a head line and a line for each"
    );
    for (row, words) in rows.iter().zip(&listed[1..]) {
        let told: Vec<_> = [
            u64::from(row.slot),
            row.generation,
            row.pid as u64,
            row.uid.into(),
        ]
        .iter()
        .map(u64::to_string)
        .collect();
        assert_eq!(words[..4], told);
        let slot = row.slot.to_string();
        let info = scrape
            .of("neuron_nds_occupancy_info")
            .find(|info| info.label("slot") == Some(&slot));
        let info = info.expect("a line of the occupancy");
        assert_eq!(info.label("pid"), Some(row.pid.to_string().as_str()));
        assert_eq!(
            info.label("generation"),
            Some(row.generation.to_string().as_str())
        );
    }
    assert_eq!(scrape.only("neuron_nds_slots_occupied"), rows.len() as u64);
}

/// The lines of this module about a descriptor.
fn fdinfo(device: Device) -> Vec<String> {
    let content =
        std::fs::read_to_string(format!("/proc/self/fdinfo/{}", device.0)).expect("fdinfo");
    content
        .lines()
        .filter(|line| line.starts_with("nds-"))
        .map(str::to_owned)
        .collect()
}

fn fdinfo_says_what_a_file_acquired() {
    let owner = Actor::spawn();
    let theirs = owner.produce();
    let device = Device::open().unwrap();
    assert_eq!(fdinfo(device), ["nds-device:\t0"]);
    let right = |role: &str, slab: Session| {
        let (slot, generation) = (slab.cookie.slot(), slab.cookie.generation());
        format!("nds-{role}:\tslot {slot} generation {generation}")
    };
    device.acquire(owner.pid()).unwrap();
    let own = Session::produce().unwrap();
    assert_eq!(
        fdinfo(device),
        ["nds-device:\t0".to_owned(), right("reader", theirs)]
    );
    assert_eq!(
        fdinfo(own.device),
        ["nds-device:\t0".to_owned(), right("producer", own)]
    );
    own.device.release(own_pid()).unwrap();
    owner.exit();
    let _ = Report::now();
    assert_eq!(fdinfo(own.device), ["nds-device:\t0"]);
    assert_eq!(fdinfo(device), ["nds-device:\t0"]);
}

fn the_last_post_is_short_and_well_formed() {
    module::reload("metrics_period_ms=2");
    let slab = Session::produce().unwrap();
    for value in [1, u64::from(u32::MAX), 1 << 62, u64::MAX] {
        for core in 0..CORES {
            (0..COUNTERS).for_each(|counter| slab.map.store(nc_word(core, counter), value));
        }
        slab.map.store(nd_word(0), value);
        slab.map.store(nd_word(11), value);
        std::thread::sleep(std::time::Duration::from_millis(20));
        let post = debugfs("last_post");
        let bytes = post[0]
            .first()
            .map_or(0, |hexadecimal| hexadecimal.len() / 2);
        assert!(bytes <= 128, "{bytes} bytes");
        let records = post[1..].iter().map(|words| words.join(" "));
        for record in records {
            let id: u32 = record.split(':').next().unwrap().parse().expect("an id");
            assert_ne!(id, 0, "{record}");
        }
    }
}

fn debugfs_is_for_root() {
    use std::os::unix::fs::MetadataExt;
    for name in ["slots", "statistics", "last_post"] {
        let path = format!("/sys/kernel/debug/neuron_nds/0/{name}");
        let mode = std::fs::metadata(&path).unwrap().mode() & 0o777;
        assert_eq!(mode & 0o022, 0, "{path}: {mode:o}");
    }
    let folder = std::fs::metadata("/sys/kernel/debug").unwrap().mode() & 0o777;
    assert_eq!(folder, 0o700, "only root enters debugfs");
}
