// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counters of a slab as contiguous words, and adding them up.
//!
//! Owns the walk over the three bands. Each word is read once with a relaxed load; a producer may write meanwhile, and
//! different counters are not consistent with each other. What the words mean is in the catalogue of `nds-layout`,
//! what is added to what is decided by the callers.

use core::ops::BitOr;

use crate::layout::region::{
    EXT_NC_COUNTER_COUNT, NC_COUNTER_COUNT, REQUIRED_WORDS, TOTAL_NC_COUNTER_COUNT,
};
use crate::layout::{nc_word, nd_word, Core, NcCounter, NdCounter, SlabRead, WordIndex};

/// The 95 counters of one core, by counter number.
pub type NcRow = [u64; TOTAL_NC_COUNTER_COUNT];

/// Extended counters among those that posts need.
const HEAD_EXT: usize = 9;

/// How many counters of a core posts need. They are the first ones.
pub const HEAD: usize = NC_COUNTER_COUNT + HEAD_EXT;

/// The first counters of a core, by counter number.
pub type HeadRow = [u64; HEAD];

/// The 31 per-device counters, by counter number.
pub type NdRow = [u64; NdCounter::COUNT];

/// Reads the per-device counters.
pub(super) fn load_device<S: SlabRead>(slab: &S) -> NdRow {
    let mut row = [0; NdCounter::COUNT];
    for (counter, value) in NdCounter::all().zip(&mut row) {
        *value = slab.load(nd_word(counter));
    }
    row
}

/// Where the counters of a core are: its original ones, and its extended ones. Each half is contiguous for every core.
#[derive(Clone, Copy)]
pub(super) struct CoreWords {
    first: WordIndex,
    first_ext: WordIndex,
}

impl CoreWords {
    /// Those of that core.
    #[inline]
    pub(super) const fn of(core: Core) -> Self {
        const FIRST: NcCounter = NcCounter::TIME_IN_USE;
        const FIRST_EXT: NcCounter = NcCounter::HW_ERR_COLLECTIVES;
        const _: () = assert!(FIRST.index() == 0 && FIRST_EXT.index() == NC_COUNTER_COUNT);
        Self {
            first: nc_word(core, FIRST),
            first_ext: nc_word(core, FIRST_EXT),
        }
    }

    /// Adds the counters of a slab to `sums`, modulo 2^64. Gives the OR of the counters, so that 0 says: all are 0.
    pub(super) fn add<S: SlabRead>(self, slab: &S, sums: &mut NcRow) -> u64 {
        let Some((original, extended)) = split(sums) else {
            return 0;
        };
        add_one(slab, self.first, original) | add_one(slab, self.first_ext, extended)
    }

    /// As [`Self::add`] for four slabs, which is faster than one after the other. Once it is known that each slab has a
    /// counter that is not 0, its further counters are not ORed any more.
    pub(super) fn add_four<S: SlabRead>(self, slabs: [&S; 4], sums: &mut NcRow) -> [u64; 4] {
        let ([a, b, c, d], Some((original, extended))) = (slabs, split(sums)) else {
            return [0; 4];
        };
        let seen = add_four::<S, NC_COUNTER_COUNT, false>(a, b, c, d, self.first, original);
        if !seen.contains(&0) {
            sum_four(a, b, c, d, self.first_ext, extended);
            return seen;
        }
        let rest = add_four::<S, EXT_NC_COUNTER_COUNT, true>(a, b, c, d, self.first_ext, extended);
        core::array::from_fn(|slab| seen[slab] | rest[slab])
    }

    /// Adds the counters of a slab to `sums`, modulo 2^64, and the first of them to `head` too.
    pub(super) fn add_with_head<S: SlabRead>(self, slab: &S, sums: &mut NcRow, head: &mut HeadRow) {
        let mut walk = Walk {
            slab,
            next: self.first.get(),
            sums,
            head,
        };
        walk.add::<8, 8>();
        walk.add::<8, 8>();
        walk.add::<8, 8>();
        walk.add::<7, 7>();
        walk.next = self.first_ext.get();
        walk.add::<HEAD_EXT, HEAD_EXT>();
        walk.add::<19, 0>();
        walk.add::<18, 0>();
        walk.add::<18, 0>();
    }

    /// Adds the first counters of a slab to `head`, modulo 2^64.
    pub(super) fn add_head<S: SlabRead>(self, slab: &S, head: &mut HeadRow) {
        let mut walk = Walk {
            slab,
            next: self.first.get(),
            sums: head,
            head: &mut [],
        };
        walk.add::<16, 0>();
        walk.add::<15, 0>();
        walk.next = self.first_ext.get();
        walk.add::<HEAD_EXT, 0>();
    }
}

// The pieces above are whole halves.
const _: () =
    assert!(3 * 8 + 7 == NC_COUNTER_COUNT && HEAD_EXT + 19 + 2 * 18 == EXT_NC_COUNTER_COUNT);
const _: () = assert!(16 + 15 == NC_COUNTER_COUNT);

