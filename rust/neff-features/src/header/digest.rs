// SPDX-License-Identifier: MIT OR Apache-2.0
//! The 32-byte hash field of the `runtime` layout and what its loose half holds.
//!
//! Packaging version 1 fills the field with SHA-256. Version 2 uses the first half for MD5 and
//! loaders ignore the rest, which is where the `dual` layout mirrors mask and schema (section 3.3).
//! Computing a digest is [`container`](crate::container)'s part.

use crate::mask::FeatureMask;

/// Size of the hash field.
pub(super) const HASH_SIZE: usize = 32;
/// Size of an MD5 digest, and of the half that is left.
const MD5_SIZE: usize = 16;

/// The ASCII filler of known files.
const ASCII_FILLER: [u8; MD5_SIZE] = [b'0'; MD5_SIZE];

/// Packaging version and hash field, which only make sense together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Digest {
    /// Version 1: SHA-256 of the payload as stored.
    Sha256([u8; HASH_SIZE]),
    /// Version 2: MD5 of the payload as stored, and the ignored half.
    Md5([u8; MD5_SIZE], HashTail),
    /// Any other version, which no loader takes; the field as it is.
    Unknown {
        /// The version: not 1, not 2.
        pkg_version: u64,
        /// The field's bytes.
        hash: [u8; HASH_SIZE],
    },
}

/// The ignored half of the hash field in packaging version 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HashTail {
    /// Zero bytes.
    Zero,
    /// ASCII `0`, as in known files.
    AsciiZero,
    /// The `page` layout's mask and schema, equal to the real ones: the `dual` layout.
    Mirror,
    /// Anything else.
    Other([u8; MD5_SIZE]),
}

impl Digest {
    /// The packaging version.
    pub const fn pkg_version(&self) -> u64 {
        match *self {
            Self::Sha256(_) => 1,
            Self::Md5(..) => 2,
            Self::Unknown { pkg_version, .. } => pkg_version,
        }
    }

    pub(super) fn read(
        pkg_version: u64,
        hash: [u8; HASH_SIZE],
        mask: FeatureMask,
        version_major: u64,
    ) -> Self {
        match pkg_version {
            1 => Self::Sha256(hash),
            2 => {
                let (mut md5, mut tail) = ([0; MD5_SIZE], [0; MD5_SIZE]);
                md5.copy_from_slice(&hash[..MD5_SIZE]);
                tail.copy_from_slice(&hash[MD5_SIZE..]);
                Self::Md5(md5, HashTail::classify(tail, mask, version_major))
            }
            _ => Self::Unknown { pkg_version, hash },
        }
    }

    pub(super) fn write(&self, mask: FeatureMask, version_major: u64) -> [u8; HASH_SIZE] {
        match self {
            Self::Sha256(hash) | Self::Unknown { hash, .. } => *hash,
            Self::Md5(md5, tail) => {
                let mut hash = [0; HASH_SIZE];
                hash[..MD5_SIZE].copy_from_slice(md5);
                hash[MD5_SIZE..].copy_from_slice(&tail.bytes(mask, version_major));
                hash
            }
        }
    }
}

impl HashTail {
    /// What `tail` is in a header with this mask and major version; the first match counts.
    pub fn classify(tail: [u8; MD5_SIZE], mask: FeatureMask, version_major: u64) -> Self {
        let known = [Self::Zero, Self::AsciiZero, Self::Mirror];
        let is_tail = |kind: &Self| kind.bytes(mask, version_major) == tail;
        known.into_iter().find(is_tail).unwrap_or(Self::Other(tail))
    }

    /// The sixteen bytes.
    fn bytes(&self, mask: FeatureMask, version_major: u64) -> [u8; MD5_SIZE] {
        match self {
            Self::Zero => [0; MD5_SIZE],
            Self::AsciiZero => ASCII_FILLER,
            Self::Mirror => mirror(mask, version_major),
            Self::Other(bytes) => *bytes,
        }
    }

    /// The name tools print.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::AsciiZero => "ascii-zero",
            Self::Mirror => "mirror",
            Self::Other(_) => "other",
        }
    }
}

/// Four zero bytes, the mask, and the low half of the major version.
fn mirror(mask: FeatureMask, version_major: u64) -> [u8; MD5_SIZE] {
    let mut bytes = [0; MD5_SIZE];
    bytes[4..12].copy_from_slice(&mask.raw().to_le_bytes());
    bytes[12..].copy_from_slice(&version_major.to_le_bytes()[..4]);
    bytes
}
