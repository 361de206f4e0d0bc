// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loader messages in pasted logs.

use neff_features::log_line::{find, LogLine};
use serde_json::{json, Value};

use crate::{cases, text};

fn line_json(line: LogLine) -> Value {
    let (form, version) = (line.form(), line.version().to_string());
    match line {
        LogLine::Unsupported {
            features,
            supported,
            ..
        } => json!({
            "form": form,
            "version": version,
            "features": features.to_string(),
            "supported": supported.to_string(),
            "missing": line.missing().to_string(),
            "missing_labels": line.missing().labels().map(|label| label.to_string()).collect::<Vec<_>>(),
        }),
        LogLine::OutOfRange {
            min_major,
            max_major,
            ..
        } => json!({
            "form": form,
            "version": version,
            "accepted_major_min": min_major,
            "accepted_major_max": max_major,
        }),
    }
}

fn found(text: &str) -> Value {
    find(text).map(line_json).collect()
}

#[test]
fn every_message_is_found_wherever_it_stands() {
    for case in cases("log_cases") {
        assert_eq!(
            found(text(&case["text"])),
            case["expect"],
            "{}",
            case["name"]
        );
    }
}

#[test]
fn a_newer_message_may_have_any_text_before_its_supported_mask() {
    let log = "NEFF (version: 2.0, features: 0x100) has been compiled by a newer\n\
               NEFF version: 2.0, features: 0x3 are not supported. Currently supporting: 0x1\n\
               supported by this Neuron Runtime: none, supported by this Neuron Runtime: 0xff";
    let forms: Vec<&str> = find(log).map(|line| line.form()).collect();
    assert_eq!(forms, ["new", "old"]);
}

#[test]
fn a_newer_message_ends_where_its_mask_does() {
    let head = "NEFF (version: 2.0, features: 0x100) has been compiled by a newer ";
    let log = format!("{head}{head}supported by this Neuron Runtime: 0xff");
    assert_eq!(find(&log).count(), 1);
    assert_eq!(find(&format!("{log} {log}")).count(), 2);
}

#[test]
fn an_incomplete_message_is_not_one() {
    let whole = "NEFF version: 2.0, features: 0x100 are not supported. Currently supporting: 0xff";
    assert_eq!(find(whole).count(), 1);
    for end in 0..whole.len() - 3 {
        assert_eq!(find(&whole[..end]).count(), 0, "{}", &whole[..end]);
    }
}

#[test]
fn a_number_that_does_not_fit_drops_the_message() {
    for log in [
        "NEFF version: 2.0, features: 0x10000000000000000 are not supported. Currently supporting: 0x1",
        "NEFF version: 99999999999999999999.0 is not supported, accepted version range: 0.x-2.x",
    ] {
        assert_eq!(find(log).count(), 0, "{log}");
    }
}
