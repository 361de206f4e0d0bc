// SPDX-License-Identifier: MIT OR Apache-2.0
//! The declarations in C say what the face is: the same numbers, the same functions.

use std::collections::BTreeSet;

use nds_core::rules::listing::LINE_MAX;
use nds_core::rules::pages::SLAB_PAGES;
use nds_core::{Part, Refusal, SLOTS};
use nds_portable::face;

const HEADER: &str = include_str!("../../../src/portable/core.h");

const FACE: [&str; 5] = [
    include_str!("../src/face/device.rs"),
    include_str!("../src/face/listing.rs"),
    include_str!("../src/face/mapping.rs"),
    include_str!("../src/face/occupancy.rs"),
    include_str!("../src/face/report.rs"),
];

/// The value of a macro or an enumerator.
fn number(name: &str) -> usize {
    let line = HEADER
        .lines()
        .find(|line| line.split_whitespace().any(|word| word == name))
        .unwrap_or_else(|| panic!("core.h has no {name}"));
    let value = line.rsplit(' ').next().unwrap().trim_end_matches(',');
    value.parse().unwrap()
}

#[test]
fn sizes_are_the_same_in_c() {
    for (name, size) in [
        ("NDS_SLOTS", SLOTS),
        ("NDS_SLAB_PAGES", SLAB_PAGES),
        ("NDS_FILE_WORDS", face::FILE_WORDS),
        ("NDS_READING_WORDS", face::READING_WORDS),
        ("NDS_MESSAGE_BYTES", face::MESSAGE_BYTES),
        ("NDS_ACQUIRED_WORDS", face::ACQUIRED_WORDS),
        ("NDS_PIECE", face::PIECE),
        ("NDS_LINE_MAX", LINE_MAX),
        ("NDS_PARTS", Part::all().count()),
        ("NDS_PARTS", face::PARTS as usize),
    ] {
        assert_eq!(number(name), size, "{name}");
    }
}

#[test]
fn the_first_part_describes_processes() {
    assert_eq!(number("NDS_PART_DEVICE"), 0);
    assert_eq!(Part::nth(0), Some(Part::Device));
    let numbered = (0..face::PARTS).filter_map(Part::nth);
    assert!(numbered.eq(Part::all()));
    assert_eq!(Part::nth(face::PARTS), None);
}

#[test]
fn refusals_have_the_same_numbers_in_c() {
    for (name, reason) in [
        ("NDS_BAD_LENGTH", Refusal::BadLength),
        ("NDS_BAD_WORD", Refusal::BadWord),
        ("NDS_BAD_POINTER", Refusal::BadPointer),
    ] {
        assert_eq!(Refusal::ALL[number(name)], reason, "{name}");
    }
}

/// The words that begin with `nds_core_` and are followed by a parameter list.
fn functions(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '('))
        .filter_map(|word| word.split_once('(').map(|(name, _)| name))
        .filter(|name| name.starts_with("nds_core_"))
        .collect()
}

#[test]
fn every_function_is_declared_and_no_other() {
    let defined: BTreeSet<_> = FACE.iter().flat_map(|file| functions(file)).collect();
    assert_eq!(functions(HEADER), defined);
}
