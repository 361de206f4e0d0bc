// SPDX-License-Identifier: MIT OR Apache-2.0
//! Slabs over mapped memory: what is accepted as one, and bulk copies.

use crate::support::{list, size, sized_image, vectors, TestSlab};
use nds_layout::publish::{publish, read_once};
use nds_layout::region::{REQUIRED_SIZE, REQUIRED_WORDS};
use nds_layout::{bitmap, header, place, RawSlab, ReadOnlySlab, Slab, SlabRead, WordIndex, RUNS};
use rustix::mm::{mmap, MapFlags, ProtFlags};
use std::fs::File;
use std::io::Write;
use std::ptr::{null_mut, NonNull};

#[test]
fn a_mapping_is_accepted_exactly_from_the_required_size_on() {
    let slab = TestSlab::new();
    for row in list(&vectors("open_gate")["rows"]) {
        // SAFETY: the memory of `slab` outlives both and has 256 KiB, the largest size in the vectors.
        let (writable, read_only) = unsafe {
            let (base, len) = (slab.base(), size(&row[0]));
            (RawSlab::new(base, len), ReadOnlySlab::read_only(base, len))
        };
        assert_eq!(Some(writable.is_some()), row[1].as_bool(), "{row}");
        assert_eq!(Some(read_only.is_some()), row[1].as_bool(), "{row}");
    }
}

#[test]
fn a_base_that_is_not_8_aligned_is_refused() {
    let slab = TestSlab::new();
    for shift in 1..8 {
        // SAFETY: the shifted range lies inside the memory of `slab`.
        let shifted = unsafe { RawSlab::new(slab.base().add(shift), REQUIRED_SIZE) };
        assert!(shifted.is_none(), "{shift}");
    }
}

/// Maps a file so that any write through the mapping is a fault, even one of the same value.
fn mapped_read_only(file: &File) -> NonNull<u8> {
    let (protection, flags) = (ProtFlags::READ, MapFlags::SHARED);
    // SAFETY: a new mapping at an address of the kernel's choice.
    let base = unsafe { mmap(null_mut(), REQUIRED_SIZE, protection, flags, file, 0) };
    NonNull::new(base.unwrap().cast()).unwrap()
}

#[test]
fn a_read_only_slab_never_writes() {
    let slab = TestSlab::new();
    header::commit(&*slab);
    let image = sized_image("process_info/a");
    publish(&*slab, place::PROCESS_INFO, &image);
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&slab.bytes()).unwrap();
    // SAFETY: the mapping is never undone.
    let mapped = unsafe { RawSlab::read_only(mapped_read_only(&file), REQUIRED_SIZE) }.unwrap();
    assert!(header::check(&mapped));
    assert_eq!(read_once(&mapped, place::PROCESS_INFO), Ok(image));
    assert_eq!(bitmap::load(&mapped), 0);
}

#[test]
fn a_bulk_copy_equals_single_loads_at_every_length() {
    let slab = TestSlab::new();
    for number in 0..REQUIRED_WORDS {
        slab.store(WordIndex::new(number).unwrap(), number as u64 + 1);
    }
    for len in (0..40).chain([REQUIRED_WORDS]) {
        for first in [0, 1, 31, REQUIRED_WORDS - 20, REQUIRED_WORDS - 1] {
            let mut copy = vec![u64::MAX; len];
            slab.copy_words(WordIndex::new(first).unwrap(), &mut copy);
            let expected = (first..first + len).map(|n| if n < REQUIRED_WORDS { n + 1 } else { 0 });
            assert!(
                copy.iter().map(|&word| word as usize).eq(expected),
                "{first} {len}"
            );
        }
    }
}

#[test]
fn the_default_bulk_copy_gives_the_same() {
    struct Counting;
    impl SlabRead for Counting {
        fn load(&self, word: WordIndex) -> u64 {
            word.get() as u64
        }
        fn load32(&self, _: nds_layout::place::Word32Index) -> u32 {
            0
        }
    }
    let mut copy = [u64::MAX; 4];
    Counting.copy_words(WordIndex::new(REQUIRED_WORDS - 2).unwrap(), &mut copy);
    assert_eq!(
        copy,
        [REQUIRED_WORDS as u64 - 2, REQUIRED_WORDS as u64 - 1, 0, 0]
    );
}

#[test]
fn a_run_can_be_copied_whole() {
    let slab = TestSlab::new();
    for run in RUNS {
        slab.store(run.first_word, 7);
        let mut copy = vec![0; run.words()];
        slab.copy_words(run.first_word, &mut copy);
        assert_eq!(copy.iter().sum::<u64>(), 7);
    }
}
