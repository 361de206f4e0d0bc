// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counters against the instructions they are.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

use nds::layout::nc_word;
use nds::{Core, EmulatedDevice, NcCounter, Producer};

use crate::measure::{compare as measure, Comparison};

const COUNTER: NcCounter = NcCounter::INFER_COMPLETED;

pub(crate) fn compare() -> Vec<Comparison> {
    let device = EmulatedDevice::new().expect("memory");
    let producer = device.open().producer().expect("a free slab");
    let core = black_box(Core::new(2).expect("a core"));
    let word = word_of(&producer, core);
    vec![add(&producer, core, word), get(&producer, core, word)]
}

/// The bare word of the counter.
fn word_of(producer: &Producer, core: Core) -> &AtomicU64 {
    let offset = nc_word(core, COUNTER).byte_offset();
    // SAFETY: the word lies in the slab, which is mapped writable while the producer lives.
    unsafe { AtomicU64::from_ptr(producer.slab().base().as_ptr().add(offset).cast()) }
}

fn add(producer: &Producer, core: Core, word: &AtomicU64) -> Comparison {
    measure(
        "counter add / lock add",
        1.10,
        |count| (0..count).for_each(|_| producer.add_nc(core, COUNTER, 1)),
        |count| {
            for _ in 0..count {
                word.fetch_add(1, Ordering::Relaxed);
            }
        },
    )
}

fn get(producer: &Producer, core: Core, word: &AtomicU64) -> Comparison {
    measure(
        "counter get / load",
        1.5,
        |count| {
            black_box((0..count).fold(0, |sum: u64, _| {
                sum.wrapping_add(producer.nc(core, COUNTER))
            }));
        },
        |count| {
            let load = || word.load(Ordering::Relaxed);
            black_box((0..count).fold(0, |sum: u64, _| sum.wrapping_add(load())));
        },
    )
}
