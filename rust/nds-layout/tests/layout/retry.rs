// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reader's two looks, over the scenarios of the vectors: what is in the slab changes while the reader sleeps.

use crate::support::{
    image, list, number, number32, place_of, sized, text, vectors, AnyPlace, TestSlab,
};
use nds_layout::place::{self, RecordPlace};
use nds_layout::retry::{check_header, read};
use nds_layout::{bitmap, ModelSlot, Slab, WordIndex};
use serde_json::{json, Value};

/// Calls `show` with each step of a scenario in turn: with the first at once, with a later one at each sleep.
struct Scenario<'a, F> {
    steps: std::slice::Iter<'a, Value>,
    show: F,
    sleeps_us: Vec<u64>,
}

impl<'a, F: Fn(&Value)> Scenario<'a, F> {
    fn start(steps: &'a Value, show: F) -> Self {
        let mut scenario = Self {
            steps: list(steps).iter(),
            show,
            sleeps_us: Vec::new(),
        };
        scenario.next();
        scenario
    }

    fn next(&mut self) {
        if let Some(step) = self.steps.next() {
            (self.show)(step);
        }
    }

    fn sleep(&mut self, time: std::time::Duration) {
        self.sleeps_us.push(time.as_micros() as u64);
        self.next();
    }
}

#[test]
fn the_header_is_looked_at_twice_with_the_sleep_of_the_vectors() {
    for expected in list(&vectors("scenarios")["header_check"]) {
        let slab = TestSlab::new();
        let show = |word: &Value| slab.store(WordIndex::HEADER, number(word));
        let mut scenario = Scenario::start(&expected["words"], show);
        let found = check_header(&*slab, |time| scenario.sleep(time));
        assert_eq!(found, expected["rc"] == 0, "{}", expected["id"]);
        assert_eq!(json!(scenario.sleeps_us), expected["sleeps_us"]);
    }
}

fn read_scenario<const N: usize>(place: RecordPlace<N>, expected: &Value) {
    let slab = TestSlab::new();
    let show = |id: &Value| slab.poke(place.byte_offset(), &image(text(id)));
    let mut scenario = Scenario::start(&expected["attempts"], show);
    let found = read(&*slab, place, |time| scenario.sleep(time)).ok();
    assert_eq!(
        found.is_some(),
        expected["outcome"] == "handle",
        "{}",
        expected["id"]
    );
    assert_eq!(
        json!(scenario.sleeps_us),
        expected["sleeps_us"],
        "{}",
        expected["id"]
    );
    if let Some(found) = found {
        let last = text(list(&expected["attempts"]).last().unwrap());
        assert_eq!(found, sized::<N>(&image(last)));
    }
}

#[test]
fn a_record_is_read_twice_with_the_sleep_of_the_vectors() {
    for expected in list(&vectors("scenarios")["record_read"]) {
        match place_of(text(&expected["kind"]), 5) {
            AnyPlace::ProcessInfo(place) => read_scenario(place, expected),
            AnyPlace::ProcessInfoExt(place) => read_scenario(place, expected),
            AnyPlace::Model(place) => read_scenario(place, expected),
        }
    }
}

#[test]
fn enumeration_gives_the_whole_records_of_the_taken_slots_in_order() {
    for expected in list(&vectors("scenarios")["model_enumeration"]) {
        let slab = TestSlab::new();
        slab.store(WordIndex::MODEL_BITMAP, number(&expected["bitmap"]));
        for (slot, id) in expected["records"].as_object().unwrap() {
            let slot = ModelSlot::new(slot.parse().unwrap()).unwrap();
            slab.poke(place::model(slot).byte_offset(), &image(text(id)));
        }
        let found: Vec<_> = bitmap::taken(bitmap::load(&*slab))
            .filter_map(|slot| read(&*slab, place::model(slot), |_| ()).ok())
            .collect();
        let handles = expected["handles"].as_array().unwrap();
        let handles: Vec<_> = handles.iter().map(|id| sized(&image(text(id)))).collect();
        assert_eq!(found, handles, "{}", expected["id"]);
    }
}

#[test]
fn a_scenario_with_three_attempts_shows_only_two() {
    let scenarios = list(&vectors("scenarios")["record_read"]).iter();
    let long = scenarios.filter(|s| list(&s["attempts"]).len() > 2);
    assert!(long.clone().count() > 0);
    assert!(long.clone().all(|s| list(&s["sleeps_us"]).len() == 1));
    assert!(long.clone().all(|s| number32(&s["sleeps_us"][0]) == 200));
}
