// SPDX-License-Identifier: GPL-2.0
//! The golden vectors of the layout. Made by `scripts/kunit-vectors`; never edit this by hand.

use crate::{
    layout::{PackedVersion, Version},
    tables::{Counter, Fields, Image, Kind, Op, Record, Struct, Verdict},
};

#[rustfmt::skip]
pub(crate) const CONSTANTS: &[(&str, u64)] = &[
    ("slab_size", 262144), ("required_size", 67200), ("open_gate_min_size", 67200), ("tail_size", 194944),
    ("format_version", 100000), ("nd_counter_count", 31), ("nd_counter_named", 14), ("nc_counter_count", 31),
    ("ext_nc_counter_count", 64), ("ext_nc_counter_named", 10), ("total_nc_counter_count", 95),
    ("base_core_count", 4), ("extra_core_count", 12), ("core_count", 16), ("ext_data_stride_words", 96),
    ("ext_alignment", 64), ("ext_offset_old", 44588), ("ext_nc_counter_count_old", 65),
    ("total_nc_counter_count_old", 96), ("ext_counters_size_old", 2080), ("ext_data_size_old", 9216),
    ("ext_section_size_old", 11296), ("ext_unaligned", 55884), ("ext_offset", 55936), ("ext_gap_size", 11348),
    ("model_slots", 64), ("model_record_size", 672), ("process_info_record_size", 64),
    ("process_info_ext_record_size", 260), ("mem_usage_locations", 2), ("mem_usage_slots", 12),
    ("fnv_basis", 2166136261), ("fnv_prime", 16777619), ("header_retry_us", 500), ("record_retry_us", 200),
    ("max_record_reads", 2), ("max_header_reads", 2),
];

#[rustfmt::skip]
pub(crate) const REGIONS: &[(&str, usize, usize, bool)] = &[
    ("header", 0, 8, false), ("nd_counters", 8, 248, false), ("nc_counters", 256, 992, false),
    ("process_info", 1248, 64, true), ("model_bitmap", 1312, 8, false), ("model_records", 1320, 43008, true),
    ("process_info_ext", 44328, 260, true), ("legacy_ext_and_pad", 44588, 11348, false),
    ("ext_nc_counters", 55936, 2048, false), ("ext_nc_data", 57984, 9216, false), ("tail", 67200, 194944, false),
];

#[rustfmt::skip]
pub(crate) const ALIGNMENT: &[(&str, usize, usize)] = &[
    ("header", 0, 4096), ("nd_counters", 8, 8), ("nc_counters", 256, 256), ("process_info", 1248, 32),
    ("model_bitmap", 1312, 32), ("model_records", 1320, 8), ("process_info_ext", 44328, 8),
    ("ext_offset_old", 44588, 4), ("ext_nc_counters", 55936, 128), ("ext_nc_data", 57984, 128),
    ("required_size", 67200, 128),
];

#[rustfmt::skip]
pub(crate) const STRUCTS: &[Struct] = &[
    Struct { name: "nds_header", size: 8, align: 4, offsets: &[0, 4] },
    Struct { name: "nds_mem_usage_info", size: 16, align: 8, offsets: &[0, 8] },
    Struct { name: "nds_model_node_info", size: 284, align: 4, offsets: &[0, 4, 8, 264, 280, 281] },
    Struct { name: "nds_model_node_mem_usage_info", size: 384, align: 8, offsets: &[0] },
    Struct { name: "nds_version_info", size: 8, align: 4, offsets: &[0, 1, 4] },
    Struct { name: "nds_process_info", size: 60, align: 4, offsets: &[0, 1, 36, 44, 52] },
    Struct { name: "nds_process_info_ext", size: 256, align: 1, offsets: &[0] },
    Struct { name: "nds_model_node_data_internal", size: 672, align: 8, offsets: &[0, 4, 288] },
    Struct { name: "nds_process_info_internal", size: 64, align: 4, offsets: &[0, 4] },
    Struct { name: "nds_process_info_ext_internal", size: 260, align: 4, offsets: &[0, 4] },
];

/// The bytes of a record that fields cover, each run as (start, end).
#[rustfmt::skip]
pub(crate) const WIRE_FIELDS: &[(Kind, &[(usize, usize)])] = &[
    (Kind::ProcessInfo, &[(0, 37), (40, 42), (44, 50), (52, 58), (60, 64)]), (Kind::ProcessInfoExt, &[(0, 260)]),
    (Kind::Model, &[(0, 286), (288, 300), (304, 316), (320, 332), (336, 348), (352, 364), (368, 380), (384, 396), (400, 412), (416, 428), (432, 444), (448, 460), (464, 476), (480, 492), (496, 508), (512, 524), (528, 540), (544, 556), (560, 572), (576, 588), (592, 604), (608, 620), (624, 636), (640, 652), (656, 668)]),
];

#[rustfmt::skip]
pub(crate) const OPEN_GATE: &[(usize, bool)] = &[
    (0, false), (1, false), (4096, false), (65536, false), (67198, false), (67199, false), (67200, true),
    (67201, true), (69632, true), (262144, true),
];

#[rustfmt::skip]
pub(crate) const ND_COUNTERS: &[(u32, usize, Option<&str>)] = &[
    (0, 8, Some("RUNTIME_VERSION")), (1, 16, Some("FRAMEWORK_VERSION")), (2, 24, Some("FAL_VERSION")),
    (3, 32, Some("FEATURE_BITMAP")), (4, 40, Some("MIN_NEFF_VERSION")), (5, 48, Some("MAX_NEFF_VERSION")),
    (6, 56, Some("MEM_USAGE_CODE_HOST")), (7, 64, Some("MEM_USAGE_TENSORS_HOST")),
    (8, 72, Some("MEM_USAGE_CONSTANTS_HOST")), (9, 80, Some("MEM_USAGE_SCRATCHPAD_HOST")),
    (10, 88, Some("MEM_USAGE_MISC_HOST")), (11, 96, Some("DYNAMIC_SYSFS_METRIC_BITMAP")),
    (12, 104, Some("DEVICE_CLUSTER_ID")), (13, 112, Some("AGG_NEFF_ID")), (14, 120, None), (15, 128, None),
    (16, 136, None), (17, 144, None), (18, 152, None), (19, 160, None), (20, 168, None), (21, 176, None),
    (22, 184, None), (23, 192, None), (24, 200, None), (25, 208, None), (26, 216, None), (27, 224, None),
    (28, 232, None), (29, 240, None), (30, 248, None),
];

/// A core, a counter of it, how many lie in consecutive words from there, and where the first lies.
#[rustfmt::skip]
pub(crate) const NC_COUNTERS: &[(u32, u32, u32, usize)] = &[
    (0, 0, 31, 256), (0, 31, 64, 55936), (1, 0, 31, 504), (1, 31, 64, 56448), (2, 0, 31, 752), (2, 31, 64, 56960),
    (3, 0, 31, 1000), (3, 31, 64, 57472), (4, 0, 95, 57984), (5, 0, 95, 58752), (6, 0, 95, 59520),
    (7, 0, 95, 60288), (8, 0, 95, 61056), (9, 0, 95, 61824), (10, 0, 95, 62592), (11, 0, 95, 63360),
    (12, 0, 95, 64128), (13, 0, 95, 64896), (14, 0, 95, 65664), (15, 0, 95, 66432),
];

