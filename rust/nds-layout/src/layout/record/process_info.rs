// SPDX-License-Identifier: MIT OR Apache-2.0
//! The process-info record, 64 bytes (layout reference section 6.2).

use super::bytes::{put, take, trimmed};
use super::version::Version;
use crate::layout::abi::{ProcessInfoRecord, TAG_LEN};
use crate::layout::hash::seal;
use core::mem::{offset_of, size_of};

/// Bytes of the record.
pub const LEN: usize = size_of::<ProcessInfoRecord>();
/// Where the tag starts. C puts a byte array right after the i8.
pub const TAG_OFFSET: usize = offset_of!(ProcessInfoRecord, info.tag);
/// Where one published table lets the tag start: three hole bytes earlier than where C has the hole.
pub const TAG_OFFSET_OTHER_READING: usize = TAG_OFFSET.next_multiple_of(4);

const FRAMEWORK_TYPE: usize = offset_of!(ProcessInfoRecord, info.framework_type);
const FRAMEWORK_VERSION: usize = offset_of!(ProcessInfoRecord, info.framework_version);
const FAL_VERSION: usize = offset_of!(ProcessInfoRecord, info.fal_version);
const RUNTIME_VERSION: usize = offset_of!(ProcessInfoRecord, info.runtime_version);

/// What a process says about itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessInfo {
    /// Machine-learning framework, see [`FrameworkType`].
    pub framework_type: i8,
    /// Tag, NUL-padded; not necessarily UTF-8 or NUL-terminated.
    pub tag: [u8; TAG_LEN],
    /// Version of the framework.
    pub framework_version: Version,
    /// Version of the framework adaptation layer.
    pub fal_version: Version,
    /// Version of the Neuron runtime.
    pub runtime_version: Version,
}

impl ProcessInfo {
    /// The record image, with its hash.
    pub fn encode(&self) -> [u8; LEN] {
        let mut image = [0; LEN];
        put(
            &mut image,
            FRAMEWORK_TYPE,
            &self.framework_type.to_le_bytes(),
        );
        put(&mut image, TAG_OFFSET, &self.tag);
        put(
            &mut image,
            FRAMEWORK_VERSION,
            &self.framework_version.encode(),
        );
        put(&mut image, FAL_VERSION, &self.fal_version.encode());
        put(&mut image, RUNTIME_VERSION, &self.runtime_version.encode());
        seal(&mut image);
        image
    }

    /// Reads an image with the tag at [`TAG_OFFSET`].
    pub fn decode(image: &[u8; LEN]) -> Self {
        Self::decode_placed(image, TagPlacement::Normal)
    }

    /// Reads an image of a foreign producer with the tag where [`TagPlacement::detect`] finds it.
    pub fn decode_detecting_tag(image: &[u8; LEN]) -> (Self, TagPlacement) {
        let placement = TagPlacement::detect(image);
        (Self::decode_placed(image, placement), placement)
    }

    /// The tag up to its first NUL.
    pub fn tag_text(&self) -> &[u8] {
        trimmed(&self.tag)
    }

    fn decode_placed(image: &[u8; LEN], placement: TagPlacement) -> Self {
        let version = |at| Version::decode(&take(image, at));
        Self {
            framework_type: i8::from_le_bytes(take(image, FRAMEWORK_TYPE)),
            tag: take(image, placement.offset()),
            framework_version: version(FRAMEWORK_VERSION),
            fal_version: version(FAL_VERSION),
            runtime_version: version(RUNTIME_VERSION),
        }
    }
}

/// Where the tag of an image starts. Sources disagree; no live slab has settled it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagPlacement {
    /// At record offset 5, as the public C header lays it out. What this crate writes.
    Normal,
    /// At record offset 8, the other published reading.
    OtherReading,
}

impl TagPlacement {
    /// Recognises the other reading by three zero bytes followed by a tag: in the normal one that tag would be empty.
    pub fn detect(image: &[u8; LEN]) -> Self {
        let hole: [u8; TAG_OFFSET_OTHER_READING - TAG_OFFSET] = take(image, TAG_OFFSET);
        let [first] = take(image, TAG_OFFSET_OTHER_READING);
        if hole.iter().all(|&byte| byte == 0) && first != 0 {
            Self::OtherReading
        } else {
            Self::Normal
        }
    }

    const fn offset(self) -> usize {
        match self {
            Self::Normal => TAG_OFFSET,
            Self::OtherReading => TAG_OFFSET_OTHER_READING,
        }
    }
}

/// Machine-learning frameworks a process can name (public runtime header).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i8)]
pub enum FrameworkType {
    /// Not set.
    Invalid = 0,
    /// No framework.
    None = 1,
    /// TensorFlow.
    TensorFlow = 2,
    /// PyTorch.
    PyTorch = 3,
    /// MXNet.
    MxNet = 4,
    /// A check before the workload.
    Precheck = 5,
}

const _: () = {
    assert!(LEN == 64);
    assert!(FRAMEWORK_TYPE == 4);
    assert!(TAG_OFFSET == 5);
    assert!(
        TAG_OFFSET_OTHER_READING == 8 && TAG_OFFSET_OTHER_READING + TAG_LEN == FRAMEWORK_VERSION
    );
    assert!(FRAMEWORK_VERSION == 40 && FAL_VERSION == 48 && RUNTIME_VERSION == 56);
};
