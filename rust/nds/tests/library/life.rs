// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the acquire of a slab to its end, on emulated devices.

use nds::{Core, EmulatedDevice, Error, NcCounter, NdCounter};

const PRODUCER: i32 = 100;
const MONITOR: i32 = 200;
const COUNTER: NcCounter = NcCounter::INFER_COMPLETED;

fn device() -> EmulatedDevice {
    EmulatedDevice::new().expect("memory for an emulated device")
}

fn core(number: u32) -> Core {
    Core::new(number).expect("below 16")
}

#[test]
fn a_reader_sees_what_the_producer_counts() {
    let device = device();
    let producer = device
        .process(PRODUCER)
        .open()
        .producer()
        .expect("a free slab");
    let reader = device
        .process(MONITOR)
        .open()
        .reader(PRODUCER)
        .expect("a stamped slab");
    producer.add_nc(core(3), COUNTER, 5);
    producer.or_nd(NdCounter::FEATURE_BITMAP, 2);
    assert_eq!(reader.nc(core(3), COUNTER), 5);
    assert_eq!(reader.nd(NdCounter::FEATURE_BITMAP), 2);
}

#[test]
fn a_process_has_one_producer_for_a_device_however_often_it_opens_it() {
    let process = device().process(PRODUCER);
    let first = process.open().producer().expect("a free slab");
    let second = process.open().producer().expect("the same slab");
    second.add_nc(core(0), COUNTER, 1);
    assert_eq!(first.nc(core(0), COUNTER), 1);
    drop(first);
    second.add_nc(core(0), COUNTER, 1);
    assert_eq!(
        second.nc(core(0), COUNTER),
        2,
        "the slab is kept until the last clone is gone"
    );
}

#[test]
fn processes_and_devices_have_slabs_of_their_own() {
    let (one, other) = (device(), device());
    let producers = [
        one.process(PRODUCER).open().producer(),
        one.process(PRODUCER + 1).open().producer(),
        other.process(PRODUCER).open().producer(),
    ]
    .map(|producer| producer.expect("a free slab"));
    for (producer, amount) in producers.iter().zip(1..) {
        producer.add_nc(core(0), COUNTER, amount);
    }
    assert_eq!(
        producers.map(|producer| producer.nc(core(0), COUNTER)),
        [1, 2, 3]
    );
}

#[test]
fn the_seventeenth_process_is_refused_until_another_has_gone() {
    let device = device();
    let open = |pid| device.process(pid).open().producer();
    let mut producers: Vec<_> = (1..=16)
        .map(|pid| open(pid).expect("a free slab"))
        .collect();
    assert!(matches!(open(17), Err(Error::DeviceFull { .. })));
    producers.pop();
    assert!(open(17).is_ok());
}

#[test]
fn there_is_no_reader_before_the_producer() {
    let monitor = device().process(MONITOR).open();
    for pid in [PRODUCER, MONITOR, -5, 0] {
        let error = monitor.reader(pid).expect_err("nobody has acquired");
        assert!(matches!(error, Error::NoSuchProducer { pid: named, .. } if named == pid));
    }
}

#[test]
fn a_slab_that_nobody_stamped_is_refused_after_a_second_look() {
    let device = device();
    let mapping = device
        .process(PRODUCER)
        .open()
        .map_own()
        .expect("a free slab");
    let error = device
        .process(MONITOR)
        .open()
        .reader(PRODUCER)
        .expect_err("not stamped");
    assert!(matches!(error, Error::BadHeader { found: 0 }), "{error}");
    drop(mapping);
}

#[test]
fn a_device_opened_for_reading_has_no_producer() {
    let error = device()
        .process(PRODUCER)
        .open_for_reading()
        .producer()
        .expect_err("read-only");
    assert!(matches!(error, Error::ReadOnlyDevice { .. }), "{error}");
}

#[test]
fn a_reader_finds_zeros_after_the_producer_has_gone_and_never_the_next_one() {
    let device = device();
    let monitor = device.process(MONITOR).open();
    let producer = device
        .process(PRODUCER)
        .open()
        .producer()
        .expect("a free slab");
    producer.add_nc(core(0), COUNTER, 7);
    let reader = monitor.reader(PRODUCER).expect("a stamped slab");
    drop(producer);
    assert_eq!(reader.nc(core(0), COUNTER), 0);
    assert!(matches!(
        reader.check_header(),
        Err(Error::BadHeader { found: 0 })
    ));

    let next: Vec<_> = (1..=16)
        .map(|pid| device.process(pid).open().producer().expect("a free slab"))
        .collect();
    next.iter()
        .for_each(|producer| producer.add_nc(core(0), COUNTER, 9));
    assert_eq!(
        reader.nc(core(0), COUNTER),
        0,
        "the reader shows no other process"
    );
}

#[test]
fn a_former_owner_cannot_reach_the_next_owner() {
    let device = device();
    let process = device.process(PRODUCER);
    let stale = process.open().producer().expect("a free slab");
    process.exit();
    let next: Vec<_> = (1..=16)
        .map(|pid| device.process(pid).open().producer().expect("a free slab"))
        .collect();
    stale.add_nc(core(0), COUNTER, 9);
    assert_eq!(stale.nc(core(0), COUNTER), 9, "it goes on undisturbed");
    assert!(next
        .iter()
        .all(|producer| producer.nc(core(0), COUNTER) == 0));
}

#[test]
fn a_slab_is_zero_when_it_is_handed_out_again() {
    let device = device();
    for round in 0..40 {
        let producer = device
            .process(PRODUCER + round)
            .open()
            .producer()
            .expect("a free slab");
        let snapshot = producer.snapshot().expect("this process");
        assert_eq!(snapshot.active_cores().count(), 0);
        assert_eq!(snapshot.nd(NdCounter::FEATURE_BITMAP), 0);
        producer.add_nc(core(0), COUNTER, 1);
        producer.set_nd(NdCounter::FEATURE_BITMAP, 1);
    }
}

#[test]
fn dropping_a_reader_changes_nothing_even_of_the_own_slab() {
    let device = device();
    let own = device.process(PRODUCER).open();
    let producer = own.producer().expect("a free slab");
    producer.add_nc(core(0), COUNTER, 3);
    for side in [own, device.process(MONITOR).open()] {
        let reader = side.reader(PRODUCER).expect("a stamped slab");
        assert_eq!(reader.nc(core(0), COUNTER), 3);
        drop(reader);
    }
    assert_eq!(producer.nc(core(0), COUNTER), 3);
    assert!(producer.check_header().is_ok());
}

#[test]
fn producers_opened_and_dropped_by_many_threads_are_never_without_their_slab() {
    let process = device().process(PRODUCER);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..500 {
                    let producer = process.open().producer().expect("the slab of this process");
                    assert!(
                        producer.check_header().is_ok(),
                        "a release came after the acquire"
                    );
                }
            });
        }
    });
}
