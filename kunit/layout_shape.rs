// SPDX-License-Identifier: GPL-2.0
//! Sizes, places and counter addresses of the layout, against the golden vectors.

use core::mem::{align_of, offset_of, size_of};

use crate::layout::{abi, catalog, hash, header, region::*, retry, CounterInfo};
use crate::tables::Struct;

/// The constant that the vectors call `name`; nothing for those that only the C library has.
fn constant(name: &str) -> Option<u64> {
    let old_ext_counters = OLD_EXT_NC_COUNTER_COUNT * BASE_CORE_COUNT * WORD;
    let value = match name {
        "slab_size" => SLAB_SIZE,
        "required_size" | "open_gate_min_size" => REQUIRED_SIZE,
        "tail_size" => SLAB_SIZE - REQUIRED_SIZE,
        "format_version" => header::VERSION as usize,
        "nd_counter_count" => ND_COUNTER_COUNT,
        "nd_counter_named" => named(catalog::nd_counters()),
        "nc_counter_count" => NC_COUNTER_COUNT,
        "ext_nc_counter_count" => EXT_NC_COUNTER_COUNT,
        "ext_nc_counter_named" => named(catalog::nc_counters()) - NC_COUNTER_COUNT,
        "total_nc_counter_count" => TOTAL_NC_COUNTER_COUNT,
        "base_core_count" => BASE_CORE_COUNT,
        "extra_core_count" => EXTRA_CORE_COUNT,
        "core_count" => CORE_COUNT,
        "ext_data_stride_words" => EXT_DATA_CORE_WORDS,
        "ext_alignment" => EXT_ALIGN,
        "ext_offset_old" => LEGACY_GAP_START,
        "ext_nc_counter_count_old" => OLD_EXT_NC_COUNTER_COUNT,
        "total_nc_counter_count_old" => OLD_EXT_DATA_CORE_WORDS,
        "ext_counters_size_old" => old_ext_counters,
        "ext_data_size_old" => OLD_EXT_SIZE - old_ext_counters,
        "ext_section_size_old" => OLD_EXT_SIZE,
        "ext_unaligned" => LEGACY_GAP_START + OLD_EXT_SIZE,
        "ext_offset" => EXT_NC_COUNTERS_START,
        "ext_gap_size" => LEGACY_GAP_SIZE,
        "model_slots" => MODEL_SLOT_COUNT,
        "model_record_size" => MODEL_RECORD_SIZE,
        "process_info_record_size" => PROCESS_INFO_SIZE,
        "process_info_ext_record_size" => PROCESS_INFO_EXT_SIZE,
        "mem_usage_locations" => abi::USAGE_LOCATIONS,
        "mem_usage_slots" => abi::USAGE_CATEGORIES,
        "fnv_basis" => hash::FNV_BASIS as usize,
        "fnv_prime" => hash::FNV_PRIME as usize,
        "header_retry_us" => retry::HEADER_RETRY.as_micros() as usize,
        "record_retry_us" => retry::RECORD_RETRY.as_micros() as usize,
        _ => return None,
    };
    Some(value as u64)
}

fn named(entries: &[CounterInfo]) -> usize {
    entries.iter().filter(|entry| entry.is_named()).count()
}

/// Where a region or other landmark starts.
fn start_of(name: &str) -> Option<usize> {
    match name {
        "ext_offset_old" => Some(LEGACY_GAP_START),
        "required_size" => Some(REQUIRED_SIZE),
        _ => REGIONS
            .iter()
            .find(|region| region.name == name)
            .map(|region| region.start),
    }
}

/// Compares size, alignment and field offsets of a C struct of the layout.
macro_rules! has_shape {
    ($expected:ident, $type:ident: $($field:ident)*) => {
        ($expected.size, $expected.align) == (size_of::<abi::$type>(), align_of::<abi::$type>())
            && $expected.offsets == [$(offset_of!(abi::$type, $field)),*]
    };
}

fn is_shape(it: &Struct) -> bool {
    match it.name {
        "nds_header" => has_shape!(it, Header: signature version),
        "nds_mem_usage_info" => has_shape!(it, MemUsageInfo: total_size chunk_count),
        "nds_model_node_info" => {
            has_shape!(it, ModelNodeInfo: model_id model_node_id name uuid nc_index sg_index)
        }
        "nds_model_node_mem_usage_info" => has_shape!(it, ModelNodeMemUsageInfo: model_mem_usage),
        "nds_version_info" => has_shape!(it, VersionInfo: major minor build),
        "nds_process_info" => {
            has_shape!(it, ProcessInfo: framework_type tag framework_version fal_version runtime_version)
        }
        "nds_process_info_ext" => has_shape!(it, ProcessInfoExt: tag),
        "nds_model_node_data_internal" => has_shape!(it, ModelRecord: hash node_info mem_usage),
        "nds_process_info_internal" => has_shape!(it, ProcessInfoRecord: hash info),
        "nds_process_info_ext_internal" => has_shape!(it, ProcessInfoExtRecord: hash info),
        _ => false,
    }
}

