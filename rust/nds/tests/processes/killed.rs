// SPDX-License-Identifier: MIT OR Apache-2.0
//! A producer that dies while it publishes, at a certain step. (At any step: `nds stress`.)

use nds::{Error, RecordFault};

use crate::roles::{long_tag, ProducerProcess, DIE_AFTER_HASH, DIE_AFTER_WITHDRAWAL};

pub(crate) fn after_the_withdrawal() {
    assert_eq!(fault_after(DIE_AFTER_WITHDRAWAL), RecordFault::Unpublished);
}

pub(crate) fn after_the_hash() {
    assert_eq!(fault_after(DIE_AFTER_HASH), RecordFault::Torn);
}

/// What the reader says of the record that the producer was about to write; the other is whole.
fn fault_after(role: &str) -> RecordFault {
    let mut producer = ProducerProcess::start(role);
    producer.wait();
    let reader = producer.reader();
    let long = reader.process_info_ext().expect("not touched");
    assert_eq!(long, long_tag());
    match reader.process_info() {
        Err(Error::Record(fault)) => fault,
        other => panic!("{other:?}"),
    }
}
