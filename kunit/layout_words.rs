// SPDX-License-Identifier: GPL-2.0
//! Header, model bitmap, packed versions and the hash, against the golden vectors.

#[kernel::macros::kunit_tests(nds_layout_words)]
mod tests {
    use crate::layout::{
        bitmap, hash, header, ModelSlot, PackedVersion, Slab, SlabRead, Version, WordIndex,
    };
    use crate::memory::TestSlab;
    use crate::tables::every;
    use crate::vectors::*;
    use kernel::prelude::*;

    #[test]
    fn the_header_is_one_word_of_signature_and_version() {
        assert_eq!(header::HEADER_WORD, HEADER_WORD);
        assert!(header::HEADER_WORD.to_le_bytes() == *HEADER_BYTES);
    }

    #[test]
    fn committing_the_header_stamps_its_word_and_nothing_else() -> Result {
        let slab = TestSlab::new()?;
        assert!(!header::check(&*slab));
        header::commit(&*slab);
        assert!(header::check(&*slab));
        let others = (1..).map_while(WordIndex::new);
        assert!(others.into_iter().all(|word| slab.load(word) == 0));
        Ok(())
    }

    #[test]
    fn any_other_header_word_is_an_unknown_layout() {
        assert!(!header::is_valid(0));
        for bit in 0..u64::BITS {
            assert!(!header::is_valid(HEADER_WORD ^ 1 << bit));
        }
    }

    #[test]
    fn the_lowest_clear_bit_is_the_slot_to_take() {
        assert!(every(BITMAP_EMPTY, |(bits, slot)| {
            bitmap::lowest_clear(*bits).map_or(-1, |slot| slot.get() as i32) == *slot
        }));
    }

    #[test]
    fn marking_a_slot_changes_its_bit() {
        assert!(every(BITMAP_MARK, |(before, slot, taken, after)| {
            ModelSlot::new(*slot).is_some_and(|slot| {
                let marked = bitmap::mark(*before, slot, *taken);
                marked == *after && bitmap::is_taken(marked, slot) == *taken
            })
        }));
    }

    #[test]
    fn taken_slots_come_in_ascending_order() {
        assert!(every(BITMAP_TAKEN, |(bits, slots)| {
            bitmap::taken(*bits)
                .map(ModelSlot::get)
                .eq(slots.iter().copied())
        }));
    }

    #[test]
    fn a_slab_gives_out_every_model_slot_once_and_a_freed_one_again() -> Result {
        let slab = TestSlab::new()?;
        for slot in ModelSlot::all() {
            assert!(bitmap::take_lowest(&*slab) == Some(slot));
        }
        assert!(bitmap::take_lowest(&*slab).is_none());
        let third = ModelSlot::new(2).ok_or(EINVAL)?;
        bitmap::free(&*slab, third);
        assert!(bitmap::take_lowest(&*slab) == Some(third));
        Ok(())
    }

    #[test]
    fn packed_versions_equal_the_vectors() {
        assert!(every(PACKED_VERSIONS, |(packed, word, triple)| {
            packed.to_word() == *word
                && PackedVersion::from_word(*word) == *packed
                && packed.version.encode() == *triple
                && Version::decode(triple) == packed.version
        }));
    }

    #[test]
    fn hashes_equal_the_vectors() {
        assert!(every(FNV_OF_BYTES, |(bytes, expected)| hash::fnv1a32(
            bytes
        ) == *expected));
        assert!(every(FNV_OF_SEQUENCES, |&(a, b, length, expected)| {
            let byte = |k: usize| (k as u8).wrapping_mul(a).wrapping_add(b);
            let next = |state, k| hash::fnv1a32_continue(state, &[byte(k)]);
            (0..length).fold(hash::FNV_BASIS, next) == expected
        }));
    }

    #[test]
    fn a_word_stored_is_a_word_loaded() -> Result {
        let slab = TestSlab::new()?;
        let word = WordIndex::MODEL_BITMAP;
        slab.store(word, u64::MAX);
        assert_eq!(slab.add(word, 2), u64::MAX);
        assert_eq!(slab.load(word), 1);
        assert_eq!(slab.sub(word, 2), 1);
        assert_eq!(slab.and(word, 0xf0), u64::MAX);
        assert_eq!(slab.or(word, 0x0f), 0xf0);
        assert_eq!(slab.compare_exchange(word, 0, 1), Err(0xff));
        assert_eq!(slab.compare_exchange(word, 0xff, 1), Ok(0xff));
        assert_eq!(slab.load(word), 1);
        Ok(())
    }
}
