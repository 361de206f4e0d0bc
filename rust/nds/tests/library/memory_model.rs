// SPDX-License-Identifier: MIT OR Apache-2.0
//! Publishing and reading under every execution that the memory model allows, not only under those
//! that this processor shows: checked with loom on a small model of a slab.
//!
//! The code under test is the library's own, over a slab of which only the words that differ
//! between two records are modelled. Weak processors (aarch64) are covered by this: what the model
//! allows includes what they do.

use loom::sync::atomic::{fence, AtomicU32, AtomicU64, Ordering};
use loom::sync::Arc;
use loom::thread;
use nds::bulk::{read_models, Method, Models};
use nds::layout::hash::stored_hash;
use nds::layout::place::{self, RecordPlace, Word32Index};
use nds::layout::publish::{erase, publish, read_once};
use nds::layout::record::model::LEN;
use nds::layout::{bitmap, header, nd_word, Slab, SlabRead, WordIndex};
use nds::{MemoryUsage, Model, ModelSlot, NdCounter};

/// Words of the record that are modelled: the hash and two more.
const MODELLED: usize = 3;

/// Header, bitmap, one counter and one record; the rest of the record is always zero.
struct SmallSlab {
    header: AtomicU64,
    bitmap: AtomicU64,
    counter: AtomicU64,
    record: [AtomicU32; MODELLED],
}

impl SmallSlab {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            header: AtomicU64::new(0),
            bitmap: AtomicU64::new(0),
            counter: AtomicU64::new(0),
            record: std::array::from_fn(|_| AtomicU32::new(0)),
        })
    }

    fn word(&self, word: WordIndex) -> &AtomicU64 {
        match word {
            WordIndex::HEADER => &self.header,
            WordIndex::MODEL_BITMAP => &self.bitmap,
            _ => &self.counter,
        }
    }

    fn word32(&self, word: Word32Index) -> Option<&AtomicU32> {
        self.record
            .get(word.get() - record_place().hash_word().get())
    }
}

impl SlabRead for SmallSlab {
    fn load(&self, word: WordIndex) -> u64 {
        self.word(word).load(Ordering::Relaxed)
    }

    fn load32(&self, word: Word32Index) -> u32 {
        self.word32(word)
            .map_or(0, |word| word.load(Ordering::Relaxed))
    }

    fn fence_acquire(&self) {
        fence(Ordering::Acquire);
    }
}

impl Slab for SmallSlab {
    fn store(&self, word: WordIndex, value: u64) {
        self.word(word).store(value, Ordering::Relaxed);
    }

    fn store_release(&self, word: WordIndex, value: u64) {
        self.word(word).store(value, Ordering::Release);
    }

    fn add(&self, word: WordIndex, value: u64) -> u64 {
        self.word(word).fetch_add(value, Ordering::Relaxed)
    }

    fn sub(&self, word: WordIndex, value: u64) -> u64 {
        self.word(word).fetch_sub(value, Ordering::Relaxed)
    }

    fn or(&self, word: WordIndex, mask: u64) -> u64 {
        self.word(word).fetch_or(mask, Ordering::Relaxed)
    }

    fn and(&self, word: WordIndex, mask: u64) -> u64 {
        self.word(word).fetch_and(mask, Ordering::Release)
    }

    fn compare_exchange(&self, word: WordIndex, current: u64, new: u64) -> Result<u64, u64> {
        self.word(word)
            .compare_exchange(current, new, Ordering::AcqRel, Ordering::Acquire)
    }

    fn store32(&self, word: Word32Index, value: u32) {
        match self.word32(word) {
            Some(word) => word.store(value, Ordering::Relaxed),
            None => assert_eq!(value, 0, "this word is not modelled"),
        }
    }

    fn store32_release(&self, word: Word32Index, value: u32) {
        self.word32(word)
            .expect("the hash is modelled")
            .store(value, Ordering::Release);
    }

    fn fence_release(&self) {
        fence(Ordering::Release);
    }
}

fn record_place() -> RecordPlace<LEN> {
    place::model(ModelSlot::new(0).expect("the first slot"))
}

/// Runs every execution with at most two preemptions, which is enough to tear any step apart.
fn explore(execution: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(execution);
}