#[kernel::macros::kunit_tests(nds_layout_shape)]
mod tests {
    use super::*;
    use crate::layout::{nc_word, Core, NcCounter, NdCounter, RawSlab};
    use crate::memory::first_slot;
    use crate::slab::Slabs;
    use crate::tables::{every, Counter};
    use crate::vectors::{
        self, ALIGNMENT, CONSTANTS, NC_COUNTERS, NC_INVALID, NC_NAMES, ND_COUNTERS, ND_INVALID,
        OPEN_GATE, STRUCTS,
    };
    use kernel::error::Result;

    #[test]
    fn constants_equal_the_vectors() {
        // The looks are counted by `layout_reads`.
        let elsewhere = ["max_record_reads", "max_header_reads"];
        assert!(every(CONSTANTS, |(name, value)| {
            elsewhere.contains(name) || constant(name) == Some(*value)
        }));
    }

    #[test]
    fn regions_equal_the_vectors_and_tile_the_slab() {
        assert_eq!(REGIONS.len(), vectors::REGIONS.len());
        let mut end = 0;
        for (region, expected) in REGIONS.iter().zip(vectors::REGIONS) {
            assert!((region.name, region.start, region.size, region.hashed) == *expected);
            assert_eq!(region.start, end);
            end = region.end();
        }
        assert_eq!(end, SLAB_SIZE);
    }

    #[test]
    fn region_starts_are_aligned_as_the_vectors_say() {
        assert!(every(ALIGNMENT, |(name, offset, alignment)| {
            let largest = offset
                .checked_ilog2()
                .map_or(4096, |_| 1 << offset.trailing_zeros());
            start_of(name) == Some(*offset) && largest.min(4096) == *alignment
        }));
    }

    #[test]
    fn structs_have_the_shape_of_the_vectors() {
        assert!(every(STRUCTS, is_shape));
    }

    #[test]
    fn device_counters_lie_where_the_vectors_say() {
        assert_eq!(ND_COUNTERS.len(), NdCounter::COUNT);
        assert!(every(ND_COUNTERS, |(counter, offset, _)| {
            Counter::Nd(*counter).word().map(|word| word.byte_offset()) == Some(*offset)
        }));
    }

    #[test]
    fn core_counters_lie_where_the_vectors_say() {
        let run_holds = |&(core, first, count, offset): &(u32, u32, u32, usize)| {
            (0..count).all(|nth| {
                let word = Counter::Nc(core, first + nth).word();
                word.map(|word| word.byte_offset()) == Some(offset + nth as usize * WORD)
            })
        };
        assert!(every(NC_COUNTERS, run_holds));
        let counters: u32 = NC_COUNTERS.iter().map(|run| run.2).sum();
        assert_eq!(counters as usize, CORE_COUNT * TOTAL_NC_COUNTER_COUNT);
    }

    #[test]
    fn words_of_core_counters_ascend_within_each_core() {
        for core in Core::all() {
            let words = NcCounter::all().map(|counter| nc_word(core, counter));
            assert!(words.is_sorted_by(|a, b| a < b));
        }
    }

    #[test]
    fn named_counters_have_the_names_of_the_vectors() {
        let nd = ND_COUNTERS
            .iter()
            .map(|row| row.2)
            .zip(catalog::nd_counters());
        let nc = NC_NAMES.iter().copied().zip(catalog::nc_counters());
        assert_eq!(NC_NAMES.len(), NcCounter::COUNT);
        for (expected, entry) in nd.chain(nc) {
            assert_eq!(entry.is_named(), expected.is_some());
            assert!(expected.is_none_or(|name| name == entry.name));
        }
    }

    #[test]
    fn numbers_that_are_no_counters_are_refused() {
        assert!(every(ND_INVALID, |number| NdCounter::new(*number).is_none()));
        assert!(every(NC_INVALID, |(core, counter)| {
            Core::from_i32(*core).is_none() || NcCounter::new(*counter).is_none()
        }));
    }

    #[test]
    fn a_mapping_is_accepted_from_the_size_of_the_map_on() -> Result {
        let slabs = Slabs::new()?;
        let base = slabs.words(first_slot()?).base();
        assert!(every(OPEN_GATE, |&(size, accepted)| {
            // SAFETY: The slab is at least as long as every size here, and outlives this view.
            let view: Option<RawSlab> = unsafe { RawSlab::new(base, size) };
            view.is_some() == accepted
        }));
        Ok(())
    }
}
