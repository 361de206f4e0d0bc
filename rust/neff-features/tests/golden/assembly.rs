// SPDX-License-Identifier: MIT OR Apache-2.0
//! Modules and packages to mask, names and schema.

use neff_features::assemble::{
    has_remote_update, Assembly, Instruction, Merge, ModuleCountMismatch, Packager,
};
use neff_features::attributes::Value as Stored;
use neff_features::{assemble, AttributeSet, Module, ModuleAttribute};
use serde_json::Value;

use crate::{array, cases, mask, number, text, texts};

fn stored(entry: &Value) -> Stored<'_> {
    let value = &entry["value"];
    match text(&entry["type"]) {
        "bool" => Stored::Bool(value.as_bool().expect("bool")),
        "i64" => Stored::I64(value.as_i64().expect("i64")),
        "u64" => Stored::U64(value.as_u64().expect("u64")),
        "string" => Stored::String(text(value)),
        "list" => Stored::List,
        "map" => Stored::Map,
        other => panic!("unknown arm {other}"),
    }
}

fn attributes(entries: &Value) -> AttributeSet {
    array(entries).iter().map(entry).collect()
}

fn entry(value: &Value) -> (ModuleAttribute, Stored<'_>) {
    let ordinal = u8::try_from(number(&value["ordinal"])).expect("ordinal");
    (
        ModuleAttribute::from_ordinal(ordinal).expect("known ordinal"),
        stored(value),
    )
}

fn instruction(value: &Value) -> Instruction {
    Instruction {
        is_dma_block: text(&value["kind"]) == "DMABlock",
        has_sync_info: value["sync_info"].as_bool().expect("flag"),
        remote_notifications: array(&value["remote_notification"]).len(),
    }
}

fn module(value: &Value) -> Module {
    let instructions = array(&value["blocks"])
        .iter()
        .flat_map(array)
        .map(instruction);
    Module {
        attributes: attributes(&value["attributes"]),
        arch: i32::try_from(value["arch"].as_i64().expect("level")).expect("level"),
        dve_perf_mode_disabled: value["disable_dve_perf_mode"].as_bool().expect("flag"),
        remote_update: has_remote_update(instructions),
    }
}

fn count(value: &Value) -> u32 {
    u32::try_from(number(value)).expect("count")
}

fn assert_assembly(name: &Value, got: Assembly, expect: &Value, schema_key: &str) {
    assert_eq!(got.mask, mask(&expect["mask"]), "{name}");
    assert_eq!(
        got.names().collect::<Vec<_>>(),
        texts(&expect["names"]),
        "{name}"
    );
    assert_eq!(got.schema_min, number(&expect[schema_key]), "{name}");
}

#[test]
fn every_module_assembles_as_listed() {
    for case in cases("module_cases") {
        let input = &case["module"];
        let schema = number(&input["writer_schema_in"]);
        let got = assemble(&module(input), count(&input["vnc_nc_count"]), schema);
        assert_assembly(&case["name"], got, &case["expect"], "schema_min");
    }
}

fn package(case: &Value, merge: Merge) -> (Vec<Assembly>, Result<Assembly, ModuleCountMismatch>) {
    let mut packager = Packager::new(count(&case["vnc_nc_count"]), merge);
    let modules = array(&case["modules"])
        .iter()
        .map(|input| packager.add(&module(input)))
        .collect();
    (modules, packager.finish())
}

#[test]
fn every_package_merges_as_listed_under_both_policies() {
    for (merge, key) in [
        (Merge::Union, "header_mask_union"),
        (Merge::LastWins, "header_mask_last_wins"),
    ] {
        for case in cases("package_cases") {
            let (name, expect) = (&case["name"], &case["expect"]);
            let (modules, header) = package(case, merge);
            let Some(masks) = expect.get("modules").map(array) else {
                let refused = header.expect_err("count mismatch").to_string();
                assert!(
                    refused.starts_with(text(&expect["error"])),
                    "{name}: {refused}"
                );
                continue;
            };
            assert_eq!(modules.len(), masks.len(), "{name}");
            for (got, golden) in modules.into_iter().zip(masks) {
                assert_assembly(name, got, golden, "schema_after");
            }
            let header = header.expect("counts agree");
            assert_eq!(header.mask, mask(&expect[key]), "{name}");
            assert_eq!(header.schema_min, number(&expect["schema_min"]), "{name}");
        }
    }
}

#[test]
fn an_engaged_attribute_that_is_not_true_counts_and_is_pointed_out() {
    let set: AttributeSet = [
        (ModuleAttribute::HasFunctions, Stored::Bool(false)),
        (ModuleAttribute::CustomOps, Stored::Bool(true)),
        (ModuleAttribute::Dge, Stored::U64(0)),
        (ModuleAttribute::Dge, Stored::Bool(true)),
    ]
    .into_iter()
    .collect();
    assert!(set.contains(ModuleAttribute::HasFunctions));
    assert!(!set.contains(ModuleAttribute::PoolRsqrt));
    assert!(set
        .engaged_but_not_true()
        .eq([ModuleAttribute::HasFunctions]));
}
