// SPDX-License-Identifier: MIT OR Apache-2.0
//! The order of accesses when records are published and read (libnds reference section 9).
//!
//! x86 hides a wrong order, so the accesses are written down and compared instead of raced.

use crate::support::{sized_image, TestSlab};
use nds_layout::hash::{stored_hash, RecordFault};
use nds_layout::place::{Word32Index, PROCESS_INFO};
use nds_layout::publish::{erase, publish, read_once};
use nds_layout::region::PROCESS_INFO_SIZE;
use nds_layout::{bitmap, header, Slab, SlabRead, WordIndex};
use std::cell::{Cell, RefCell};

/// One access; words by byte offset.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Access {
    Load(usize),
    LoadAcquire(usize),
    Store(usize, u32),
    StoreRelease(usize, u64),
    AndRelease(usize),
    CompareExchange(usize),
    FenceAcquire,
    FenceRelease,
}
use Access::*;

/// A slab that writes down how it is accessed. From its `change_at`th u32 load on, it loads other bytes.
struct Log {
    slab: TestSlab,
    accesses: RefCell<Vec<Access>>,
    change_at: Cell<usize>,
}

impl Log {
    fn new() -> Self {
        Self {
            slab: TestSlab::new(),
            accesses: RefCell::default(),
            change_at: Cell::new(usize::MAX),
        }
    }

    fn note(&self, access: Access) {
        self.accesses.borrow_mut().push(access);
    }

    fn load32_changing(&self, word: Word32Index) -> u32 {
        let left = self.change_at.get();
        self.change_at.set(left.saturating_sub(1));
        let value = self.slab.load32(word);
        if left == 0 {
            !value
        } else {
            value
        }
    }
}

impl SlabRead for Log {
    fn load(&self, word: WordIndex) -> u64 {
        self.note(Load(word.byte_offset()));
        self.slab.load(word)
    }

    fn load32(&self, word: Word32Index) -> u32 {
        self.note(Load(word.byte_offset()));
        self.load32_changing(word)
    }

    fn load_acquire(&self, word: WordIndex) -> u64 {
        self.note(LoadAcquire(word.byte_offset()));
        self.slab.load(word)
    }

    fn load32_acquire(&self, word: Word32Index) -> u32 {
        self.note(LoadAcquire(word.byte_offset()));
        self.load32_changing(word)
    }

    fn fence_acquire(&self) {
        self.note(FenceAcquire);
    }
}

impl Slab for Log {
    fn store(&self, _: WordIndex, _: u64) {
        unreachable!("counters are not part of these rules");
    }

    fn store_release(&self, word: WordIndex, value: u64) {
        self.note(StoreRelease(word.byte_offset(), value));
        self.slab.store_release(word, value);
    }

    fn add(&self, _: WordIndex, _: u64) -> u64 {
        unreachable!("counters are not part of these rules");
    }

    fn sub(&self, _: WordIndex, _: u64) -> u64 {
        unreachable!("counters are not part of these rules");
    }

    fn or(&self, _: WordIndex, _: u64) -> u64 {
        unreachable!("counters are not part of these rules");
    }

    fn and(&self, word: WordIndex, mask: u64) -> u64 {
        self.note(AndRelease(word.byte_offset()));
        self.slab.and(word, mask)
    }

    fn compare_exchange(&self, word: WordIndex, current: u64, new: u64) -> Result<u64, u64> {
        self.note(CompareExchange(word.byte_offset()));
        self.slab.compare_exchange(word, current, new)
    }

    fn store32(&self, word: Word32Index, value: u32) {
        self.note(Store(word.byte_offset(), value));
        self.slab.store32(word, value);
    }

    fn store32_release(&self, word: Word32Index, value: u32) {
        self.note(StoreRelease(word.byte_offset(), value.into()));
        self.slab.store32_release(word, value);
    }

    fn fence_release(&self) {
        self.note(FenceRelease);
    }
}

const HASH: usize = 1248;

/// Byte offsets of the payload's words.
fn payload() -> impl Iterator<Item = usize> {
    (HASH + 4..HASH + PROCESS_INFO_SIZE).step_by(4)
}

#[test]
fn publishing_withdraws_then_stores_the_payload_then_releases_the_hash() {
    let log = Log::new();
    let image = sized_image("process_info/a");
    publish(&log, PROCESS_INFO, &image);
    let mut expected = vec![Store(HASH, 0), FenceRelease];
    let words = image[4..]
        .chunks(4)
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()));
    expected.extend(payload().zip(words).map(|(at, word)| Store(at, word)));
    expected.push(StoreRelease(HASH, stored_hash(&image).into()));
    assert_eq!(*log.accesses.borrow(), expected);
}

#[test]
fn erasing_withdraws_then_stores_zeros() {
    let log = Log::new();
    erase(&log, PROCESS_INFO);
    let mut expected = vec![Store(HASH, 0), FenceRelease];
    expected.extend(payload().map(|at| Store(at, 0)));
    assert_eq!(*log.accesses.borrow(), expected);
}

#[test]
fn reading_acquires_the_hash_copies_once_and_looks_at_the_hash_again() {
    let log = Log::new();
    let image = sized_image("process_info/a");
    publish(&*log.slab, PROCESS_INFO, &image);
    assert_eq!(read_once(&log, PROCESS_INFO), Ok(image));
    let mut expected = vec![LoadAcquire(HASH)];
    expected.extend(payload().map(Load));
    expected.extend([FenceAcquire, Load(HASH)]);
    assert_eq!(*log.accesses.borrow(), expected);
}

#[test]
fn a_record_that_changes_at_any_moment_of_a_read_is_torn() {
    let loads = 1 + payload().count() + 1;
    for moment in 0..loads {
        let log = Log::new();
        publish(&*log.slab, PROCESS_INFO, &sized_image("process_info/a"));
        log.change_at.set(moment);
        assert_eq!(
            read_once(&log, PROCESS_INFO),
            Err(RecordFault::Torn),
            "{moment}"
        );
    }
}

#[test]
fn the_header_is_released_and_acquired_as_one_word() {
    let log = Log::new();
    header::commit(&log);
    assert!(header::check(&log));
    let expected = [StoreRelease(0, header::HEADER_WORD), LoadAcquire(0)];
    assert_eq!(*log.accesses.borrow(), expected);
}

#[test]
fn bitmap_bits_are_taken_by_exchange_and_freed_with_release() {
    const BITMAP: usize = 1312;
    let log = Log::new();
    let slot = bitmap::take_lowest(&log).unwrap();
    bitmap::free(&log, slot);
    let expected = [
        LoadAcquire(BITMAP),
        CompareExchange(BITMAP),
        AndRelease(BITMAP),
    ];
    assert_eq!(*log.accesses.borrow(), expected);
}

#[test]
fn acquiring_loads_are_relaxed_loads_before_a_fence_unless_a_slab_knows_better() {
    /// Only what a slab must bring.
    struct Minimal(Log);
    impl SlabRead for Minimal {
        fn load(&self, word: WordIndex) -> u64 {
            self.0.load(word)
        }
        fn load32(&self, word: Word32Index) -> u32 {
            self.0.load32(word)
        }
        fn fence_acquire(&self) {
            self.0.fence_acquire();
        }
    }
    let slab = Minimal(Log::new());
    slab.load_acquire(WordIndex::HEADER);
    slab.load32_acquire(PROCESS_INFO.hash_word());
    let expected = [Load(0), FenceAcquire, Load(HASH), FenceAcquire];
    assert_eq!(*slab.0.accesses.borrow(), expected);
}
