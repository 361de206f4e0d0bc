// SPDX-License-Identifier: MIT OR Apache-2.0
//! A slab is written by a process that nobody trusts: any bytes, at any time.
//!
//! Random bytes from a fixed seed, half random slabs, and valid records full of random text, through
//! every reading function. None may panic, wait more than it should, or return what is not there.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nds::layout::publish::publish;
use nds::layout::{header, place, Slab, WordIndex};
use nds::{
    Access, Core, Error, Model, ModelSlot, NcCounter, NdCounter, ProcessInfo, ProcessInfoExt,
    Reader,
};

use crate::support::{model_slot, Random, TestSlab};

const SEED: u64 = 0x6e64_7300;
const ROUNDS: usize = 40;

thread_local! {
    static WAITS: Cell<usize> = const { Cell::new(0) };
}

fn count_wait(_: Duration) {
    WAITS.set(WAITS.get() + 1);
}

fn reader(slab: &TestSlab) -> Reader {
    header::commit(&**slab);
    Reader::with_pause(slab.mapping(Access::ReadOnly), count_wait).expect("stamped")
}

/// Calls everything that reads.
fn read_everything(reader: &Reader) {
    let _ = reader.check_header();
    for core in Core::all() {
        NcCounter::all().for_each(|counter| drop(reader.nc(core, counter).to_string()));
    }
    NdCounter::all().for_each(|counter| drop(reader.nd(counter).to_string()));
    if let Ok(info) = reader.process_info() {
        use_process(&info);
    }
    if let Ok(info) = reader.process_info_ext() {
        assert!(info.tag_text().len() <= info.tag.len());
    }
    for slot in ModelSlot::all() {
        let _ = reader.model(slot).map(|model| use_model(&model));
        let (model, fault) = reader.model_last_copy(slot).expect("this process");
        use_model(&model);
        assert_eq!(fault.is_none(), reader.model(slot).is_ok());
    }
    reader
        .models()
        .expect("this process")
        .iter()
        .for_each(|(_, model)| use_model(&model));
    let snapshot = reader.snapshot().expect("this process");
    let taken = reader.model_slots().expect("this process").count();
    assert_eq!(
        snapshot.models().len() + snapshot.unreadable_models(),
        taken
    );
}

fn use_process(info: &ProcessInfo) {
    assert!(info.tag_text().len() <= info.tag.len());
    assert!(!info.framework_version.to_string().is_empty());
}

fn use_model(model: &Model) {
    assert!(model.name_text().len() <= model.name.len());
    assert!(!model.name_text().contains(&0));
}

/// Waits of [`read_everything`] if every look fails: two single looks at each model and at its last
/// copy, one at each process record, and for all models and the snapshot one each, the snapshot's
/// process records included.
const MOST_WAITS: usize = 3 * ModelSlot::COUNT + 2 + 1 + 3;

#[test]
fn random_slabs_are_read_without_a_panic_and_with_bounded_waits() {
    let mut random = Random::new(SEED);
    for _ in 0..ROUNDS {
        let slab = TestSlab::new();
        slab.fill(|| random.next());
        let before = WAITS.get();
        read_everything(&reader(&slab));
        assert!(WAITS.get() - before <= MOST_WAITS);
    }
}

#[test]
fn sparse_random_slabs_are_read_without_a_panic() {
    let mut random = Random::new(SEED + 1);
    for _ in 0..ROUNDS {
        let slab = TestSlab::new();
        slab.fill(|| {
            if random.next() % 16 == 0 {
                random.next()
            } else {
                0
            }
        });
        read_everything(&reader(&slab));
    }
}

#[test]
fn valid_records_with_any_text_are_read_as_they_are() {
    let mut random = Random::new(SEED + 2);
    let mut bytes = move || random.next().to_le_bytes()[0] | 1;
    for _ in 0..ROUNDS {
        let slab = TestSlab::new();
        let reader = reader(&slab);
        // No byte is 0: there is no terminator, and it is hardly ever UTF-8.
        let info = ProcessInfo {
            framework_type: bytes() as i8,
            tag: std::array::from_fn(|_| bytes()),
            ..ProcessInfo::default()
        };
        let long = ProcessInfoExt {
            tag: std::array::from_fn(|_| bytes()),
        };
        let mut model = crate::support::numbered_model(7);
        model.name = std::array::from_fn(|_| bytes());
        publish(&*slab, place::PROCESS_INFO, &info.encode());
        publish(&*slab, place::PROCESS_INFO_EXT, &long.encode());
        slab.store(WordIndex::MODEL_BITMAP, 1);
        publish(&*slab, place::model(model_slot(0)), &model.encode());
        assert_eq!(reader.process_info().expect("valid").tag_text(), info.tag);
        assert_eq!(
            reader.process_info_ext().expect("valid").tag_text(),
            long.tag
        );
        assert_eq!(
            reader.model(model_slot(0)).expect("valid").name_text(),
            model.name
        );
        read_everything(&reader);
    }
}

#[test]
fn a_slab_that_changes_all_the_time_is_read_without_a_panic() {
    let slab = TestSlab::new();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut random = Random::new(SEED + 3);
            while !done.load(Ordering::Relaxed) {
                slab.fill(|| random.next());
                header::commit(&*slab);
            }
        });
        let reader = loop {
            match Reader::with_pause(slab.mapping(Access::ReadOnly), count_wait) {
                Ok(reader) => break reader,
                Err(error) => assert!(matches!(error, Error::BadHeader { .. }), "{error}"),
            }
        };
        for _ in 0..3 {
            reader.snapshot().expect("this process");
            for slot in ModelSlot::all() {
                use_model(&reader.model_last_copy(slot).expect("this process").0);
            }
        }
        done.store(true, Ordering::Relaxed);
    });
}
