// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every value of the header against the crate and, where they have it, the golden vectors.

use super::clang::{enumerators, evaluate, macro_names};
use nds_layout::abi::{
    self, MemUsageInfo, ModelRecord, ProcessInfoExtRecord, ProcessInfoRecord, VersionInfo,
};
use nds_layout::catalog::{nc_counters, nd_counters};
use nds_layout::ioctl::{self, NeuronIoctlNds};
use nds_layout::{header, nc_word, nd_word, place, region};
use nds_layout::{Core, CounterInfo, Feature, Group, ModelSlot, NcCounter, NdCounter};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::{align_of, offset_of, size_of};

fn vectors(key: &str) -> Value {
    let all: Value = serde_json::from_str(include_str!("../data/nds-layout.json")).unwrap();
    all[key].clone()
}

/// The crate's value for a count, size or start of the header.
fn region_value(name: &str) -> Option<usize> {
    Some(match name {
        "WORD_SIZE" => region::WORD,
        "ND_COUNTER_COUNT" => region::ND_COUNTER_COUNT,
        "NC_COUNTER_COUNT" => region::NC_COUNTER_COUNT,
        "EXT_NC_COUNTER_COUNT" => region::EXT_NC_COUNTER_COUNT,
        "TOTAL_NC_COUNTER_COUNT" => region::TOTAL_NC_COUNTER_COUNT,
        "BASE_CORE_COUNT" => region::BASE_CORE_COUNT,
        "EXTRA_CORE_COUNT" => region::EXTRA_CORE_COUNT,
        "CORE_COUNT" => region::CORE_COUNT,
        "EXT_DATA_CORE_WORDS" => region::EXT_DATA_CORE_WORDS,
        "MODEL_SLOT_COUNT" => region::MODEL_SLOT_COUNT,
        "HEADER_START" => region::HEADER_START,
        "HEADER_SIZE" => region::HEADER_SIZE,
        "ND_COUNTERS_START" => region::ND_COUNTERS_START,
        "ND_COUNTERS_SIZE" => region::ND_COUNTERS_SIZE,
        "NC_COUNTERS_START" => region::NC_COUNTERS_START,
        "NC_COUNTERS_SIZE" => region::NC_COUNTERS_SIZE,
        "PROCESS_INFO_START" => region::PROCESS_INFO_START,
        "PROCESS_INFO_SIZE" => region::PROCESS_INFO_SIZE,
        "MODEL_BITMAP_START" => region::MODEL_BITMAP_START,
        "MODEL_BITMAP_SIZE" => region::MODEL_BITMAP_SIZE,
        "MODEL_RECORDS_START" => region::MODEL_RECORDS_START,
        "MODEL_RECORDS_SIZE" => region::MODEL_RECORDS_SIZE,
        "PROCESS_INFO_EXT_START" => region::PROCESS_INFO_EXT_START,
        "PROCESS_INFO_EXT_SIZE" => region::PROCESS_INFO_EXT_SIZE,
        "LEGACY_GAP_START" => region::LEGACY_GAP_START,
        "LEGACY_GAP_SIZE" => region::LEGACY_GAP_SIZE,
        "OLD_EXT_NC_COUNTER_COUNT" => region::OLD_EXT_NC_COUNTER_COUNT,
        "OLD_EXT_DATA_CORE_WORDS" => region::OLD_EXT_DATA_CORE_WORDS,
        "OLD_EXT_SIZE" => region::OLD_EXT_SIZE,
        "EXT_ALIGN" => region::EXT_ALIGN,
        "EXT_NC_COUNTERS_START" => region::EXT_NC_COUNTERS_START,
        "EXT_NC_COUNTERS_SIZE" => region::EXT_NC_COUNTERS_SIZE,
        "EXT_NC_DATA_START" => region::EXT_NC_DATA_START,
        "EXT_NC_DATA_SIZE" => region::EXT_NC_DATA_SIZE,
        "REQUIRED_SIZE" => region::REQUIRED_SIZE,
        "SLAB_SIZE" => region::SLAB_SIZE,
        _ => return None,
    })
}

