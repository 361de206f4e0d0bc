// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records: fields to images and back.

use crate::support::{
    bytes, image, list, number, number32, record, size, sized, sized_image, text, vectors,
};
use nds_layout::place::{self, RecordPlace};
use nds_layout::record::{padded, trimmed, MemoryUsage, Model, TagPlacement};
use nds_layout::{hash, ModelSlot, ProcessInfo, ProcessInfoExt, Version};
use serde_json::Value;

fn version(fields: &Value) -> Version {
    Version {
        major: number(&fields["major"]) as u8,
        minor: number(&fields["minor"]) as u8,
        build: number32(&fields["build"]),
    }
}

fn process_info(fields: &Value) -> ProcessInfo {
    ProcessInfo {
        framework_type: fields["framework_type"].as_i64().unwrap() as i8,
        tag: padded(text(&fields["tag"]).as_bytes()),
        framework_version: version(&fields["framework_version"]),
        fal_version: version(&fields["fal_version"]),
        runtime_version: version(&fields["runtime_version"]),
    }
}

fn process_info_ext(fields: &Value) -> ProcessInfoExt {
    ProcessInfoExt {
        tag: padded(text(&fields["tag"]).as_bytes()),
    }
}

fn model(fields: &Value) -> Model {
    let mut usage = [[MemoryUsage::default(); 12]; 2];
    for cell in fields["mem_usage"].as_array().unwrap() {
        usage[size(&cell["location"])][size(&cell["slot"])] = MemoryUsage {
            total_size: number(&cell["total_size"]),
            chunk_count: number32(&cell["chunk_count"]),
        };
    }
    let [host_usage, device_usage] = usage;
    Model {
        model_id: number32(&fields["model_id"]),
        model_node_id: number32(&fields["model_node_id"]),
        name: padded(text(&fields["name"]).as_bytes()),
        uuid: sized(&bytes(&fields["uuid_hex"])),
        nc_index: number(&fields["nc_index"]) as u8,
        sg_index: number(&fields["sg_index"]) as u8,
        host_usage,
        device_usage,
    }
}

fn encoded(kind: &str, fields: &Value) -> Vec<u8> {
    match kind {
        "process_info" => process_info(fields).encode().to_vec(),
        "process_info_ext" => process_info_ext(fields).encode().to_vec(),
        "model" => model(fields).encode().to_vec(),
        other => panic!("unknown record kind {other}"),
    }
}

/// What is left of an image after decoding and encoding it: its fields.
fn reencoded(kind: &str, image: &[u8]) -> Vec<u8> {
    match kind {
        "process_info" => ProcessInfo::decode(&sized(image)).encode().to_vec(),
        "process_info_ext" => ProcessInfoExt::decode(&sized(image)).encode().to_vec(),
        "model" => Model::decode(&sized(image)).encode().to_vec(),
        other => panic!("unknown record kind {other}"),
    }
}

#[test]
fn fields_become_the_images_of_the_vectors() {
    for record in list(vectors("records")) {
        let image = encoded(text(&record["kind"]), &record["fields"]);
        assert_eq!(image, bytes(&record["image_hex"]), "{}", record["id"]);
        assert_eq!(hash::stored_hash(&image), number32(&record["hash"]));
    }
}

#[test]
fn images_become_the_fields_of_the_vectors() {
    for record in list(vectors("records")) {
        let (fields, id) = (&record["fields"], text(&record["id"]));
        match text(&record["kind"]) {
            "process_info" => {
                assert_eq!(ProcessInfo::decode(&sized_image(id)), process_info(fields));
            }
            "process_info_ext" => {
                assert_eq!(
                    ProcessInfoExt::decode(&sized_image(id)),
                    process_info_ext(fields)
                );
            }
            _ => assert_eq!(Model::decode(&sized_image(id)), model(fields)),
        }
    }
}

#[test]
fn hole_bytes_do_not_reach_the_fields() {
    for noisy in list(vectors("records_with_noisy_holes")) {
        let clean = image(text(&noisy["same_fields_as"]));
        let noisy_image = bytes(&noisy["image_hex"]);
        assert_ne!(noisy_image, clean);
        assert_eq!(reencoded(text(&noisy["kind"]), &noisy_image), clean);
    }
}

