// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counter catalogue.

use crate::support::{list, vectors};
use nds_layout::catalog::{nc_counters, nd_counters};
use nds_layout::{CounterInfo, Feature, Group, Kind, NcCounter, NdCounter};
use std::collections::HashSet;

fn names(entries: &[CounterInfo], kind: Kind) -> Vec<&'static str> {
    entries
        .iter()
        .filter(|e| e.kind == kind)
        .map(|e| e.name)
        .collect()
}

#[test]
fn nc_names_equal_the_vectors() {
    let expected = list(vectors("nc_counter_names"));
    assert_eq!(expected.len(), NcCounter::COUNT);
    for (entry, expected) in nc_counters().iter().zip(expected) {
        match expected.as_str() {
            Some(name) => assert_eq!(entry.name, name),
            None => assert!(!entry.is_named(), "{entry:?}"),
        }
    }
}

#[test]
fn entries_are_in_order_and_their_names_distinct() {
    for entries in [&nd_counters()[..], &nc_counters()[..]] {
        assert!(entries
            .iter()
            .map(|e| e.index as usize)
            .eq(0..entries.len()));
        let names: HashSet<_> = entries.iter().map(|e| e.name).collect();
        assert_eq!(names.len(), entries.len());
    }
}

#[test]
fn reserved_entries_are_named_by_their_number_and_add_up() {
    let all = nd_counters().iter().chain(nc_counters());
    for entry in all.filter(|e| !e.is_named()) {
        assert_eq!(entry.name, format!("RESERVED_{}", entry.index));
        assert_eq!(entry.kind, Kind::Monotonic);
    }
}

#[test]
fn every_named_counter_has_one_sentence() {
    for entry in nd_counters().iter().chain(nc_counters()) {
        assert!(entry.meaning.ends_with('.'), "{entry:?}");
        assert_eq!(entry.meaning.matches('.').count(), 1, "{entry:?}");
    }
}

#[test]
fn memory_and_stored_values_of_a_core_are_gauges_and_all_else_only_grows() {
    let gauges = [
        "LATENCY_DEVICE",
        "LATENCY_TOTAL",
        "NC_TIME",
        "CC_TIME",
        "MEM_USAGE_CODE_DEVICE",
        "MEM_USAGE_TENSORS_DEVICE",
        "MEM_USAGE_CONSTANTS_DEVICE",
        "MEM_USAGE_SCRATCHPAD_DEVICE",
        "MEM_USAGE_MISC_DEVICE",
    ];
    assert_eq!(names(nc_counters(), Kind::Gauge), gauges);
    let monotonic = names(nc_counters(), Kind::Monotonic);
    assert_eq!(monotonic.len() + gauges.len(), NcCounter::COUNT);
}

#[test]
fn device_counters_have_the_kinds_of_the_metrics_reference() {
    let nd = nd_counters();
    assert_eq!(
        names(nd, Kind::Version),
        ["RUNTIME_VERSION", "FRAMEWORK_VERSION", "FAL_VERSION"]
    );
    assert_eq!(
        names(nd, Kind::Bitmap),
        ["FEATURE_BITMAP", "DYNAMIC_SYSFS_METRIC_BITMAP"]
    );
    assert_eq!(
        names(nd, Kind::Identifier),
        [
            "MIN_NEFF_VERSION",
            "MAX_NEFF_VERSION",
            "DEVICE_CLUSTER_ID",
            "AGG_NEFF_ID"
        ]
    );
    let gauges = names(nd, Kind::Gauge);
    assert_eq!(gauges.len(), 5);
    assert!(gauges.iter().all(|name| name.starts_with("MEM_USAGE_")));
}

#[test]
fn a_counter_is_found_by_its_exact_name_only() {
    assert_eq!(
        NcCounter::by_name("INFER_COMPLETED"),
        Some(NcCounter::INFER_COMPLETED)
    );
    assert_eq!(NcCounter::by_name("RESERVED_94"), NcCounter::new(94));
    assert_eq!(
        NdCounter::by_name("AGG_NEFF_ID"),
        Some(NdCounter::AGG_NEFF_ID)
    );
    assert_eq!(NcCounter::by_name("infer_completed"), None);
    assert_eq!(NcCounter::by_name(""), None);
    assert_eq!(NdCounter::by_name("INFER_COMPLETED"), None);
}

#[test]
fn groups_follow_the_enumerations_of_the_c_header() {
    assert_eq!(NcCounter::OOB.info().group, Group::Nc);
    assert_eq!(NcCounter::HW_ERR_COLLECTIVES.info().group, Group::ExtNc);
    assert!(nd_counters().iter().all(|entry| entry.group == Group::Nd));
    assert_eq!(Group::ExtNc.c_prefix(), "NDS_EXT_NC_COUNTER_");
}

#[test]
fn positions_that_the_runtime_computes_never_move() {
    // Error classes, software error subtypes 5-8 plus 31, and the targets of the status table.
    assert_eq!(NcCounter::ERR_GENERIC.get(), 7);
    assert_eq!(NcCounter::ERR_RT.get(), 12);
    assert_eq!(NcCounter::ERR_SW_SEMAPHORE_ERROR.get(), 5 + 31);
    assert_eq!(NcCounter::ERR_SW_SEQUENCER_FATAL.get(), 8 + 31);
    assert_eq!(NcCounter::GENERIC_FAIL.get(), 16);
    assert_eq!(NcCounter::ERR_UNSUPPORTED_NEFF_VERSION.get(), 20);
}

#[test]
fn features_are_single_bits() {
    assert_eq!(Feature::Test.mask(), 1);
    assert_eq!(Feature::Multicore.mask(), 2);
}