/// Sums of original and of extended counters.
type Halves<'a> = (
    &'a mut [u64; NC_COUNTER_COUNT],
    &'a mut [u64; EXT_NC_COUNTER_COUNT],
);

/// The halves of a row. The row has both, so there is always a result.
fn split(row: &mut NcRow) -> Option<Halves<'_>> {
    let (original, extended) = row.split_first_chunk_mut()?;
    Some((original, extended.first_chunk_mut()?))
}

/// The same number. The bound changes nothing, since callers ask for `N` words that exist, and lets the compiler see
/// that they do.
#[inline(always)]
const fn bounded<const N: usize>(first: usize) -> usize {
    let last = REQUIRED_WORDS.saturating_sub(N);
    if first < last {
        first
    } else {
        last
    }
}

/// The words `first..first + N`.
fn words<const N: usize>(first: WordIndex) -> impl Iterator<Item = WordIndex> {
    let first = bounded::<N>(first.get());
    (0..N).filter_map(move |nth| WordIndex::new(first.wrapping_add(nth)))
}

/// Adds `N` words of a slab to `sums`, modulo 2^64. Gives the OR of the words.
#[inline(never)]
fn add_one<S: SlabRead, const N: usize>(slab: &S, first: WordIndex, sums: &mut [u64; N]) -> u64 {
    let mut seen = 0;
    for (word, sum) in words::<N>(first).zip(sums) {
        let value = slab.load(word);
        seen |= value;
        *sum = sum.wrapping_add(value);
    }
    seen
}

/// Adds `N` words of each of four slabs to `sums`, modulo 2^64. Gives for each slab the OR of its words.
///
/// Four at a time, since then a sum is loaded and stored once for all of them. Four parameters and not inlined, since
/// then the compiler knows that where the slabs are does not change in the loop. `SPARSE`: most words are likely 0.
#[inline(never)]
fn add_four<S: SlabRead, const N: usize, const SPARSE: bool>(
    a: &S,
    b: &S,
    c: &S,
    d: &S,
    first: WordIndex,
    sums: &mut [u64; N],
) -> [u64; 4] {
    let mut seen = [0; 4];
    for (word, sum) in words::<N>(first).zip(sums) {
        let values = [a.load(word), b.load(word), c.load(word), d.load(word)];
        if SPARSE && values.into_iter().fold(0, BitOr::bitor) == 0 {
            continue;
        }
        seen = core::array::from_fn(|slab| seen[slab] | values[slab]);
        *sum = values.into_iter().fold(*sum, u64::wrapping_add);
    }
    seen
}

/// As [`add_four`] without the OR, which leaves room in the registers for several words in one turn of the loop.
#[inline(never)]
fn sum_four<S: SlabRead, const N: usize>(
    a: &S,
    b: &S,
    c: &S,
    d: &S,
    first: WordIndex,
    sums: &mut [u64; N],
) {
    const TURN: usize = 4;
    const { assert!(N % TURN == 0) };
    let first = bounded::<N>(first.get());
    let mut rest = sums.as_mut_slice();
    for number in 0..N / TURN {
        let Some(turn) = take_first::<TURN>(&mut rest) else {
            return;
        };
        let first = first.wrapping_add(number.wrapping_mul(TURN));
        for (nth, sum) in (0..TURN).zip(turn) {
            if let Some(word) = WordIndex::new(first.wrapping_add(nth)) {
                let values = [a.load(word), b.load(word), c.load(word), d.load(word)];
                *sum = values.into_iter().fold(*sum, u64::wrapping_add);
            }
        }
    }
}

/// A walk over the counters of one core in pieces. A piece is unrolled: the compiler does not do it by itself.
struct Walk<'a, S> {
    slab: &'a S,
    /// Number of the next word.
    next: usize,
    /// Sums of what comes next, modulo 2^64.
    sums: &'a mut [u64],
    /// Further sums of what comes next, as far as there are any.
    head: &'a mut [u64],
}

impl<S: SlabRead> Walk<'_, S> {
    /// Adds `N` words to the sums, and the first `H` of them to the head too.
    #[inline(always)]
    fn add<const N: usize, const H: usize>(&mut self) {
        let (Some(sums), Some(head)) = (
            take_first::<N>(&mut self.sums),
            take_first::<H>(&mut self.head),
        ) else {
            return;
        };
        let first = bounded::<N>(self.next);
        for (nth, sum) in (0..N).zip(sums) {
            if let Some(word) = WordIndex::new(first.wrapping_add(nth)) {
                let value = self.slab.load(word);
                *sum = sum.wrapping_add(value);
                if let Some(sum) = head.get_mut(nth) {
                    *sum = sum.wrapping_add(value);
                }
            }
        }
        self.next = self.next.wrapping_add(N);
    }
}

/// Takes the first `N` from the sums; nothing if there are fewer.
#[inline(always)]
#[allow(clippy::mut_mut, reason = "the slice itself is what changes")]
fn take_first<'a, const N: usize>(sums: &mut &'a mut [u64]) -> Option<&'a mut [u64; N]> {
    let (first, rest) = core::mem::take(sums).split_first_chunk_mut()?;
    *sums = rest;
    Some(first)
}
