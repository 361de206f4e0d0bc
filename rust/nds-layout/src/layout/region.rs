// SPDX-License-Identifier: MIT OR Apache-2.0
//! The region map of a slab: start and size of every region (layout reference sections 2 and 3).
//!
//! Owns: region boundaries and the counts they follow from. Does not own: addresses inside a region (`address`,
//! `place`).

use super::abi;
use core::mem::size_of;

/// Bytes of a slab. A kernel constant; addressing never needs it.
pub const SLAB_SIZE: usize = 256 * 1024;
/// u64 words of a slab.
pub const SLAB_WORDS: usize = SLAB_SIZE / WORD;
/// Bytes of a u64 word.
pub const WORD: usize = size_of::<u64>();

/// NeuronCores a slab has room for.
pub const CORE_COUNT: usize = BASE_CORE_COUNT + EXTRA_CORE_COUNT;
/// NeuronCores whose counters are split over the base and the ext band.
pub const BASE_CORE_COUNT: usize = 4;
/// NeuronCores of the data band.
pub const EXTRA_CORE_COUNT: usize = 12;
/// Per-device counters.
pub const ND_COUNTER_COUNT: usize = 31;
/// Original counters of a NeuronCore.
pub const NC_COUNTER_COUNT: usize = 31;
/// Extended counters of a NeuronCore.
pub const EXT_NC_COUNTER_COUNT: usize = 64;
/// All counters of a NeuronCore.
pub const TOTAL_NC_COUNTER_COUNT: usize = NC_COUNTER_COUNT + EXT_NC_COUNTER_COUNT;
/// u64 words of one core in the data band: its counters and one dead word, which is never written.
pub const EXT_DATA_CORE_WORDS: usize = TOTAL_NC_COUNTER_COUNT + 1;
/// Model records in a slab, one for each bit of the bitmap.
pub const MODEL_SLOT_COUNT: usize = u64::BITS as usize;

/// Alignment of the two EXT bands.
pub const EXT_ALIGN: usize = 64;
/// Extended counters of a core in the older geometry. Only the start of the ext band still depends on it.
pub const OLD_EXT_NC_COUNTER_COUNT: usize = 65;
/// Words of a core beyond the fourth in the older geometry.
pub const OLD_EXT_DATA_CORE_WORDS: usize = NC_COUNTER_COUNT + OLD_EXT_NC_COUNTER_COUNT;
/// Start of the EXT section in the older geometry, where the C header has the literal 44588.
const OLD_EXT_START: usize = PROCESS_INFO_EXT_START + PROCESS_INFO_EXT_SIZE;
/// Size of the EXT section in the older geometry.
pub const OLD_EXT_SIZE: usize = OLD_EXT_NC_COUNTER_COUNT * BASE_CORE_COUNT * WORD
    + OLD_EXT_DATA_CORE_WORDS * EXTRA_CORE_COUNT * WORD;

/// Header: signature and version.
pub const HEADER_START: usize = 0;
/// Size of the header.
pub const HEADER_SIZE: usize = size_of::<abi::Header>();
/// Per-device counters.
pub const ND_COUNTERS_START: usize = HEADER_START + HEADER_SIZE;
/// Size of the per-device counters.
pub const ND_COUNTERS_SIZE: usize = ND_COUNTER_COUNT * WORD;
/// Base band: original counters of cores 0-3.
pub const NC_COUNTERS_START: usize = ND_COUNTERS_START + ND_COUNTERS_SIZE;
/// Size of the base band.
pub const NC_COUNTERS_SIZE: usize = NC_COUNTER_COUNT * BASE_CORE_COUNT * WORD;
/// Process-info record.
pub const PROCESS_INFO_START: usize = NC_COUNTERS_START + NC_COUNTERS_SIZE;
/// Size of the process-info record.
pub const PROCESS_INFO_SIZE: usize = size_of::<abi::ProcessInfoRecord>();
/// Model bitmap.
pub const MODEL_BITMAP_START: usize = PROCESS_INFO_START + PROCESS_INFO_SIZE;
/// Size of the model bitmap.
pub const MODEL_BITMAP_SIZE: usize = WORD;
/// Model records.
pub const MODEL_RECORDS_START: usize = MODEL_BITMAP_START + MODEL_BITMAP_SIZE;
/// Size of one model record.
pub const MODEL_RECORD_SIZE: usize = size_of::<abi::ModelRecord>();
/// Size of all model records.
pub const MODEL_RECORDS_SIZE: usize = MODEL_RECORD_SIZE * MODEL_SLOT_COUNT;
/// Extended process-info record.
pub const PROCESS_INFO_EXT_START: usize = MODEL_RECORDS_START + MODEL_RECORDS_SIZE;
/// Size of the extended process-info record.
pub const PROCESS_INFO_EXT_SIZE: usize = size_of::<abi::ProcessInfoExtRecord>();
/// The gap where older producers kept their EXT section: never written, never interpreted.
pub const LEGACY_GAP_START: usize = OLD_EXT_START;
/// Size of the gap.
pub const LEGACY_GAP_SIZE: usize = EXT_NC_COUNTERS_START - LEGACY_GAP_START;
/// Ext band: extended counters of cores 0-3. It follows the *older* section, so that old and new writers stay apart.
pub const EXT_NC_COUNTERS_START: usize = (OLD_EXT_START + OLD_EXT_SIZE).next_multiple_of(EXT_ALIGN);
/// Size of the ext band, in the current geometry.
pub const EXT_NC_COUNTERS_SIZE: usize = EXT_NC_COUNTER_COUNT * BASE_CORE_COUNT * WORD;
/// Data band: all counters of cores 4-15.
pub const EXT_NC_DATA_START: usize =
    (EXT_NC_COUNTERS_START + EXT_NC_COUNTERS_SIZE).next_multiple_of(EXT_ALIGN);
