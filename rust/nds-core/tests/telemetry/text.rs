// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Prometheus text: its form, its pieces, and that it says facts only.

use std::collections::{BTreeMap, BTreeSet};

use crate::checks::identity::typed;
use crate::checks::world::World;
use crate::layout::{Core, Kind, NcCounter, NdCounter};
use crate::rules::{CoreMask, OccupancyRow, Part, Process, Snapshot, TextCursor, SLOTS};
use crate::support::{with_dense_world, DenseSlab};

const DEVICE: u32 = 3;

/// The text, read in pieces of that many bytes.
fn text_in_pieces(snapshot: &Snapshot, piece: usize) -> String {
    let mut cursor = TextCursor::new();
    let mut text = Vec::new();
    let mut buffer = vec![0; piece];
    loop {
        let written = cursor.fill(snapshot, &mut buffer);
        text.extend_from_slice(&buffer[..written]);
        if written < piece {
            assert_eq!(
                cursor.fill(snapshot, &mut buffer),
                0,
                "after the end there is nothing"
            );
            return String::from_utf8(text).unwrap();
        }
    }
}

fn text(snapshot: &mut Snapshot) -> String {
    snapshot.set_device(DEVICE);
    text_in_pieces(snapshot, 4096)
}

/// The text of a report that is taken now.
pub(crate) fn report_text(world: &mut World<'_, DenseSlab>) -> String {
    world.report();
    text(world.snapshot)
}

/// Samples by everything before the value, in no particular order.
fn samples(text: &str) -> BTreeMap<&str, &str> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.rsplit_once(' ').unwrap()).collect()
}

/// A device on which everything is set that can be.
pub(crate) fn full_world(world: &mut World<'_, DenseSlab>) {
    for process in 1..=16 {
        let slot = world.begin(process).unwrap();
        for core in Core::all() {
            for counter in NcCounter::all() {
                world.set_nc(slot, core.get(), counter, u64::MAX / 16);
            }
        }
        for counter in NdCounter::all() {
            world.set_nd(slot, counter, u64::MAX / 16);
        }
        let word = typed(255, 255, u32::MAX, u16::MAX - process as u16);
        world.set_nd(slot, NdCounter::FRAMEWORK_VERSION, word);
    }
    world.now = u64::MAX;
}

/// Checks the form of the whole text: per family one HELP, one TYPE, then its samples, each once.
fn assert_well_formed(text: &str) {
    assert!(text.ends_with('\n'));
    let mut families = BTreeSet::new();
    let mut samples = BTreeSet::new();
    let (mut family, mut kind, mut count) = ("", "", 1);
    for line in text.lines() {
        assert!(line.len() < 256, "{line}");
        if let Some(help) = line.strip_prefix("# HELP ") {
            assert!(count > 0, "{family} has no sample");
            let (name, meaning) = help.split_once(' ').unwrap();
            assert!(
                name.starts_with("neuron_nds_") && meaning.ends_with('.'),
                "{line}"
            );
            assert!(families.insert(name), "{name} comes twice");
            (family, kind, count) = (name, "", 0);
        } else if let Some(of) = line.strip_prefix("# TYPE ") {
            let (name, found) = of.split_once(' ').unwrap();
            assert!(name == family && kind.is_empty(), "{line}");
            assert_eq!(found == "counter", name.ends_with("_total"), "{line}");
            assert!(["counter", "gauge"].contains(&found), "{line}");
            kind = found;
        } else {
            let (sample, value) = line.rsplit_once(' ').unwrap();
            assert!(
                !kind.is_empty() && value.parse::<f64>().unwrap() >= 0.0,
                "{line}"
            );
            let labels = sample.strip_prefix(family).expect("a sample of its family");
            assert!(
                labels.starts_with("{device=\"") && labels.ends_with("\"}"),
                "{line}"
            );
            assert!(samples.insert(sample), "{sample} comes twice");
            count += 1;
        }
    }
    assert!(count > 0, "{family} has no sample");
}

