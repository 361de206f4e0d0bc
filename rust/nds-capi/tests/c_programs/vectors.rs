// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors as C tables, for `tests/c/vectors.h`.

use std::fmt::Write;

use serde_json::Value;

use crate::golden::{bytes, entries, list, number, text, vectors};
use crate::records::{record_index, record_table};

/// The text of `vectors.c`.
pub(crate) fn source() -> String {
    let tables = [
        table("record_vector", "record_vectors", record_table()),
        table("nd_row", "nd_rows", nd_rows()),
        table("nd_row", "invalid_nd_rows", invalid_nd_rows()),
        table("nc_row", "nc_rows", nc_rows()),
        table("nc_row", "invalid_nc_rows", invalid_nc_rows()),
        table("hash_vector", "hash_vectors", hash_vectors()),
        table("find_row", "find_rows", find_rows()),
        table("mark_row", "mark_rows", mark_rows()),
        table("gate_row", "gate_rows", gate_rows()),
        table("header_scenario", "header_scenarios", header_scenarios()),
        table("read_scenario", "read_scenarios", read_scenarios()),
        table(
            "enumeration_scenario",
            "enumeration_scenarios",
            enumeration_scenarios(),
        ),
        table("return_code", "return_codes", return_codes()),
        table(
            "counter_operation",
            "counter_operations",
            counter_operations(),
        ),
        table("slot_image", "slab_models", slab_models()),
        slab_record("slab_process_info", "process_info/"),
        slab_record("slab_process_info_ext", "process_info_ext/"),
    ];
    format!("#include \"vectors.h\"\n{}", tables.concat())
}

fn table(kind: &str, name: &str, rows: Vec<String>) -> String {
    assert!(!rows.is_empty(), "{name} would test nothing");
    let mut source = format!("const struct {kind} {name}[] = {{\n");
    for row in &rows {
        writeln!(source, "\t{{ {row} }},").expect("memory");
    }
    write!(source, "}};\nconst size_t {name}_count = {};\n", rows.len()).expect("memory");
    source
}

/// A C array of bytes. Not a string: a string of C could not end without NUL.
pub(crate) fn byte_list(bytes: &[u8]) -> String {
    let numbers: Vec<String> = bytes.iter().map(u8::to_string).collect();
    format!("{{ {} }}", numbers.join(","))
}

/// The address of constant bytes.
pub(crate) fn byte_pointer(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "(const unsigned char *)\"\"".to_owned();
    }
    format!("(const unsigned char[]){}", byte_list(bytes))
}

/// A C string.
pub(crate) fn c_string(value: &Value) -> String {
    // The ids and conditions are plain text, whose escapes are those of C.
    format!("{:?}", text(value))
}

/// A u64 in C.
fn word(value: &Value) -> String {
    format!("{}ULL", number(value))
}

fn rows(path: &str) -> impl Iterator<Item = &'static Vec<Value>> {
    list(&vectors(path)["rows"])
        .iter()
        .map(|row| row.as_array().expect("a row"))
}

fn nd_rows() -> Vec<String> {
    rows("nd_counters")
        .map(|row| format!("{}, {}", row[0], row[2]))
        .collect()
}

fn invalid_nd_rows() -> Vec<String> {
    let row = |row: &Value| {
        assert_eq!(row["rc"], -22);
        format!("{}U, 0", row["index"])
    };
    list(vectors("nd_invalid")).iter().map(row).collect()
}

fn nc_rows() -> Vec<String> {
    rows("nc_counters")
        .map(|row| format!("{}, {}, {}", row[0], row[1], row[4]))
        .collect()
}

fn invalid_nc_rows() -> Vec<String> {
    let row = |row: &Value| {
        assert_eq!(row["rc"], -22);
        // C has no literal for the least int.
        format!("(int){}LL, {}U, 0", row["core"], row["counter"])
    };
    list(vectors("nc_invalid")).iter().map(row).collect()
}

fn hash_vectors() -> Vec<String> {
    let row = |row: &Value| {
        let input = hash_input(row);
        assert_eq!(input.len() as i128, number(&row["length"]));
        format!(
            "{}, {}, {}U",
            input.len(),
            byte_pointer(&input),
            number(&row["hash"])
        )
    };
    list(vectors("fnv1a32")).iter().map(row).collect()
}

/// The input itself, or the bytes (mul x k + add) mod 256.
fn hash_input(row: &Value) -> Vec<u8> {
    let Some(generator) = row.get("generator") else {
        return bytes(&row["input_hex"]);
    };
    let (factor, summand) = (number(&generator["mul"]), number(&generator["add"]));
    (0..number(&row["length"]))
        .map(|k| ((factor * k + summand) % 256) as u8)
        .collect()
}

