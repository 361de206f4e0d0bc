// SPDX-License-Identifier: MIT OR Apache-2.0
//! The region map, the constants and the C structs.

use crate::support::{list, number, size, text, vectors};
use nds_layout::record::{model, FrameworkType};
use nds_layout::region::*;
use nds_layout::{abi, catalog, hash, header, retry, CounterInfo, Feature};
use serde_json::{json, Value};
use std::mem::{align_of, offset_of, size_of};

/// Constants that only the C library has, and the number of looks, which the `retry` tests count.
const ELSEWHERE: [&str; 4] = [
    "object_types",
    "errno",
    "max_record_reads",
    "max_header_reads",
];

fn named(entries: &[CounterInfo]) -> usize {
    entries.iter().filter(|entry| entry.is_named()).count()
}

fn region_constant(name: &str) -> Option<usize> {
    let old_ext_counters = OLD_EXT_NC_COUNTER_COUNT * BASE_CORE_COUNT * WORD;
    Some(match name {
        "slab_size" => SLAB_SIZE,
        "required_size" | "open_gate_min_size" => REQUIRED_SIZE,
        "tail_size" => SLAB_SIZE - REQUIRED_SIZE,
        "nd_counter_count" => ND_COUNTER_COUNT,
        "nc_counter_count" => NC_COUNTER_COUNT,
        "ext_nc_counter_count" => EXT_NC_COUNTER_COUNT,
        "total_nc_counter_count" => TOTAL_NC_COUNTER_COUNT,
        "base_core_count" => BASE_CORE_COUNT,
        "extra_core_count" => EXTRA_CORE_COUNT,
        "core_count" => CORE_COUNT,
        "ext_data_stride_words" => EXT_DATA_CORE_WORDS,
        "ext_alignment" => EXT_ALIGN,
        "ext_offset_old" => LEGACY_GAP_START,
        "ext_nc_counter_count_old" => OLD_EXT_NC_COUNTER_COUNT,
        "total_nc_counter_count_old" => OLD_EXT_DATA_CORE_WORDS,
        "ext_counters_size_old" => old_ext_counters,
        "ext_data_size_old" => OLD_EXT_SIZE - old_ext_counters,
        "ext_section_size_old" => OLD_EXT_SIZE,
        "ext_unaligned" => LEGACY_GAP_START + OLD_EXT_SIZE,
        "ext_offset" => EXT_NC_COUNTERS_START,
        "ext_gap_size" => LEGACY_GAP_SIZE,
        "model_slots" => MODEL_SLOT_COUNT,
        "model_record_size" => MODEL_RECORD_SIZE,
        "process_info_record_size" => PROCESS_INFO_SIZE,
        "process_info_ext_record_size" => PROCESS_INFO_EXT_SIZE,
        _ => return None,
    })
}

fn other_constant(name: &str) -> Option<Value> {
    Some(match name {
        "format_version" => json!(header::VERSION),
        "nd_counter_named" => json!(named(catalog::nd_counters())),
        "ext_nc_counter_named" => json!(named(&catalog::nc_counters()[NC_COUNTER_COUNT..])),
        "mem_usage_locations" => json!(abi::USAGE_LOCATIONS),
        "mem_usage_slots" => json!(abi::USAGE_CATEGORIES),
        "mem_usage_slot_names" => json!(model::CATEGORY_NAMES),
        "fnv_basis" => json!(format!("{:#010x}", hash::FNV_BASIS)),
        "fnv_prime" => json!(format!("{:#010x}", hash::FNV_PRIME)),
        "header_retry_us" => json!(retry::HEADER_RETRY.as_micros() as u64),
        "record_retry_us" => json!(retry::RECORD_RETRY.as_micros() as u64),
        "feature_bits" => json!({
            "test_feature": Feature::Test as u8,
            "multicore_feature": Feature::Multicore as u8,
            "count": 2,
        }),
        "framework_types" => json!({
            "invalid": FrameworkType::Invalid as i8,
            "no_fw": FrameworkType::None as i8,
            "tensorflow": FrameworkType::TensorFlow as i8,
            "pytorch": FrameworkType::PyTorch as i8,
            "mxnet": FrameworkType::MxNet as i8,
            "precheck": FrameworkType::Precheck as i8,
        }),
        _ => return None,
    })
}

