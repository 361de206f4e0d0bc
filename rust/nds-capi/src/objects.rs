// SPDX-License-Identifier: MIT OR Apache-2.0
//! The three types of objects, laid out as in the original (libnds reference section 2.2).
//!
//! Owns: where the payload is in an object and in its record. Does not own: moving it (`payload`).

use std::ffi::c_void;
use std::mem::{offset_of, size_of};

use nds_layout::abi::{
    self, ModelNodeInfo, ModelNodeMemUsageInfo, ModelRecord, ProcessInfoExtRecord,
    ProcessInfoRecord,
};
use nds_layout::record::{model, process_info, process_info_ext};
use nds_layout::{place, Model, ProcessInfo, ProcessInfoExt, RecordPlace};

use crate::allocation::ZeroValid;
use crate::handle::{Head, Kind};
use crate::payload::{Object, SingleObject, Span};

/// A process-info object.
#[repr(C)]
pub(crate) struct ProcessInfoObject {
    pub(crate) head: Head,
    pub(crate) info: abi::ProcessInfo,
}

/// An extended process-info object.
#[repr(C)]
pub(crate) struct ProcessInfoExtObject {
    pub(crate) head: Head,
    pub(crate) info: abi::ProcessInfoExt,
}

/// A model object.
#[repr(C)]
pub(crate) struct ModelObject {
    pub(crate) head: Head,
    /// The slot of the published record.
    pub(crate) slot: i32,
    /// The bitmap in which this object has taken a slot; NULL if its record was only read.
    pub(crate) bitmap: *mut c_void,
    pub(crate) node_info: ModelNodeInfo,
    pub(crate) mem_usage: ModelNodeMemUsageInfo,
}

// SAFETY: integers, byte arrays and raw pointers, for which NULL is valid; the tag is a plain integer.
unsafe impl ZeroValid for ProcessInfoObject {}
// SAFETY: as above.
unsafe impl ZeroValid for ProcessInfoExtObject {}
// SAFETY: as above.
unsafe impl ZeroValid for ModelObject {}

// SAFETY: `repr(C)`, the head is the first field, and the span is the field after it.
unsafe impl Object<{ process_info::LEN }> for ProcessInfoObject {
    const KIND: Kind = Kind::ProcessInfo;
    const SPANS: &'static [Span] = &[Span {
        in_object: offset_of!(Self, info),
        in_record: offset_of!(ProcessInfoRecord, info),
        len: size_of::<abi::ProcessInfo>(),
    }];

    fn sealed(image: &[u8; process_info::LEN]) -> [u8; process_info::LEN] {
        ProcessInfo::decode(image).encode()
    }
}

impl SingleObject<{ process_info::LEN }> for ProcessInfoObject {
    const PLACE: RecordPlace<{ process_info::LEN }> = place::PROCESS_INFO;
}

// SAFETY: `repr(C)`, the head is the first field, and the span is the field after it.
unsafe impl Object<{ process_info_ext::LEN }> for ProcessInfoExtObject {
    const KIND: Kind = Kind::ProcessInfoExt;
    const SPANS: &'static [Span] = &[Span {
        in_object: offset_of!(Self, info),
        in_record: offset_of!(ProcessInfoExtRecord, info),
        len: size_of::<abi::ProcessInfoExt>(),
    }];

    fn sealed(image: &[u8; process_info_ext::LEN]) -> [u8; process_info_ext::LEN] {
        ProcessInfoExt::decode(image).encode()
    }
}

impl SingleObject<{ process_info_ext::LEN }> for ProcessInfoExtObject {
    const PLACE: RecordPlace<{ process_info_ext::LEN }> = place::PROCESS_INFO_EXT;
}

// SAFETY: `repr(C)`, the head is the first field, and the spans are the last two fields.
unsafe impl Object<{ model::LEN }> for ModelObject {
    const KIND: Kind = Kind::Model;
    const SPANS: &'static [Span] = &[
        Span {
            in_object: offset_of!(Self, node_info),
            in_record: offset_of!(ModelRecord, node_info),
            len: size_of::<ModelNodeInfo>(),
        },
        Span {
            in_object: offset_of!(Self, mem_usage),
            in_record: offset_of!(ModelRecord, mem_usage),
            len: size_of::<ModelNodeMemUsageInfo>(),
        },
    ];

    fn sealed(image: &[u8; model::LEN]) -> [u8; model::LEN] {
        Model::decode(image).encode()
    }
}

const _: () = {
    assert!(offset_of!(ProcessInfoObject, info) == 24 && size_of::<ProcessInfoObject>() == 88);
    assert!(
        offset_of!(ProcessInfoExtObject, info) == 24 && size_of::<ProcessInfoExtObject>() == 280
    );
    assert!(offset_of!(ModelObject, slot) == 24 && offset_of!(ModelObject, bitmap) == 32);
    assert!(offset_of!(ModelObject, node_info) == 40 && offset_of!(ModelObject, mem_usage) == 328);
    assert!(size_of::<ModelObject>() == 712);
};
