// SPDX-License-Identifier: MIT OR Apache-2.0
//! Model slots: claimed, updated, freed.

use nds::layout::bitmap;
use nds::{Access, EmulatedDevice, Error, ModelSlot, Producer, Reader};

use crate::support::{numbered_model, TestSlab};

fn producer(slab: &TestSlab) -> Producer {
    Producer::new(slab.mapping(Access::ReadWrite)).expect("writable")
}

#[test]
fn a_model_takes_the_lowest_free_slot_and_frees_it_when_dropped() {
    let slab = TestSlab::new();
    let producer = producer(&slab);
    let publish = |number| {
        producer
            .publish_model(&numbered_model(number))
            .expect("a free slot")
    };
    let mut handles: Vec<_> = (0..4).map(publish).collect();
    drop(handles.remove(1));
    assert_eq!(bitmap::load(&*slab), 0b1101);
    assert_eq!(publish(9).slot().get(), 1);
    assert_eq!(
        bitmap::load(&*slab),
        0b1101,
        "a handle that is dropped at once deletes its model"
    );
    drop(handles);
    let blank = TestSlab::new();
    nds::layout::header::commit(&*blank);
    assert_eq!(slab.words(), blank.words(), "deleted records are zeroed");
}

#[test]
fn the_65th_model_is_refused_and_changes_nothing() {
    let slab = TestSlab::new();
    let producer = producer(&slab);
    let publish = |number| producer.publish_model(&numbered_model(number));
    let handles: Vec<_> = (0..64)
        .map(|number| publish(number).expect("a free slot"))
        .collect();
    let before = slab.words();
    assert!(matches!(publish(64), Err(Error::NoSlot)));
    assert_eq!(slab.words(), before);
    assert_eq!(handles.len(), ModelSlot::COUNT);
}

#[test]
fn an_update_keeps_the_slot() {
    let slab = TestSlab::new();
    let producer = producer(&slab);
    let mut handle = producer
        .publish_model(&numbered_model(1))
        .expect("a free slot");
    handle.update(&numbered_model(2)).expect("this process");
    let reader = Reader::new(slab.mapping(Access::ReadOnly)).expect("stamped");
    let models = reader.models().expect("this process");
    let all: Vec<_> = models.iter().collect();
    assert_eq!(all, [(handle.slot(), numbered_model(2))]);
    assert_eq!(
        reader.model(handle.slot()).expect("published"),
        numbered_model(2)
    );
}

#[test]
fn a_handle_keeps_the_slab_of_its_producer() {
    let device = EmulatedDevice::new().expect("memory");
    let producer = device.process(1).open().producer().expect("a free slab");
    let handle = producer
        .publish_model(&numbered_model(5))
        .expect("a free slot");
    let reader = device.process(2).open().reader(1).expect("stamped");
    drop(producer);
    assert_eq!(reader.models().expect("this process").len(), 1);
    drop(handle);
    assert!(
        reader.check_header().is_err(),
        "the last user is gone, and the slab with it"
    );
}

#[test]
fn threads_that_publish_and_delete_never_share_a_slot() {
    let slab = TestSlab::new();
    let producer = producer(&slab);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let producer = producer.clone();
            scope.spawn(move || {
                for round in 0..200 {
                    let model = numbered_model(thread * 1000 + round);
                    let handle = producer.publish_model(&model).expect("a free slot");
                    assert_eq!(producer.model(handle.slot()).expect("own record"), model);
                }
            });
        }
    });
    assert_eq!(bitmap::load(&*slab), 0);
}