#[test]
fn every_constant_equals_the_vectors() {
    let constants = vectors("constants").as_object().unwrap();
    for (name, expected) in constants {
        if ELSEWHERE.contains(&name.as_str()) {
            continue;
        }
        let region = region_constant(name).map(|value| json!(value));
        let value = region.or_else(|| other_constant(name));
        assert_eq!(value.as_ref(), Some(expected), "{name}");
    }
}

#[test]
fn regions_equal_the_vectors() {
    let expected = list(vectors("regions"));
    assert_eq!(REGIONS.len(), expected.len());
    for (region, expected) in REGIONS.iter().zip(expected) {
        let name = region.name;
        assert_eq!(name, text(&expected["name"]));
        assert_eq!(region.start, size(&expected["start"]), "{name}");
        assert_eq!(region.end(), size(&expected["end"]), "{name}");
        assert_eq!(region.size, size(&expected["size"]), "{name}");
        assert_eq!(json!(region.hashed), expected["hash"], "{name}");
    }
}

#[test]
fn regions_tile_the_slab() {
    let mut end = 0;
    for region in &REGIONS {
        assert_eq!(region.start, end, "{}", region.name);
        end = region.end();
    }
    assert_eq!(end, SLAB_SIZE);
}

#[test]
fn region_starts_have_the_alignment_of_the_vectors() {
    for row in list(&vectors("alignment")["rows"]) {
        let start = match text(&row[0]) {
            "ext_offset_old" => LEGACY_GAP_START,
            "required_size" => REQUIRED_SIZE,
            name => REGIONS.iter().find(|r| r.name == name).unwrap().start,
        };
        assert_eq!(start, size(&row[1]), "{row}");
        let alignment = if start == 0 {
            4096
        } else {
            1 << start.trailing_zeros()
        };
        assert_eq!(alignment, number(&row[2]), "{row}");
    }
}

/// Size, alignment and field offsets of a C struct of this crate.
macro_rules! shape {
    ($type:ident: $($field:ident)*) => {
        (
            size_of::<abi::$type>(),
            align_of::<abi::$type>(),
            vec![$(offset_of!(abi::$type, $field)),*],
        )
    };
}

/// The struct that the vectors call `name`; its fields in declaration order.
fn shape_of(name: &str) -> (usize, usize, Vec<usize>) {
    match name {
        "nds_header" => shape!(Header: signature version),
        "nds_mem_usage_info" => shape!(MemUsageInfo: total_size chunk_count),
        "nds_model_node_info" => {
            shape!(ModelNodeInfo: model_id model_node_id name uuid nc_index sg_index)
        }
        "nds_model_node_mem_usage_info" => shape!(ModelNodeMemUsageInfo: model_mem_usage),
        "nds_version_info" => shape!(VersionInfo: major minor build),
        "nds_process_info" => {
            shape!(ProcessInfo: framework_type tag framework_version fal_version runtime_version)
        }
        "nds_process_info_ext" => shape!(ProcessInfoExt: tag),
        "nds_model_node_data_internal" => shape!(ModelRecord: hash node_info mem_usage),
        "nds_process_info_internal" => shape!(ProcessInfoRecord: hash info),
        "nds_process_info_ext_internal" => shape!(ProcessInfoExtRecord: hash info),
        other => panic!("the crate has no struct for {other}"),
    }
}

#[test]
fn structs_have_the_shape_of_the_vectors() {
    let structs = list(vectors("structs")).iter();
    for expected in structs.filter(|s| s["where"] != "host") {
        let name = text(&expected["name"]);
        let offsets: Vec<usize> = list(&expected["fields"])
            .iter()
            .map(|f| size(&f[1]))
            .collect();
        let shape = (size(&expected["size"]), size(&expected["align"]), offsets);
        assert_eq!(shape_of(name), shape, "{name}");
    }
}
