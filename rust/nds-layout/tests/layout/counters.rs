// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counter numbers and their addresses.

use crate::support::{list, number32, size, text, vectors};
use nds_layout::region::{CORE_COUNT, TOTAL_NC_COUNTER_COUNT};
use nds_layout::{
    band_of, nc_word, nd_word, Band, Core, ModelSlot, NcCounter, NdCounter, WordIndex, RUNS,
};
use std::collections::{BTreeSet, HashSet};

fn pairs() -> impl Iterator<Item = (Core, NcCounter)> {
    Core::all().flat_map(|core| NcCounter::all().map(move |counter| (core, counter)))
}

#[test]
fn every_nd_counter_lies_where_the_vectors_say() {
    let rows = list(&vectors("nd_counters")["rows"]);
    assert_eq!(rows.len(), NdCounter::COUNT);
    for row in rows {
        let counter = NdCounter::new(number32(&row[0])).unwrap();
        let word = nd_word(counter);
        assert_eq!(word.get(), size(&row[1]), "{row}");
        assert_eq!(word.byte_offset(), size(&row[2]), "{row}");
        assert_eq!(counter.info().is_named(), !row[3].is_null(), "{row}");
        if let Some(name) = row[3].as_str() {
            assert_eq!(counter.info().name, name);
        }
    }
}

#[test]
fn every_nc_counter_lies_where_the_vectors_say() {
    let rows = list(&vectors("nc_counters")["rows"]);
    assert_eq!(rows.len(), CORE_COUNT * TOTAL_NC_COUNTER_COUNT);
    for row in rows {
        let core = Core::new(number32(&row[0])).unwrap();
        let counter = NcCounter::new(number32(&row[1])).unwrap();
        let band = match band_of(core, counter) {
            Band::Base => "base",
            Band::Ext => "ext",
            Band::Data => "data",
        };
        assert_eq!(band, text(&row[2]), "{row}");
        let word = nc_word(core, counter);
        assert_eq!(word.get(), size(&row[3]), "{row}");
        assert_eq!(word.byte_offset(), size(&row[4]), "{row}");
    }
}

#[test]
fn no_two_counters_share_a_word() {
    let nd = NdCounter::all().map(nd_word);
    let words: HashSet<WordIndex> = nd.chain(pairs().map(|(c, k)| nc_word(c, k))).collect();
    let counters = NdCounter::COUNT + CORE_COUNT * TOTAL_NC_COUNTER_COUNT;
    assert_eq!(words.len(), counters);
}

#[test]
fn invalid_nd_counters_are_refused() {
    for entry in list(vectors("nd_invalid")) {
        assert_eq!(NdCounter::new(number32(&entry["index"])), None, "{entry}");
    }
}

#[test]
fn invalid_pairs_are_refused() {
    for entry in list(vectors("nc_invalid")) {
        let core = Core::from_i32(entry["core"].as_i64().unwrap() as i32);
        let counter = NcCounter::new(entry["counter"].as_i64().unwrap() as u32);
        assert!(core.is_none() || counter.is_none(), "{entry}");
    }
}

#[test]
fn an_index_exists_exactly_below_its_count() {
    assert_eq!(
        Core::all().map(Core::get).collect::<Vec<_>>(),
        (0..16).collect::<Vec<_>>()
    );
    assert_eq!(NcCounter::all().len(), 95);
    assert_eq!(NdCounter::all().len(), 31);
    assert_eq!(ModelSlot::all().len(), 64);
    assert_eq!(Core::new(15).map(Core::index), Some(15));
    assert_eq!(Core::new(16), None);
    assert_eq!(Core::from_i32(15), Core::new(15));
    assert_eq!(Core::from_i32(16), None);
    assert_eq!(Core::from_i32(-1), None);
    assert_eq!(ModelSlot::new(64), None);
    assert_eq!(NcCounter::new(u32::MAX), None);
}

#[test]
fn the_runs_hold_every_counter_once_and_the_dead_words() {
    let mut seen = BTreeSet::new();
    for run in &RUNS {
        for core in Core::all().filter_map(|core| Some((core, run.core_start(core)?))) {
            let (core, start) = core;
            let counters = NcCounter::all().skip(run.first_counter).take(run.counters);
            for (counter, word) in counters.zip(start.get()..) {
                assert_eq!(band_of(core, counter), run.band);
                assert_eq!(nc_word(core, counter).get(), word);
                assert!(seen.insert((core, counter)));
            }
        }
    }
    assert_eq!(seen.len(), pairs().count());
    let words: usize = RUNS.iter().map(|run| run.words()).sum();
    assert_eq!(
        words - seen.len(),
        12,
        "one dead word for each core of the data band"
    );
}

#[test]
fn a_run_knows_only_its_own_cores() {
    let cores = |band: Band| {
        let run = band.run();
        Core::all().filter(move |&core| run.core_start(core).is_some())
    };
    assert!(cores(Band::Base).map(Core::get).eq(0..4));
    assert!(cores(Band::Ext).map(Core::get).eq(0..4));
    assert!(cores(Band::Data).map(Core::get).eq(4..16));
}

#[test]
fn an_unchecked_resolver_would_have_hit_somebody_else() {
    // The reason for the checks: each of these places belongs to another counter or is dead.
    for entry in list(vectors("nc_invalid")) {
        if entry["unchecked_offset"].is_u64() {
            let word = WordIndex::new(size(&entry["unchecked_offset"]) / 8);
            let owner = pairs().find(|&(c, k)| Some(nc_word(c, k)) == word);
            let hits = text(&entry["unchecked_hits"]);
            assert_eq!(owner.is_some(), hits.starts_with("core"), "{entry}");
        }
    }
}
