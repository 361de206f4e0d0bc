// SPDX-License-Identifier: MIT OR Apache-2.0
//! The generic gate and the gate of libnrt.

use neff_features::libnrt::{admit, admit_fields, Admission, Fields, Refusal};
use neff_features::{gate, Capability, FeatureMask};

use crate::verdicts::{admission_json, verdict_json};
use crate::{cases, mask, number};

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
