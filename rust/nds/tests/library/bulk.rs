// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading models side by side gives what reading them one by one gives.

use std::cell::Cell;

use nds::bulk::{read_models, Method, Models};
use nds::layout::publish::{publish, read_once};
use nds::layout::{place, Slab, WordIndex};
use nds::ModelSlot;

use crate::support::{model_slot, no_pause, numbered_model, Random, TestSlab};

/// The plain loop that the fast ones must agree with.
fn one_by_one(slab: &TestSlab, bitmap: u64) -> Vec<(ModelSlot, Vec<u8>)> {
    let taken = nds::layout::bitmap::taken(bitmap);
    let read = |slot| Some((slot, read_once(&**slab, place::model(slot)).ok()?.to_vec()));
    taken.filter_map(read).collect()
}

fn side_by_side(slab: &TestSlab, method: Method, models: &mut Models) -> Vec<(ModelSlot, Vec<u8>)> {
    read_models(&**slab, method, |_| (), models);
    models
        .images()
        .map(|(slot, image)| (slot, image.to_vec()))
        .collect()
}

#[test]
fn every_number_of_models_and_any_damage_gives_the_same_as_the_plain_loop() {
    let mut random = Random::new(1);
    let mut models = Models::new();
    for round in 0..60 {
        let slab = TestSlab::new();
        // Few, many and all slots in turn.
        let bitmap = match round % 3 {
            0 => random.next() & random.next() & random.next(),
            1 => random.next() | random.next(),
            _ => u64::MAX,
        };
        slab.store(WordIndex::MODEL_BITMAP, bitmap);
        for slot in ModelSlot::all() {
            let mut image = numbered_model(random.next() as u32).encode();
            if random.next() % 8 == 0 {
                let at = random.next() as usize % image.len();
                image[at] ^= 1 << (random.next() % 8);
            }
            slab.put_model(slot.get(), &image);
        }
        let expected = one_by_one(&slab, bitmap);
        for method in [Method::SCALAR, Method::best()] {
            assert_eq!(
                side_by_side(&slab, method, &mut models),
                expected,
                "{method:?}"
            );
        }
    }
}

#[test]
fn the_fast_method_is_another_than_the_scalar_one_where_there_is_a_vector_unit() {
    #[cfg(target_arch = "x86_64")]
    let vectors = is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    let vectors = cfg!(target_feature = "neon");
    assert_eq!(Method::best() != Method::SCALAR, vectors);
}

#[test]
fn slots_that_fail_are_waited_for_once_and_then_read_again() {
    let slab = TestSlab::new();
    slab.store(WordIndex::MODEL_BITMAP, 0b111);
    publish(
        &*slab,
        place::model(model_slot(1)),
        &numbered_model(1).encode(),
    );
    let waits = Cell::new(0);
    let mut models = Models::new();
    let pause = |_| {
        waits.set(waits.get() + 1);
        publish(
            &*slab,
            place::model(model_slot(2)),
            &numbered_model(2).encode(),
        );
    };
    read_models(&*slab, Method::best(), pause, &mut models);
    assert_eq!(waits.get(), 1);
    let slots: Vec<_> = models
        .iter()
        .map(|(slot, model)| (slot.get(), model.model_id))
        .collect();
    assert_eq!(slots, [(1, 1), (2, 2)], "slot 0 failed twice, slot 2 once");
}

#[test]
fn nobody_waits_when_all_records_are_valid() {
    let slab = TestSlab::new();
    slab.store(WordIndex::MODEL_BITMAP, 1 << 63);
    publish(
        &*slab,
        place::model(model_slot(63)),
        &numbered_model(63).encode(),
    );
    let mut models = Models::new();
    read_models(&*slab, Method::best(), no_pause, &mut models);
    assert_eq!(models.len(), 1);
}

#[test]
fn what_was_read_before_does_not_stay() {
    let slab = TestSlab::new();
    slab.store(WordIndex::MODEL_BITMAP, 0b11);
    for slot in 0..2 {
        publish(
            &*slab,
            place::model(model_slot(slot)),
            &numbered_model(slot).encode(),
        );
    }
    let mut models = Models::new();
    assert_eq!(side_by_side(&slab, Method::best(), &mut models).len(), 2);
    slab.store(WordIndex::MODEL_BITMAP, 0);
    assert_eq!(side_by_side(&slab, Method::best(), &mut models), []);
}
