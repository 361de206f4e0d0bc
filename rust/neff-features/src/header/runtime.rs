// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `runtime` layout: what loaders read, and with the mirror the `dual` layout (sections 3.1, 3.3).
//!
//! Owns the offsets and the fields. A new header is `dual`; give it
//! [`HashTail::AsciiZero`] for the filler of known files instead.

use super::block::{bytes, put, text_field, u32_at, u64_at, Block, HEADER_SIZE};
use super::digest::{Digest, HashTail};
use crate::libnrt;
use crate::mask::FeatureMask;

/// Where the fields are, in bytes from the start of the file.
pub mod offset {
    use crate::header::digest::HASH_SIZE;

    /// u64: packaging version, 1 or 2.
    pub const PKG_VERSION: usize = 0;
    /// u64: 1024.
    pub const HEADER_SIZE: usize = PKG_VERSION + 8;
    /// u64: size of the payload as stored.
    pub const DATA_SIZE: usize = HEADER_SIZE + 8;
    /// u64: major version, which is the minimum schema.
    pub const VERSION_MAJOR: usize = DATA_SIZE + 8;
    /// u64: minor version.
    pub const VERSION_MINOR: usize = VERSION_MAJOR + 8;
    /// 128 bytes of text: build version.
    pub const BUILD_VERSION: usize = VERSION_MINOR + 8;
    /// u32: 1 in known files.
    pub const UNUSED_0: usize = BUILD_VERSION + 128;
    /// 32 bytes: digest of the payload.
    pub const HASH: usize = UNUSED_0 + 4;
    /// 16 bytes: UUID.
    pub const UUID: usize = HASH + HASH_SIZE;
    /// 256 bytes of text: name.
    pub const NAME: usize = UUID + 16;
    /// u32: requested TPB count.
    pub const REQUESTED_TPB_COUNT: usize = NAME + 256;
    /// 64 bytes: TPBs per node.
    pub const TPB_PER_NODE: usize = REQUESTED_TPB_COUNT + 4;
    /// u64: the feature mask.
    pub const FEATURE_BITS: usize = TPB_PER_NODE + 64;
    /// u32: number of cores fused into a virtual core.
    pub const VNC_SIZE: usize = FEATURE_BITS + 8;

    // The golden offsets of section 3.1.
    const _: () = assert!(VERSION_MAJOR == 24 && UNUSED_0 == 168 && HASH == 172 && UUID == 204);
    const _: () = assert!(
        NAME == 220 && REQUESTED_TPB_COUNT == 476 && FEATURE_BITS == 544 && VNC_SIZE == 552
    );
}

/// The fields of the `runtime` layout. Bytes after `vnc_size` are zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuntimeHeader {
    /// Packaging version and digest of the payload.
    pub digest: Digest,
    /// 1024 in a valid file.
    pub header_size: u64,
    /// Bytes of payload as stored, from offset 1024.
    pub data_size: u64,
    /// Major version: the minimum schema. All 64 bits count.
    pub version_major: u64,
    /// Minor version; never gated.
    pub version_minor: u64,
    /// Build version, zero filled.
    pub build_version: [u8; 128],
    /// 1 in known files.
    pub unused_0: u32,
    /// RFC 4122 version 4; the loader's cache key.
    pub uuid: [u8; 16],
    /// Name, zero terminated unless full.
    pub name: [u8; 256],
    /// Requested TPB count.
    pub requested_tpb_count: u32,
    /// TPBs per node.
    pub tpb_per_node: [u8; 64],
    /// The feature mask.
    pub feature_bits: FeatureMask,
    /// 1 for a single core, 2 for a fused pair.
    pub vnc_size: u32,
}

impl RuntimeHeader {
    /// A `dual` header for a payload of `data_size` bytes with this MD5, mask and schema; everything
    /// else has the value of a single-core file.
    pub const fn new(
        feature_bits: FeatureMask,
        schema_min: u64,
        data_size: u64,
        md5: [u8; 16],
    ) -> Self {
        Self {
            digest: Digest::Md5(md5, HashTail::Mirror),
            header_size: HEADER_SIZE as u64,
            data_size,
            version_major: schema_min,
            version_minor: 0,
            build_version: [0; 128],
            unused_0: 1,
            uuid: [0; 16],
            name: [0; 256],
            requested_tpb_count: 1,
            tpb_per_node: [0; 64],
            feature_bits,
            vnc_size: 1,
        }
    }