#[test]
fn a_byte_of_an_image_is_kept_exactly_if_a_field_of_the_vectors_covers_it() {
    for wire in list(vectors("wire_records")) {
        let kind = text(&wire["kind"]);
        let image = vec![0xa5; size(&wire["length"])];
        let kept = reencoded(kind, &image);
        let mut covered = vec![false; image.len()];
        for field in list(&wire["fields"]) {
            covered[size(&field[1])..][..size(&field[2])].fill(true);
        }
        for (at, byte) in kept.iter().enumerate().skip(hash::HASH_LEN) {
            assert_eq!(*byte == 0xa5, covered[at], "{kind} byte {at}");
        }
    }
}

#[test]
fn records_lie_where_the_vectors_say() {
    fn at<const N: usize>(place: RecordPlace<N>) -> (usize, usize) {
        (place.byte_offset(), N)
    }
    for record in list(vectors("records")) {
        let found = match text(&record["kind"]) {
            "process_info" => at(place::PROCESS_INFO),
            "process_info_ext" => at(place::PROCESS_INFO_EXT),
            _ => at(place::model(
                ModelSlot::new(number32(&record["slot"])).unwrap(),
            )),
        };
        assert_eq!(
            found,
            (size(&record["slab_offset"]), size(&record["length"]))
        );
    }
}

#[test]
fn the_words_of_a_record_are_its_own_and_each_comes_once() {
    let place = place::model(ModelSlot::new(63).unwrap());
    let words: Vec<usize> = std::iter::once(place.hash_word())
        .chain(place.payload_words())
        .map(|word| word.byte_offset())
        .collect();
    let expected: Vec<usize> = (43656..44328).step_by(4).collect();
    assert_eq!(words, expected);
}

#[test]
fn a_tag_at_record_offset_8_is_recognised() {
    let other = &vectors("not_normative")["process_info_tag_at_record_offset_8"];
    let image = sized(&bytes(&other["image_hex"]));
    assert_eq!(hash::verify(&image), Ok(()));
    let at_5 = ProcessInfo::decode(&image).tag;
    assert_eq!(at_5[..], bytes(&other["tag_bytes_read_at_offset_5_hex"]));
    let (info, placement) = ProcessInfo::decode_detecting_tag(&image);
    assert_eq!(placement, TagPlacement::OtherReading);
    assert_eq!(info, process_info(&record("process_info/a")["fields"]));
}

#[test]
fn every_normative_image_keeps_its_tag_at_record_offset_5() {
    let all = ["records", "records_with_noisy_holes"].map(|key| list(vectors(key)));
    let infos = all
        .into_iter()
        .flatten()
        .filter(|r| r["kind"] == "process_info");
    for record in infos {
        let image = sized(&bytes(&record["image_hex"]));
        let (info, placement) = ProcessInfo::decode_detecting_tag(&image);
        assert_eq!(placement, TagPlacement::Normal, "{}", record["id"]);
        assert_eq!(info, ProcessInfo::decode(&image));
    }
}

#[test]
fn texts_stop_at_the_first_nul_or_at_their_end() {
    assert_eq!(trimmed(b"infer\0\0junk"), b"infer");
    assert_eq!(trimmed(b"full"), b"full");
    assert_eq!(trimmed(b""), b"");
    let unterminated = ProcessInfo::decode(&sized_image("process_info/unterminated"));
    assert_eq!(unterminated.tag_text().len(), 32);
    let unterminated = ProcessInfoExt::decode(&sized_image("process_info_ext/unterminated"));
    assert_eq!(unterminated.tag_text().len(), 256);
    assert_eq!(
        Model::decode(&sized_image("model5/a")).name_text(),
        b"llama-2-7b.neff"
    );
}

#[test]
fn padding_fills_with_nul_and_cuts_what_is_too_long() {
    assert_eq!(padded::<4>(b"ab"), *b"ab\0\0");
    assert_eq!(padded::<4>(b"abcdef"), *b"abcd");
}
