// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records that are recognised: every field follows from one number.

use nds::layout::record::padded;
use nds::{MemoryUsage, Model, ProcessInfo, ProcessInfoExt, Version};

/// Text that differs in every byte from number to number.
fn text<const N: usize>(number: u32) -> [u8; N] {
    padded(&[(number % 251) as u8 + 1; N])
}

fn version(number: u32) -> Version {
    Version {
        major: number as u8,
        minor: !number as u8,
        build: number,
    }
}

pub(super) fn process_info(number: u32) -> ProcessInfo {
    ProcessInfo {
        framework_type: number as i8,
        tag: text(number),
        framework_version: version(number),
        fal_version: version(number.wrapping_add(1)),
        runtime_version: version(number.wrapping_add(2)),
    }
}

/// The record's number, if it is all of one publication.
pub(super) fn number_of(info: &ProcessInfo) -> Option<u32> {
    let number = info.framework_version.build;
    (*info == process_info(number)).then_some(number)
}

pub(super) fn process_info_ext(number: u32) -> ProcessInfoExt {
    ProcessInfoExt { tag: text(number) }
}

/// Whether the record is all of one publication.
pub(super) fn is_whole(info: &ProcessInfoExt) -> bool {
    info.tag.iter().all(|byte| *byte == info.tag[0])
}

pub(super) fn model(number: u32) -> Model {
    let usage = MemoryUsage {
        total_size: u64::from(number) << 32,
        chunk_count: number,
    };
    Model {
        model_id: number,
        model_node_id: !number,
        name: text(number),
        uuid: [number as u8; 16],
        nc_index: number as u8,
        sg_index: number as u8,
        host_usage: [usage; 12],
        device_usage: [usage; 12],
    }
}

/// Whether the record is all of one publication.
pub(super) fn is_whole_model(read: &Model) -> bool {
    *read == model(read.model_id)
}