/// A record whose modelled words after the hash both are `number`.
fn image(number: u32) -> [u8; LEN] {
    let unused = [MemoryUsage::default(); 12];
    Model {
        model_id: number,
        model_node_id: number,
        name: [0; 256],
        uuid: [0; 16],
        nc_index: 0,
        sg_index: 0,
        host_usage: unused,
        device_usage: unused,
    }
    .encode()
}

fn published_twice(slab: &Arc<SmallSlab>) -> thread::JoinHandle<()> {
    let slab = Arc::clone(slab);
    thread::spawn(move || {
        publish(&*slab, record_place(), &image(1));
        publish(&*slab, record_place(), &image(2));
    })
}

#[test]
fn a_record_that_is_accepted_is_one_that_was_published() {
    explore(|| {
        let slab = SmallSlab::new();
        let producer = published_twice(&slab);
        if let Ok(read) = read_once(&*slab, record_place()) {
            assert!(read == image(1) || read == image(2));
        }
        producer.join().expect("no panic");
        assert_eq!(
            read_once(&*slab, record_place()),
            Ok(image(2)),
            "the last one stays"
        );
    });
}

/// Without the hash of the payload, by the order of the accesses alone: if the same hash word is
/// seen before and after the payload, the payload is the one it was published with.
#[test]
fn the_order_of_the_accesses_alone_keeps_records_apart() {
    explore(|| {
        let slab = SmallSlab::new();
        let producer = published_twice(&slab);
        let place = record_place();
        let before = slab.load32_acquire(place.hash_word());
        let payload: Vec<u32> = place
            .payload_words()
            .take(MODELLED - 1)
            .map(|word| slab.load32(word))
            .collect();
        slab.fence_acquire();
        let after = slab.load32(place.hash_word());
        if before == after && before != 0 {
            let number = [1, 2]
                .into_iter()
                .find(|n| stored_hash(&image(*n)) == before);
            let number = number.expect("only these were published");
            assert_eq!(payload, [number; MODELLED - 1]);
        }
        producer.join().expect("no panic");
    });
}

#[test]
fn models_read_side_by_side_are_ones_that_were_published() {
    explore(|| {
        let slab = SmallSlab::new();
        // A taken slot does not promise a record yet.
        assert!(bitmap::take_lowest(&*slab).is_some());
        let producer = published_twice(&slab);
        let mut models = Models::new();
        read_models(&*slab, Method::SCALAR, |_| thread::yield_now(), &mut models);
        assert!(models
            .images()
            .all(|(_, read)| *read == image(1) || *read == image(2)));
        producer.join().expect("no panic");
    });
}

#[test]
fn a_deleted_model_never_shows_as_a_model_of_zeros() {
    explore(|| {
        let slab = SmallSlab::new();
        let slot = bitmap::take_lowest(&*slab).expect("a free slot");
        publish(&*slab, place::model(slot), &image(1));
        let producer = {
            let slab = Arc::clone(&slab);
            thread::spawn(move || {
                erase(&*slab, place::model(slot));
                bitmap::free(&*slab, slot);
            })
        };
        let mut models = Models::new();
        read_models(&*slab, Method::SCALAR, |_| thread::yield_now(), &mut models);
        assert!(models.images().all(|(_, read)| *read == image(1)));
        producer.join().expect("no panic");
    });
}

#[test]
fn two_threads_never_take_the_same_slot() {
    explore(|| {
        let slab = SmallSlab::new();
        let other = {
            let slab = Arc::clone(&slab);
            thread::spawn(move || bitmap::take_lowest(&*slab))
        };
        let mine = bitmap::take_lowest(&*slab);
        let other = other.join().expect("no panic");
        assert!(mine.is_some() && other.is_some() && mine != other);
    });
}

#[test]
fn whoever_sees_the_header_sees_what_was_written_before_it() {
    explore(|| {
        let slab = SmallSlab::new();
        let counter = nd_word(NdCounter::FEATURE_BITMAP);
        let producer = {
            let slab = Arc::clone(&slab);
            thread::spawn(move || {
                slab.store(counter, 7);
                header::commit(&*slab);
            })
        };
        if header::check(&*slab) {
            assert_eq!(slab.load(counter), 7);
        }
        producer.join().expect("no panic");
    });
}
