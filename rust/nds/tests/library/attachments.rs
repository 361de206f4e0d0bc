// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an attachment is in memory: permissions, size, foreign mappings, slab images in files.

use std::fs;
use std::io::Write;

use nds::layout::{REQUIRED_SIZE, SLAB_SIZE};
use nds::{Access, Core, EmulatedDevice, Error, NcCounter, Producer, Reader, SlabMapping};

use crate::support::{header_of, TestSlab};

/// Permissions of the mapping at an address, such as `rw-s`.
fn permissions(address: usize) -> String {
    let maps = fs::read_to_string("/proc/self/maps").expect("the mappings of this process");
    let line = maps
        .lines()
        .find(|line| line.starts_with(&format!("{address:x}-")));
    let mut fields = line.expect("a mapping starts here").split_whitespace();
    fields.nth(1).expect("permissions").to_owned()
}

#[test]
fn readers_map_without_write_permission_and_producers_with_it() {
    let device = EmulatedDevice::new().expect("memory");
    let own = device.process(1).open().map_own().expect("a free slab");
    let producer_side = permissions(own.base().as_ptr() as usize);
    let monitor = device.process(2).open();
    let theirs = monitor.map_process(1).expect("the slab of process 1");
    assert_eq!(producer_side, "rw-s");
    assert_eq!(permissions(theirs.base().as_ptr() as usize), "r--s");
    assert_eq!((own.size(), theirs.size()), (SLAB_SIZE, SLAB_SIZE));
}

#[test]
fn a_dropped_mapping_is_gone() {
    let device = EmulatedDevice::new().expect("memory");
    let mapping = device.process(1).open().map_own().expect("a free slab");
    let range = format!("{:x}-", mapping.base().as_ptr() as usize);
    drop(mapping);
    let maps = fs::read_to_string("/proc/self/maps").expect("the mappings of this process");
    assert!(!maps.lines().any(|line| line.starts_with(&range)));
}

#[test]
fn a_foreign_mapping_must_hold_the_layout() {
    let slab = TestSlab::new();
    for (size, accepted) in [
        (0, false),
        (REQUIRED_SIZE - 1, false),
        (REQUIRED_SIZE, true),
    ] {
        // SAFETY: the slab is larger, and outlives the mapping.
        let mapping = unsafe { SlabMapping::from_raw(slab.base(), size, Access::ReadWrite) };
        assert_eq!(mapping.is_ok(), accepted, "{size} bytes");
        assert!(
            accepted || matches!(mapping, Err(Error::MapTooSmall { size: told }) if told == size)
        );
    }
}

#[test]
fn a_producer_over_a_foreign_mapping_stamps_it_and_leaves_it() {
    let slab = TestSlab::new();
    let producer = Producer::new(slab.mapping(Access::ReadWrite)).expect("writable");
    producer.add_nc(Core::new(1).expect("a core"), NcCounter::OOB, 2);
    drop(producer);
    assert_eq!(header_of(&*slab), nds::layout::header::HEADER_WORD);
    let reader = Reader::new(slab.mapping(Access::ReadOnly)).expect("stamped");
    assert_eq!(reader.nc(Core::new(1).expect("a core"), NcCounter::OOB), 2);
}

#[test]
fn a_producer_needs_a_writable_mapping() {
    let slab = TestSlab::new();
    let error = Producer::new(slab.mapping(Access::ReadOnly)).expect_err("read-only");
    assert!(matches!(error, Error::ReadOnlyMapping));
    assert_eq!(header_of(&*slab), 0, "nothing was written");
}

#[test]
fn a_slab_image_in_a_file_can_be_read() {
    let slab = TestSlab::new();
    let producer = Producer::new(slab.mapping(Access::ReadWrite)).expect("writable");
    producer.add_nc(Core::new(9).expect("a core"), NcCounter::MAC_COUNT, 11);
    let bytes: Vec<u8> = slab
        .words()
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    let mut file = tempfile::tempfile().expect("a scratch file");
    file.write_all(&bytes[..REQUIRED_SIZE]).expect("written");
    let reader = Reader::new(SlabMapping::of_file(&file, 0).expect("mapped")).expect("stamped");
    assert_eq!(
        reader.nc(Core::new(9).expect("a core"), NcCounter::MAC_COUNT),
        11
    );
}

#[test]
fn a_file_that_is_too_short_or_wrongly_placed_is_refused() {
    let file = tempfile::tempfile().expect("a scratch file");
    file.set_len(SLAB_SIZE as u64).expect("room");
    let of = |offset| SlabMapping::of_file(&file, offset).expect_err("no image there");
    assert!(matches!(
        of(SLAB_SIZE as u64 - 4096),
        Error::MapTooSmall { size: 4096 }
    ));
    assert!(matches!(of(u64::MAX), Error::MapTooSmall { size: 0 }));
    assert!(matches!(of(1), Error::Image(_)));
}
