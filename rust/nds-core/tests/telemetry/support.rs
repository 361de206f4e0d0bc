// SPDX-License-Identifier: MIT OR Apache-2.0
//! A slab with all its words, and worlds made of such slabs.

use std::cell::RefCell;

use crate::checks::world::{TestSlab, World};
use crate::layout::place::Word32Index;
use crate::layout::region::REQUIRED_WORDS;
use crate::layout::{SlabRead, WordIndex};
use crate::rules::{Snapshot, Telemetry};

/// A slab in memory that remembers how often each word was read.
pub(crate) struct DenseSlab {
    words: Vec<u64>,
    pub(crate) reads: RefCell<Vec<u32>>,
}

impl Default for DenseSlab {
    fn default() -> Self {
        Self {
            words: vec![0; REQUIRED_WORDS],
            reads: RefCell::new(vec![0; REQUIRED_WORDS]),
        }
    }
}

impl SlabRead for DenseSlab {
    fn load(&self, word: WordIndex) -> u64 {
        self.reads.borrow_mut()[word.get()] += 1;
        self.words[word.get()]
    }

    fn load32(&self, _word: Word32Index) -> u32 {
        panic!("records are nothing that a device adds up");
    }
}

impl TestSlab for DenseSlab {
    fn set(&mut self, word: WordIndex, value: u64) {
        self.words[word.get()] = value;
    }

    fn clear(&mut self) {
        self.words.fill(0);
    }
}

/// Runs a test on a device that nobody has used yet.
pub(crate) fn with_dense_world(test: impl FnOnce(&mut World<'_, DenseSlab>)) {
    let mut telemetry = Box::new(Telemetry::default());
    let mut snapshot = Box::new(Snapshot::new());
    test(&mut World::new(&mut telemetry, &mut snapshot));
}