/// The crate's value for a record field of the header.
fn record_value(name: &str) -> Option<usize> {
    Some(match name {
        "RECORD_HASH" => offset_of!(ProcessInfoRecord, hash),
        "RECORD_HASH_SIZE" => nds_layout::hash::HASH_LEN,
        "VERSION_MAJOR" => offset_of!(VersionInfo, major),
        "VERSION_MINOR" => offset_of!(VersionInfo, minor),
        "VERSION_BUILD" => offset_of!(VersionInfo, build),
        "VERSION_SIZE" => size_of::<VersionInfo>(),
        "TAG_SIZE" => abi::TAG_LEN,
        "PROCESS_INFO_FRAMEWORK_TYPE" => offset_of!(ProcessInfoRecord, info.framework_type),
        "PROCESS_INFO_TAG" => offset_of!(ProcessInfoRecord, info.tag),
        "PROCESS_INFO_FRAMEWORK_VERSION" => offset_of!(ProcessInfoRecord, info.framework_version),
        "PROCESS_INFO_FAL_VERSION" => offset_of!(ProcessInfoRecord, info.fal_version),
        "PROCESS_INFO_RUNTIME_VERSION" => offset_of!(ProcessInfoRecord, info.runtime_version),
        "EXT_TAG_SIZE" => abi::EXT_TAG_LEN,
        "PROCESS_INFO_EXT_TAG" => offset_of!(ProcessInfoExtRecord, info.tag),
        "MEM_USAGE_TOTAL_SIZE" => offset_of!(MemUsageInfo, total_size),
        "MEM_USAGE_CHUNK_COUNT" => offset_of!(MemUsageInfo, chunk_count),
        "MEM_USAGE_SIZE" => size_of::<MemUsageInfo>(),
        "MEM_USAGE_LOCATIONS" => abi::USAGE_LOCATIONS,
        "MEM_USAGE_CATEGORIES" => abi::USAGE_CATEGORIES,
        "MODEL_NAME_SIZE" => abi::MODEL_NAME_LEN,
        "UUID_SIZE" => abi::UUID_LEN,
        "MODEL_ID" => offset_of!(ModelRecord, node_info.model_id),
        "MODEL_NODE_ID" => offset_of!(ModelRecord, node_info.model_node_id),
        "MODEL_NAME" => offset_of!(ModelRecord, node_info.name),
        "MODEL_UUID" => offset_of!(ModelRecord, node_info.uuid),
        "MODEL_NC_INDEX" => offset_of!(ModelRecord, node_info.nc_index),
        "MODEL_SG_INDEX" => offset_of!(ModelRecord, node_info.sg_index),
        "MODEL_MEM_USAGE" => offset_of!(ModelRecord, mem_usage),
        "MODEL_SIZE" => size_of::<ModelRecord>(),
        _ => return None,
    })
}

/// The crate's value for any other macro of the header.
fn other_value(name: &str) -> Option<u64> {
    Some(match name {
        "NDS_HEADER_SIGNATURE" => u32::from_le_bytes(header::SIGNATURE).into(),
        "NDS_HEADER_VERSION" => header::VERSION as u64,
        "NDS_HEADER_WORD" => header::HEADER_WORD,
        "NEURON_NDS_IOCTL_TYPE" => u64::from(ioctl::ACQUIRE >> 8 & 0xff),
        "NEURON_NDS_IOCTL_ACQUIRE_NR" => u64::from(ioctl::ACQUIRE & 0xff),
        "NEURON_NDS_IOCTL_RELEASE_NR" => u64::from(ioctl::RELEASE & 0xff),
        "NEURON_NDS_IOCTL_ACQUIRE" => ioctl::ACQUIRE.into(),
        "NEURON_NDS_IOCTL_RELEASE" => ioctl::RELEASE.into(),
        _ => return None,
    })
}

fn crate_value(name: &str) -> Option<u64> {
    let short = name.strip_prefix("NDS_").unwrap_or(name);
    let layout = region_value(short).or_else(|| record_value(short));
    layout
        .map(|value| value as u64)
        .or_else(|| other_value(name))
}

