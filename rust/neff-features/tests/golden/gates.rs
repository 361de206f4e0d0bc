// SPDX-License-Identifier: MIT OR Apache-2.0
//! The generic gate and the gate of libnrt.

use neff_features::gate::Reason;
use neff_features::libnrt::{admit, admit_fields, Admission, Fields, Refusal};
use neff_features::{gate, Capability, FeatureMask, Verdict};
use serde_json::{json, Value};

use crate::{cases, mask, number};

fn verdict_name(accepted: bool) -> &'static str {
    match accepted {
        true => "accept",
        false => "reject",
    }
}

fn reason_json(reason: Reason) -> Value {
    match reason {
        Reason::UnsupportedFeature(mask) => json!({
            "reason": reason.code(),
            "unknown_mask": mask.to_string(),
            "unknown_bits": mask.bits().collect::<Vec<_>>(),
        }),
        Reason::SchemaTooNew {
            schema_min,
            max_schema,
        } => json!({
            "reason": reason.code(), "schema_min": schema_min, "max_schema": max_schema,
        }),
    }
}

fn verdict_json(verdict: &Verdict) -> Value {
    let reasons: Vec<Value> = verdict.reasons().map(reason_json).collect();
    json!({ "verdict": verdict_name(verdict.accepted()), "reasons": reasons })
}

#[test]
fn the_generic_gate_collects_every_reason_in_order() {
    for case in cases("gate_cases") {
        let runtime = Capability {
            supported: mask(&case["supported"]),
            max_schema: number(&case["max_schema"]),
        };
        let verdict = gate(mask(&case["mask"]), number(&case["schema_min"]), &runtime);
        assert_eq!(verdict_json(&verdict), case["expect"], "{}", case["name"]);
    }
}

fn admission_json(admission: Admission) -> Value {
    let mut json = match admission {
        Admission::Accepted { features_examined } => {
            json!({ "reason": null, "features_examined": features_examined })
        }
        Admission::Refused(refusal) => json!({ "reason": refusal.code() }),
    };
    if let Admission::Refused(Refusal::UnsupportedFeature(mask)) = admission {
        json["unknown_mask"] = json!(mask.to_string());
        json["unknown_bits"] = json!(mask.bits().collect::<Vec<_>>());
    }
    json["status"] = json!(admission.status());
    json["verdict"] = json!(verdict_name(matches!(
        admission,
        Admission::Accepted { .. }
    )));
    json
}

#[test]
fn the_libnrt_gate_stops_at_the_first_failing_step() {
    for case in cases("libnrt_gate_cases") {
        let fields = Fields {
            pkg_version: number(&case["pkg_version"]),
            header_size: number(&case["header_size"]),
            data_size: number(&case["data_size"]),
            version_major: number(&case["version_major"]),
            feature_bits: mask(&case["feature_bits"]),
        };
        let admission = admit_fields(&fields, number(&case["file_size"]));
        assert_eq!(
            admission_json(admission),
            case["expect"],
            "{}",
            case["name"]
        );
    }
}

#[test]
fn a_file_without_a_whole_header_is_refused_as_short() {
    for length in [0, 1, 1023] {
        assert_eq!(
            admit(&vec![0; length], length as u64),
            Admission::Refused(Refusal::ShortHeader)
        );
    }
}

#[test]
fn a_refusal_says_code_bits_and_status() {
    let refusal = Refusal::UnsupportedFeature(FeatureMask::of(40));
    let said = refusal.to_string();
    for part in [
        "unsupported-feature",
        "0x10000000000",
        "bit 40",
        "status 10",
    ] {
        assert!(said.contains(part), "{said}");
    }
}
