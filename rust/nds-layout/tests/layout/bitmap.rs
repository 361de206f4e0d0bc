// SPDX-License-Identifier: MIT OR Apache-2.0
//! The model bitmap.

use crate::support::{list, number, number32, size, vectors, TestSlab};
use nds_layout::region::MODEL_BITMAP_START;
use nds_layout::{bitmap, ModelSlot, WordIndex};
use serde_json::json;

#[test]
fn the_bitmap_lies_where_the_vectors_say() {
    assert_eq!(MODEL_BITMAP_START, size(&vectors("bitmap")["offset"]));
    assert_eq!(WordIndex::MODEL_BITMAP.byte_offset(), MODEL_BITMAP_START);
}

#[test]
fn the_lowest_clear_bit_is_allocated() {
    for row in list(&vectors("bitmap")["find_empty"]["rows"]) {
        let slot = bitmap::lowest_clear(number(&row[0]));
        let or_minus_1 = slot.map_or(-1, |slot| i64::from(slot.get()));
        assert_eq!(json!(or_minus_1), row[1], "{row}");
    }
}

#[test]
fn marking_changes_one_bit() {
    for row in list(&vectors("bitmap")["mark"]["rows"]) {
        let slot = ModelSlot::new(number32(&row[1])).unwrap();
        let marked = bitmap::mark(number(&row[0]), slot, number(&row[2]) == 1);
        assert_eq!(marked, number(&row[3]), "{row}");
        assert_eq!(bitmap::is_taken(marked, slot), number(&row[2]) == 1);
    }
}

#[test]
fn taken_slots_come_in_ascending_order() {
    for entry in list(&vectors("bitmap")["occupied"]) {
        let slots: Vec<u32> = bitmap::taken(number(&entry["bitmap"]))
            .map(ModelSlot::get)
            .collect();
        assert_eq!(json!(slots), entry["slots"]);
        assert_eq!(json!(slots.len()), entry["count"]);
    }
}

#[test]
fn a_slab_gives_out_sixty_four_slots_and_then_none() {
    let slab = TestSlab::new();
    for slot in ModelSlot::all() {
        assert_eq!(bitmap::take_lowest(&*slab), Some(slot));
    }
    assert_eq!(bitmap::take_lowest(&*slab), None);
}

#[test]
fn a_freed_slot_is_given_out_again_first() {
    let slab = TestSlab::new();
    let third = (0..9)
        .filter_map(|_| bitmap::take_lowest(&*slab))
        .nth(2)
        .unwrap();
    while bitmap::take_lowest(&*slab).is_some() {}
    bitmap::free(&*slab, third);
    assert!(!bitmap::is_taken(bitmap::load(&*slab), third));
    assert_eq!(bitmap::take_lowest(&*slab), Some(third));
}