#[test]
fn every_macro_of_the_header_has_the_value_of_the_crate() {
    let names = macro_names();
    assert!(names.len() > 70, "the header's macros were not found");
    for (name, value) in names.iter().zip(evaluate(&names)) {
        assert_eq!(Some(value), crate_value(name), "{name}");
    }
}

#[test]
fn regions_of_the_header_equal_the_vectors() {
    for region in vectors("regions").as_array().unwrap() {
        let name = match region["name"].as_str().unwrap() {
            "legacy_ext_and_pad" => "LEGACY_GAP".to_owned(),
            "tail" => continue,
            name => name.to_uppercase(),
        };
        let expressions = [format!("NDS_{name}_START"), format!("NDS_{name}_SIZE")];
        let expected = [&region["start"], &region["size"]].map(|v| v.as_u64().unwrap());
        assert_eq!(evaluate(&expressions), expected, "{name}");
    }
    let tail = evaluate(&["NDS_SLAB_SIZE - NDS_REQUIRED_SIZE".to_owned()]);
    assert_eq!(tail[0], vectors("constants")["tail_size"].as_u64().unwrap());
}

#[test]
fn record_fields_of_the_header_equal_the_vectors() {
    let wire = vectors("wire_records");
    let field = |kind: &str, field: &str| {
        let record = wire
            .as_array()
            .unwrap()
            .iter()
            .find(|r| r["kind"] == kind)
            .unwrap();
        let fields = record["fields"].as_array().unwrap();
        fields.iter().find(|f| f[0] == field).unwrap()[1]
            .as_u64()
            .unwrap()
    };
    let expected = [
        (
            "NDS_PROCESS_INFO_TAG",
            field("process_info", "proc_info.tag"),
        ),
        (
            "NDS_PROCESS_INFO_RUNTIME_VERSION + NDS_VERSION_BUILD",
            field("process_info", "proc_info.runtime_version.build"),
        ),
        (
            "NDS_PROCESS_INFO_EXT_TAG",
            field("process_info_ext", "proc_info_ext.tag"),
        ),
        ("NDS_MODEL_NAME", field("model", "node_info.name")),
        ("NDS_MODEL_UUID", field("model", "node_info.uuid")),
        ("NDS_MODEL_NC_INDEX", field("model", "node_info.nc_index")),
        (
            "NDS_MODEL_MEM_USAGE + 23 * NDS_MEM_USAGE_SIZE + NDS_MEM_USAGE_CHUNK_COUNT",
            field("model", "mem_usage.model_mem_usage[1][11].chunk_count"),
        ),
    ];
    let expressions = expected.map(|(expression, _)| expression.to_owned());
    assert_eq!(evaluate(&expressions), expected.map(|(_, value)| value));
}

/// The enumerators that the crate's catalogue and features ask for.
fn catalogue_enumerators() -> BTreeMap<String, u64> {
    let named = |entry: &&CounterInfo| entry.is_named();
    let entry = |entry: &CounterInfo| {
        (
            format!("{}{}", entry.group.c_prefix(), entry.name),
            u64::from(entry.index),
        )
    };
    let all = nd_counters().iter().chain(nc_counters());
    let mut expected: BTreeMap<String, u64> = all.filter(named).map(entry).collect();
    let reserved = |entries: &[CounterInfo]| entries.iter().find(|e| !e.is_named()).unwrap().index;
    let first = |group: Group| format!("{}FIRST_RESERVED", group.c_prefix());
    expected.insert(first(Group::Nd), reserved(nd_counters()).into());
    expected.insert(first(Group::ExtNc), reserved(nc_counters()).into());
    expected.insert("NDS_FEATURE_TEST".into(), Feature::Test as u64);
    expected.insert("NDS_FEATURE_MULTICORE".into(), Feature::Multicore as u64);
    expected
}

#[test]
fn the_enumerations_are_those_of_the_catalogue() {
    assert_eq!(enumerators(), catalogue_enumerators());
}

