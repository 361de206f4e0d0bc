// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rules that hold for all values, on random ones.

use crate::support::TestSlab;
use nds_layout::hash::{self, verify};
use nds_layout::place::{self, RecordPlace};
use nds_layout::publish::{erase, publish, read_once};
use nds_layout::record::{MemoryUsage, Model, TagPlacement};
use nds_layout::{
    bitmap, nc_word, nd_word, Core, ModelSlot, NcCounter, NdCounter, PackedVersion, ProcessInfo,
    ProcessInfoExt, Slab, SlabRead, Version, WordIndex,
};
use proptest::array::{uniform12, uniform16, uniform32};
use proptest::collection::vec;
use proptest::prelude::*;

fn versions() -> impl Strategy<Value = Version> {
    any::<(u8, u8, u32)>().prop_map(|(major, minor, build)| Version {
        major,
        minor,
        build,
    })
}

fn process_infos() -> impl Strategy<Value = ProcessInfo> {
    let versions = (versions(), versions(), versions());
    (any::<i8>(), uniform32(any::<u8>()), versions).prop_map(|(framework_type, tag, versions)| {
        ProcessInfo {
            framework_type,
            tag,
            framework_version: versions.0,
            fal_version: versions.1,
            runtime_version: versions.2,
        }
    })
}

fn texts<const L: usize>() -> impl Strategy<Value = [u8; L]> {
    vec(any::<u8>(), L).prop_map(|bytes| bytes.try_into().unwrap())
}

fn usages() -> impl Strategy<Value = [MemoryUsage; 12]> {
    uniform12(
        any::<(u64, u32)>().prop_map(|(total_size, chunk_count)| MemoryUsage {
            total_size,
            chunk_count,
        }),
    )
}

fn models() -> impl Strategy<Value = Model> {
    let identity = (
        any::<(u32, u32)>(),
        texts(),
        uniform16(any::<u8>()),
        any::<(u8, u8)>(),
    );
    (identity, usages(), usages()).prop_map(|((ids, name, uuid, indices), host, device)| Model {
        model_id: ids.0,
        model_node_id: ids.1,
        name,
        uuid,
        nc_index: indices.0,
        sg_index: indices.1,
        host_usage: host,
        device_usage: device,
    })
}

/// Damages byte `at` of a hashed image with `flip` and expects it to be refused.
fn refused_when_damaged(mut image: Vec<u8>, at: usize, flip: u8) -> Result<(), TestCaseError> {
    prop_assert_eq!(verify(&image), Ok(()));
    let at = at % image.len();
    image[at] ^= flip;
    prop_assert!(verify(&image).is_err(), "byte {}", at);
    Ok(())
}

