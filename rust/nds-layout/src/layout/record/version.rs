// SPDX-License-Identifier: MIT OR Apache-2.0
//! The version triple inside the process-info record.
//!
//! Major comes first here, unlike in the packed version word of a counter (`packed_version`).

use super::bytes::{put, take};
use crate::layout::abi::VersionInfo;
use core::mem::{offset_of, size_of};

/// Bytes of a version triple.
pub const LEN: usize = size_of::<VersionInfo>();

const MAJOR: usize = offset_of!(VersionInfo, major);
const MINOR: usize = offset_of!(VersionInfo, minor);
const BUILD: usize = offset_of!(VersionInfo, build);

/// A version: major, minor, build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// Major number.
    pub major: u8,
    /// Minor number.
    pub minor: u8,
    /// Build number.
    pub build: u32,
}

impl Version {
    /// The bytes of the triple; its two hole bytes are zero.
    pub fn encode(&self) -> [u8; LEN] {
        let mut bytes = [0; LEN];
        put(&mut bytes, MAJOR, &[self.major]);
        put(&mut bytes, MINOR, &[self.minor]);
        put(&mut bytes, BUILD, &self.build.to_le_bytes());
        bytes
    }

    /// Reads a triple; its hole bytes are ignored.
    pub fn decode(bytes: &[u8; LEN]) -> Self {
        let [major] = take(bytes, MAJOR);
        let [minor] = take(bytes, MINOR);
        Self {
            major,
            minor,
            build: u32::from_le_bytes(take(bytes, BUILD)),
        }
    }
}

impl core::fmt::Display for Version {
    #[inline]
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.build)
    }
}

const _: () = assert!(MAJOR == 0 && MINOR == 1 && BUILD == 4);
