// SPDX-License-Identifier: MIT OR Apache-2.0
//! A whole slab, written operation by operation, against the digests of the vectors.

use crate::support::{
    bytes, image, list, number, number32, place_of, record, size, sized, text, vectors, AnyPlace,
    TestSlab,
};
use nds_layout::publish::{erase, publish};
use nds_layout::region::REQUIRED_SIZE;
use nds_layout::{bitmap, header, nc_word, nd_word, place, Core, ModelSlot, NcCounter, NdCounter};
use nds_layout::{Slab, WordIndex};
use serde_json::Value;
use sha2::{Digest, Sha256};

fn word(op: &Value) -> WordIndex {
    let index = number32(&op["index"]);
    match text(&op["scope"]) {
        "nd" => nd_word(NdCounter::new(index).unwrap()),
        _ => nc_word(
            Core::new(number32(&op["core"])).unwrap(),
            NcCounter::new(index).unwrap(),
        ),
    }
}

fn apply(slab: &impl Slab, op: &Value) {
    let (word, operand) = (word(op), number(&op["operand"]));
    let before = slab.load(word);
    match text(&op["op"]) {
        "set" => slab.store(word, operand),
        "add" => assert_eq!(slab.add(word, operand), before),
        "sub" => assert_eq!(slab.sub(word, operand), before),
        "or" => assert_eq!(slab.or(word, operand), before),
        other => panic!("unknown operation {other}"),
    }
    assert_eq!(word.byte_offset(), size(&op["offset"]), "{op}");
    assert_eq!(slab.load(word), number(&op["result"]), "{op}");
}

fn publish_record(slab: &impl Slab, id: &str) {
    let record = record(id);
    let slot = record["slot"].as_u64().unwrap_or(0) as u32;
    let image = image(id);
    match place_of(text(&record["kind"]), slot) {
        AnyPlace::ProcessInfo(place) => publish(slab, place, &sized(&image)),
        AnyPlace::ProcessInfoExt(place) => publish(slab, place, &sized(&image)),
        AnyPlace::Model(place) => publish(slab, place, &sized(&image)),
    }
}

/// Fills all model slots and empties those that `keep` has not, as a producer under load would.
fn churn_models(slab: &impl Slab, keep: u64) {
    while let Some(slot) = bitmap::take_lowest(slab) {
        publish(slab, place::model(slot), &sized(&image("model5/a")));
    }
    for slot in ModelSlot::all().filter(|&slot| !bitmap::is_taken(keep, slot)) {
        erase(slab, place::model(slot));
        bitmap::free(slab, slot);
    }
}

fn filled() -> TestSlab {
    let expected = vectors("slab");
    let slab = TestSlab::new();
    header::commit(&*slab);
    for op in list(&expected["counter_ops"]) {
        apply(&*slab, op);
    }
    churn_models(&*slab, number(&expected["model_bitmap"]));
    for record in list(&expected["records"]) {
        publish_record(&*slab, text(&record["id"]));
    }
    slab
}

#[test]
fn the_bytes_of_a_filled_slab_are_those_of_the_vectors() {
    let image = filled().bytes();
    let mut expected = vec![0; image.len()];
    for run in list(&vectors("slab")["nonzero_runs"]) {
        let run_bytes = bytes(&run["hex"]);
        expected[size(&run["offset"])..][..run_bytes.len()].copy_from_slice(&run_bytes);
    }
    let differing = image.iter().zip(&expected).position(|(a, b)| a != b);
    assert_eq!(differing, None, "first byte that differs");
}

#[test]
fn the_digests_of_a_filled_slab_are_those_of_the_vectors() {
    let (image, expected) = (filled().bytes(), vectors("slab"));
    assert_eq!(size(&expected["map_bytes"]), REQUIRED_SIZE);
    assert_eq!(image.len(), size(&expected["slab_bytes"]));
    let map = Sha256::digest(&image[..REQUIRED_SIZE]);
    assert_eq!(map[..], bytes(&expected["sha256_map"]));
    assert_eq!(Sha256::digest(&image)[..], bytes(&expected["sha256_slab"]));
}
