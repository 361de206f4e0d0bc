// SPDX-License-Identifier: GPL-2.0
//! Slot numbers, cookies, page sets, and the memory of slabs itself.

#[kernel::macros::kunit_tests(nds_slots_names)]
mod tests {
    use crate::layout::{Slab, SlabRead, WordIndex, SLAB_SIZE};
    use crate::memory::{first_slot, writable};
    use crate::rules::pages::{PageSet, MAP_PAGES, PAGE_SIZE, SLAB_PAGES};
    use crate::rules::slot::SlotSet;
    use crate::rules::{Cookie, Generation, Refusal, Slot, Statistics, SLOTS};
    use crate::slab::Slabs;
    use kernel::error::Result;

    #[test]
    fn a_slot_number_is_0_to_15() {
        assert!(Slot::all().map(Slot::index).eq(0..16));
        assert!(Slot::new(16).is_none());
        assert!(Slot::new(u64::MAX).is_none());
    }

    #[test]
    fn a_slot_set_has_what_was_put_in_and_not_taken_out() {
        let mut set = SlotSet::EMPTY;
        Slot::all().for_each(|slot| set.insert(slot));
        Slot::all().step_by(2).for_each(|slot| set.remove(slot));
        assert!(set.iter().map(Slot::index).eq((1..16).step_by(2)));
        assert_eq!(set.complement().iter().count(), 8);
    }

    #[test]
    fn a_cookie_is_generation_and_slot_above_the_offset_in_a_slab() -> Result {
        let slot = first_slot()?;
        let first = Cookie {
            slot,
            generation: Generation::FIRST,
        };
        assert_eq!(first.offset(), 1 << 22);
        assert_eq!(Cookie::from_offset(1 << 22), Some(first));
        assert_eq!(Cookie::from_offset(1 << 22 | 1), None);
        assert_eq!(Cookie::containing(1 << 22 | 1), Some(first));
        for offset in [0, (1 << 22) - SLAB_SIZE as u64, 1 << 63, u64::MAX] {
            assert_eq!(Cookie::from_offset(offset), None);
        }
        Ok(())
    }

    #[test]
    fn generations_end_where_a_file_offset_does() {
        let last = Generation::new(Generation::LAST);
        assert!(last.is_some_and(|last| last.next().is_none()));
        assert!(Generation::new(Generation::LAST + 1).is_none());
        assert!(Generation::new(0).is_none());
        let highest = Slot::all().last().zip(last);
        let offset = highest.map(|(slot, generation)| Cookie { slot, generation }.offset());
        assert_eq!(offset, Some(i64::MAX as u64 - SLAB_SIZE as u64 + 1));
    }

    #[test]
    fn runs_of_a_page_set_are_maximal_and_ascend() {
        let pages = PageSet::range(0, 2)
            .union(PageSet::single(3))
            .union(PageSet::range(60, 9));
        assert!(pages.runs().eq([(0, 2), (3, 1), (60, 4)]));
        assert!(PageSet::range(0, SLAB_PAGES).runs().eq([(0, SLAB_PAGES)]));
        assert!(PageSet::EMPTY.runs().next().is_none());
        assert_eq!(pages.bytes(), (7 * PAGE_SIZE) as u64);
    }

    #[test]
    fn a_range_of_pages_ends_with_the_slab() {
        for first in 0..2 * SLAB_PAGES {
            for count in [0, 1, 2, SLAB_PAGES, usize::MAX] {
                let last = first.saturating_add(count).min(SLAB_PAGES);
                let expected = (first < last).then(|| (first, last - first));
                assert_eq!(PageSet::range(first, count).runs().next(), expected);
            }
        }
        assert_eq!(PageSet::range(0, MAP_PAGES), PageSet::MAP);
    }

    #[test]
    fn every_refusal_is_counted_under_its_reason() {
        let mut statistics = Statistics::new();
        for (before, reason) in Refusal::ALL.into_iter().enumerate() {
            assert_eq!(statistics.refused(reason), 0);
            statistics.refuse(reason);
            assert_eq!(statistics.refused(reason), 1);
            assert_eq!(statistics.refusals.iter().sum::<u64>(), before as u64 + 1);
        }
    }

    #[test]
    fn new_slabs_are_zero() -> Result {
        let slabs = Slabs::new()?;
        for slot in Slot::all() {
            let mut words = (0..).map_while(WordIndex::new);
            assert!(words.all(|word| slabs.words(slot).load(word) == 0));
        }
        Ok(())
    }

    #[test]
    fn no_two_pages_of_a_device_are_one_frame() -> Result {
        let slabs = Slabs::new()?;
        let frame = |page: usize| {
            let slot = Slot::new((page / SLAB_PAGES) as u64)?;
            slabs.frames(slot, page % SLAB_PAGES, 1).first().copied()
        };
        assert!(frame(SLOTS * SLAB_PAGES - 1).is_some());
        for page in 1..SLOTS * SLAB_PAGES {
            assert!((0..page).all(|earlier| frame(earlier) != frame(page)));
        }
        Ok(())
    }

    #[test]
    fn zeroing_reaches_the_named_pages_of_the_named_slab_only() -> Result {
        let slabs = Slabs::new()?;
        for slot in Slot::all().take(2) {
            let slab = writable(&slabs, slot)?;
            (0..)
                .map_while(WordIndex::new)
                .for_each(|word| slab.store(word, 7));
        }
        slabs.zero(
            first_slot()?,
            PageSet::range(1, 2).union(PageSet::single(16)),
        );
        for (nth, slot) in Slot::all().take(2).enumerate() {
            for word in (0..).map_while(WordIndex::new) {
                let zeroed = nth == 0 && matches!(word.byte_offset() / PAGE_SIZE, 1 | 2 | 16);
                let expected = if zeroed { 0 } else { 7 };
                assert_eq!(slabs.words(slot).load(word), expected);
            }
        }
        Ok(())
    }
}
