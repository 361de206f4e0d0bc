// SPDX-License-Identifier: MIT OR Apache-2.0
//! Properties of the core over arbitrary inputs.

use neff_features::assemble::{assemble, Module};
use neff_features::attributes::{AttributeSet, ModuleAttribute, Value};
use neff_features::header::{
    Digest, HashTail, Header, PageHeader, ReadAs, RuntimeHeader, HEADER_SIZE,
};
use neff_features::log_line::{find, LogLine, Version, Wording};
use neff_features::{gate, Capability, FeatureMask};
use proptest::array::uniform;
use proptest::prelude::*;

fn masks() -> impl Strategy<Value = FeatureMask> {
    any::<u64>().prop_map(FeatureMask::new)
}

/// Every kind of digest; the tail only as reading would classify it.
fn digests(mask: FeatureMask, version_major: u64) -> impl Strategy<Value = Digest> {
    let tails = prop_oneof![
        Just([0; 16]),
        Just([b'0'; 16]),
        uniform::<_, 16>(any::<u8>()),
        Just(mirror(mask, version_major)),
    ];
    let md5 = (uniform(any::<u8>()), tails).prop_map(move |(md5, tail)| {
        Digest::Md5(md5, HashTail::classify(tail, mask, version_major))
    });
    let unknown = (uniform(any::<u8>()), 3u64..)
        .prop_map(|(hash, pkg_version)| Digest::Unknown { pkg_version, hash });
    prop_oneof![uniform(any::<u8>()).prop_map(Digest::Sha256), md5, unknown]
}

fn mirror(mask: FeatureMask, version_major: u64) -> [u8; 16] {
    let mut tail = [0; 16];
    tail[4..12].copy_from_slice(&mask.raw().to_le_bytes());
    tail[12..].copy_from_slice(&(version_major as u32).to_le_bytes());
    tail
}

prop_compose! {
    fn runtime_headers()(mask in masks(), version_major in prop_oneof![0u64..4, any::<u64>()])(
        digest in digests(mask, version_major),
        numbers in uniform::<_, 3>(any::<u64>()),
        words in uniform::<_, 3>(any::<u32>()),
        build_version in uniform(any::<u8>()),
        uuid in uniform(any::<u8>()),
        name in uniform(any::<u8>()),
        tpb_per_node in uniform(any::<u8>()),
        mask in Just(mask),
        version_major in Just(version_major),
    ) -> RuntimeHeader {
        RuntimeHeader {
            digest,
            header_size: numbers[0],
            data_size: numbers[1].max(1),
            version_major,
            version_minor: numbers[2],
            build_version,
            unused_0: words[0],
            uuid,
            name,
            requested_tpb_count: words[1],
            tpb_per_node,
            feature_bits: mask,
            vnc_size: words[2],
        }
    }
}

prop_compose! {
    fn page_headers()(
        numbers in uniform::<_, 4>(any::<u64>()),
        words in uniform::<_, 4>(any::<u32>()),
        feature_flags in masks(),
        uuid in uniform(any::<u8>()),
        filename in uniform(any::<u8>()),
        engine_present in uniform(any::<u8>()),
    ) -> PageHeader {
        PageHeader {
            version: numbers[0],
            header_size: numbers[1],
            section_flag: numbers[2],
            doc_major: words[0],
            feature_flags,
            schema_min: words[1],
            uuid,
            filename,
            doc_minor: words[2],
            engine_present,
            cc_field: numbers[3],
            arch_mode: words[3],
        }
    }
}

/// A module with the attributes of `ordinals`.
fn module(ordinals: u32, arch: i32, dve_perf_mode_disabled: bool, remote_update: bool) -> Module {
    let engaged = |attribute: &&ModuleAttribute| ordinals & (1 << attribute.ordinal()) != 0;
    let attributes: AttributeSet = ModuleAttribute::ALL
        .iter()
        .filter(engaged)
        .map(|&attribute| (attribute, Value::Bool(true)))
        .collect();
    Module {
        attributes,
        arch,
        dve_perf_mode_disabled,
        remote_update,
    }
}

fn is_subset(small: FeatureMask, large: FeatureMask) -> bool {
    small.without(large).is_empty()
}