#[test]
fn the_enumerations_name_what_the_vectors_name() {
    let found = enumerators();
    let names: BTreeSet<&str> = found.keys().map(String::as_str).collect();
    for (index, name) in vectors("nc_counter_names")
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
    {
        let Some(name) = name.as_str() else { continue };
        let group = if index < 31 { "NC" } else { "EXT_NC" };
        assert_eq!(
            found.get(&format!("NDS_{group}_COUNTER_{name}")),
            Some(&(index as u64))
        );
    }
    for row in vectors("nd_counters")["rows"].as_array().unwrap() {
        let Some(name) = row[3].as_str() else {
            continue;
        };
        assert!(
            names.contains(format!("NDS_ND_COUNTER_{name}").as_str()),
            "{name}"
        );
    }
}

#[test]
fn offset_macros_give_the_crates_address_of_every_counter_and_slot() {
    let mut expected = Vec::new();
    for core in Core::all() {
        for counter in NcCounter::all() {
            let expression = format!("NDS_NC_COUNTER_OFFSET({}, {})", core.get(), counter.get());
            expected.push((expression, nc_word(core, counter).byte_offset()));
        }
    }
    for counter in NdCounter::all() {
        let expression = format!("NDS_ND_COUNTER_OFFSET({})", counter.get());
        expected.push((expression, nd_word(counter).byte_offset()));
    }
    for slot in ModelSlot::all() {
        let expression = format!("NDS_MODEL_OFFSET({})", slot.get());
        expected.push((expression, place::model(slot).byte_offset()));
    }
    let (expressions, offsets): (Vec<_>, Vec<_>) = expected.into_iter().unzip();
    let values = evaluate(&expressions);
    assert!(values.iter().map(|&value| value as usize).eq(offsets));
}

#[test]
fn validity_macros_refuse_what_the_vectors_call_invalid() {
    let mut expressions = Vec::new();
    for entry in vectors("nc_invalid").as_array().unwrap() {
        let core = entry["core"].as_i64().unwrap();
        expressions.push(format!(
            "NDS_NC_COUNTER_VALID({core}LL, {}u)",
            entry["counter"]
        ));
    }
    for entry in vectors("nd_invalid").as_array().unwrap() {
        expressions.push(format!("NDS_ND_COUNTER_VALID({}u)", entry["index"]));
    }
    assert!(evaluate(&expressions).iter().all(|&valid| valid == 0));
    let edges = ["NDS_NC_COUNTER_VALID(15, 94)", "NDS_ND_COUNTER_VALID(30)"];
    assert_eq!(evaluate(&edges.map(str::to_owned)), [1, 1]);
}

#[test]
fn the_ioctl_argument_has_the_shape_of_the_crate() {
    let expected = [
        (
            "sizeof(struct neuron_ioctl_nds)",
            size_of::<NeuronIoctlNds>(),
        ),
        (
            "_Alignof(struct neuron_ioctl_nds)",
            align_of::<NeuronIoctlNds>(),
        ),
        (
            "__builtin_offsetof(struct neuron_ioctl_nds, pid)",
            ioctl::PID_OFFSET,
        ),
        (
            "__builtin_offsetof(struct neuron_ioctl_nds, mmap_offset)",
            ioctl::MMAP_OFFSET_OFFSET,
        ),
        (
            "__builtin_offsetof(struct neuron_ioctl_nds, size)",
            ioctl::SIZE_OFFSET,
        ),
        (
            "sizeof(((struct neuron_ioctl_nds *)0)->pid)",
            size_of::<i32>(),
        ),
        (
            "sizeof(((struct neuron_ioctl_nds *)0)->mmap_offset)",
            size_of::<u64>(),
        ),
        (
            "sizeof(((struct neuron_ioctl_nds *)0)->size)",
            size_of::<u32>(),
        ),
    ];
    let values = evaluate(&expected.map(|(expression, _)| expression.to_owned()));
    assert_eq!(values, expected.map(|(_, value)| value as u64));
}