#[rustfmt::skip]
pub(crate) const NC_NAMES: &[Option<&str>] = &[
    Some("TIME_IN_USE"), Some("INFER_COMPLETED"), Some("INFER_COMPLETED_WITH_ERR"),
    Some("INFER_COMPLETED_WITH_NUM_ERR"), Some("INFER_TIMED_OUT"), Some("INFER_INCORRECT_INPUT"),
    Some("INFER_FAILED_TO_QUEUE"), Some("ERR_GENERIC"), Some("ERR_NUMERICAL"), Some("ERR_MODEL"),
    Some("ERR_TRANSIENT"), Some("ERR_HW"), Some("ERR_RT"), Some("LATENCY_DEVICE"), Some("LATENCY_TOTAL"),
    Some("NC_TIME"), Some("GENERIC_FAIL"), Some("ERR_RESOURCE"), Some("ERR_RESOURCE_NC"), Some("ERR_INVALID"),
    Some("ERR_UNSUPPORTED_NEFF_VERSION"), Some("CC_TIME"), Some("MEM_USAGE_CODE_DEVICE"),
    Some("MEM_USAGE_TENSORS_DEVICE"), Some("MEM_USAGE_CONSTANTS_DEVICE"), Some("MEM_USAGE_SCRATCHPAD_DEVICE"),
    Some("MEM_USAGE_MISC_DEVICE"), Some("MODEL_LOAD_COUNT"), Some("INFERENCE_COUNT"), Some("MAC_COUNT"),
    Some("OOB"), Some("HW_ERR_COLLECTIVES"), Some("HW_ERR_HBM_UE"), Some("HW_ERR_NC_UE"), Some("HW_ERR_DMA_ABORT"),
    Some("ERR_SW_NQ_OVERFLOW"), Some("ERR_SW_SEMAPHORE_ERROR"), Some("ERR_SW_EVENT_ERROR"),
    Some("ERR_SW_PSUM_COLLISION"), Some("ERR_SW_SEQUENCER_FATAL"), Some("HW_ERR_REPAIRABLE_HBM_UE"), None, None,
    None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None,
    None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None,
    None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None,
];

#[rustfmt::skip]
pub(crate) const ND_INVALID: &[u32] = &[31, 32, 255, 2147483647, 4294967295];

#[rustfmt::skip]
pub(crate) const NC_INVALID: &[(i32, u32)] = &[
    (0, 95), (1, 95), (2, 95), (3, 95), (4, 95), (5, 95), (6, 95), (7, 95), (8, 95), (9, 95), (10, 95), (11, 95),
    (12, 95), (13, 95), (14, 95), (15, 95), (0, 96), (3, 127), (4, 96), (15, 96), (0, 2147483647), (0, 4294967295),
    (4, 4294967295), (16, 0), (17, 0), (31, 0), (255, 0), (256, 0), (2147483647, 0), (16, 95), (-1, 0), (-1, 31),
    (-4, 0), (-2147483648, 0),
];

#[rustfmt::skip]
pub(crate) const HEADER_BYTES: &[u8; 8] = b"nds\0\xa0\x86\x01\0";

#[rustfmt::skip]
pub(crate) const HEADER_WORD: u64 = 0x000186a00073646e;

#[rustfmt::skip]
pub(crate) const BITMAP_EMPTY: &[(u64, i32)] = &[
    (0x0000000000000000, 0), (0x0000000000000001, 1), (0x0000000000000003, 2), (0x0000000000000021, 1),
    (0x8000000000000021, 1), (0xfffffffffffffffe, 0), (0x7fffffffffffffff, 63), (0x00000000ffffffff, 32),
    (0xffffffff00000000, 0), (0x7ffffffffffffffe, 0), (0xffffffffffffffdf, 5), (0xfffffffeffffffff, 32),
    (0xffffffffffffffff, -1),
];

#[rustfmt::skip]
pub(crate) const BITMAP_MARK: &[(u64, u32, bool, u64)] = &[
    (0x0000000000000000, 0, true, 0x0000000000000001), (0x0000000000000000, 5, true, 0x0000000000000020),
    (0x0000000000000000, 31, true, 0x0000000080000000), (0x0000000000000000, 32, true, 0x0000000100000000),
    (0x0000000000000000, 63, true, 0x8000000000000000), (0x0000000000000001, 0, true, 0x0000000000000001),
    (0x0000000000000001, 0, false, 0x0000000000000000), (0x0000000000000000, 7, false, 0x0000000000000000),
    (0xffffffffffffffff, 0, false, 0xfffffffffffffffe), (0xffffffffffffffff, 31, false, 0xffffffff7fffffff),
    (0xffffffffffffffff, 32, false, 0xfffffffeffffffff), (0xffffffffffffffff, 63, false, 0x7fffffffffffffff),
    (0x0000000000000021, 63, true, 0x8000000000000021), (0x8000000000000021, 5, false, 0x8000000000000001),
];

#[rustfmt::skip]
pub(crate) const BITMAP_TAKEN: &[(u64, &[u32])] = &[
    (0x0000000000000000, &[]), (0x0000000000000001, &[0]), (0x0000000000000021, &[0, 5]),
    (0x8000000000000021, &[0, 5, 63]), (0x8000000000000000, &[63]),
    (0xffffffffffffffff, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63]),
];

/// A version, its counter word, and its triple in a record.
#[rustfmt::skip]
pub(crate) const PACKED_VERSIONS: &[(PackedVersion, u64, [u8; 8])] = &[
    (PackedVersion { version: Version { major: 2, minor: 31, build: 24 }, reserved: 0 }, 0x0000021f00000018, [0x02, 0x1f, 0x00, 0x00, 0x18, 0x00, 0x00, 0x00]),
    (PackedVersion { version: Version { major: 2, minor: 5, build: 1 }, reserved: 3 }, 0x0003020500000001, [0x02, 0x05, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00]),
    (PackedVersion { version: Version { major: 0, minor: 0, build: 0 }, reserved: 1 }, 0x0001000000000000, [0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00]),
    (PackedVersion { version: Version { major: 255, minor: 254, build: 4294967295 }, reserved: 65535 }, 0xfffffffeffffffff, [0xff, 0xfe, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff]),
    (PackedVersion { version: Version { major: 1, minor: 13, build: 4096 }, reserved: 0 }, 0x0000010d00001000, [0x01, 0x0d, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00]),
];

#[rustfmt::skip]
pub(crate) const FNV_OF_BYTES: &[(&[u8], u32)] = &[
    (b"", 0x811c9dc5), (b"a", 0xe40c292c), (b"b", 0xe70c2de5), (b"c", 0xe60c2c52), (b"d", 0xe10c2473),
    (b"e", 0xe00c22e0), (b"f", 0xe30c2799), (b"fo", 0x6222e842), (b"foo", 0xa9f37ed7), (b"foob", 0x3f5076ef),
    (b"fooba", 0x39aaa18a), (b"foobar", 0xbf9cf968), (b"\0", 0x050c5d1f), (b"a\0", 0x2b24d044),
    (b"foobar\0", 0x0c1c9eb8), (b"nds\0\xa0\x86\x01\0", 0x12204ccf),
];

