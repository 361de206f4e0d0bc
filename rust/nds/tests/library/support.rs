// SPDX-License-Identifier: MIT OR Apache-2.0
//! Slabs in private memory, golden vectors, and records that are easy to recognise.

use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::LazyLock;
use std::time::Duration;

use nds::layout::place::{self, RecordPlace};
use nds::layout::record::padded;
use nds::layout::{RawSlab, Slab, SlabRead, SLAB_SIZE, SLAB_WORDS};
use nds::{MemoryUsage, Model, ModelSlot, SlabMapping};
use serde_json::Value;

static VECTORS: LazyLock<Value> = LazyLock::new(|| {
    let text = include_str!("../../../nds-layout/tests/data/nds-layout.json");
    serde_json::from_str(text).expect("the vectors are JSON")
});

/// One top-level key of the vectors.
pub(crate) fn vectors(key: &str) -> &'static Value {
    let value = &VECTORS[key];
    assert!(!value.is_null(), "the vectors have no {key}");
    value
}

/// The elements of a list that is not empty: a loop over it cannot pass by doing nothing.
pub(crate) fn list(value: &Value) -> &Vec<Value> {
    let elements = value.as_array().expect("a list");
    assert!(!elements.is_empty(), "an empty list tests nothing");
    elements
}

/// A number, written as such or as a string that starts with `0x`.
pub(crate) fn number(value: &Value) -> u64 {
    match value.as_str() {
        Some(text) => {
            let digits = text.strip_prefix("0x").expect("a 0x number");
            u64::from_str_radix(digits, 16).expect("a hexadecimal number")
        }
        None => value.as_u64().expect("an unsigned number"),
    }
}

/// The image of that id among the records, intact, noisy or torn.
pub(crate) fn image(id: &str) -> Vec<u8> {
    let groups = ["records", "records_with_noisy_holes", "torn"];
    let mut known = groups.iter().flat_map(|group| list(vectors(group)));
    let entry = known
        .find(|entry| entry["id"] == id)
        .unwrap_or_else(|| panic!("no image {id}"));
    hex(entry["image_hex"].as_str().expect("hexadecimal text"))
}

pub(crate) fn hex(text: &str) -> Vec<u8> {
    let digit = |byte: u8| (byte as char).to_digit(16).expect("a hexadecimal digit") as u8;
    text.as_bytes()
        .chunks(2)
        .map(|pair| digit(pair[0]) << 4 | digit(pair[1]))
        .collect()
}

/// A slab in memory of this process.
pub(crate) struct TestSlab {
    slab: RawSlab,
    /// Not a box: moving one ends the pointers into it.
    memory: Vec<AtomicU64>,
}

impl TestSlab {
    pub(crate) fn new() -> Self {
        let memory: Vec<AtomicU64> = (0..SLAB_WORDS).map(|_| AtomicU64::new(0)).collect();
        let base = NonNull::from(memory.as_slice()).cast();
        // SAFETY: the memory is a field of the result, whole and aligned, and accessed atomically
        // only.
        let slab = unsafe { RawSlab::new(base, SLAB_SIZE) }.expect("a whole slab");
        Self { slab, memory }
    }

    /// Overwrites everything, as a hostile producer could.
    pub(crate) fn fill(&self, mut word: impl FnMut() -> u64) {
        self.memory
            .iter()
            .for_each(|to| to.store(word(), Ordering::Relaxed));
    }

    /// Puts bytes where a record is, valid or not.
    pub(crate) fn put<const N: usize>(&self, place: RecordPlace<N>, image: &[u8]) {
        assert_eq!(image.len(), N);
        let words = std::iter::once(place.hash_word()).chain(place.payload_words());
        for (word, bytes) in words.zip(image.chunks_exact(4)) {
            self.slab.store32(
                word,
                u32::from_le_bytes(bytes.try_into().expect("four bytes")),
            );
        }
    }

    pub(crate) fn put_model(&self, slot: u32, image: &[u8]) {
        self.put(place::model(model_slot(slot)), image);
    }

    /// All words, to see what has changed.
    pub(crate) fn words(&self) -> Vec<u64> {
        self.memory
            .iter()
            .map(|word| word.load(Ordering::Relaxed))
            .collect()
    }

    /// A mapping of it, as from another library.
    pub(crate) fn mapping(&self, access: nds::Access) -> SlabMapping {
        let base = NonNull::from(self.memory.as_slice()).cast();
        // SAFETY: the tests keep the slab for longer than what they make of the mapping, and access
        // it atomically only; words are 8-aligned.
        unsafe { SlabMapping::from_raw(base, SLAB_SIZE, access) }.expect("a whole slab")
    }
}

impl Deref for TestSlab {
    type Target = RawSlab;

    fn deref(&self) -> &RawSlab {
        &self.slab
    }
}

/// Fails a test in which nobody may wait.
pub(crate) fn no_pause(duration: Duration) {
    panic!("waited {duration:?}");
}

pub(crate) fn model_slot(number: u32) -> ModelSlot {
    ModelSlot::new(number).expect("below 64")
}

/// The model record of that number: every field depends on it.
pub(crate) fn numbered_model(number: u32) -> Model {
    let usage = |factor: u32| MemoryUsage {
        total_size: u64::from(number) * u64::from(factor),
        chunk_count: number.wrapping_mul(factor),
    };
    Model {
        model_id: number,
        model_node_id: !number,
        name: padded(number.to_string().as_bytes()),
        uuid: [number as u8; 16],
        nc_index: number as u8,
        sg_index: !number as u8,
        host_usage: std::array::from_fn(|place| usage(place as u32 + 1)),
        device_usage: std::array::from_fn(|place| usage(place as u32 + 100)),
    }
}

/// Numbers without pattern, the same in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next one (SplitMix64).
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

/// The header word of a slab.
pub(crate) fn header_of(slab: &impl SlabRead) -> u64 {
    slab.load(nds::layout::WordIndex::HEADER)
}
