// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names against mask.

use neff_features::finding::{Finding, What};
use neff_features::names::{check, CoreNames, Declared, Listed};
use serde_json::{json, Value};

use crate::{array, cases, mask, number, text};

/// One core's array, owned.
enum Core {
    KeyMissing,
    NotArray,
    Array(Vec<Option<String>>),
}

fn core(value: &Value) -> Core {
    if !value["key_present"].as_bool().expect("flag") {
        return Core::KeyMissing;
    }
    match value["value"].as_array() {
        Some(elements) => Core::Array(
            elements
                .iter()
                .map(|element| element.as_str().map(String::from))
                .collect(),
        ),
        None => Core::NotArray,
    }
}

fn listed(core: &Core) -> Listed<'_, String> {
    match core {
        Core::KeyMissing => Listed::KeyMissing,
        Core::NotArray => Listed::NotArray,
        Core::Array(elements) => Listed::Array(elements),
    }
}

fn finding_json(finding: Finding<'_>) -> Value {
    let what = match finding.what {
        What::Nothing => None,
        what => Some(what.to_string()),
    };
    json!({
        "code": finding.code.as_str(),
        "severity": finding.code.severity().name(),
        "where": finding.place.to_string(),
        "what": what,
    })
}

fn sort_key(finding: &Value) -> [String; 3] {
    ["code", "where", "what"].map(|key| finding[key].as_str().unwrap_or_default().to_owned())
}

#[test]
fn every_disagreement_is_found_and_nothing_else() {
    for case in cases("check_cases") {
        let declared = Declared {
            mask: mask(&case["mask"]),
            schema_min: number(&case["schema_min"]),
            vnc_size: case["vnc_size"].as_u64().map(|size| size as u32),
            arch: case["arch"].as_i64().map(|level| level as i32),
        };
        let owned: Vec<(&str, Core)> = array(&case["cores"])
            .iter()
            .map(|value| (text(&value["path"]), core(value)))
            .collect();
        let cores: Vec<_> = owned
            .iter()
            .map(|(path, core)| CoreNames {
                path,
                listed: listed(core),
            })
            .collect();
        let mut findings = Vec::new();
        check(&declared, &cores, true, |finding| {
            findings.push(finding_json(finding))
        });
        findings.sort_by_key(sort_key);
        assert_eq!(json!(findings), case["expect"], "{}", case["name"]);
    }
}

#[test]
fn nothing_is_concluded_from_missing_names_when_a_def_json_is_unreadable() {
    let declared = Declared {
        mask: mask(&json!("0x4")),
        schema_min: 2,
        vnc_size: None,
        arch: None,
    };
    check::<String>(&declared, &[], false, |finding| panic!("{finding:?}"));
}
