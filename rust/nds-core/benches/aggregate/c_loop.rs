// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C driver's way to aggregate, for comparison: for each slab, each metric row and each core one call of a function
//! that finds the counter's band (metrics reference sections 3 and 4.3).
//!
//! Written from that description, over all 95 counters instead of the 30 of the driver's table.

use std::sync::atomic::{AtomicU64, Ordering};

use nds_layout::nd_word;
use nds_layout::region::{
    BASE_CORE_COUNT, CORE_COUNT, EXT_DATA_CORE_WORDS, EXT_NC_COUNTERS_START, EXT_NC_COUNTER_COUNT,
    EXT_NC_DATA_START, NC_COUNTERS_START, NC_COUNTER_COUNT, TOTAL_NC_COUNTER_COUNT, WORD,
};
use nds_layout::NdCounter;

/// Type of a row.
#[derive(Clone, Copy, PartialEq)]
enum RowType {
    Counter,
    Bitmap,
}

/// A row of the metric table.
#[derive(Clone, Copy)]
struct Row {
    kind: RowType,
    counter: u32,
    /// Place in the buffer.
    index: usize,
    tick: u8,
}

/// Tick of a row that takes part in every tick.
const ALWAYS: u8 = 0xf;

/// Cores whose bit is set exist.
const CORE_MAP: u32 = 0xffff;

/// Sums over slabs, as the driver's thread keeps them.
pub(crate) struct Sums {
    pub(crate) counters: [u64; TOTAL_NC_COUNTER_COUNT],
    pub(crate) bitmap: u64,
}

fn rows() -> Vec<Row> {
    let counter = |index: usize| Row {
        kind: RowType::Counter,
        counter: index as u32,
        index,
        tick: ALWAYS,
    };
    let bitmap = Row {
        kind: RowType::Bitmap,
        counter: 3,
        index: 0,
        tick: ALWAYS,
    };
    (0..TOTAL_NC_COUNTER_COUNT)
        .map(counter)
        .chain([bitmap])
        .collect()
}

/// One counter of one core; 0 for an index that does not exist.
#[inline(never)]
fn counter(slab: &[AtomicU64], core: u32, counter: u32) -> u64 {
    let (core, counter) = (core as usize, counter as usize);
    let word = if core < BASE_CORE_COUNT {
        if counter < NC_COUNTER_COUNT {
            NC_COUNTERS_START / WORD + NC_COUNTER_COUNT * core + counter
        } else if counter < TOTAL_NC_COUNTER_COUNT {
            EXT_NC_COUNTERS_START / WORD + EXT_NC_COUNTER_COUNT * core + counter - NC_COUNTER_COUNT
        } else {
            return 0;
        }
    } else if core < CORE_COUNT && counter < TOTAL_NC_COUNTER_COUNT {
        EXT_NC_DATA_START / WORD + EXT_DATA_CORE_WORDS * (core - BASE_CORE_COUNT) + counter
    } else {
        return 0;
    };
    slab[word].load(Ordering::Relaxed)
}

/// Adds one slab to the sums.
#[inline(never)]
fn add_slab(slab: &[AtomicU64], rows: &[Row], tick: u8, sums: &mut Sums) {
    for row in rows
        .iter()
        .filter(|row| row.tick == ALWAYS || row.tick == tick)
    {
        match row.kind {
            RowType::Counter => {
                for core in (0..CORE_COUNT as u32).filter(|core| CORE_MAP >> core & 1 == 1) {
                    let sum = &mut sums.counters[row.index];
                    *sum = sum.wrapping_add(counter(slab, core, row.counter));
                }
            }
            RowType::Bitmap => {
                let word = NdCounter::new(row.counter).map(|bits| nd_word(bits).get());
                sums.bitmap |= word.map_or(0, |word| slab[word].load(Ordering::Relaxed));
            }
        }
    }
}

thread_local! {
    static ROWS: Vec<Row> = rows();
}

/// Adds all slabs up.
pub(crate) fn aggregate<'a>(slabs: impl Iterator<Item = &'a [AtomicU64]>) -> Sums {
    let mut sums = Sums {
        counters: [0; TOTAL_NC_COUNTER_COUNT],
        bitmap: 0,
    };
    ROWS.with(|rows| slabs.for_each(|slab| add_slab(slab, rows, 0, &mut sums)));
    sums
}