/// `(a, b, length, hash)`: of `length` bytes of which byte k is a * k + b.
#[rustfmt::skip]
pub(crate) const FNV_OF_SEQUENCES: &[(u8, u8, usize, u32)] = &[
    (0, 0, 4, 0x4b95f515), (0, 0, 60, 0xf1fc1875), (0, 0, 64, 0xdfde6ac5), (0, 0, 256, 0xe6a1d1c5),
    (0, 0, 260, 0xc13a6915), (0, 0, 668, 0x4a1bdbf5), (0, 0, 672, 0x2516e645), (0, 0, 4096, 0x76efddc5),
    (1, 0, 256, 0x90a458c5), (0, 255, 672, 0x1bd64ba5), (7, 3, 672, 0x0803ef85),
];

#[rustfmt::skip]
pub(crate) const IMAGES: &[Image] = &[
    Image { id: "process_info/a", kind: Kind::ProcessInfo, verdict: Verdict::Valid, base: None, parts: &[(0, b" },\\\x03infer-7421"), (40, b"\x02\x05\0\0\x01\0\0\0\x01\x0d\0\0\0\x10\0\0\x02\x1f\0\0\x18")] },
    Image { id: "process_info/b", kind: Kind::ProcessInfo, verdict: Verdict::Valid, base: None, parts: &[(0, b"\x05\x19t\xe5\x02train-0099-retry"), (40, b"\x02\x12\0\0p\x11\x01\0\x01\x0e\0\0\x01\x10\0\0\x02\x1f\0\0\x19")] },
    Image { id: "process_info/min", kind: Kind::ProcessInfo, verdict: Verdict::Valid, base: None, parts: &[(0, b"\xc5j\xde\xdf")] },
    Image { id: "process_info/max", kind: Kind::ProcessInfo, verdict: Verdict::Valid, base: None, parts: &[(0, b"\x12c\xbe\x0d\xffTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT\0\0\0\0\xff\xff\0\0\xff\xff\xff\xff\xff\xfe\0\0\0\0\0\x80\x01\x02\0\0\x01\x02\x03\x04")] },
    Image { id: "process_info/unterminated", kind: Kind::ProcessInfo, verdict: Verdict::Valid, base: None, parts: &[(0, b"'\xbfQV\x010123456789abcdef0123456789ABCDEF"), (56, b"\x02\x1f\0\0\x18")] },
    Image { id: "process_info/hash_zero", kind: Kind::ProcessInfo, verdict: Verdict::Valid, base: None, parts: &[(4, b"\x01zero-hash-077f"), (56, b"\x02\x1f\0\0\0\0\xb3\xd0")] },
    Image { id: "process_info_ext/a", kind: Kind::ProcessInfoExt, verdict: Verdict::Valid, base: None, parts: &[(0, b"s\x13\xb8uinfer-7421 job=alpha rank=0 host=node-17")] },
    Image { id: "process_info_ext/b", kind: Kind::ProcessInfoExt, verdict: Verdict::Valid, base: None, parts: &[(0, b"8\x12\xaa\x8btrain-0099-retry job=beta step000;step001;step002;step003;step004;step005;step006;step007;step008;step009;step010;step011;step012;step013;step014;step015;step016;step017;step018;step019;step020;step021;step022;step023;step024;")] },
    Image { id: "process_info_ext/max", kind: Kind::ProcessInfoExt, verdict: Verdict::Valid, base: None, parts: &[(0, b"\xe3\xd9:\x050123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDE")] },
    Image { id: "process_info_ext/unterminated", kind: Kind::ProcessInfoExt, verdict: Verdict::Valid, base: None, parts: &[(0, b"\x15\xcb\x01sfedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210")] },
    Image { id: "model0/a", kind: Kind::Model, verdict: Verdict::Valid, base: None, parts: &[(0, b"\x0d\xa9\x80\x0e\x01\0\0\0\x01\0\0\0resnet50"), (269, b"\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\0\0\0\0\0\x10\0\0\0\0\0\0\x01"), (482, b"\x10\0\0\0\0\0\x02\0\0\0\0\0\0\0(\xf8\x85\x01\0\0\0\0\xa1")] },
    Image { id: "model0/b", kind: Kind::Model, verdict: Verdict::Valid, base: None, parts: &[(0, b"\x91\x9bN(\x02\0\0\0\x07\0\0\0bert-large-uncased"), (268, b"\xf0\xe0\xd0\xc0\xb0\xa0\x90\x80p`P@0 \x10\0\x01\x03\0\0\0 \0\0\0\0\0\0\x03"), (352, b"\x15\xcd[\x07\0\0\0\0\x0c"), (482, b" \0\0\0\0\0\x04"), (512, b"\x01'\xb9)\0\0\0\0\x09"), (544, b"M\0\0\0\0\0\0\0\x01")] },
    Image { id: "model5/a", kind: Kind::Model, verdict: Verdict::Valid, base: None, parts: &[(0, b"\x84v\x16'\x11'\0\0\"N\0\0llama-2-7b.neff"), (268, b"\xde\xad\xbe\xef\xca\xfe\xf0\x0d\x01#Eg\x89\xab\xcd\xef\x02\x01\0\0\0\0\x01\0\0\0\0\0\x05"), (306, b"\x02\0\0\0\0\0\x06"), (322, b"\x04\0\0\0\0\0\x07"), (338, b"\x08\0\0\0\0\0\x08"), (354, b"\x10\0\0\0\0\0\x09"), (480, b"\x01\0\0\0\x01\0\0\0\x0a\0\0\0\0\0\0\0\x02\0\0\0\x02\0\0\0\x0b\0\0\0\0\0\0\0\x03\0\0\0\x03\0\0\0\x0c\0\0\0\0\0\0\0\x04\0\0\0\x04\0\0\0\x0d\0\0\0\0\0\0\0\x05\0\0\0\x05\0\0\0\x0e")] },
    Image { id: "model5/b", kind: Kind::Model, verdict: Verdict::Valid, base: None, parts: &[(0, b"\xcd\xf1\x180\x12'\0\0#N\0\0llama-2-13b.neff"), (268, b"\x01#Eg\x89\xab\xcd\xef\xde\xad\xbe\xef\xca\xfe\xf0\x0d\x03\x02\0\0CB\x0f\0\0\0\0\0\x11\0\0\0\0\0\0\0\x86\x84\x1e\0\0\0\0\0\"\0\0\0\0\0\0\0\xc9\xc6-\0\0\0\0\03\0\0\0\0\0\0\0\x0c\x09=\0\0\0\0\0D\0\0\0\0\0\0\0OKL\0\0\0\0\0U\0\0\0\0\0\0\0\x92\x8d[\0\0\0\0\0f\0\0\0\0\0\0\0\xd5\xcfj\0\0\0\0\0w\0\0\0\0\0\0\0\x18\x12z\0\0\0\0\0\x88\0\0\0\0\0\0\0[T\x89\0\0\0\0\0\x99\0\0\0\0\0\0\0\x9e\x96\x98\0\0\0\0\0\xaa\0\0\0\0\0\0\0\xe1\xd8\xa7\0\0\0\0\0\xbb\0\0\0\0\0\0\0$\x1b\xb7\0\0\0\0\0\xcc\0\0\0\0\0\0\0g]\xc6\0\0\0\0\0\xdd\0\0\0\0\0\0\0\xaa\x9f\xd5\0\0\0\0\0\xee\0\0\0\0\0\0\0\xed\xe1\xe4\0\0\0\0\0\xff\0\0\0\0\0\0\00$\xf4\0\0\0\0\0\x10\x01\0\0\0\0\0\0sf\x03\x01\0\0\0\0!\x01\0\0\0\0\0\0\xb6\xa8\x12\x01\0\0\0\02\x01\0\0\0\0\0\0\xf9\xea!\x01\0\0\0\0C\x01\0\0\0\0\0\0<-1\x01\0\0\0\0T\x01\0\0\0\0\0\0\x7fo@\x01\0\0\0\0e\x01\0\0\0\0\0\0\xc2\xb1O\x01\0\0\0\0v\x01\0\0\0\0\0\0\x05\xf4^\x01\0\0\0\0\x87\x01\0\0\0\0\0\0H6n\x01\0\0\0\0\x98\x01")] },
    Image { id: "model63/a", kind: Kind::Model, verdict: Verdict::Valid, base: None, parts: &[(0, b"f\xa1\xb0{\xff\xff\xff\xff\0\0\0\x80xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x0f\xff\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), (471, b"\x80\x01"), (656, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")] },
    Image { id: "model63/b", kind: Kind::Model, verdict: Verdict::Valid, base: None, parts: &[(0, b"E\xe6\x16%")] },
    Image { id: "process_info/a+holes", kind: Kind::ProcessInfo, verdict: Verdict::Valid, base: None, parts: &[(0, b"\xe3\x1a\x0e1\x03infer-7421"), (37, b"\xa5Z\xff\x02\x05\x01\x02\x01\0\0\0\x01\x0d\x03\x04\0\x10\0\0\x02\x1f\x05\x06\x18")] },
    Image { id: "model5/a+holes", kind: Kind::Model, verdict: Verdict::Valid, base: Some(12), parts: &[(0, b"\x89zW\xb2"), (286, b"\xee\xdd"), (300, b"\x01"), (316, b"\x02"), (332, b"\x03"), (348, b"\x04"), (364, b"\x05"), (380, b"\x06"), (396, b"\x07"), (412, b"\x08"), (428, b"\x09"), (444, b"\x0a"), (460, b"\x0b"), (476, b"\x0c"), (492, b"\x0d"), (508, b"\x0e"), (524, b"\x0f"), (540, b"\x10"), (556, b"\x11"), (572, b"\x12"), (588, b"\x13"), (604, b"\x14"), (620, b"\x15"), (636, b"\x16"), (652, b"\x17"), (668, b"\x18")] },
    Image { id: "process_info/a~flip0", kind: Kind::ProcessInfo, verdict: Verdict::Torn, base: Some(0), parts: &[(0, b"!")] },
    Image { id: "process_info/a~flip3", kind: Kind::ProcessInfo, verdict: Verdict::Torn, base: Some(0), parts: &[(3, b"\xdc")] },
    Image { id: "process_info/a~flip4", kind: Kind::ProcessInfo, verdict: Verdict::Torn, base: Some(0), parts: &[(4, b"\x02")] },
    Image { id: "process_info/a~flip5", kind: Kind::ProcessInfo, verdict: Verdict::Torn, base: Some(0), parts: &[(5, b"I")] },
    Image { id: "process_info/a~flip37", kind: Kind::ProcessInfo, verdict: Verdict::Torn, base: Some(0), parts: &[(37, b"\x01")] },
    Image { id: "process_info/a~flip60", kind: Kind::ProcessInfo, verdict: Verdict::Torn, base: Some(0), parts: &[(60, b"\x08")] },
    Image { id: "process_info/a~newhash", kind: Kind::ProcessInfo, verdict: Verdict::Torn, base: Some(0), parts: &[(0, b"\x05\x19t\xe5")] },
    Image { id: "process_info/a~oldhash", kind: Kind::ProcessInfo, verdict: Verdict::Torn, base: Some(1), parts: &[(0, b" },\\")] },
    Image { id: "process_info/a~new-old", kind: Kind::ProcessInfo, verdict: Verdict::Torn, base: Some(1), parts: &[(41, b"\x05\0\0\x01\0\0\0\x01\x0d\0\0\0\x10\0\0\x02\x1f\0\0\x18")] },
    Image { id: "process_info/a~old-new", kind: Kind::ProcessInfo, verdict: Verdict::Torn, base: Some(0), parts: &[(41, b"\x12\0\0p\x11\x01\0\x01\x0e\0\0\x01\x10\0\0\x02\x1f\0\0\x19")] },
    Image { id: "process_info/a~stripes", kind: Kind::ProcessInfo, verdict: Verdict::Torn, base: Some(1), parts: &[(8, b"er-7421\0"), (41, b"\x05\0\0\x01\0\0"), (60, b"\x18")] },
    Image { id: "process_info/a~lastword", kind: Kind::ProcessInfo, verdict: Verdict::Torn, base: Some(1), parts: &[(63, b"\x80")] },
    Image { id: "process_info/a~invalidated", kind: Kind::ProcessInfo, verdict: Verdict::Unpublished, base: Some(1), parts: &[(0, b"\0\0\0\0")] },
    Image { id: "process_info_ext/a~flip0", kind: Kind::ProcessInfoExt, verdict: Verdict::Torn, base: Some(6), parts: &[(0, b"r")] },
    Image { id: "process_info_ext/a~flip4", kind: Kind::ProcessInfoExt, verdict: Verdict::Torn, base: Some(6), parts: &[(4, b"h")] },
    Image { id: "process_info_ext/a~flip129", kind: Kind::ProcessInfoExt, verdict: Verdict::Torn, base: Some(6), parts: &[(129, b"@")] },
    Image { id: "process_info_ext/a~flip259", kind: Kind::ProcessInfoExt, verdict: Verdict::Torn, base: Some(6), parts: &[(259, b"\x01")] },
    Image { id: "process_info_ext/a~newhash", kind: Kind::ProcessInfoExt, verdict: Verdict::Torn, base: Some(6), parts: &[(0, b"8\x12\xaa\x8b")] },
    Image { id: "process_info_ext/a~oldhash", kind: Kind::ProcessInfoExt, verdict: Verdict::Torn, base: Some(7), parts: &[(0, b"s\x13\xb8u")] },
    Image { id: "process_info_ext/a~new-old", kind: Kind::ProcessInfoExt, verdict: Verdict::Torn, base: Some(7), parts: &[(128, b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0")] },
    Image { id: "process_info_ext/a~old-new", kind: Kind::ProcessInfoExt, verdict: Verdict::Torn, base: Some(6), parts: &[(128, b"ep012;step013;step014;step015;step016;step017;step018;step019;step020;step021;step022;step023;step024;")] },
    Image { id: "process_info_ext/a~stripes", kind: Kind::ProcessInfoExt, verdict: Verdict::Torn, base: Some(7), parts: &[(8, b"r-7421 jetry job rank=0 "), (41, b"-17\0\0\0\0ep002;st\0\0\0\0\0\0\0\0ep004;st\0\0\0\0\0\0\0\0ep006;st\0\0\0\0\0\0\0\0ep008;st\0\0\0\0\0\0\0\0ep010;st\0\0\0\0\0\0\0\0ep012;st\0\0\0\0\0\0\0\0ep014;st\0\0\0\0\0\0\0\0ep016;st\0\0\0\0\0\0\0\0ep018;st\0\0\0\0\0\0\0\0ep020;st\0\0\0\0\0\0\0\0ep022;st\0\0\0\0\0\0\0\0")] },
    Image { id: "process_info_ext/a~lastword", kind: Kind::ProcessInfoExt, verdict: Verdict::Torn, base: Some(7), parts: &[(259, b"\x80")] },
    Image { id: "process_info_ext/a~invalidated", kind: Kind::ProcessInfoExt, verdict: Verdict::Unpublished, base: Some(7), parts: &[(0, b"\0\0\0\0")] },
    Image { id: "model0/a~flip1", kind: Kind::Model, verdict: Verdict::Torn, base: Some(10), parts: &[(1, b"\xa8")] },
    Image { id: "model0/a~flip4", kind: Kind::Model, verdict: Verdict::Torn, base: Some(10), parts: &[(4, b"\0")] },
    Image { id: "model0/a~flip12", kind: Kind::Model, verdict: Verdict::Torn, base: Some(10), parts: &[(12, b"R")] },
    Image { id: "model0/a~flip287", kind: Kind::Model, verdict: Verdict::Torn, base: Some(10), parts: &[(287, b"\x01")] },
    Image { id: "model0/a~flip300", kind: Kind::Model, verdict: Verdict::Torn, base: Some(10), parts: &[(300, b"\x01")] },
    Image { id: "model0/a~newhash", kind: Kind::Model, verdict: Verdict::Torn, base: Some(10), parts: &[(0, b"\x91\x9bN(")] },
    Image { id: "model0/a~oldhash", kind: Kind::Model, verdict: Verdict::Torn, base: Some(11), parts: &[(0, b"\x0d\xa9\x80\x0e")] },
    Image { id: "model0/a~new-old", kind: Kind::Model, verdict: Verdict::Torn, base: Some(10), parts: &[(0, b"\x91\x9bN(\x02\0\0\0\x07\0\0\0bert-large-uncased"), (268, b"\xf0\xe0\xd0\xc0\xb0\xa0\x90\x80p`P@0 \x10\0\x01\x03\0\0\0 \0\0\0\0\0\0\x03")] },
    Image { id: "model0/a~old-new", kind: Kind::Model, verdict: Verdict::Torn, base: Some(11), parts: &[(0, b"\x0d\xa9\x80\x0e\x01\0\0\0\x01\0\0\0resnet50\0\0\0\0\0\0\0\0\0\0"), (268, b"\0\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\0\0\0\0\0\x10\0\0\0\0\0\0\x01")] },
    Image { id: "model0/a~stripes", kind: Kind::Model, verdict: Verdict::Torn, base: Some(10), parts: &[(0, b"\x91\x9bN(\x02"), (16, b"-large-u"), (272, b"\xb0\xa0\x90\x80p`P@"), (289, b" "), (352, b"\x15\xcd[\x07"), (482, b" "), (496, b"\0\0\0\0"), (512, b"\x01'\xb9)"), (544, b"M")] },
    Image { id: "model0/a~lastword", kind: Kind::Model, verdict: Verdict::Torn, base: Some(11), parts: &[(671, b"\x80")] },
    Image { id: "model0/a~invalidated", kind: Kind::Model, verdict: Verdict::Unpublished, base: Some(11), parts: &[(0, b"\0\0\0\0")] },
    Image { id: "model5/a~flip284", kind: Kind::Model, verdict: Verdict::Torn, base: Some(12), parts: &[(284, b"\x01")] },
    Image { id: "model5/a~flip671", kind: Kind::Model, verdict: Verdict::Torn, base: Some(12), parts: &[(671, b"\x01")] },
    Image { id: "model5/a~newhash", kind: Kind::Model, verdict: Verdict::Torn, base: Some(12), parts: &[(0, b"\xcd\xf1\x180")] },
    Image { id: "model5/a~oldhash", kind: Kind::Model, verdict: Verdict::Torn, base: Some(13), parts: &[(0, b"\x84v\x16'")] },
    Image { id: "model5/a~new-old", kind: Kind::Model, verdict: Verdict::Torn, base: Some(12), parts: &[(0, b"\xcd\xf1\x180\x12'\0\0#"), (20, b"13b.neff"), (268, b"\x01#Eg\x89\xab\xcd\xef\xde\xad\xbe\xef\xca\xfe\xf0\x0d\x03\x02\0\0CB\x0f\0\0\0\0\0\x11\0\0\0\0\0\0\0\x86\x84\x1e\0\0\0\0\0\"\0\0\0\0\0\0\0\xc9\xc6-\0\0\0\0\03")] },
    Image { id: "model5/a~old-new", kind: Kind::Model, verdict: Verdict::Torn, base: Some(13), parts: &[(0, b"\x84v\x16'\x11'\0\0\""), (20, b"7b.neff\0"), (268, b"\xde\xad\xbe\xef\xca\xfe\xf0\x0d\x01#Eg\x89\xab\xcd\xef\x02\x01\0\0\0\0\x01\0\0\0\0\0\x05\0\0\0\0\0\0\0\0\0\x02\0\0\0\0\0\x06\0\0\0\0\0\0\0\0\0\x04\0\0\0\0\0\x07")] },
    Image { id: "model5/a~stripes", kind: Kind::Model, verdict: Verdict::Torn, base: Some(13), parts: &[(8, b"\""), (24, b"eff\0"), (268, b"\xde\xad\xbe\xef\x89\xab\xcd\xef\xde\xad\xbe\xef\x89\xab\xcd\xef\x02\x01"), (296, b"\x05"), (312, b"\x06"), (328, b"\x07"), (344, b"\x08"), (360, b"\x09"), (376, b"\0"), (392, b"\0"), (408, b"\0"), (424, b"\0"), (440, b"\0"), (456, b"\0"), (472, b"\0"), (488, b"\x0a"), (504, b"\x0b"), (520, b"\x0c"), (536, b"\x0d\0"), (552, b"\x0e\0"), (568, b"\0\0"), (584, b"\0\0"), (600, b"\0\0"), (616, b"\0\0"), (632, b"\0\0"), (648, b"\0\0"), (664, b"\0\0")] },
    Image { id: "model5/a~lastword", kind: Kind::Model, verdict: Verdict::Torn, base: Some(13), parts: &[(671, b"\x80")] },
    Image { id: "model5/a~invalidated", kind: Kind::Model, verdict: Verdict::Unpublished, base: Some(13), parts: &[(0, b"\0\0\0\0")] },
    Image { id: "model63/a~flip267", kind: Kind::Model, verdict: Verdict::Torn, base: Some(14), parts: &[(267, b"\x01")] },
    Image { id: "model63/a~flip288", kind: Kind::Model, verdict: Verdict::Torn, base: Some(14), parts: &[(288, b"\xfe")] },
    Image { id: "model63/a~newhash", kind: Kind::Model, verdict: Verdict::Torn, base: Some(14), parts: &[(0, b"E\xe6\x16%")] },
    Image { id: "model63/a~oldhash", kind: Kind::Model, verdict: Verdict::Torn, base: None, parts: &[(0, b"f\xa1\xb0{")] },
    Image { id: "model63/a~new-old", kind: Kind::Model, verdict: Verdict::Torn, base: Some(15), parts: &[(471, b"\x80\x01"), (656, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")] },
    Image { id: "model63/a~old-new", kind: Kind::Model, verdict: Verdict::Torn, base: Some(14), parts: &[(471, b"\0\0"), (656, b"\0\0\0\0\0\0\0\0\0\0\0\0")] },
    Image { id: "model63/a~stripes", kind: Kind::Model, verdict: Verdict::Torn, base: Some(15), parts: &[(11, b"\x80xxxx\0\0\0\0\0\0\0\0xxxxxxxx\0\0\0\0\0\0\0\0xxxxxxxx\0\0\0\0\0\0\0\0xxxxxxxx\0\0\0\0\0\0\0\0xxxxxxxx\0\0\0\0\0\0\0\0xxxxxxxx\0\0\0\0\0\0\0\0xxxxxxxx\0\0\0\0\0\0\0\0xxxxxxxx\0\0\0\0\0\0\0\0xxxxxxxx\0\0\0\0\0\0\0\0xxxxxxxx\0\0\0\0\0\0\0\0xxxxxxxx\0\0\0\0\0\0\0\0xxxxxxxx\0\0\0\0\0\0\0\0xxxxxxxx\0\0\0\0\0\0\0\0xxxxxxxx\0\0\0\0\0\0\0\0xxxxxxxx\0\0\0\0\0\0\0\0xxxxxxxx\0\0\0\0\0\0\0\0xxx\0\xff\xff\xff\xff\0\0\0\0\0\0\0\0\xff\xff\xff\xff\x0f\xff"), (296, b"\xff\xff\xff\xff"), (472, b"\x01"), (664, b"\xff\xff\xff\xff")] },
    Image { id: "model63/a~lastword", kind: Kind::Model, verdict: Verdict::Torn, base: Some(15), parts: &[(671, b"\x80")] },
    Image { id: "model63/a~invalidated", kind: Kind::Model, verdict: Verdict::Unpublished, base: None, parts: &[] },
    Image { id: "process_info~allzero", kind: Kind::ProcessInfo, verdict: Verdict::Unpublished, base: None, parts: &[] },
    Image { id: "process_info~allff", kind: Kind::ProcessInfo, verdict: Verdict::Torn, base: None, parts: &[(0, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")] },
    Image { id: "process_info_ext~allzero", kind: Kind::ProcessInfoExt, verdict: Verdict::Unpublished, base: None, parts: &[] },
    Image { id: "process_info_ext~allff", kind: Kind::ProcessInfoExt, verdict: Verdict::Torn, base: None, parts: &[(0, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")] },
    Image { id: "model~allzero", kind: Kind::Model, verdict: Verdict::Unpublished, base: None, parts: &[] },
    Image { id: "model~allff", kind: Kind::Model, verdict: Verdict::Torn, base: Some(14), parts: &[(0, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), (284, b"\xff\xff\xff\xff"), (300, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), (668, b"\xff\xff\xff\xff")] },
];

#[rustfmt::skip]
pub(crate) const RECORDS: &[Record] = &[
    Record { image: 0, slot: 0, offset: 1248, hash: 0x5c2c7d20, fields: Fields::ProcessInfo { framework_type: 3, tag: b"infer-7421", versions: [Version { major: 2, minor: 5, build: 1 }, Version { major: 1, minor: 13, build: 4096 }, Version { major: 2, minor: 31, build: 24 }] } },
    Record { image: 1, slot: 0, offset: 1248, hash: 0xe5741905, fields: Fields::ProcessInfo { framework_type: 2, tag: b"train-0099-retry", versions: [Version { major: 2, minor: 18, build: 70000 }, Version { major: 1, minor: 14, build: 4097 }, Version { major: 2, minor: 31, build: 25 }] } },
    Record { image: 2, slot: 0, offset: 1248, hash: 0xdfde6ac5, fields: Fields::ProcessInfo { framework_type: 0, tag: b"", versions: [Version { major: 0, minor: 0, build: 0 }, Version { major: 0, minor: 0, build: 0 }, Version { major: 0, minor: 0, build: 0 }] } },
    Record { image: 3, slot: 0, offset: 1248, hash: 0x0dbe6312, fields: Fields::ProcessInfo { framework_type: -1, tag: b"TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT", versions: [Version { major: 255, minor: 255, build: 4294967295 }, Version { major: 255, minor: 254, build: 2147483648 }, Version { major: 1, minor: 2, build: 67305985 }] } },
    Record { image: 4, slot: 0, offset: 1248, hash: 0x5651bf27, fields: Fields::ProcessInfo { framework_type: 1, tag: b"0123456789abcdef0123456789ABCDEF", versions: [Version { major: 0, minor: 0, build: 0 }, Version { major: 0, minor: 0, build: 0 }, Version { major: 2, minor: 31, build: 24 }] } },
    Record { image: 5, slot: 0, offset: 1248, hash: 0x00000000, fields: Fields::ProcessInfo { framework_type: 1, tag: b"zero-hash-077f", versions: [Version { major: 0, minor: 0, build: 0 }, Version { major: 0, minor: 0, build: 0 }, Version { major: 2, minor: 31, build: 3501391872 }] } },
    Record { image: 6, slot: 0, offset: 44328, hash: 0x75b81373, fields: Fields::ProcessInfoExt { tag: b"infer-7421 job=alpha rank=0 host=node-17" } },
    Record { image: 7, slot: 0, offset: 44328, hash: 0x8baa1238, fields: Fields::ProcessInfoExt { tag: b"train-0099-retry job=beta step000;step001;step002;step003;step004;step005;step006;step007;step008;step009;step010;step011;step012;step013;step014;step015;step016;step017;step018;step019;step020;step021;step022;step023;step024;" } },
    Record { image: 8, slot: 0, offset: 44328, hash: 0x053ad9e3, fields: Fields::ProcessInfoExt { tag: b"0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDE" } },
    Record { image: 9, slot: 0, offset: 44328, hash: 0x7301cb15, fields: Fields::ProcessInfoExt { tag: b"fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210" } },
    Record { image: 10, slot: 0, offset: 1320, hash: 0x0e80a90d, fields: Fields::Model { ids: (1, 1), name: b"resnet50", uuid: [0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f], indices: (0, 0), usage: &[(0, 0, 4096, 1), (1, 0, 1048576, 2), (1, 1, 25557032, 161)] } },
    Record { image: 11, slot: 0, offset: 1320, hash: 0x284e9b91, fields: Fields::Model { ids: (2, 7), name: b"bert-large-uncased", uuid: [0xf0, 0xe0, 0xd0, 0xc0, 0xb0, 0xa0, 0x90, 0x80, 0x70, 0x60, 0x50, 0x40, 0x30, 0x20, 0x10, 0x00], indices: (1, 3), usage: &[(0, 0, 8192, 3), (0, 4, 123456789, 12), (1, 0, 2097152, 4), (1, 2, 700000001, 9), (1, 4, 77, 1)] } },
    Record { image: 12, slot: 5, offset: 4680, hash: 0x27167684, fields: Fields::Model { ids: (10001, 20002), name: b"llama-2-7b.neff", uuid: [0xde, 0xad, 0xbe, 0xef, 0xca, 0xfe, 0xf0, 0x0d, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef], indices: (2, 1), usage: &[(0, 0, 65536, 5), (0, 1, 131072, 6), (0, 2, 262144, 7), (0, 3, 524288, 8), (0, 4, 1048576, 9), (1, 0, 4294967297, 10), (1, 1, 8589934594, 11), (1, 2, 12884901891, 12), (1, 3, 17179869188, 13), (1, 4, 21474836485, 14)] } },
    Record { image: 13, slot: 5, offset: 4680, hash: 0x3018f1cd, fields: Fields::Model { ids: (10002, 20003), name: b"llama-2-13b.neff", uuid: [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xde, 0xad, 0xbe, 0xef, 0xca, 0xfe, 0xf0, 0x0d], indices: (3, 2), usage: &[(0, 0, 1000003, 17), (0, 1, 2000006, 34), (0, 2, 3000009, 51), (0, 3, 4000012, 68), (0, 4, 5000015, 85), (0, 5, 6000018, 102), (0, 6, 7000021, 119), (0, 7, 8000024, 136), (0, 8, 9000027, 153), (0, 9, 10000030, 170), (0, 10, 11000033, 187), (0, 11, 12000036, 204), (1, 0, 13000039, 221), (1, 1, 14000042, 238), (1, 2, 15000045, 255), (1, 3, 16000048, 272), (1, 4, 17000051, 289), (1, 5, 18000054, 306), (1, 6, 19000057, 323), (1, 7, 20000060, 340), (1, 8, 21000063, 357), (1, 9, 22000066, 374), (1, 10, 23000069, 391), (1, 11, 24000072, 408)] } },
    Record { image: 14, slot: 63, offset: 43656, hash: 0x7bb0a166, fields: Fields::Model { ids: (4294967295, 2147483648), name: b"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", uuid: [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], indices: (15, 255), usage: &[(0, 0, 18446744073709551615, 4294967295), (0, 11, 9223372036854775808, 1), (1, 11, 18446744073709551615, 4294967295)] } },
    Record { image: 15, slot: 63, offset: 43656, hash: 0x2516e645, fields: Fields::Model { ids: (0, 0), name: b"", uuid: [0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00], indices: (0, 0), usage: &[] } },
];

/// An image, and one with the same fields and clean holes.
#[rustfmt::skip]
pub(crate) const NOISY_HOLES: &[(usize, usize)] = &[
    (16, 0), (17, 12),
];

#[rustfmt::skip]
pub(crate) const TAG_AT_8: &[u8; 64] = b"\x92GhK\x03\0\0\0infer-7421\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02\x05\0\0\x01\0\0\0\x01\x0d\0\0\0\x10\0\0\x02\x1f\0\0\x18\0\0\0";

#[rustfmt::skip]
pub(crate) const TAG_AT_8_READ_AT_5: &[u8; 32] = b"\0\0\0infer-7421\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

#[rustfmt::skip]
pub(crate) const HEADER_LOOKS: &[(&[u64], bool, &[u64])] = &[
    (&[0x000186a00073646e], true, &[]), (&[0x0000000000000000, 0x000186a00073646e], true, &[500]),
    (&[0x0000000000000000, 0x0000000000000000], false, &[500]),
    (&[0x0000000000000000, 0x0000000000000000, 0x000186a00073646e], false, &[500]),
    (&[0x000186a10073646e, 0x000186a10073646e], false, &[500]),
    (&[0x000000000073646e, 0x000000000073646e], false, &[500]),
    (&[0x00000186a06e6473, 0x00000186a06e6473], false, &[500]),
    (&[0x6e647300a0860100, 0x6e647300a0860100], false, &[500]),
];

#[rustfmt::skip]
pub(crate) const RECORD_LOOKS: &[(Kind, &[usize], bool, &[u64])] = &[
    (Kind::ProcessInfo, &[0], true, &[]), (Kind::ProcessInfo, &[26, 1], true, &[200]),
    (Kind::ProcessInfo, &[28, 0], true, &[200]), (Kind::ProcessInfo, &[26, 27], false, &[200]),
    (Kind::ProcessInfo, &[24, 24], false, &[200]), (Kind::ProcessInfo, &[24, 25, 1], false, &[200]),
    (Kind::ProcessInfo, &[72, 0], true, &[200]), (Kind::ProcessInfo, &[72, 72], false, &[200]),
    (Kind::ProcessInfo, &[30, 1], true, &[200]), (Kind::ProcessInfoExt, &[6], true, &[]),
    (Kind::ProcessInfoExt, &[37, 7], true, &[200]), (Kind::ProcessInfoExt, &[39, 6], true, &[200]),
    (Kind::ProcessInfoExt, &[37, 38], false, &[200]), (Kind::ProcessInfoExt, &[35, 35], false, &[200]),
    (Kind::ProcessInfoExt, &[35, 36, 7], false, &[200]), (Kind::ProcessInfoExt, &[74, 6], true, &[200]),
    (Kind::ProcessInfoExt, &[74, 74], false, &[200]), (Kind::ProcessInfoExt, &[41, 7], true, &[200]),
    (Kind::Model, &[10], true, &[]), (Kind::Model, &[49, 11], true, &[200]), (Kind::Model, &[51, 10], true, &[200]),
    (Kind::Model, &[49, 50], false, &[200]), (Kind::Model, &[47, 47], false, &[200]),
    (Kind::Model, &[47, 48, 11], false, &[200]), (Kind::Model, &[76, 10], true, &[200]),
    (Kind::Model, &[76, 76], false, &[200]), (Kind::Model, &[53, 11], true, &[200]),
    (Kind::Model, &[12], true, &[]), (Kind::Model, &[58, 13], true, &[200]), (Kind::Model, &[60, 12], true, &[200]),
    (Kind::Model, &[58, 59], false, &[200]), (Kind::Model, &[56, 56], false, &[200]),
    (Kind::Model, &[56, 57, 13], false, &[200]), (Kind::Model, &[76, 12], true, &[200]),
    (Kind::Model, &[76, 76], false, &[200]), (Kind::Model, &[62, 13], true, &[200]),
    (Kind::Model, &[14], true, &[]), (Kind::Model, &[67, 15], true, &[200]), (Kind::Model, &[69, 14], true, &[200]),
    (Kind::Model, &[67, 68], false, &[200]), (Kind::Model, &[65, 65], false, &[200]),
    (Kind::Model, &[65, 66, 15], false, &[200]), (Kind::Model, &[76, 14], true, &[200]),
    (Kind::Model, &[76, 76], false, &[200]), (Kind::Model, &[71, 15], true, &[200]),
    (Kind::ProcessInfo, &[5], true, &[]), (Kind::ProcessInfo, &[16], true, &[]), (Kind::Model, &[17], true, &[]),
    (Kind::ProcessInfo, &[4], true, &[]),
];

#[rustfmt::skip]
pub(crate) const MODEL_LISTS: &[(u64, &[(u32, usize)], &[usize])] = &[
    (0x8000000000000021, &[(0, 10), (5, 13), (63, 14)], &[10, 13, 14]), (0x0000000000000000, &[(0, 10)], &[]),
    (0x0000000000000021, &[(0, 10), (5, 76)], &[10]), (0x0000000000000021, &[(0, 51), (5, 12)], &[12]),
    (0x0000000000000001, &[(0, 11), (5, 12)], &[11]),
];

#[rustfmt::skip]
pub(crate) const SLAB_OPS: &[(Op, Counter, u64, usize, u64)] = &[
    (Op::Set, Counter::Nd(0), 0x0000021f00000018, 8, 0x0000021f00000018),
    (Op::Set, Counter::Nd(1), 0x0003020500000001, 16, 0x0003020500000001),
    (Op::Set, Counter::Nd(2), 0x0000010d00001000, 24, 0x0000010d00001000),
    (Op::Or, Counter::Nd(3), 0x0000000000000001, 32, 0x0000000000000001),
    (Op::Or, Counter::Nd(3), 0x0000000000000002, 32, 0x0000000000000003),
    (Op::Or, Counter::Nd(3), 0x0000000000000002, 32, 0x0000000000000003),
    (Op::Add, Counter::Nd(6), 0x0000000000001000, 56, 0x0000000000001000),
    (Op::Add, Counter::Nd(6), 0x0000000000002000, 56, 0x0000000000003000),
    (Op::Sub, Counter::Nd(6), 0x0000000000001000, 56, 0x0000000000002000),
    (Op::Set, Counter::Nd(13), 0x1122334455667788, 112, 0x1122334455667788),
    (Op::Add, Counter::Nd(30), 0x0000000000000001, 248, 0x0000000000000001),
    (Op::Add, Counter::Nc(0, 0), 0x00000000000003e8, 256, 0x00000000000003e8),
    (Op::Add, Counter::Nc(0, 1), 0x0000000000000029, 264, 0x0000000000000029),
    (Op::Add, Counter::Nc(0, 1), 0x0000000000000001, 264, 0x000000000000002a),
    (Op::Add, Counter::Nc(2, 1), 0x0000000000000007, 760, 0x0000000000000007),
    (Op::Add, Counter::Nc(3, 30), 0x0000000000000001, 1240, 0x0000000000000001),
    (Op::Add, Counter::Nc(0, 31), 0x0000000000000002, 55936, 0x0000000000000002),
    (Op::Add, Counter::Nc(1, 32), 0x0000000000000003, 56456, 0x0000000000000003),
    (Op::Set, Counter::Nc(3, 94), 0x0102030405060708, 57976, 0x0102030405060708),
    (Op::Set, Counter::Nc(4, 0), 0x0000000000000005, 57984, 0x0000000000000005),
    (Op::Add, Counter::Nc(7, 29), 0x0000010000000000, 60520, 0x0000010000000000),
    (Op::Add, Counter::Nc(15, 94), 0xffffffffffffffff, 67184, 0xffffffffffffffff),
    (Op::Sub, Counter::Nc(5, 22), 0x0000000000000001, 58928, 0xffffffffffffffff),
    (Op::Add, Counter::Nc(6, 22), 0xffffffffffffffff, 59696, 0xffffffffffffffff),
    (Op::Add, Counter::Nc(6, 22), 0x0000000000000002, 59696, 0x0000000000000001),
];

#[rustfmt::skip]
pub(crate) const SLAB_RECORDS: &[usize] = &[0, 6, 10, 13, 14];

#[rustfmt::skip]
pub(crate) const SLAB_MODELS: u64 = 0x8000000000000021;

#[rustfmt::skip]
pub(crate) const SLAB_BYTES: &[(usize, &[u8])] = &[
    (0, b"nds\0\xa0\x86\x01\0\x18\0\0\0\x1f\x02\0\0\x01\0\0\0\x05\x02\x03\0\0\x10\0\0\x0d\x01\0\0\x03\0\0\0\0\0\0\0"),
    (56, b"\0 \0\0\0\0\0\0"), (112, b"\x88wfUD3\"\x11"),
    (248, b"\x01\0\0\0\0\0\0\0\xe8\x03\0\0\0\0\0\0*\0\0\0\0\0\0\0"), (760, b"\x07\0\0\0\0\0\0\0"),
    (1240, b"\x01\0\0\0\0\0\0\0 },\\\x03infer-7421\0"),
    (1288, b"\x02\x05\0\0\x01\0\0\0\x01\x0d\0\0\0\x10\0\0\x02\x1f\0\0\x18\0\0\0!\0\0\0\0\0\0\x80\x0d\xa9\x80\x0e\x01\0\0\0\x01\0\0\0resnet50\0\0\0\0"),
    (1584, b"\0\0\0\0\0\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\0\0\0\0\0\x10\0\0\0\0\0\0\x01\0\0\0\0\0\0\0"),
    (1800, b"\0\0\x10\0\0\0\0\0\x02\0\0\0\0\0\0\0(\xf8\x85\x01\0\0\0\0\xa1\0\0\0\0\0\0\0"),
    (4680, b"\xcd\xf1\x180\x12'\0\0#N\0\0llama-2-13b.neff\0\0\0\0"),
    (4944, b"\0\0\0\0\x01#Eg\x89\xab\xcd\xef\xde\xad\xbe\xef\xca\xfe\xf0\x0d\x03\x02\0\0CB\x0f\0\0\0\0\0\x11\0\0\0\0\0\0\0\x86\x84\x1e\0\0\0\0\0\"\0\0\0\0\0\0\0\xc9\xc6-\0\0\0\0\03\0\0\0\0\0\0\0\x0c\x09=\0\0\0\0\0D\0\0\0\0\0\0\0OKL\0\0\0\0\0U\0\0\0\0\0\0\0\x92\x8d[\0\0\0\0\0f\0\0\0\0\0\0\0\xd5\xcfj\0\0\0\0\0w\0\0\0\0\0\0\0\x18\x12z\0\0\0\0\0\x88\0\0\0\0\0\0\0[T\x89\0\0\0\0\0\x99\0\0\0\0\0\0\0\x9e\x96\x98\0\0\0\0\0\xaa\0\0\0\0\0\0\0\xe1\xd8\xa7\0\0\0\0\0\xbb\0\0\0\0\0\0\0$\x1b\xb7\0\0\0\0\0\xcc\0\0\0\0\0\0\0g]\xc6\0\0\0\0\0\xdd\0\0\0\0\0\0\0\xaa\x9f\xd5\0\0\0\0\0\xee\0\0\0\0\0\0\0\xed\xe1\xe4\0\0\0\0\0\xff\0\0\0\0\0\0\00$\xf4\0\0\0\0\0\x10\x01\0\0\0\0\0\0sf\x03\x01\0\0\0\0!\x01\0\0\0\0\0\0\xb6\xa8\x12\x01\0\0\0\02\x01\0\0\0\0\0\0\xf9\xea!\x01\0\0\0\0C\x01\0\0\0\0\0\0<-1\x01\0\0\0\0T\x01\0\0\0\0\0\0\x7fo@\x01\0\0\0\0e\x01\0\0\0\0\0\0\xc2\xb1O\x01\0\0\0\0v\x01\0\0\0\0\0\0\x05\xf4^\x01\0\0\0\0\x87\x01\0\0\0\0\0\0H6n\x01\0\0\0\0\x98\x01\0\0\0\0\0\0"),
    (43656, b"f\xa1\xb0{\xff\xff\xff\xff\0\0\0\x80xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x0f\xff\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0"),
    (44120, b"\0\0\0\0\0\0\0\x80\x01\0\0\0\0\0\0\0"),
    (44312, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0s\x13\xb8uinfer-7421 job=alpha rank=0 host=node-17\0\0\0\0"),
    (55936, b"\x02\0\0\0\0\0\0\0"), (56456, b"\x03\0\0\0\0\0\0\0"),
    (57976, b"\x08\x07\x06\x05\x04\x03\x02\x01\x05\0\0\0\0\0\0\0"), (58928, b"\xff\xff\xff\xff\xff\xff\xff\xff"),
    (59696, b"\x01\0\0\0\0\0\0\0"), (60520, b"\0\0\0\0\0\x01\0\0"), (67184, b"\xff\xff\xff\xff\xff\xff\xff\xff"),
];
