// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden records, valid and damaged, as rows of the C table `record_vectors`.

use serde_json::Value;

use crate::golden::{bytes, list, number, text, vectors};
use crate::vectors::{byte_list, byte_pointer, c_string};

/// Where the images are, in the order of the table.
const KEYS: [&str; 3] = ["records", "records_with_noisy_holes", "torn"];

fn all() -> impl Iterator<Item = (&'static str, &'static Value)> {
    KEYS.into_iter()
        .flat_map(|key| list(vectors(key)).iter().map(move |entry| (key, entry)))
}

fn by_id(id: &str) -> &'static Value {
    all()
        .map(|(_, entry)| entry)
        .find(|entry| entry["id"] == id)
        .unwrap_or_else(|| panic!("no record {id}"))
}

/// The row of the record with this id.
pub(crate) fn record_index(id: &str) -> usize {
    all()
        .position(|(_, entry)| entry["id"] == id)
        .unwrap_or_else(|| panic!("no record {id}"))
}

/// The rows of the table.
pub(crate) fn record_table() -> Vec<String> {
    all().map(|(key, entry)| row(key, entry)).collect()
}

fn row(key: &str, entry: &Value) -> String {
    let image = bytes(&entry["image_hex"]);
    let kind = text(&entry["kind"]);
    let (kind_name, offset) = match kind {
        "model" => ("MODEL_NODE_INFO", 0x528 + 672 * slot(entry)),
        "process_info" => ("PROCESS_INFO", 0x4e0),
        "process_info_ext" => ("PROCESS_INFO_EXT", 0xad28),
        other => panic!("a record called {other}"),
    };
    let fields = match key {
        "torn" => String::new(),
        _ => format!(", {}", payload(kind, fields(entry))),
    };
    format!(
        ".id = {}, .type = OBJECT_TYPE_{kind_name}, .slot = {}, .offset = {offset}, .length = {}, \
         .image = {}, .valid = {}, .canonical = {}{fields}",
        c_string(&entry["id"]),
        slot(entry),
        image.len(),
        byte_pointer(&image),
        key != "torn",
        key == "records"
    )
}

/// The slot that the id of a model names; 0 for what is no certain model.
fn slot(entry: &Value) -> usize {
    text(&entry["id"])
        .strip_prefix("model")
        .and_then(|rest| rest.split(['/', '~']).next()?.parse().ok())
        .unwrap_or(0)
}

/// The fields of a valid record; images with noise in the holes have those of another one.
fn fields(entry: &Value) -> &Value {
    match entry.get("same_fields_as") {
        Some(id) => &by_id(text(id))["fields"],
        None => &entry["fields"],
    }
}

fn payload(kind: &str, fields: &Value) -> String {
    match kind {
        "model" => format!(
            ".node_info = {{ {} }}, .mem_usage = {{ .model_mem_usage = {{ {} }} }}",
            node_info(fields),
            usage(&fields["mem_usage"])
        ),
        "process_info" => format!(".info = {{ {} }}", process_info(fields)),
        _ => format!(".info_ext = {{ .tag = {} }}", characters(&fields["tag"])),
    }
}

fn node_info(fields: &Value) -> String {
    format!(
        ".model_id = {}U, .model_node_id = {}U, .name = {}, .uuid = {}, .nc_index = {}, .sg_index = {}",
        fields["model_id"],
        fields["model_node_id"],
        characters(&fields["name"]),
        signed_list(&bytes(&fields["uuid_hex"])),
        fields["nc_index"],
        fields["sg_index"]
    )
}

fn usage(cells: &Value) -> String {
    let cell = |cell: &Value| {
        format!(
            "[{}][{}] = {{ {}ULL, {}U }}",
            cell["location"],
            cell["slot"],
            number(&cell["total_size"]),
            cell["chunk_count"]
        )
    };
    let cells: Vec<String> = crate::golden::entries(cells).iter().map(cell).collect();
    if cells.is_empty() {
        return "[0][0] = { 0, 0 }".to_owned();
    }
    cells.join(", ")
}

fn process_info(fields: &Value) -> String {
    format!(
        ".framework_type = {}, .tag = {}, .framework_version = {}, .fal_version = {}, .runtime_version = {}",
        fields["framework_type"],
        characters(&fields["tag"]),
        version(&fields["framework_version"]),
        version(&fields["fal_version"]),
        version(&fields["runtime_version"])
    )
}

fn version(fields: &Value) -> String {
    format!(
        "{{ {}, {}, {}U }}",
        fields["major"], fields["minor"], fields["build"]
    )
}

/// A C array of char from a text; shorter than the array means NUL at the end.
fn characters(value: &Value) -> String {
    match text(value).as_bytes() {
        [] => "{ 0 }".to_owned(),
        bytes => byte_list(bytes),
    }
}

/// A C array of char from bytes, with the values that a signed char has.
fn signed_list(bytes: &[u8]) -> String {
    let numbers: Vec<String> = bytes.iter().map(|byte| format!("(char){byte}")).collect();
    format!("{{ {} }}", numbers.join(","))
}
