// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many threads on one slab: what each region promises under contention.

use crate::support::{sized_image, TestSlab};
use nds_layout::publish::{erase, publish, read_once};
use nds_layout::{bitmap, nc_word, place, Core, ModelSlot, NcCounter, Slab, SlabRead};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

#[test]
fn no_increment_is_lost() {
    let slab = TestSlab::new();
    let word = nc_word(Core::new(7).unwrap(), NcCounter::MAC_COUNT);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..10_000).for_each(|_| drop_previous(slab.add(word, 3))));
        }
    });
    assert_eq!(slab.load(word), 4 * 10_000 * 3);
}

fn drop_previous(_: u64) {}

#[test]
fn no_slot_is_given_out_twice() {
    let slab = TestSlab::new();
    let taken: Vec<Vec<ModelSlot>> = thread::scope(|scope| {
        let take_all = || std::iter::from_fn(|| bitmap::take_lowest(&*slab)).collect();
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(take_all)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    let all: Vec<ModelSlot> = taken.into_iter().flatten().collect();
    assert_eq!(all.len(), ModelSlot::COUNT);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), ModelSlot::COUNT);
}

#[test]
fn a_reader_sees_one_whole_record_or_none_while_a_producer_rewrites_it() {
    let slab = TestSlab::new();
    let place = place::model(ModelSlot::new(5).unwrap());
    let images = ["model5/a", "model5/b"].map(sized_image);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0..2_000 {
                publish(&*slab, place, &images[round % 2]);
                if round % 3 == 0 {
                    erase(&*slab, place);
                }
            }
            done.store(true, Ordering::Release);
        });
        while !done.load(Ordering::Acquire) {
            if let Ok(image) = read_once(&*slab, place) {
                assert!(images.contains(&image));
            }
        }
    });
    assert_eq!(read_once(&*slab, place), Ok(images[1]));
}
