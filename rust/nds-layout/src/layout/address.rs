// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a checked index to a u64 word of the slab (layout reference section 5.3).
//!
//! Owns: the only functions that turn a core and a counter into an address, and the runs for walking many of them.
//! Does not own: access to the word (`slab`) or record places (`place`).
//!
//! | Band | Cores | Counters | Words a core |
//! |---|---|---|---|
//! | base | 0-3 | 0-30 | 31 |
//! | ext | 0-3 | 31-94 | 64 |
//! | data | 4-15 | 0-94 | 96, the last is dead |

use super::index::{Core, NcCounter, NdCounter};
use super::region::{
    BASE_CORE_COUNT, CORE_COUNT, EXTRA_CORE_COUNT, EXT_DATA_CORE_WORDS, EXT_NC_COUNTERS_START,
    EXT_NC_COUNTER_COUNT, EXT_NC_DATA_START, HEADER_START, MODEL_BITMAP_START, NC_COUNTERS_START,
    NC_COUNTER_COUNT, ND_COUNTERS_START, REQUIRED_WORDS, TOTAL_NC_COUNTER_COUNT, WORD,
};

/// A u64 word of the used part of a slab.
///
/// # Invariants
///
/// The number is below [`REQUIRED_WORDS`], so the word lies inside every accepted mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WordIndex(u16);

impl WordIndex {
    /// The header word.
    pub const HEADER: Self = Self::at_offset(HEADER_START);
    /// The model bitmap.
    pub const MODEL_BITMAP: Self = Self::at_offset(MODEL_BITMAP_START);

    /// Checks a word number; `None` past the used part of the slab.
    pub const fn new(number: usize) -> Option<Self> {
        if number < REQUIRED_WORDS {
            // INVARIANT: just checked; the bound fits u16 (asserted below).
            Some(Self(number as u16))
        } else {
            None
        }
    }

    /// The number of the word.
    pub const fn get(self) -> usize {
        self.0 as usize
    }

    /// Byte offset from the slab base.
    pub const fn byte_offset(self) -> usize {
        self.get() * WORD
    }

    /// The word at a constant byte offset.
    const fn at_offset(offset: usize) -> Self {
        // INVARIANT: called with region starts only.
        Self((offset / WORD) as u16)
    }

    /// The word `words` after this one. The caller keeps the invariant.
    const fn plus(self, words: usize) -> Self {
        Self(self.0.wrapping_add(words as u16))
    }
}

/// Which of the three counter bands holds a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Band {
    /// Cores 0-3, counters 0-30.
    Base,
    /// Cores 0-3, counters 31-94.
    Ext,
    /// Cores 4-15, counters 0-94.
    Data,
}

impl Band {
    /// The words of this band.
    pub const fn run(self) -> Run {
        match self {
            Self::Base => Run {
                band: self,
                first_word: WordIndex::at_offset(NC_COUNTERS_START),
                first_core: 0,
                cores: BASE_CORE_COUNT,
                first_counter: 0,
                counters: NC_COUNTER_COUNT,
                core_stride: NC_COUNTER_COUNT,
            },
            Self::Ext => Run {
                band: self,
                first_word: WordIndex::at_offset(EXT_NC_COUNTERS_START),
                first_core: 0,
                cores: BASE_CORE_COUNT,
                first_counter: NC_COUNTER_COUNT,
                counters: EXT_NC_COUNTER_COUNT,
                core_stride: EXT_NC_COUNTER_COUNT,
            },
            Self::Data => Run {
                band: self,
                first_word: WordIndex::at_offset(EXT_NC_DATA_START),
                first_core: BASE_CORE_COUNT,
                cores: EXTRA_CORE_COUNT,
                first_counter: 0,
                counters: TOTAL_NC_COUNTER_COUNT,
                core_stride: EXT_DATA_CORE_WORDS,
            },
        }
    }
}

/// A band as contiguous words, for walking all of its counters.
///
/// Core `first_core + n` starts at word `first_word + n * core_stride` and has `counters` words there, beginning with
/// counter `first_counter`. Words between `counters` and `core_stride` are dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Which band.
    pub band: Band,
    /// First word.
    pub first_word: WordIndex,
    /// Number of the first core.
    pub first_core: usize,
    /// Number of cores.
    pub cores: usize,
    /// Number of each core's first counter.
    pub first_counter: usize,
    /// Counters of each core.
    pub counters: usize,
    /// Words from one core to the next.
    pub core_stride: usize,
}

impl Run {
    /// Words of the whole run.
    pub const fn words(&self) -> usize {
        self.cores.saturating_mul(self.core_stride)
    }

    /// First word of one core's counters; `None` if the run does not hold the core.
    pub fn core_start(&self, core: Core) -> Option<WordIndex> {
        let nth = core.index().checked_sub(self.first_core)?;
        if nth >= self.cores {
            return None;
        }
        WordIndex::new(
            nth.checked_mul(self.core_stride)?
                .checked_add(self.first_word.get())?,
        )
    }
}

/// The three bands in address order.
pub const RUNS: [Run; 3] = [Band::Base.run(), Band::Ext.run(), Band::Data.run()];

/// Which band holds counter `counter` of core `core`.
pub const fn band_of(core: Core, counter: NcCounter) -> Band {
    if core.index() >= BASE_CORE_COUNT {
        Band::Data
    } else if counter.index() >= NC_COUNTER_COUNT {
        Band::Ext
    } else {
        Band::Base
    }
}

/// The word of counter `counter` of core `core`.
pub const fn nc_word(core: Core, counter: NcCounter) -> WordIndex {
    let run = band_of(core, counter).run();
    let row = core.index().wrapping_sub(run.first_core);
    let column = counter.index().wrapping_sub(run.first_counter);
    // INVARIANT: inside the band for every pair (all of them are asserted below).
    run.first_word
        .plus(row.wrapping_mul(run.core_stride).wrapping_add(column))
}

/// The word of a per-device counter.
pub const fn nd_word(counter: NdCounter) -> WordIndex {
    // INVARIANT: at most 31 words after the region's start.
    WordIndex::at_offset(ND_COUNTERS_START).plus(counter.index())
}

// Every address is inside its band, and consecutive counters of a core are consecutive words.
const _: () = {
    assert!(REQUIRED_WORDS <= u16::MAX as usize);
    let mut core = 0;
    while core < CORE_COUNT as u32 {
        let mut counter = 0;
        while counter < TOTAL_NC_COUNTER_COUNT as u32 {
            if let (Some(core), Some(counter)) = (Core::new(core), NcCounter::new(counter)) {
                let run = band_of(core, counter).run();
                let word = nc_word(core, counter).get();
                assert!(word >= run.first_word.get());
                assert!(word < run.first_word.get() + run.words());
                assert!(word < REQUIRED_WORDS);
            }
            counter += 1;
        }
        core += 1;
    }
    assert!(WordIndex::MODEL_BITMAP.byte_offset() == MODEL_BITMAP_START);
};
