// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `page` layout: the published header page taken literally (section 3.2).
//!
//! No file in this layout is known to exist; it is read and written because other tools may follow
//! that page. It has no data size and no digest: the payload is everything from 1024 on.

use super::block::{bytes, put, text_field, u32_at, u64_at, Block, HEADER_SIZE};
use crate::mask::FeatureMask;

/// Where the fields are, in bytes from the start of the file.
pub mod offset {
    /// u64: format version.
    pub const VERSION: usize = 0;
    /// u64: 1024.
    pub const HEADER_SIZE: usize = VERSION + 8;
    /// u64: zero, which tells this layout from the other.
    pub const RESERVED: usize = HEADER_SIZE + 8;
    /// u64: section flag.
    pub const SECTION_FLAG: usize = RESERVED + 8;
    /// u32: document version, major.
    pub const DOC_MAJOR: usize = 168;
    /// u64: the feature mask.
    pub const FEATURE_FLAGS: usize = 192;
    /// u32: the minimum schema.
    pub const SCHEMA_MIN: usize = FEATURE_FLAGS + 8;
    /// 16 bytes: UUID.
    pub const UUID: usize = SCHEMA_MIN + 4;
    /// 255 bytes of text: file name.
    pub const FILENAME: usize = UUID + 16;
    /// u32: document version, minor.
    pub const DOC_MINOR: usize = 476;
    /// 64 bytes: engine-present flags.
    pub const ENGINE_PRESENT: usize = DOC_MINOR + 4;
    /// u64: collective field.
    pub const CC_FIELD: usize = ENGINE_PRESENT + 64;
    /// u32: arch mode word.
    pub const ARCH_MODE: usize = CC_FIELD + 8;

    // Identifier and name are where the other layout has them.
    const _: () = assert!(UUID == crate::header::runtime::offset::UUID);
    const _: () = assert!(FILENAME == crate::header::runtime::offset::NAME);
    const _: () = assert!(CC_FIELD == 544 && ARCH_MODE == 552);
}

/// The fields of the `page` layout. Everything between them is zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PageHeader {
    /// Format version; 2.
    pub version: u64,
    /// 1024 in a valid file.
    pub header_size: u64,
    /// Section flag; 1.
    pub section_flag: u64,
    /// Document version, major.
    pub doc_major: u32,
    /// The feature mask.
    pub feature_flags: FeatureMask,
    /// The minimum schema.
    pub schema_min: u32,
    /// RFC 4122 UUID.
    pub uuid: [u8; 16],
    /// File name, zero terminated unless full.
    pub filename: [u8; 255],
    /// Document version, minor.
    pub doc_minor: u32,
    /// Engine-present flags.
    pub engine_present: [u8; 64],
    /// Collective field.
    pub cc_field: u64,
    /// Arch mode word.
    pub arch_mode: u32,
}

impl PageHeader {
    /// A header with this mask and schema; everything else as the page gives it without an
    /// `info.json`.
    pub fn new(feature_flags: FeatureMask, schema_min: u32) -> Self {
        Self {
            version: 2,
            header_size: HEADER_SIZE as u64,
            section_flag: 1,
            doc_major: 1,
            feature_flags,
            schema_min,
            uuid: [0; 16],
            filename: text_field(b"file.neff").unwrap_or([0; 255]),
            doc_minor: 1,
            engine_present: [0; 64],
            cc_field: 1,
            arch_mode: 0,
        }
    }

    /// Sets the file name; `false` when it is longer than 255 bytes, which changes nothing.
    #[must_use]
    pub fn set_filename(&mut self, name: &str) -> bool {
        text_field(name.as_bytes())
            .map(|field| self.filename = field)
            .is_some()
    }

    pub(super) fn from_block(block: &Block) -> Self {
        Self {
            version: u64_at(block, offset::VERSION),
            header_size: u64_at(block, offset::HEADER_SIZE),
            section_flag: u64_at(block, offset::SECTION_FLAG),
            doc_major: u32_at(block, offset::DOC_MAJOR),
            feature_flags: FeatureMask::new(u64_at(block, offset::FEATURE_FLAGS)),
            schema_min: u32_at(block, offset::SCHEMA_MIN),
            uuid: bytes(block, offset::UUID),
            filename: bytes(block, offset::FILENAME),
            doc_minor: u32_at(block, offset::DOC_MINOR),
            engine_present: bytes(block, offset::ENGINE_PRESENT),
            cc_field: u64_at(block, offset::CC_FIELD),
            arch_mode: u32_at(block, offset::ARCH_MODE),
        }
    }

    /// Encodes the header.
    pub fn write(&self) -> Block {
        let mut block = [0; HEADER_SIZE];
        put(&mut block, offset::VERSION, &self.version.to_le_bytes());
        put(
            &mut block,
            offset::HEADER_SIZE,
            &self.header_size.to_le_bytes(),
        );
        put(
            &mut block,
            offset::SECTION_FLAG,
            &self.section_flag.to_le_bytes(),
        );
        put(&mut block, offset::DOC_MAJOR, &self.doc_major.to_le_bytes());
        put(
            &mut block,
            offset::FEATURE_FLAGS,
            &self.feature_flags.raw().to_le_bytes(),
        );
        put(
            &mut block,
            offset::SCHEMA_MIN,
            &self.schema_min.to_le_bytes(),
        );
        put(&mut block, offset::UUID, &self.uuid);
        put(&mut block, offset::FILENAME, &self.filename);
        put(&mut block, offset::DOC_MINOR, &self.doc_minor.to_le_bytes());
        put(&mut block, offset::ENGINE_PRESENT, &self.engine_present);
        put(&mut block, offset::CC_FIELD, &self.cc_field.to_le_bytes());
        put(&mut block, offset::ARCH_MODE, &self.arch_mode.to_le_bytes());
        block
    }
}
