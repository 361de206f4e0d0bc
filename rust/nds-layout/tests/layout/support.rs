// SPDX-License-Identifier: MIT OR Apache-2.0
//! Golden vectors and slabs in private memory, for all tests.

use nds_layout::place::{self, RecordPlace};
use nds_layout::region::{MODEL_RECORD_SIZE, PROCESS_INFO_EXT_SIZE, PROCESS_INFO_SIZE};
use nds_layout::{ModelSlot, RawSlab, SLAB_SIZE, SLAB_WORDS};
use serde_json::Value;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::LazyLock;

static VECTORS: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../data/nds-layout.json")).expect("the vectors are JSON")
});

/// One top-level key of the vectors.
pub(crate) fn vectors(key: &str) -> &'static Value {
    let value = &VECTORS[key];
    assert!(!value.is_null(), "the vectors have no {key}");
    value
}

/// The elements of a non-empty list: a loop over it cannot pass by doing nothing.
pub(crate) fn list(value: &Value) -> &Vec<Value> {
    let elements = value.as_array().expect("a list");
    assert!(!elements.is_empty(), "an empty list tests nothing");
    elements
}

/// A number, written as such or as a string starting with `0x`.
pub(crate) fn number(value: &Value) -> u64 {
    match value {
        Value::String(text) => {
            let digits = text.strip_prefix("0x").expect("a 0x number");
            u64::from_str_radix(digits, 16).expect("a hexadecimal number")
        }
        _ => value.as_u64().expect("an unsigned number"),
    }
}

/// A number as an index or size.
pub(crate) fn size(value: &Value) -> usize {
    number(value) as usize
}

/// A number that fits 32 bits.
pub(crate) fn number32(value: &Value) -> u32 {
    u32::try_from(number(value)).expect("a 32-bit number")
}

/// A text.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// Bytes written in hexadecimal.
pub(crate) fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(text(value)).expect("hexadecimal bytes")
}

/// The entry of a list with this `id`.
fn by_id(key: &str, id: &str) -> Option<&'static Value> {
    list(vectors(key)).iter().find(|entry| entry["id"] == id)
}

/// Looks an image up in `records`, `records_with_noisy_holes` and `torn`.
pub(crate) fn image(id: &str) -> Vec<u8> {
    let entry = ["records", "records_with_noisy_holes", "torn"]
        .iter()
        .find_map(|key| by_id(key, id));
    bytes(&entry.unwrap_or_else(|| panic!("no image {id}"))["image_hex"])
}

/// The image of `id`, which must be `N` bytes long.
pub(crate) fn sized_image<const N: usize>(id: &str) -> [u8; N] {
    sized(&image(id))
}

/// Exactly `N` bytes.
pub(crate) fn sized<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().expect("an image of the record's size")
}

/// A record of `records`.
pub(crate) fn record(id: &str) -> &'static Value {
    by_id("records", id).unwrap_or_else(|| panic!("no record {id}"))
}

/// The place of a record, whatever its kind.
#[derive(Clone, Copy)]
pub(crate) enum AnyPlace {
    ProcessInfo(RecordPlace<PROCESS_INFO_SIZE>),
    ProcessInfoExt(RecordPlace<PROCESS_INFO_EXT_SIZE>),
    Model(RecordPlace<MODEL_RECORD_SIZE>),
}

/// The place of a record of this kind; models lie in `slot`.
pub(crate) fn place_of(kind: &str, slot: u32) -> AnyPlace {
    match kind {
        "process_info" => AnyPlace::ProcessInfo(place::PROCESS_INFO),
        "process_info_ext" => AnyPlace::ProcessInfoExt(place::PROCESS_INFO_EXT),
        "model" => AnyPlace::Model(place::model(ModelSlot::new(slot).expect("a model slot"))),
        other => panic!("unknown record kind {other}"),
    }
}

/// A zeroed slab in this process's memory.
pub(crate) struct TestSlab {
    /// A vector, because moving a box would claim its memory for itself.
    words: Vec<AtomicU64>,
    slab: RawSlab,
}

impl TestSlab {
    pub(crate) fn new() -> Self {
        let words: Vec<AtomicU64> = (0..SLAB_WORDS).map(|_| AtomicU64::new(0)).collect();
        let base = NonNull::from(&words[..]).cast();
        // SAFETY: the words are SLAB_SIZE bytes, live as long as `slab`, and are accessed atomically only.
        let slab = unsafe { RawSlab::new(base, SLAB_SIZE) }.expect("a slab of full size");
        Self { words, slab }
    }

    /// All bytes of the slab.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let words = self.words.iter();
        words
            .flat_map(|w| w.load(Ordering::Relaxed).to_le_bytes())
            .collect()
    }

    /// Overwrites the bytes from `offset` on, as a foreign producer could.
    pub(crate) fn poke(&self, offset: usize, bytes: &[u8]) {
        for (at, &byte) in (offset..).zip(bytes) {
            let word = &self.words[at / 8];
            let mut value = word.load(Ordering::Relaxed).to_le_bytes();
            value[at % 8] = byte;
            word.store(u64::from_le_bytes(value), Ordering::Relaxed);
        }
    }
}

impl Deref for TestSlab {
    type Target = RawSlab;

    fn deref(&self) -> &RawSlab {
        &self.slab
    }
}
