// SPDX-License-Identifier: MIT OR Apache-2.0
//! A producer that publishes as fast as it can, and a reader that reads as fast as it can.

use std::time::{Duration, Instant};

use nds::{Error, Reader, RecordFault};

use crate::records;
use crate::roles::{ProducerProcess, REPUBLISH};

/// Verified reads.
const READS: usize = 1_000_000;

/// Reads of the short record for one of the long one, and of the long one for one of all models:
/// without optimisation, hashing the long ones takes most of the time.
const SHORT_READS: usize = 8;
const LONG_READS: usize = 64;

/// Far more than it takes; a reader that is never served must fail and not hang.
const LIMIT: Duration = Duration::from_secs(600);

#[derive(Debug, Default)]
struct Tally {
    accepted: usize,
    refused: usize,
    last_number: u32,
    changes: usize,
}

pub(crate) fn a_million_records() {
    let mut producer = ProducerProcess::start(REPUBLISH);
    let reader = producer.reader();
    let started = Instant::now();
    let mut tally = Tally::default();
    while tally.accepted < READS {
        assert!(started.elapsed() < LIMIT, "too slow: {tally:?}");
        for _ in 0..LONG_READS {
            (0..SHORT_READS).for_each(|_| read_process_info(&reader, &mut tally));
            read_process_info_ext(&reader, &mut tally);
        }
        read_models(&reader, &mut tally);
    }
    producer.kill();
    assert!(
        tally.changes > 100,
        "the producer must have worked at the same time: {tally:?}"
    );
    println!("{tally:?} in {:?}", started.elapsed());
}

fn read_process_info(reader: &Reader, tally: &mut Tally) {
    let Some(info) = accepted(reader.process_info(), tally) else {
        return;
    };
    let number = records::number_of_process_info(&info).expect("a whole record");
    tally.changes += usize::from(number != tally.last_number);
    tally.last_number = number;
}

fn read_process_info_ext(reader: &Reader, tally: &mut Tally) {
    if let Some(info) = accepted(reader.process_info_ext(), tally) {
        assert!(records::is_whole_process_info_ext(&info), "{info:?}");
    }
}

fn read_models(reader: &Reader, tally: &mut Tally) {
    for (slot, model) in reader.models().expect("this process").iter() {
        assert!(records::is_whole_model(&model), "{slot:?} {model:?}");
        tally.accepted += 1;
    }
}

fn accepted<T>(result: Result<T, Error>, tally: &mut Tally) -> Option<T> {
    match result {
        Ok(record) => {
            tally.accepted += 1;
            Some(record)
        }
        Err(Error::Record(RecordFault::Torn | RecordFault::Unpublished)) => {
            tally.refused += 1;
            None
        }
        Err(error) => panic!("{error}"),
    }
}