/// Publishes an image, reads it back, erases it.
fn survives_a_slab<const N: usize>(
    place: RecordPlace<N>,
    image: [u8; N],
) -> Result<(), TestCaseError> {
    let slab = TestSlab::new();
    publish(&*slab, place, &image);
    prop_assert_eq!(read_once(&*slab, place), Ok(image));
    erase(&*slab, place);
    prop_assert!(slab.bytes().iter().all(|&byte| byte == 0));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn process_info_survives_encoding(info in process_infos()) {
        prop_assert_eq!(ProcessInfo::decode(&info.encode()), info);
    }

    #[test]
    fn a_tag_without_leading_nuls_is_never_taken_for_the_other_reading(
        mut info in process_infos(),
        first in 1..=u8::MAX,
    ) {
        info.tag[0] = first;
        let placed = (info, TagPlacement::Normal);
        prop_assert_eq!(ProcessInfo::decode_detecting_tag(&info.encode()), placed);
    }

    #[test]
    fn process_info_ext_survives_encoding(tag in texts()) {
        let info = ProcessInfoExt { tag };
        prop_assert_eq!(ProcessInfoExt::decode(&info.encode()), info);
    }

    #[test]
    fn model_survives_encoding(model in models()) {
        prop_assert_eq!(Model::decode(&model.encode()), model);
    }

    #[test]
    fn packed_version_survives_encoding(version in versions(), reserved: u16, word: u64) {
        let packed = PackedVersion { version, reserved };
        prop_assert_eq!(PackedVersion::from_word(packed.to_word()), packed);
        prop_assert_eq!(PackedVersion::from_word(word).to_word(), word);
    }

    #[test]
    fn damage_to_one_byte_never_verifies(
        info in process_infos(),
        tag in texts(),
        model in models(),
        at: usize,
        flip in 1..=u8::MAX,
    ) {
        refused_when_damaged(info.encode().to_vec(), at, flip)?;
        refused_when_damaged(ProcessInfoExt { tag }.encode().to_vec(), at, flip)?;
        refused_when_damaged(model.encode().to_vec(), at, flip)?;
    }

    #[test]
    fn any_bytes_decode_without_panic_and_keep_their_fields(image in texts::<672>()) {
        let model = Model::decode(&image);
        prop_assert_eq!(Model::decode(&model.encode()), model);
    }

    #[test]
    fn a_record_hash_is_that_of_the_image_with_its_hash_word_zero(image in vec(any::<u8>(), 4..700)) {
        let mut zeroed = image.clone();
        zeroed[..4].fill(0);
        prop_assert_eq!(hash::record_hash(&image), hash::fnv1a32(&zeroed));
    }

    #[test]
    fn indices_out_of_range_are_refused(core in 16u32.., counter in 95u32.., nd in 31u32.., slot in 64u32..) {
        prop_assert_eq!(Core::new(core), None);
        prop_assert_eq!(NcCounter::new(counter), None);
        prop_assert_eq!(NdCounter::new(nd), None);
        prop_assert_eq!(ModelSlot::new(slot), None);
    }

    #[test]
    fn negative_cores_are_refused(core in i32::MIN..0) {
        prop_assert_eq!(Core::from_i32(core), None);
    }

    #[test]
    fn a_counter_write_changes_its_own_word_only(core in 0u32..16, counter in 0u32..95, value: u64) {
        let slab = TestSlab::new();
        let word = nc_word(Core::new(core).unwrap(), NcCounter::new(counter).unwrap());
        slab.store(word, value);
        let written = slab.bytes();
        let own = word.byte_offset()..word.byte_offset() + 8;
        prop_assert_eq!(&written[own.clone()], value.to_le_bytes());
        let others = (0..).zip(&written).filter(|(at, _)| !own.contains(at));
        prop_assert!(others.map(|(_, byte)| byte).all(|&byte| byte == 0));
    }

    #[test]
    fn counters_wrap(nd in 0u32..31, start: u64, step: u64) {
        let (slab, word) = (TestSlab::new(), nd_word(NdCounter::new(nd).unwrap()));
        slab.store(word, start);
        prop_assert_eq!(slab.add(word, step), start);
        prop_assert_eq!(slab.load(word), start.wrapping_add(step));
        prop_assert_eq!(slab.sub(word, step), start.wrapping_add(step));
        prop_assert_eq!(slab.load(word), start);
    }

    #[test]
    fn records_survive_a_slab(info in process_infos(), tag in texts(), model in models(), slot in 0u32..64) {
        survives_a_slab(place::PROCESS_INFO, info.encode())?;
        survives_a_slab(place::PROCESS_INFO_EXT, ProcessInfoExt { tag }.encode())?;
        survives_a_slab(place::model(ModelSlot::new(slot).unwrap()), model.encode())?;
    }

    #[test]
    fn the_lowest_clear_bit_is_clear_and_all_below_are_set(bitmap: u64) {
        match bitmap::lowest_clear(bitmap) {
            Some(slot) => {
                prop_assert!(!bitmap::is_taken(bitmap, slot));
                let below = ModelSlot::all().take(slot.index());
                prop_assert!(below.into_iter().all(|slot| bitmap::is_taken(bitmap, slot)));
            }
            None => prop_assert_eq!(bitmap, u64::MAX),
        }
    }

    #[test]
    fn taken_slots_rebuild_the_bitmap(bitmap: u64) {
        let rebuilt = bitmap::taken(bitmap).fold(0, |map, slot| bitmap::mark(map, slot, true));
        prop_assert_eq!(rebuilt, bitmap);
    }

    #[test]
    fn a_word_number_is_accepted_exactly_inside_the_used_part(number: usize) {
        let in_slab = number % 40_000;
        for number in [number, in_slab] {
            let word = WordIndex::new(number);
            prop_assert_eq!(word.is_some(), number < 8400);
            prop_assert!(word.is_none_or(|word| word.get() == number));
        }
    }
}