fn find_rows() -> Vec<String> {
    rows("bitmap/find_empty")
        .map(|row| format!("{}, {}", word(&row[0]), row[1]))
        .collect()
}

fn mark_rows() -> Vec<String> {
    let row = |row: &Vec<Value>| {
        format!(
            "{}, {}, {}, {}",
            word(&row[0]),
            row[1],
            row[2],
            word(&row[3])
        )
    };
    rows("bitmap/mark").map(row).collect()
}

fn gate_rows() -> Vec<String> {
    rows("open_gate")
        .map(|row| format!("{}, {}", row[0], row[1]))
        .collect()
}

fn c_list(values: impl Iterator<Item = String>) -> String {
    // An initialiser of C11 is not empty; the counts beside the lists say how much is meant.
    let values: Vec<String> = values.collect();
    if values.is_empty() {
        return "{ 0 }".to_owned();
    }
    format!("{{ {} }}", values.join(", "))
}

fn sleeps(scenario: &Value) -> String {
    let sleeps = entries(&scenario["sleeps_us"]);
    format!(
        "{}, {}",
        sleeps.len(),
        c_list(sleeps.iter().map(Value::to_string))
    )
}

fn header_scenarios() -> Vec<String> {
    let row = |scenario: &Value| {
        let words = list(&scenario["words"]);
        format!(
            "{}, {}, {}, {}, {}",
            c_string(&scenario["id"]),
            words.len(),
            c_list(words.iter().map(word)),
            scenario["rc"],
            sleeps(scenario)
        )
    };
    list(vectors("scenarios/header_check"))
        .iter()
        .map(row)
        .collect()
}

fn read_scenarios() -> Vec<String> {
    let row = |scenario: &Value| {
        let attempts = list(&scenario["attempts"]);
        let is_handle = match text(&scenario["outcome"]) {
            "handle" => true,
            "none" => false,
            other => panic!("an outcome called {other}"),
        };
        let fields = if is_handle {
            record_index(text(&scenario["fields_of"]))
        } else {
            0
        };
        format!(
            "{}, {}, {}, {is_handle}, {fields}, {}",
            c_string(&scenario["id"]),
            attempts.len(),
            c_list(attempts.iter().map(|id| record_index(text(id)).to_string())),
            sleeps(scenario)
        )
    };
    list(vectors("scenarios/record_read"))
        .iter()
        .map(row)
        .collect()
}

fn enumeration_scenarios() -> Vec<String> {
    let row = |scenario: &Value| {
        let slots = scenario["records"].as_object().expect("images by slot");
        let images = slots
            .iter()
            .map(|(slot, id)| format!("{{ {slot}, {} }}", record_index(text(id))));
        let handles = entries(&scenario["handles"]);
        format!(
            "{}, {}, {}, {}, {}, {}",
            c_string(&scenario["id"]),
            word(&scenario["bitmap"]),
            slots.len(),
            c_list(images),
            handles.len(),
            c_list(handles.iter().map(|id| record_index(text(id)).to_string()))
        )
    };
    list(vectors("scenarios/model_enumeration"))
        .iter()
        .map(row)
        .collect()
}

fn return_codes() -> Vec<String> {
    let row = |row: &Value| {
        let code = row["rc"].as_i64();
        format!(
            "{}, {}, {}, {}",
            c_string(&row["call"]),
            c_string(&row["condition"]),
            code.is_none(),
            code.unwrap_or(0)
        )
    };
    list(vectors("return_codes")).iter().map(row).collect()
}

fn counter_operations() -> Vec<String> {
    let row = |step: &Value| {
        let operation = match text(&step["op"]) {
            "set" => '=',
            "add" => '+',
            "sub" => '-',
            "or" => '|',
            other => panic!("an operation called {other}"),
        };
        let core = step.get("core").map_or(-1, number);
        format!(
            "'{operation}', {core}, {}, {}, {}",
            step["index"],
            word(&step["operand"]),
            word(&step["result"])
        )
    };
    list(vectors("slab/counter_ops")).iter().map(row).collect()
}

/// Ids of the records that the slab scenario places.
fn slab_records() -> impl Iterator<Item = &'static str> {
    list(vectors("slab/records"))
        .iter()
        .map(|record| text(&record["id"]))
}

fn slab_models() -> Vec<String> {
    let models = slab_records().filter_map(|id| {
        let (slot, _) = id.strip_prefix("model")?.split_once('/')?;
        Some(format!("{slot}, {}", record_index(id)))
    });
    models.collect()
}

fn slab_record(name: &str, prefix: &str) -> String {
    let id = slab_records().find(|id| id.starts_with(prefix));
    let index = record_index(id.unwrap_or_else(|| panic!("no {prefix} in the slab")));
    format!("const size_t {name} = {index};\n")
}
