// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C structs of the slab, as a C compiler lays them out.
//!
//! Owns: field order and widths, from which all sizes and offsets are derived. Does not own: access. None of these is
//! ever placed over shared memory, and none is hashed (moving a struct does not keep its hole bytes); they serve
//! `size_of` and `offset_of` here, and C shims that hand payloads to C callers.

use core::mem::{align_of, size_of};

/// Length of a process tag, in bytes.
pub const TAG_LEN: usize = 32;
/// Length of an extended process tag, in bytes.
pub const EXT_TAG_LEN: usize = 256;
/// Length of a model name, in bytes.
pub const MODEL_NAME_LEN: usize = 256;
/// Length of a model identifier, in bytes.
pub const UUID_LEN: usize = 16;
/// Memory locations of a model's usage table: host, then device.
pub const USAGE_LOCATIONS: usize = 2;
/// Usage categories for each location; the width is frozen, five have names.
pub const USAGE_CATEGORIES: usize = 12;

/// The first 8 bytes of a slab (layout reference section 4). Accessed as one u64 only.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// `"nds"` and NUL.
    pub signature: [u8; 4],
    /// Layout version.
    pub version: i32,
}

/// One cell of a model's memory table (`nds_mem_usage_info`).
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct MemUsageInfo {
    /// Bytes in use.
    pub total_size: u64,
    /// Allocations behind them.
    pub chunk_count: u32,
}

/// Identity of a loaded model (`nds_model_node_info`).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ModelNodeInfo {
    /// Model number.
    pub model_id: u32,
    /// Node number within the model.
    pub model_node_id: u32,
    /// Name, NUL-padded.
    pub name: [u8; MODEL_NAME_LEN],
    /// 16 raw bytes.
    pub uuid: [u8; UUID_LEN],
    /// First NeuronCore it runs on.
    pub nc_index: u8,
    /// Subgraph number.
    pub sg_index: u8,
}

/// Memory table of a loaded model (`nds_model_node_mem_usage_info`).
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct ModelNodeMemUsageInfo {
    /// `[location][category]`.
    pub model_mem_usage: [[MemUsageInfo; USAGE_CATEGORIES]; USAGE_LOCATIONS],
}

/// A version triple inside a record (`nds_version_info`).
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct VersionInfo {
    /// Major number.
    pub major: u8,
    /// Minor number.
    pub minor: u8,
    /// Build number.
    pub build: u32,
}

/// Payload of the process-info record (`nds_process_info`).
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct ProcessInfo {
    /// Framework type, see [`FrameworkType`](super::record::FrameworkType).
    pub framework_type: i8,
    /// Process tag, NUL-padded. Follows the i8 without a hole: a byte array has alignment 1.
    pub tag: [u8; TAG_LEN],
    /// Version of the machine-learning framework.
    pub framework_version: VersionInfo,
    /// Version of the framework adaptation layer.
    pub fal_version: VersionInfo,
    /// Version of the Neuron runtime.
    pub runtime_version: VersionInfo,
}

/// Payload of the extended process-info record (`nds_process_info_ext`).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ProcessInfoExt {
    /// Long process tag, NUL-padded.
    pub tag: [u8; EXT_TAG_LEN],
}

/// Process-info record: hash and payload.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ProcessInfoRecord {
    /// FNV-1a-32 of the whole record with this word zero.
    pub hash: u32,
    /// Payload.
    pub info: ProcessInfo,
}

/// Extended process-info record: hash and payload.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ProcessInfoExtRecord {
    /// FNV-1a-32 of the whole record with this word zero.
    pub hash: u32,
    /// Payload.
    pub info: ProcessInfoExt,
}

/// Model record: hash, identity and memory table.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ModelRecord {
    /// FNV-1a-32 of the whole record with this word zero.
    pub hash: u32,
    /// Identity.
    pub node_info: ModelNodeInfo,
    /// Memory table.
    pub mem_usage: ModelNodeMemUsageInfo,
}

// Golden numbers of the layout reference, section 12.
const _: () = {
    assert!(size_of::<Header>() == 8 && align_of::<Header>() == 4);
    assert!(size_of::<MemUsageInfo>() == 16 && align_of::<MemUsageInfo>() == 8);
    assert!(size_of::<ModelNodeInfo>() == 284 && align_of::<ModelNodeInfo>() == 4);
    assert!(size_of::<ModelNodeMemUsageInfo>() == 384 && align_of::<ModelNodeMemUsageInfo>() == 8);
    assert!(size_of::<VersionInfo>() == 8 && align_of::<VersionInfo>() == 4);
    assert!(size_of::<ProcessInfo>() == 60 && align_of::<ProcessInfo>() == 4);
    assert!(size_of::<ProcessInfoExt>() == 256 && align_of::<ProcessInfoExt>() == 1);
    assert!(size_of::<ProcessInfoRecord>() == 64 && align_of::<ProcessInfoRecord>() == 4);
    assert!(size_of::<ProcessInfoExtRecord>() == 260 && align_of::<ProcessInfoExtRecord>() == 4);
    assert!(size_of::<ModelRecord>() == 672 && align_of::<ModelRecord>() == 8);
};
