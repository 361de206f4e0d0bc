// SPDX-License-Identifier: MIT OR Apache-2.0
//! 1024-byte headers: decoded in every way, and encoded back to the same bytes.

use neff_features::header::{Block, Digest, HashTail, Header, PageHeader, ReadAs, RuntimeHeader};
use neff_features::text::Escaped;
use serde_json::{json, Value};

use crate::{bytes, cases, mask, number, text};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn hex_number(number: u64) -> String {
    format!("{number:#x}")
}

fn mask_and_schema(start: &[u8], read_as: ReadAs) -> Value {
    let header = Header::read(start, read_as).expect("long enough");
    json!({ "mask": header.mask().to_string(), "schema_min": hex_number(header.schema_min()) })
}

fn common_json(start: &[u8], header: &Header) -> Value {
    json!({
        "auto_layout": header.layout().name(),
        "mask": header.mask().to_string(),
        "schema_min": hex_number(header.schema_min()),
        "header_size": hex_number(header.header_size()),
        "pkg_version": hex_number(header.pkg_version()),
        "uuid": hex(&header.uuid()),
        "name": header.name().to_string(),
        "fatal": header.fault().map(|(code, _, _)| code.as_str()),
        "forced_page": mask_and_schema(start, ReadAs::Page),
        "forced_runtime": mask_and_schema(start, ReadAs::Runtime),
    })
}

fn runtime_json(header: &RuntimeHeader) -> Value {
    let mut json = json!({
        "data_size": hex_number(header.data_size),
        "version_minor": hex_number(header.version_minor),
        "build": Escaped::field(&header.build_version).to_string(),
        "unused_0": header.unused_0,
        "requested_tpb_count": header.requested_tpb_count,
        "vnc_size": header.vnc_size,
    });
    match header.digest {
        Digest::Md5(md5, tail) => {
            json["hash"] = json!(hex(&md5));
            json["hash_tail"] = json!(tail.name());
        }
        Digest::Sha256(hash) | Digest::Unknown { hash, .. } => json["hash"] = json!(hex(&hash)),
    }
    json
}

fn page_json(header: &PageHeader) -> Value {
    json!({
        "section_flag": hex_number(header.section_flag),
        "doc_version": format!("{}.{}", header.doc_major, header.doc_minor),
        "cc_field": hex_number(header.cc_field),
        "arch_mode": header.arch_mode,
    })
}

fn header_json(start: &[u8]) -> Value {
    let header = match Header::read(start, ReadAs::Auto) {
        Ok(header) => header,
        Err(short) => {
            let said = short.to_string();
            return json!({ "error": said.split(':').next() });
        }
    };
    let own = match &header {
        Header::Runtime(header) => runtime_json(header),
        Header::Page(header) => page_json(header),
    };
    let mut json = common_json(start, &header);
    for (key, value) in own.as_object().expect("map") {
        json[key] = value.clone();
    }
    json
}

#[test]
fn every_header_decodes_as_listed_in_all_three_ways() {
    for case in cases("header_cases") {
        let start = bytes(&case["header_hex"]);
        assert_eq!(start.len() as u64, number(&case["length"]));
        assert_eq!(header_json(&start), case["expect"], "{}", case["name"]);
    }
}

/// The inputs of an `encode_from`, over the documented defaults.
struct Inputs<'a>(&'a Value);

impl Inputs<'_> {
    fn number(&self, key: &str, default: u64) -> u64 {
        self.0.get(key).map_or(default, number)
    }

    fn small(&self, key: &str, default: u32) -> u32 {
        u32::try_from(self.number(key, default.into())).expect("u32")
    }

    /// Bytes given as text, or as hex under the key with `_hex`; zero filled.
    fn field<const N: usize>(&self, key: &str, default: &str) -> [u8; N] {
        let raw = match (self.0.get(format!("{key}_hex")), self.0.get(key)) {
            (Some(hex), _) => bytes(hex),
            (None, Some(value)) => text(value).as_bytes().to_vec(),
            (None, None) => default.as_bytes().to_vec(),
        };
        let mut field = [0; N];
        field[..raw.len()].copy_from_slice(&raw);
        field
    }

    fn uuid(&self) -> [u8; 16] {
        let default = bytes(&json!("00112233445546778899aabbccddeeff"));
        match self.0.get("uuid_hex") {
            Some(_) => self.field("uuid", ""),
            None => default.try_into().expect("16 bytes"),
        }
    }

    fn digest(&self) -> Digest {
        let hash: [u8; 32] = self.field("hash", "");
        let (mut md5, mut tail) = ([0; 16], [0; 16]);
        md5.copy_from_slice(&hash[..16]);
        tail.copy_from_slice(&hash[16..]);
        let schema = self.number("version_major", 1);
        match self.number("pkg_version", 2) {
            1 => Digest::Sha256(hash),
            2 if text(&self.0["layout"]) == "dual" => Digest::Md5(md5, HashTail::Mirror),
            2 => Digest::Md5(
                md5,
                HashTail::classify(tail, self.mask("feature_bits"), schema),
            ),
            pkg_version => Digest::Unknown { pkg_version, hash },
        }
    }

    fn mask(&self, key: &str) -> neff_features::FeatureMask {
        self.0.get(key).map(mask).unwrap_or_default()
    }

    fn runtime(&self) -> RuntimeHeader {
        RuntimeHeader {
            digest: self.digest(),
            header_size: self.number("header_size", 1024),
            data_size: self.number("data_size", 0),
            version_major: self.number("version_major", 1),
            version_minor: self.number("version_minor", 0),
            build_version: self.field("build", ""),
            unused_0: self.small("unused_0", 1),
            uuid: self.uuid(),
            name: self.field("name", ""),
            requested_tpb_count: self.small("requested_tpb_count", 1),
            tpb_per_node: self.field("tpb_per_node", ""),
            feature_bits: self.mask("feature_bits"),
            vnc_size: self.small("vnc_size", 1),
        }
    }

    fn page(&self) -> PageHeader {
        PageHeader {
            version: self.number("version", 2),
            header_size: self.number("header_size", 1024),
            section_flag: self.number("section_flag", 1),
            doc_major: self.small("doc_major", 1),
            feature_flags: self.mask("feature_flags"),
            schema_min: self.small("schema_min", 1),
            uuid: self.uuid(),
            filename: self.field("filename", "file.neff"),
            doc_minor: self.small("doc_minor", 1),
            engine_present: self.field("engine_present", ""),
            cc_field: self.number("cc_field", 1),
            arch_mode: self.small("arch_mode", 0),
        }
    }

    fn write(&self) -> Block {
        match text(&self.0["layout"]) {
            "page" => self.page().write(),
            _ => self.runtime().write(),
        }
    }
}

#[test]
fn every_rebuildable_header_encodes_to_the_same_bytes() {
    let rebuildable = cases("header_cases")
        .iter()
        .filter(|case| case.get("encode_from").is_some());
    let mut rebuilt = 0;
    for case in rebuildable {
        let block = Inputs(&case["encode_from"]).write();
        assert_eq!(hex(&block), text(&case["header_hex"]), "{}", case["name"]);
        rebuilt += 1;
    }
    assert!(rebuilt > 20, "only {rebuilt} headers name their inputs");
}
