// SPDX-License-Identifier: MIT OR Apache-2.0
//! The model record, 672 bytes (layout reference section 6.4).

use super::bytes::{put, take, trimmed};
use crate::layout::abi::{
    MemUsageInfo, ModelRecord, MODEL_NAME_LEN, USAGE_CATEGORIES, USAGE_LOCATIONS, UUID_LEN,
};
use crate::layout::hash::seal;
use core::mem::{offset_of, size_of};

/// Bytes of the record.
pub const LEN: usize = size_of::<ModelRecord>();

const MODEL_ID: usize = offset_of!(ModelRecord, node_info.model_id);
const MODEL_NODE_ID: usize = offset_of!(ModelRecord, node_info.model_node_id);
const NAME: usize = offset_of!(ModelRecord, node_info.name);
const UUID: usize = offset_of!(ModelRecord, node_info.uuid);
const NC_INDEX: usize = offset_of!(ModelRecord, node_info.nc_index);
const SG_INDEX: usize = offset_of!(ModelRecord, node_info.sg_index);
const USAGE: usize = offset_of!(ModelRecord, mem_usage);

const CELL_LEN: usize = size_of::<MemUsageInfo>();
const TOTAL_SIZE: usize = offset_of!(MemUsageInfo, total_size);
const CHUNK_COUNT: usize = offset_of!(MemUsageInfo, chunk_count);

/// Usage categories that have a name, in order; the places after them are reserved.
pub const CATEGORY_NAMES: [&str; 5] = ["CODE", "TENSORS", "CONSTANTS", "SCRATCHPAD", "MISC"];

/// Memory in use by a model, one category at one location.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUsage {
    /// Bytes in use.
    pub total_size: u64,
    /// Allocations behind them.
    pub chunk_count: u32,
}

impl MemoryUsage {
    fn encode(&self) -> [u8; CELL_LEN] {
        let mut cell = [0; CELL_LEN];
        put(&mut cell, TOTAL_SIZE, &self.total_size.to_le_bytes());
        put(&mut cell, CHUNK_COUNT, &self.chunk_count.to_le_bytes());
        cell
    }

    fn decode(cell: &[u8; CELL_LEN]) -> Self {
        Self {
            total_size: u64::from_le_bytes(take(cell, TOTAL_SIZE)),
            chunk_count: u32::from_le_bytes(take(cell, CHUNK_COUNT)),
        }
    }
}

/// A loaded model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// Model number.
    pub model_id: u32,
    /// Node number within the model.
    pub model_node_id: u32,
    /// Name, NUL-padded; not necessarily UTF-8 or NUL-terminated.
    pub name: [u8; MODEL_NAME_LEN],
    /// Identifier: 16 raw bytes.
    pub uuid: [u8; UUID_LEN],
    /// First NeuronCore it runs on.
    pub nc_index: u8,
    /// Subgraph number.
    pub sg_index: u8,
    /// Memory on the host, by category.
    pub host_usage: [MemoryUsage; USAGE_CATEGORIES],
    /// Memory on the device, by category.
    pub device_usage: [MemoryUsage; USAGE_CATEGORIES],
}

impl Model {
    /// The record image, with its hash.
    pub fn encode(&self) -> [u8; LEN] {
        let mut image = [0; LEN];
        put(&mut image, MODEL_ID, &self.model_id.to_le_bytes());
        put(&mut image, MODEL_NODE_ID, &self.model_node_id.to_le_bytes());
        put(&mut image, NAME, &self.name);
        put(&mut image, UUID, &self.uuid);
        put(&mut image, NC_INDEX, &[self.nc_index]);
        put(&mut image, SG_INDEX, &[self.sg_index]);
        let cells = self.host_usage.iter().chain(&self.device_usage);
        for (cell, at) in cells.zip((USAGE..LEN).step_by(CELL_LEN)) {
            put(&mut image, at, &cell.encode());
        }
        seal(&mut image);
        image
    }

    /// Reads an image.
    pub fn decode(image: &[u8; LEN]) -> Self {
        let [nc_index] = take(image, NC_INDEX);
        let [sg_index] = take(image, SG_INDEX);
        Self {
            model_id: u32::from_le_bytes(take(image, MODEL_ID)),
            model_node_id: u32::from_le_bytes(take(image, MODEL_NODE_ID)),
            name: take(image, NAME),
            uuid: take(image, UUID),
            nc_index,
            sg_index,
            host_usage: usage(image, 0),
            device_usage: usage(image, 1),
        }
    }

    /// The name up to its first NUL.
    pub fn name_text(&self) -> &[u8] {
        trimmed(&self.name)
    }
}

/// The usage cells of one location.
fn usage(image: &[u8; LEN], location: usize) -> [MemoryUsage; USAGE_CATEGORIES] {
    let mut cells = [MemoryUsage::default(); USAGE_CATEGORIES];
    let first = USAGE + location * USAGE_CATEGORIES * CELL_LEN;
    for (cell, at) in cells.iter_mut().zip((first..LEN).step_by(CELL_LEN)) {
        *cell = MemoryUsage::decode(&take(image, at));
    }
    cells
}

const _: () = {
    assert!(LEN == 672);
    assert!(MODEL_ID == 4 && MODEL_NODE_ID == 8 && NAME == 12);
    assert!(UUID == 268 && NC_INDEX == 284 && SG_INDEX == 285);
    assert!(USAGE == 288 && CELL_LEN == 16 && TOTAL_SIZE == 0 && CHUNK_COUNT == 8);
    assert!(USAGE + USAGE_LOCATIONS * USAGE_CATEGORIES * CELL_LEN == LEN);
};
