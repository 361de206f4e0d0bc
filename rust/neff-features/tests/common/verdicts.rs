// SPDX-License-Identifier: MIT OR Apache-2.0
//! The verdicts of both gates in the form of the golden data.

use neff_features::gate::Reason;
use neff_features::libnrt::{Admission, Refusal};
use neff_features::Verdict;
use serde_json::{json, Value};

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

pub(crate) fn verdict_json(verdict: &Verdict) -> Value {
    let reasons: Vec<Value> = verdict.reasons().map(reason_json).collect();
    json!({ "verdict": verdict_name(verdict.accepted()), "reasons": reasons })
}

pub(crate) fn admission_json(admission: Admission) -> Value {
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
