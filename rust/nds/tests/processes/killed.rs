// SPDX-License-Identifier: MIT OR Apache-2.0
//! A producer that dies while it publishes.

use std::time::Duration;

use nds::{Error, RecordFault};

use crate::records;
use crate::roles::{ProducerProcess, DIE_AFTER_HASH, DIE_AFTER_WITHDRAWAL, REPUBLISH};

/// Deaths at different moments.
const DEATHS: u64 = 40;

pub(crate) fn at_any_moment() {
    for death in 0..DEATHS {
        let mut producer = ProducerProcess::start(REPUBLISH);
        let reader = producer.reader();
        std::thread::sleep(Duration::from_micros(200 + 37 * death));
        producer.kill();
        match reader.process_info() {
            Ok(info) => assert!(records::number_of_process_info(&info).is_some()),
            Err(error) => assert!(matches!(error, Error::Record(_)), "{error}"),
        }
        let models = reader.models().expect("this process");
        assert!(models
            .iter()
            .all(|(_, model)| records::is_whole_model(&model)));
        // At most the one that it was about to write cannot be read, now and for ever.
        let snapshot = reader.snapshot().expect("this process");
        assert!(snapshot.unreadable_models() <= 1);
        assert_eq!(snapshot.models(), &models);
        assert!(reader.check_header().is_ok(), "the header stays");
    }
}

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
    assert_eq!(long, records::process_info_ext(1));
    match reader.process_info() {
        Err(Error::Record(fault)) => fault,
        other => panic!("{other:?}"),
    }
}
