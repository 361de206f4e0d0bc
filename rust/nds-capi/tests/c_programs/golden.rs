// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors of the layout crate, and how to take values out of them.

use std::sync::LazyLock;

use serde_json::Value;

static VECTORS: LazyLock<Value> = LazyLock::new(|| {
    let text = include_str!("../../../nds-layout/tests/data/nds-layout.json");
    serde_json::from_str(text).expect("the vectors are JSON")
});

/// A value by its path, such as `scenarios/header_check`.
pub(crate) fn vectors(path: &str) -> &'static Value {
    let pointer = format!("/{path}");
    VECTORS
        .pointer(&pointer)
        .unwrap_or_else(|| panic!("the vectors have no {path}"))
}

/// The entries of a non-empty list: a table made from it cannot be empty.
pub(crate) fn list(value: &Value) -> &Vec<Value> {
    let entries = value.as_array().expect("a list");
    assert!(!entries.is_empty(), "an empty list tests nothing");
    entries
}

/// The entries of a list that may be empty.
pub(crate) fn entries(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// A text.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// A number, written as such or as a text starting with `0x`.
pub(crate) fn number(value: &Value) -> i128 {
    match value.as_str().map(|text| text.strip_prefix("0x")) {
        Some(digits) => i128::from_str_radix(digits.expect("0x"), 16).expect("a number"),
        None => value
            .as_i64()
            .map(i128::from)
            .or_else(|| value.as_u64().map(i128::from))
            .unwrap_or_else(|| panic!("not a whole number: {value}")),
    }
}

/// Bytes written in hexadecimal.
pub(crate) fn bytes(value: &Value) -> Vec<u8> {
    let digits = text(value);
    (0..digits.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hexadecimal"))
        .collect()
}
