// SPDX-License-Identifier: MIT OR Apache-2.0
//! Page sets: their arithmetic against plain sets of numbers, and what a fault brings in.

use std::collections::BTreeSet;

use nds_core::pages::{PageSet, MAP_PAGES, PAGE_SIZE, SLAB_PAGES};
use proptest::prelude::*;

fn numbers(pages: PageSet) -> BTreeSet<usize> {
    pages
        .runs()
        .flat_map(|(first, count)| first..first + count)
        .collect()
}

fn set(numbers: &BTreeSet<usize>) -> PageSet {
    numbers.iter().fold(PageSet::EMPTY, |pages, &page| {
        pages.union(PageSet::single(page))
    })
}

fn any_pages() -> impl Strategy<Value = BTreeSet<usize>> {
    prop::collection::btree_set(0..SLAB_PAGES, 0..=SLAB_PAGES)
}

#[test]
fn a_slab_has_64_pages_and_its_defined_map_17() {
    assert_eq!((SLAB_PAGES, MAP_PAGES, PAGE_SIZE), (64, 17, 4096));
    assert_eq!(numbers(PageSet::MAP), (0..17).collect());
    assert_eq!(PageSet::MAP.bytes(), 69_632);
    assert_eq!(PageSet::range(0, SLAB_PAGES).bytes(), 262_144);
}

#[test]
fn no_page_is_no_run_and_no_byte() {
    assert!(PageSet::EMPTY.is_empty());
    assert_eq!(PageSet::EMPTY.runs().next(), None);
    assert_eq!(PageSet::EMPTY.bytes(), 0);
    assert_eq!(PageSet::default(), PageSet::EMPTY);
}

#[test]
fn a_page_past_the_slab_is_in_no_set() {
    for page in [SLAB_PAGES, SLAB_PAGES + 1, usize::MAX] {
        assert!(PageSet::single(page).is_empty());
        assert!(PageSet::around(page).is_empty());
        assert!(PageSet::range(page, usize::MAX).is_empty());
    }
}

#[test]
fn a_range_ends_with_the_slab() {
    assert_eq!(numbers(PageSet::range(62, 2)), BTreeSet::from([62, 63]));
    assert_eq!(numbers(PageSet::range(62, 3)), BTreeSet::from([62, 63]));
    assert_eq!(
        numbers(PageSet::range(63, usize::MAX)),
        BTreeSet::from([63])
    );
    assert_eq!(
        PageSet::range(0, usize::MAX).runs().collect::<Vec<_>>(),
        [(0, SLAB_PAGES)]
    );
}

#[test]
fn runs_come_in_ascending_order_and_never_touch() {
    let pages = PageSet::range(0, 2)
        .union(PageSet::range(3, 1))
        .union(PageSet::range(60, 4));
    assert_eq!(pages.runs().collect::<Vec<_>>(), [(0, 2), (3, 1), (60, 4)]);
}

#[test]
fn a_fault_in_the_defined_map_brings_all_of_it_and_elsewhere_one_page() {
    for page in 0..MAP_PAGES {
        assert_eq!(PageSet::around(page), PageSet::MAP, "page {page}");
    }
    for page in MAP_PAGES..SLAB_PAGES {
        assert_eq!(PageSet::around(page), PageSet::single(page), "page {page}");
    }
}

proptest! {
    #[test]
    fn a_set_is_what_was_put_together(expected in any_pages()) {
        prop_assert_eq!(numbers(set(&expected)), expected.clone());
        prop_assert_eq!(set(&expected).bytes(), (expected.len() * PAGE_SIZE) as u64);
        prop_assert_eq!(set(&expected).is_empty(), expected.is_empty());
    }

    #[test]
    fn union_and_intersection_are_those_of_sets(a in any_pages(), b in any_pages()) {
        prop_assert_eq!(numbers(set(&a).union(set(&b))), &a | &b);
        prop_assert_eq!(numbers(set(&a).intersection(set(&b))), &a & &b);
    }

    #[test]
    fn runs_are_maximal(pages in any_pages()) {
        let mut free_from = 0;
        for (first, count) in set(&pages).runs() {
            prop_assert!(count > 0 && (first == 0 || first > free_from));
            prop_assert!(!pages.contains(&(first + count)));
            free_from = first + count;
        }
    }

    #[test]
    fn a_range_has_its_pages_up_to_the_end_of_the_slab(first in 0usize..80, count in 0usize..80) {
        let expected = (first..first + count).filter(|&page| page < SLAB_PAGES).collect::<BTreeSet<_>>();
        prop_assert_eq!(numbers(PageSet::range(first, count)), expected);
    }
}
