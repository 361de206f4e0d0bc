// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counters of a slab as contiguous words, and adding them up.
//!
//! Owns the walk over the three bands. Each word is read once with a relaxed load; a producer may write meanwhile, and
//! different counters are not consistent with each other. What the words mean is in the catalogue of `nds-layout`,
//! what is added to what is decided by the callers.

use core::hint::black_box;

use crate::layout::region::{NC_COUNTER_COUNT, REQUIRED_WORDS, TOTAL_NC_COUNTER_COUNT};
use crate::layout::{nc_word, nd_word, Core, NcCounter, NdCounter, SlabRead, WordIndex};

/// The 95 counters of one core, by counter number.
pub type NcRow = [u64; TOTAL_NC_COUNTER_COUNT];

/// The 31 per-device counters, by counter number.
pub type NdRow = [u64; NdCounter::COUNT];

/// Words read in one turn of a loop: the compiler does not unroll loops of atomic loads by itself, and as many fit into
/// registers.
const UNROLL: usize = 8;

/// Reads `N` words, from word number `first` on.
#[inline(always)]
fn load<const N: usize>(slab: &impl SlabRead, first: usize) -> [u64; N] {
    // The bound changes nothing, and lets the compiler see that every word below exists.
    let first = first.min(REQUIRED_WORDS.saturating_sub(N));
    core::array::from_fn(|nth| {
        WordIndex::new(first.wrapping_add(nth)).map_or(0, |word| slab.load(word))
    })
}

/// Adds `values` to `sums`, modulo 2^64, as far as both go.
#[inline(always)]
fn add<const N: usize>(sums: &mut [u64], values: &[u64; N]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum = sum.wrapping_add(*value);
    }
}

/// Adds the words from `first` on to `sums`, modulo 2^64, and the first of them to `head` too. Gives the OR of all
/// words read, so that 0 says: all were zero.
#[inline(always)]
fn add_words(
    slab: &impl SlabRead,
    first: WordIndex,
    sums: &mut [u64],
    mut head: &mut [u64],
) -> u64 {
    let mut any = 0;
    let mut next = first.get();
    let mut chunks = sums.chunks_exact_mut(UNROLL);
    for chunk in &mut chunks {
        let values = load::<UNROLL>(slab, next);
        add(chunk, &values);
        head = add_head(head, &values);
        // Without the barrier the compiler keeps all words of a half in memory, to combine them at its end.
        any = black_box(values.iter().fold(any, |any, value| any | value));
        next = next.wrapping_add(UNROLL);
    }
    for sum in chunks.into_remainder() {
        let value = load::<1>(slab, next);
        add(core::slice::from_mut(sum), &value);
        head = add_head(head, &value);
        any |= value[0];
        next = next.wrapping_add(1);
    }
    any
}

/// Adds `values` to the start of `head`, and gives what comes after it.
#[inline(always)]
fn add_head<'a, const N: usize>(head: &'a mut [u64], values: &[u64; N]) -> &'a mut [u64] {
    let (chunk, rest) = head.split_at_mut(head.len().min(N));
    match chunk.first_chunk_mut::<N>() {
        Some(whole) => add(whole, values),
        None => add(chunk, values),
    }
    rest
}

/// First word of a core's original counters, and of its extended ones. Each half is contiguous for every core.
const fn halves(core: Core) -> (WordIndex, WordIndex) {
    const FIRST: NcCounter = NcCounter::TIME_IN_USE;
    const FIRST_EXT: NcCounter = NcCounter::HW_ERR_COLLECTIVES;
    const _: () = assert!(FIRST.index() == 0 && FIRST_EXT.index() == NC_COUNTER_COUNT);
    (nc_word(core, FIRST), nc_word(core, FIRST_EXT))
}

/// Adds the counters of one core to `sums`, modulo 2^64. Gives the OR of all of them.
pub fn add_core(slab: &impl SlabRead, core: Core, sums: &mut NcRow) -> u64 {
    add_core_and_head(slab, core, sums, &mut [])
}

/// As [`add_core`], and adds the first counters to `head` too.
#[inline(always)]
pub(super) fn add_core_and_head(
    slab: &impl SlabRead,
    core: Core,
    sums: &mut [u64],
    head: &mut [u64],
) -> u64 {
    let (first, first_ext) = halves(core);
    let (original, extended) = split(sums);
    let (head, head_ext) = split(head);
    add_words(slab, first, original, head) | add_words(slab, first_ext, extended, head_ext)
}

/// Parts original counters from extended ones.
#[inline(always)]
fn split(counters: &mut [u64]) -> (&mut [u64], &mut [u64]) {
    let original = counters.len().min(NC_COUNTER_COUNT);
    counters.split_at_mut(original)
}

/// Reads the per-device counters.
pub fn load_device(slab: &impl SlabRead) -> NdRow {
    load(slab, nd_word(NdCounter::RUNTIME_VERSION).get())
}