/// Size of the data band.
pub const EXT_NC_DATA_SIZE: usize = EXT_DATA_CORE_WORDS * EXTRA_CORE_COUNT * WORD;
/// Bytes a mapping must have: a smaller one is refused, a larger one is accepted.
pub const REQUIRED_SIZE: usize = EXT_NC_DATA_START + EXT_NC_DATA_SIZE;
/// u64 words of the used part of a slab.
pub const REQUIRED_WORDS: usize = REQUIRED_SIZE / WORD;

/// One region of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Name, in lower case with underscores.
    pub name: &'static str,
    /// First byte.
    pub start: usize,
    /// Bytes.
    pub size: usize,
    /// Whether the region consists of hashed records.
    pub hashed: bool,
}

impl Region {
    /// First byte after the region.
    pub const fn end(&self) -> usize {
        self.start.saturating_add(self.size)
    }
}

const fn region(name: &'static str, start: usize, size: usize, hashed: bool) -> Region {
    Region {
        name,
        start,
        size,
        hashed,
    }
}

/// All regions in address order; they tile the slab.
pub const REGIONS: [Region; 11] = [
    region("header", HEADER_START, HEADER_SIZE, false),
    region("nd_counters", ND_COUNTERS_START, ND_COUNTERS_SIZE, false),
    region("nc_counters", NC_COUNTERS_START, NC_COUNTERS_SIZE, false),
    region("process_info", PROCESS_INFO_START, PROCESS_INFO_SIZE, true),
    region("model_bitmap", MODEL_BITMAP_START, MODEL_BITMAP_SIZE, false),
    region(
        "model_records",
        MODEL_RECORDS_START,
        MODEL_RECORDS_SIZE,
        true,
    ),
    region(
        "process_info_ext",
        PROCESS_INFO_EXT_START,
        PROCESS_INFO_EXT_SIZE,
        true,
    ),
    region(
        "legacy_ext_and_pad",
        LEGACY_GAP_START,
        LEGACY_GAP_SIZE,
        false,
    ),
    region(
        "ext_nc_counters",
        EXT_NC_COUNTERS_START,
        EXT_NC_COUNTERS_SIZE,
        false,
    ),
    region("ext_nc_data", EXT_NC_DATA_START, EXT_NC_DATA_SIZE, false),
    region("tail", REQUIRED_SIZE, SLAB_SIZE - REQUIRED_SIZE, false),
];

// Golden numbers of the layout reference, sections 2, 3 and 12.
const _: () = {
    assert!(SLAB_SIZE == 0x40000);
    assert!(ND_COUNTERS_START == 8);
    assert!(NC_COUNTERS_START == 256);
    assert!(PROCESS_INFO_START == 1248);
    assert!(MODEL_BITMAP_START == 1312);
    assert!(MODEL_RECORDS_START == 1320);
    assert!(PROCESS_INFO_EXT_START == 44328);
    assert!(OLD_EXT_START == 44588);
    assert!(OLD_EXT_SIZE == 11296);
    assert!(LEGACY_GAP_SIZE == 11348);
    assert!(EXT_NC_COUNTERS_START == 55936);
    assert!(EXT_NC_DATA_START == 57984);
    assert!(REQUIRED_SIZE == 67200);
    assert!(TOTAL_NC_COUNTER_COUNT == 95 && EXT_DATA_CORE_WORDS == 96);
    assert!(MODEL_SLOT_COUNT == 64 && CORE_COUNT == 16);
};
