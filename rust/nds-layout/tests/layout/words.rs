// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header word and the packed version words.

use crate::support::{bytes, list, number, number32, vectors, TestSlab};
use nds_layout::{header, PackedVersion, SlabRead, Version, WordIndex};
use serde_json::{json, Value};

#[test]
fn the_header_is_one_word_of_signature_and_version() {
    let expected = vectors("header");
    assert_eq!(header::HEADER_WORD, number(&expected["u64"]));
    assert_eq!(
        header::HEADER_WORD.to_le_bytes()[..],
        bytes(&expected["bytes_hex"])
    );
    assert_eq!(header::SIGNATURE[..], bytes(&expected["signature_hex"]));
    assert_eq!(json!(header::VERSION), expected["version"]);
}

#[test]
fn committing_the_header_stamps_its_eight_bytes_and_nothing_else() {
    let slab = TestSlab::new();
    assert!(!header::check(&*slab), "a fresh slab has no header");
    header::commit(&*slab);
    assert!(header::check(&*slab));
    let image = slab.bytes();
    assert_eq!(image[..8], bytes(&vectors("header")["bytes_hex"]));
    assert!(image[8..].iter().all(|&byte| byte == 0));
}

#[test]
fn any_other_header_word_is_an_unknown_layout() {
    for bit in 0..u64::BITS {
        assert!(!header::is_valid(header::HEADER_WORD ^ 1 << bit));
    }
    assert!(!header::is_valid(0));
}

fn packed(expected: &Value) -> PackedVersion {
    PackedVersion {
        version: Version {
            major: number(&expected["major"]) as u8,
            minor: number(&expected["minor"]) as u8,
            build: number32(&expected["build"]),
        },
        reserved: number(&expected["reserved"]) as u16,
    }
}

#[test]
fn packed_versions_equal_the_vectors() {
    for expected in list(vectors("packed_versions")) {
        let packed = packed(expected);
        let word = packed.to_word();
        assert_eq!(word, number(&expected["nd_counter_word"]));
        assert_eq!(
            word.to_le_bytes()[..],
            bytes(&expected["nd_counter_bytes_hex"])
        );
        assert_eq!(PackedVersion::from_word(word), packed);
    }
}

#[test]
fn the_triple_of_a_record_orders_its_bytes_differently() {
    for expected in list(vectors("packed_versions")) {
        let version = packed(expected).version;
        let triple = version.encode();
        assert_eq!(triple[..], bytes(&expected["version_info_bytes_hex"]));
        assert_eq!(Version::decode(&triple), version);
    }
}

#[test]
fn the_framework_type_is_the_last_digit_of_the_reserved_field() {
    let framework_type = |reserved| {
        let version = Version::default();
        PackedVersion { version, reserved }.framework_type()
    };
    assert_eq!(framework_type(3), 3);
    assert_eq!(framework_type(65535), 5);
}

#[test]
fn a_version_prints_as_three_numbers() {
    let version = Version {
        major: 2,
        minor: 31,
        build: 24,
    };
    assert_eq!(version.to_string(), "2.31.24");
}

#[test]
fn the_last_word_is_the_dead_word_of_core_15() {
    assert_eq!(
        WordIndex::new(8399).map(WordIndex::byte_offset),
        Some(0x10678)
    );
    assert_eq!(WordIndex::new(8400), None);
    assert_eq!(TestSlab::new().load(WordIndex::HEADER), 0);
}
