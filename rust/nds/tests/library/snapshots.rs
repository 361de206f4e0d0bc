// SPDX-License-Identifier: MIT OR Apache-2.0
//! Snapshots say what the slab says.

use nds::layout::record::padded;
use nds::{
    Access, Core, NcCounter, NdCounter, ProcessInfo, ProcessInfoExt, Producer, RecordFault,
    SlabSnapshot,
};

use crate::support::{numbered_model, Random, TestSlab};

#[test]
fn a_snapshot_has_every_counter_and_every_valid_record() {
    let slab = TestSlab::new();
    let producer = Producer::new(slab.mapping(Access::ReadWrite)).expect("writable");
    let mut random = Random::new(2);
    for core in Core::all() {
        NcCounter::all().for_each(|counter| producer.set_nc(core, counter, random.next()));
    }
    NdCounter::all().for_each(|counter| producer.set_nd(counter, random.next()));
    let info = ProcessInfo {
        framework_type: 3,
        tag: padded(b"tag"),
        ..ProcessInfo::default()
    };
    let long = ProcessInfoExt {
        tag: padded(b"long tag"),
    };
    producer.publish_process_info(&info).expect("this process");
    producer
        .publish_process_info_ext(&long)
        .expect("this process");
    let publish = |number| {
        producer
            .publish_model(&numbered_model(number))
            .expect("a free slot")
    };
    let handles: Vec<_> = (10..13).map(publish).collect();

    let snapshot = producer.snapshot().expect("this process");
    assert!(snapshot.is_initialised());
    for core in Core::all() {
        for counter in NcCounter::all() {
            assert_eq!(snapshot.nc(core, counter), producer.nc(core, counter));
        }
    }
    assert!(NdCounter::all().all(|counter| snapshot.nd(counter) == producer.nd(counter)));
    assert_eq!(snapshot.process_info(), Ok(&info));
    assert_eq!(snapshot.process_info_ext(), Ok(&long));
    let models: Vec<_> = snapshot.models().iter().collect();
    let expected = handles
        .iter()
        .zip(10..)
        .map(|(handle, n)| (handle.slot(), numbered_model(n)));
    assert_eq!(models, expected.collect::<Vec<_>>());
    assert_eq!(snapshot.unreadable_models(), 0);
}

#[test]
fn a_snapshot_of_an_untouched_slab_is_empty() {
    let slab = TestSlab::new();
    let mut snapshot = SlabSnapshot::new();
    snapshot.read(&*slab, nds::bulk::Method::best(), |_| ());
    assert_eq!(snapshot, SlabSnapshot::default());
    assert!(!snapshot.is_initialised());
    assert_eq!(snapshot.process_info(), Err(RecordFault::Unpublished));
    assert_eq!(snapshot.active_cores().count(), 0);
}

#[test]
fn a_core_is_active_when_any_of_its_counters_is_not_zero() {
    let slab = TestSlab::new();
    let producer = Producer::new(slab.mapping(Access::ReadWrite)).expect("writable");
    for (core, counter) in [(0, 0), (3, 94), (4, 31), (15, 94)] {
        let (core, counter) = nds::nc_index(core, counter).expect("valid");
        producer.add_nc(core, counter, 1);
    }
    let snapshot = producer.snapshot().expect("this process");
    let active: Vec<_> = snapshot.active_cores().map(Core::get).collect();
    assert_eq!(active, [0, 3, 4, 15]);
}

#[test]
fn taken_slots_without_a_record_are_counted() {
    use nds::layout::{Slab, WordIndex};
    let slab = TestSlab::new();
    let producer = Producer::new(slab.mapping(Access::ReadWrite)).expect("writable");
    let _handle = producer
        .publish_model(&numbered_model(1))
        .expect("a free slot");
    slab.or(WordIndex::MODEL_BITMAP, 0b110);
    let snapshot = producer.snapshot().expect("this process");
    assert_eq!(
        (snapshot.models().len(), snapshot.unreadable_models()),
        (1, 2)
    );
}
