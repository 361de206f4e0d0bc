// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every case of `tests/data/neff-features.json`, section by section.
//!
//! Owns the reading of the file; the comparisons are in the modules, one for each subject.

mod assembly;
mod gates;
mod headers;
mod log_lines;
mod names;
mod tables;
#[path = "../common/verdicts.rs"]
mod verdicts;

use std::sync::OnceLock;

use neff_features::FeatureMask;
use serde_json::Value;

/// The whole document.
fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(|| {
        serde_json::from_str(include_str!("../data/neff-features.json"))
            .expect("golden data is JSON")
    })
}

/// The cases of one section; an empty or missing section is a failure.
fn cases(section: &str) -> &'static [Value] {
    let cases = document()[section].as_array().expect("section is an array");
    assert!(!cases.is_empty(), "{section} has no cases");
    cases
}

/// A number, given as such or as a `0x` string.
fn number(value: &Value) -> u64 {
    match value.as_str() {
        Some(text) => u64::from_str_radix(text.trim_start_matches("0x"), 16).expect("hex number"),
        None => value
            .as_u64()
            .unwrap_or_else(|| panic!("not a number: {value}")),
    }
}

fn mask(value: &Value) -> FeatureMask {
    FeatureMask::new(number(value))
}

fn text(value: &Value) -> &str {
    value
        .as_str()
        .unwrap_or_else(|| panic!("not text: {value}"))
}

fn array(value: &Value) -> &[Value] {
    value
        .as_array()
        .unwrap_or_else(|| panic!("not an array: {value}"))
}

/// The strings of an array.
fn texts(value: &Value) -> Vec<&str> {
    array(value).iter().map(text).collect()
}

/// The bytes of a hex string.
fn bytes(value: &Value) -> Vec<u8> {
    let digits = text(value).as_bytes();
    let byte = |pair: &[u8]| {
        let pair = std::str::from_utf8(pair).expect("ASCII");
        u8::from_str_radix(pair, 16).expect("hex byte")
    };
    digits.chunks(2).map(byte).collect()
}

/// The bit numbers of an array.
fn bit_numbers(value: &Value) -> Vec<u8> {
    array(value)
        .iter()
        .map(|bit| u8::try_from(number(bit)).expect("bit number"))
        .collect()
}
