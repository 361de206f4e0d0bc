// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden read scenarios: what is seen at each look, what comes out, and how long is waited.

use std::cell::RefCell;
use std::time::Duration;

use nds::attempt::{check_header, read_record};
use nds::bulk::{read_models, Method, Models};
use nds::layout::place::{self, RecordPlace};
use nds::layout::{Slab, WordIndex};
use nds::Error;
use serde_json::Value;

use crate::support::{image, list, model_slot, number, vectors, TestSlab};

/// Runs `read` over a slab that shows the next state after each wait. Returns the result and the
/// waits in microseconds.
fn with_states<S, R>(
    states: &[S],
    show: impl Fn(&TestSlab, &S),
    read: impl FnOnce(&TestSlab, &dyn Fn(Duration)) -> R,
) -> (R, Vec<u64>) {
    let slab = TestSlab::new();
    let (mut rest, waits) = (states.iter(), RefCell::new(Vec::new()));
    show(&slab, rest.next().expect("a first state"));
    let rest = RefCell::new(rest);
    let result = read(&slab, &|duration| {
        waits.borrow_mut().push(duration.as_micros() as u64);
        if let Some(state) = rest.borrow_mut().next() {
            show(&slab, state);
        }
    });
    (result, waits.into_inner())
}

fn waits_of(scenario: &Value) -> Vec<u64> {
    scenario["sleeps_us"]
        .as_array()
        .expect("a list")
        .iter()
        .map(number)
        .collect()
}

#[test]
fn headers() {
    for scenario in list(&vectors("scenarios")["header_check"]) {
        let words: Vec<_> = list(&scenario["words"]).iter().map(number).collect();
        let (result, waits) = with_states(
            &words,
            |slab, word| slab.store(WordIndex::HEADER, *word),
            |slab, pause| check_header(&**slab, pause),
        );
        assert_eq!(result.is_ok(), scenario["rc"] == 0, "{scenario}");
        if let Err(error) = result {
            let last = words[words.len().min(2) - 1];
            assert!(
                matches!(error, Error::BadHeader { found } if found == last),
                "{scenario}"
            );
        }
        assert_eq!(waits, waits_of(scenario), "{scenario}");
    }
}

#[test]
fn records() {
    for scenario in list(&vectors("scenarios")["record_read"]) {
        match scenario["kind"].as_str() {
            Some("process_info") => record(scenario, place::PROCESS_INFO),
            Some("process_info_ext") => record(scenario, place::PROCESS_INFO_EXT),
            _ => record(scenario, place::model(model_slot(5))),
        }
    }
}

fn record<const N: usize>(scenario: &Value, place: RecordPlace<N>) {
    let images: Vec<_> = list(&scenario["attempts"])
        .iter()
        .map(|id| image(id.as_str().expect("an id")))
        .collect();
    let (result, waits) = with_states(
        &images,
        |slab, image| slab.put(place, image),
        |slab, pause| read_record(&**slab, place, pause),
    );
    assert_eq!(waits, waits_of(scenario), "{scenario}");
    assert_eq!(
        result.is_ok(),
        scenario["outcome"] == "handle",
        "{scenario}"
    );
    if let Ok(accepted) = result {
        let last = images[waits.len()].as_slice();
        assert_eq!(accepted.as_slice(), last, "{scenario}");
    }
}

#[test]
fn enumerations() {
    for scenario in list(&vectors("scenarios")["model_enumeration"]) {
        for method in [Method::SCALAR, Method::best()] {
            enumeration(scenario, method);
        }
    }
}

fn enumeration(scenario: &Value, method: Method) {
    let slab = TestSlab::new();
    slab.store(WordIndex::MODEL_BITMAP, number(&scenario["bitmap"]));
    for (slot, id) in scenario["records"].as_object().expect("records by slot") {
        slab.put_model(
            slot.parse().expect("a slot"),
            &image(id.as_str().expect("an id")),
        );
    }
    let mut models = Models::new();
    read_models(&*slab, method, |_| (), &mut models);
    let found: Vec<_> = models.images().map(|(_, image)| image.to_vec()).collect();
    let expected: Vec<_> = scenario["handles"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|id| image(id.as_str().expect("an id")))
        .collect();
    assert_eq!(found, expected, "{scenario}");
}

/// Every damaged image is refused by every way to read it.
#[test]
fn torn_images() {
    for entry in list(vectors("torn")) {
        let id = entry["id"].as_str().expect("an id");
        let (slab, image) = (TestSlab::new(), image(id));
        let fault = match image.len() {
            64 => refused(&slab, place::PROCESS_INFO, &image),
            260 => refused(&slab, place::PROCESS_INFO_EXT, &image),
            _ => {
                slab.store(WordIndex::MODEL_BITMAP, 1 << 5);
                for method in [Method::SCALAR, Method::best()] {
                    let mut models = Models::new();
                    slab.put_model(5, &image);
                    read_models(&*slab, method, |_| (), &mut models);
                    assert!(models.is_empty(), "{id}");
                }
                refused(&slab, place::model(model_slot(5)), &image)
            }
        };
        assert_eq!(fault, entry["class"], "{id}");
    }
}

fn refused<const N: usize>(slab: &TestSlab, place: RecordPlace<N>, image: &[u8]) -> &'static str {
    slab.put(place, image);
    match read_record(&**slab, place, |_| ()).expect_err("damaged") {
        nds::RecordFault::Torn => "torn",
        nds::RecordFault::Unpublished => "unpublished",
    }
}
