// SPDX-License-Identifier: MIT OR Apache-2.0

//! A process that republishes a record as fast as it can, another that reads it
//! as fast as it can, and the end of the first in the middle of it.

use nds::{Device, Error, ProcessInfo, Reader, RecordFault, Version};
use nix::unistd::Pid;

use crate::ktap::{self, Suite};
use crate::sys::module;
use crate::sys::process::{self, eventually};

pub(super) const SUITE: Suite = Suite {
    name: "libraries.two_processes",
    tests: ktap::tests![
        no_accepted_record_is_torn within 300,
        a_reader_notices_that_its_producer_was_killed,
    ],
};

/// Accepted records of one run, at least.
const READS: u64 = 1_000_000;
/// Records among them that differ from the one before, at least.
const CHANGES: u64 = 1000;

fn device() -> Device {
    Device::open(module::node(0)).expect("the device opens")
}

/// A record of which every part follows from one number.
fn info(number: u32) -> ProcessInfo {
    let version = Version {
        major: number as u8,
        minor: !number as u8,
        build: number,
    };
    ProcessInfo {
        framework_type: number as i8,
        tag: [number as u8; 32],
        framework_version: version,
        fal_version: version,
        runtime_version: version,
    }
}

/// A process that publishes one record after another until it is killed.
fn publisher() -> Pid {
    process::spawn(|| {
        let producer = device().producer().expect("a free slab");
        for number in (0..=u32::MAX).cycle() {
            producer
                .publish_process_info(&info(number))
                .expect("its own slab");
        }
    })
}

/// A reader that does not wait between two attempts.
fn hasty_reader(pid: Pid) -> Reader {
    let device = device();
    let attach = || Reader::with_pause(device.map_process(pid.as_raw())?, |_| ());
    eventually("the producer has begun", || attach().is_ok());
    attach().expect("it was there")
}

fn no_accepted_record_is_torn() {
    let publisher = publisher();
    let reader = hasty_reader(publisher);
    let (mut accepted, mut refused, mut changes, mut last) = (0, 0_u64, 0_u64, 0);
    while accepted < READS || changes < CHANGES {
        match reader.process_info() {
            Ok(record) => {
                let number = record.runtime_version.build;
                assert_eq!(record, info(number));
                changes += u64::from(number != last);
                (accepted, last) = (accepted + 1, number);
            }
            Err(Error::Record(_)) => refused += 1,
            Err(other) => panic!("{other}"),
        }
    }
    process::kill_and_wait(publisher);
    ktap::summary(&format!(
        "{accepted} records, {changes} of them new, none torn; {refused} times none was whole"
    ));
}

fn a_reader_notices_that_its_producer_was_killed() {
    let publisher = publisher();
    let reader = hasty_reader(publisher);
    eventually("a record is there", || reader.process_info().is_ok());
    process::kill_and_wait(publisher);
    let gone = reader.check_header();
    assert!(
        matches!(gone, Err(Error::BadHeader { found: 0 })),
        "{gone:?}"
    );
    let record = reader.process_info();
    assert!(
        matches!(record, Err(Error::Record(RecordFault::Unpublished))),
        "{record:?}"
    );
    assert_eq!(reader.models().expect("a slab").len(), 0);
    let again = device().reader(publisher.as_raw());
    assert!(
        matches!(again, Err(Error::NoSuchProducer { .. })),
        "{again:?}"
    );
}