proptest! {
    // Failures are reproduced from the printed input, not from a file.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reading_a_written_header_gives_it_back(
        header in prop_oneof![
            runtime_headers().prop_map(Header::Runtime),
            page_headers().prop_map(Header::Page),
        ],
    ) {
        prop_assert_eq!(Header::read(&header.write(), ReadAs::Auto), Ok(header));
    }

    #[test]
    fn a_dual_header_says_the_same_in_both_layouts(mask in masks(), schema in any::<u32>(), size in 1u64.., md5: [u8; 16]) {
        let block = RuntimeHeader::new(mask, schema.into(), size, md5).write();
        for read_as in [ReadAs::Auto, ReadAs::Runtime, ReadAs::Page] {
            let header = Header::read(&block, read_as).expect("whole header");
            prop_assert_eq!((header.mask(), header.schema_min()), (mask, schema.into()));
            prop_assert_eq!(header.fault(), None);
        }
    }

    #[test]
    fn any_1024_bytes_are_a_header_and_its_bits_all_survive(block in uniform::<_, HEADER_SIZE>(any::<u8>())) {
        for read_as in [ReadAs::Auto, ReadAs::Runtime, ReadAs::Page] {
            let header = Header::read(&block, read_as).expect("whole header");
            let at = header.layout().mask_offset();
            prop_assert_eq!(&header.mask().raw().to_le_bytes()[..], &block[at..at + 8]);
            let again = Header::read(&header.write(), read_as).expect("whole header");
            prop_assert_eq!(again, header);
        }
    }

    #[test]
    fn more_features_never_clear_a_bit_or_lower_the_schema(
        few: u32, more: u32, arch in 0i32..60, rise in 0i32..60, vnc in 0u32..4, cores in 0u32..4,
        disabled: bool, remote: bool, schema in 0u64..5,
    ) {
        let small = assemble(&module(few, arch, true, false), vnc, schema);
        let large = assemble(&module(few | more, arch + rise, disabled, remote), vnc + cores, schema);
        prop_assert!(is_subset(small.mask, large.mask));
        prop_assert!(schema <= small.schema_min && small.schema_min <= large.schema_min);
        prop_assert!(is_subset(large.mask, FeatureMask::ASSIGNED));
        prop_assert!(large.mask.is_empty() || large.schema_min >= 2);
        let names: Vec<_> = large.names().collect();
        prop_assert!(names.iter().copied().eq(large.mask.intersection(FeatureMask::NAMED).names()));
    }

    #[test]
    fn every_set_bit_is_listed_once_whether_assigned_or_not(mask in masks()) {
        let again = mask.bits().fold(FeatureMask::EMPTY, |sum, bit| sum.union(FeatureMask::of(bit)));
        prop_assert_eq!(again, mask);
        prop_assert_eq!(mask.labels().count(), mask.bits().count());
        prop_assert!(mask.unassigned().bits().all(|bit| mask.contains(bit)));
    }

    #[test]
    fn a_runtime_that_supports_more_accepts_no_less(mask in masks(), schema: u64, few in masks(), more in masks(), max: u64) {
        let small = gate(mask, schema, &Capability { supported: few, max_schema: max });
        let large = gate(mask, schema, &Capability { supported: few.union(more), max_schema: u64::MAX });
        prop_assert!(is_subset(large.unsupported, small.unsupported));
        prop_assert!(!small.accepted() || large.accepted());
        prop_assert_eq!(small.accepted(), small.reasons().next().is_none());
    }

    #[test]
    fn a_written_log_line_is_found_again(
        major: u64, minor: u64, features in masks(), supported in masks(), kind in 0..3, noise in "[^N]{0,40}",
    ) {
        let version = Version { major, minor };
        let line = match kind {
            0 => LogLine::Unsupported { wording: Wording::Old, version, features, supported },
            1 => LogLine::Unsupported { wording: Wording::New, version, features, supported },
            _ => LogLine::OutOfRange { version, min_major: minor, max_major: major },
        };
        let log = format!("{noise}{line} {noise}");
        prop_assert_eq!(find(&log).collect::<Vec<_>>(), vec![line]);
    }

    #[test]
    fn any_text_is_searched_without_a_panic(text in ".{0,200}", pieces in prop::collection::vec(0usize..6, 0..20)) {
        let words = ["NEFF ", "version:", "(version: 1.2", ", features: 0x1", " are not supported.", "\u{2003}"];
        let glued: String = pieces.iter().map(|&piece| words[piece]).collect();
        for text in [&text, &glued] {
            let count = find(text).count();
            prop_assert!(count <= text.matches("NEFF ").count());
        }
    }
}