#[test]
fn an_unused_device_says_what_it_knows() {
    with_dense_world(|world| {
        world.body.telemetry.set_cores(CoreMask::from_bits(1));
        let text = report_text(world);
        assert_well_formed(&text);
        let start = "\
# HELP neuron_nds_mem_usage_code_host_bytes Host memory for code, in bytes. Sum over present processes.
# TYPE neuron_nds_mem_usage_code_host_bytes gauge
neuron_nds_mem_usage_code_host_bytes{device=\"3\"} 0
";
        assert!(text.starts_with(start), "{text}");
        let samples = samples(&text);
        assert_eq!(
            samples["neuron_nds_infer_completed_total{device=\"3\",core=\"0\"}"],
            "0"
        );
        assert_eq!(samples["neuron_nds_acquires_total{device=\"3\"}"], "0");
        assert_eq!(
            samples["neuron_nds_refusals_total{device=\"3\",reason=\"no_slot\"}"],
            "0"
        );
    });
}

#[test]
fn what_is_unknown_is_absent() {
    with_dense_world(|world| {
        world.body.telemetry.set_cores(CoreMask::from_bits(1));
        let text = report_text(world);
        for absent in [
            "core=\"1\"",
            "reserved",
            "version",
            "cluster",
            "neff",
            "bitmap",
            "occupancy",
            "slot=",
        ] {
            let found = text
                .lines()
                .filter(|line| !line.starts_with('#'))
                .find(|line| {
                    line.split('{').next().unwrap().contains(absent) || line.contains(absent)
                });
            assert_eq!(
                found.filter(|line| !line.contains("unsupported")),
                None,
                "{absent}"
            );
        }
    });
}

#[test]
fn a_full_device_is_well_formed_and_no_line_is_cut() {
    with_dense_world(|world| {
        full_world(world);
        world.report();
        world.snapshot.set_device(u32::MAX);
        assert_well_formed(&text_in_pieces(world.snapshot, 4096));
    });
}

#[test]
fn a_text_is_the_same_in_pieces_of_any_size() {
    with_dense_world(|world| {
        full_world(world);
        let whole = text_in_pieces(world.report(), 1 << 20);
        for piece in [1, 2, 3, 7, 64, 255, 256, 257, 4095] {
            assert_eq!(
                text_in_pieces(world.snapshot, piece),
                whole,
                "pieces of {piece}"
            );
        }
    });
}

#[test]
fn an_empty_buffer_gets_nothing_and_loses_nothing() {
    let snapshot = Snapshot::new();
    let mut cursor = TextCursor::new();
    assert_eq!(cursor.fill(&snapshot, &mut []), 0);
    assert_ne!(cursor.fill(&snapshot, &mut [0; 16]), 0);
}

#[test]
fn every_number_is_that_of_the_snapshot() {
    with_dense_world(|world| {
        full_world(world);
        let snapshot = world.report().clone();
        let text = report_text(world);
        let samples = samples(&text);
        for (core, counter) in Core::all().flat_map(|core| NcCounter::all().map(move |c| (core, c)))
        {
            let info = counter.info();
            let name = match (
                info.is_named(),
                info.name.starts_with("MEM_USAGE"),
                info.kind,
            ) {
                (false, ..) => format!("reserved_nc_{}_total", info.index),
                (_, true, _) => format!("{}_bytes", info.name.to_lowercase()),
                (_, _, Kind::Gauge) => format!("{}_stored", info.name.to_lowercase()),
                _ => format!("{}_total", info.name.to_lowercase()),
            };
            let sample = format!("neuron_nds_{name}{{device=\"3\",core=\"{}\"}}", core.get());
            let total = snapshot.core(core, counter).unwrap().to_string();
            assert_eq!(samples[sample.as_str()], total, "{sample}");
        }
    });
}

#[test]
fn identity_is_in_labels() {
    with_dense_world(|world| {
        let slot = world.begin(41).unwrap();
        world.set_nd(slot, NdCounter::FRAMEWORK_VERSION, typed(2, 5, 1, 3));
        world.set_nd(slot, NdCounter::FEATURE_BITMAP, 0b10);
        world.set_nd(slot, NdCounter::AGG_NEFF_ID, u64::MAX);
        world.set_nd(slot, NdCounter::new(20).unwrap(), 9);
        world.set_nc(slot, 7, NcCounter::new(94).unwrap(), 8);
        world.now += 12_000_000_034;
        let text = report_text(world);
        let samples = samples(&text);
        for (sample, value) in [
            (
                "framework_version_occupancies{device=\"3\",version=\"2.5.1\",reserved=\"3\"}",
                "1",
            ),
            ("feature_bitmap{device=\"3\",bit=\"1\"}", "1"),
            (
                "agg_neff_id_info{device=\"3\",value=\"18446744073709551615\"}",
                "1",
            ),
            ("reserved_nd_20_total{device=\"3\"}", "9"),
            ("reserved_nc_94_total{device=\"3\",core=\"7\"}", "8"),
            ("slots_occupied{device=\"3\"}", "1"),
            (
                "occupancy_info{device=\"3\",slot=\"0\",generation=\"1\",pid=\"41\",uid=\"0\"}",
                "1",
            ),
            (
                "occupancy_age_seconds{device=\"3\",slot=\"0\",generation=\"1\"}",
                "12.000000034",
            ),
            (
                "occupancy_core_active{device=\"3\",slot=\"0\",generation=\"1\",core=\"7\"}",
                "1",
            ),
            ("slot_stale_uses_total{device=\"3\",slot=\"0\"}", "0"),
        ] {
            assert_eq!(
                samples.get(format!("neuron_nds_{sample}").as_str()),
                Some(&value),
                "{sample}"
            );
        }
        assert!(
            !text.contains("bit=\"0\""),
            "a bit that is not set is not said"
        );
    });
}

#[test]
fn a_hidden_occupancy_is_counted_but_has_no_line() {
    with_dense_world(|world| {
        let slot = world.begin(41).unwrap();
        world.set_nc(slot, 7, NcCounter::INFERENCE_COUNT, 1);
        let World {
            store,
            body,
            snapshot,
            ..
        } = world;
        for part in Part::all() {
            store.collect(body.telemetry, body, part, 0, |_, _| None, snapshot);
        }
        let text = text(snapshot);
        assert_eq!(
            samples(&text)["neuron_nds_slots_occupied{device=\"3\"}"],
            "1"
        );
        assert!(!text.contains("slot=\""));
        let shown = format!("{snapshot:?}");
        let nothing = format!("{:?}", OccupancyRow::default());
        assert_eq!(
            shown.matches(&nothing).count(),
            SLOTS,
            "the snapshot itself has nothing of it"
        );
    });
}

#[test]
fn a_process_without_number_in_the_readers_namespace_has_no_pid() {
    with_dense_world(|world| {
        world.begin(41).unwrap();
        let World {
            store,
            body,
            snapshot,
            ..
        } = world;
        for part in Part::all() {
            let describe = |_, _: &_| Some(Process { pid: 0, uid: 7 });
            store.collect(body.telemetry, body, part, 0, describe, snapshot);
        }
        let text = text(snapshot);
        let info = "neuron_nds_occupancy_info{device=\"3\",slot=\"0\",generation=\"1\",uid=\"7\"}";
        assert_eq!(samples(&text)[info], "1");
    });
}
