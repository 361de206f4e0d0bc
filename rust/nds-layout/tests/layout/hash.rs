// SPDX-License-Identifier: MIT OR Apache-2.0
//! FNV-1a-32 and the record hash.

use crate::support::{bytes, list, number, number32, size, text, vectors};
use nds_layout::hash::{fnv1a32, record_hash, seal, stored_hash, verify, RecordFault};
use serde_json::Value;

/// The bytes of an FNV vector: written out, or made by its generator.
fn input(vector: &Value) -> Vec<u8> {
    if vector["input_hex"].is_string() {
        return bytes(&vector["input_hex"]);
    }
    let generator = &vector["generator"];
    let (mul, add) = (number(&generator["mul"]), number(&generator["add"]));
    (0..number(&vector["length"]))
        .map(|k| (mul * k + add) as u8)
        .collect()
}

fn named(fault: &RecordFault) -> &'static str {
    match fault {
        RecordFault::Unpublished => "unpublished",
        RecordFault::Torn => "torn",
    }
}

#[test]
fn fnv_equals_the_published_and_the_computed_answers() {
    for vector in list(vectors("fnv1a32")) {
        let input = input(vector);
        assert_eq!(input.len(), size(&vector["length"]));
        assert_eq!(fnv1a32(&input), number32(&vector["hash"]), "{vector}");
    }
}

#[test]
fn every_published_image_verifies_whatever_its_holes_hold() {
    for key in ["records", "records_with_noisy_holes"] {
        for record in list(vectors(key)) {
            let image = bytes(&record["image_hex"]);
            assert_eq!(stored_hash(&image), number32(&record["hash"]));
            assert_eq!(verify(&image), Ok(()), "{}", record["id"]);
        }
    }
}

#[test]
fn every_damaged_image_is_refused_by_its_class() {
    for damaged in list(vectors("torn")) {
        let image = bytes(&damaged["image_hex"]);
        assert_eq!(stored_hash(&image), number32(&damaged["stored"]));
        assert_eq!(record_hash(&image), number32(&damaged["computed"]));
        let class = verify(&image).map_err(|fault| named(&fault));
        assert_eq!(class, Err(text(&damaged["class"])), "{}", damaged["id"]);
    }
}

#[test]
fn a_zeroed_record_of_any_size_is_unpublished() {
    for len in [64, 260, 672] {
        assert_eq!(verify(&vec![0; len]), Err(RecordFault::Unpublished));
    }
}

#[test]
fn sealing_replaces_a_stale_hash_only() {
    let mut image = [7; 64];
    seal(&mut image);
    assert_eq!(verify(&image), Ok(()));
    assert!(image[4..].iter().all(|&byte| byte == 7));
}

#[test]
fn an_image_too_short_for_a_hash_never_verifies() {
    for len in 0..4 {
        assert_eq!(verify(&vec![0xff; len]), Err(RecordFault::Unpublished));
    }
    seal(&mut [1, 2, 3]);
}

#[test]
fn faults_say_what_is_wrong() {
    assert_eq!(RecordFault::Unpublished.to_string(), "record not published");
    assert_eq!(RecordFault::Torn.to_string(), "record hash does not match");
}