    /// Sets the name; `false` when it is longer than 256 bytes, which changes nothing.
    #[must_use]
    pub fn set_name(&mut self, name: &str) -> bool {
        text_field(name.as_bytes())
            .map(|field| self.name = field)
            .is_some()
    }

    /// Sets the build version; `false` when it is longer than 128 bytes, which changes nothing.
    #[must_use]
    pub fn set_build_version(&mut self, build: &str) -> bool {
        text_field(build.as_bytes())
            .map(|field| self.build_version = field)
            .is_some()
    }

    pub(super) fn from_block(block: &Block) -> Self {
        let feature_bits = FeatureMask::new(u64_at(block, offset::FEATURE_BITS));
        let version_major = u64_at(block, offset::VERSION_MAJOR);
        let pkg_version = u64_at(block, offset::PKG_VERSION);
        Self {
            digest: Digest::read(
                pkg_version,
                bytes(block, offset::HASH),
                feature_bits,
                version_major,
            ),
            header_size: u64_at(block, offset::HEADER_SIZE),
            data_size: u64_at(block, offset::DATA_SIZE),
            version_major,
            version_minor: u64_at(block, offset::VERSION_MINOR),
            build_version: bytes(block, offset::BUILD_VERSION),
            unused_0: u32_at(block, offset::UNUSED_0),
            uuid: bytes(block, offset::UUID),
            name: bytes(block, offset::NAME),
            requested_tpb_count: u32_at(block, offset::REQUESTED_TPB_COUNT),
            tpb_per_node: bytes(block, offset::TPB_PER_NODE),
            feature_bits,
            vnc_size: u32_at(block, offset::VNC_SIZE),
        }
    }

    /// Encodes the header.
    pub fn write(&self) -> Block {
        let hash = self.digest.write(self.feature_bits, self.version_major);
        let mut block = [0; HEADER_SIZE];
        put(
            &mut block,
            offset::PKG_VERSION,
            &self.digest.pkg_version().to_le_bytes(),
        );
        put(
            &mut block,
            offset::HEADER_SIZE,
            &self.header_size.to_le_bytes(),
        );
        put(&mut block, offset::DATA_SIZE, &self.data_size.to_le_bytes());
        put(
            &mut block,
            offset::VERSION_MAJOR,
            &self.version_major.to_le_bytes(),
        );
        put(
            &mut block,
            offset::VERSION_MINOR,
            &self.version_minor.to_le_bytes(),
        );
        put(&mut block, offset::BUILD_VERSION, &self.build_version);
        put(&mut block, offset::UNUSED_0, &self.unused_0.to_le_bytes());
        put(&mut block, offset::HASH, &hash);
        put(&mut block, offset::UUID, &self.uuid);
        put(&mut block, offset::NAME, &self.name);
        put(
            &mut block,
            offset::REQUESTED_TPB_COUNT,
            &self.requested_tpb_count.to_le_bytes(),
        );
        put(&mut block, offset::TPB_PER_NODE, &self.tpb_per_node);
        put(
            &mut block,
            offset::FEATURE_BITS,
            &self.feature_bits.raw().to_le_bytes(),
        );
        put(&mut block, offset::VNC_SIZE, &self.vnc_size.to_le_bytes());
        block
    }
}

/// The fields the loader's gate reads; `None` for fewer than 1024 bytes.
pub(crate) fn loader_fields(start: &[u8]) -> Option<libnrt::Fields> {
    let block: &Block = start.first_chunk()?;
    Some(libnrt::Fields {
        pkg_version: u64_at(block, offset::PKG_VERSION),
        header_size: u64_at(block, offset::HEADER_SIZE),
        data_size: u64_at(block, offset::DATA_SIZE),
        version_major: u64_at(block, offset::VERSION_MAJOR),
        feature_bits: FeatureMask::new(u64_at(block, offset::FEATURE_BITS)),
    })
}
