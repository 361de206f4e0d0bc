// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packed version word of per-device counters 0-2 (layout reference section 5.4).
//!
//! Minor lies below major here, unlike in the version triple of a record (`record::version`).

use super::record::Version;

/// A version as one counter word: bits 0-31 build, 32-39 minor, 40-47 major, 48-63 reserved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PackedVersion {
    /// Major, minor and build number.
    pub version: Version,
    /// 0, or the framework type in the framework version.
    pub reserved: u16,
}

impl PackedVersion {
    /// Unpacks a counter word. The word 0 means that no version was set, which unpacks to 0.0.0.
    pub const fn from_word(word: u64) -> Self {
        let [b0, b1, b2, b3, minor, major, r0, r1] = word.to_le_bytes();
        Self {
            version: Version {
                major,
                minor,
                build: u32::from_le_bytes([b0, b1, b2, b3]),
            },
            reserved: u16::from_le_bytes([r0, r1]),
        }
    }

    /// Packs into a counter word.
    pub const fn to_word(self) -> u64 {
        let [b0, b1, b2, b3] = self.version.build.to_le_bytes();
        let [r0, r1] = self.reserved.to_le_bytes();
        u64::from_le_bytes([
            b0,
            b1,
            b2,
            b3,
            self.version.minor,
            self.version.major,
            r0,
            r1,
        ])
    }

    /// The framework type as the kernel reads it: the last decimal digit of the reserved field.
    pub const fn framework_type(self) -> u8 {
        (self.reserved % 10) as u8
    }
}
