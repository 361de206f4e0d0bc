// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who may read the slab of another process.
//!
//! Owns the policies and their names. Comparing users and checking capabilities is the body's.

/// Who may read the slab of another process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum AttachPolicy {
    /// The same effective user, or CAP_PERFMON in the owner's user namespace.
    Uid,
    /// Everybody who may open the device.
    Any,
    /// CAP_PERFMON in the owner's user namespace.
    Perfmon,
}

impl AttachPolicy {
    /// The policy of that name; nothing if there is none.
    pub const fn from_name(name: &[u8]) -> Option<Self> {
        match name {
            b"uid" => Some(Self::Uid),
            b"any" => Some(Self::Any),
            b"perfmon" => Some(Self::Perfmon),
            _ => None,
        }
    }

    /// Whether the caller has to have CAP_PERFMON in the owner's user namespace. If not, it may attach without.
    pub const fn needs_perfmon(self, same_user: bool) -> bool {
        match self {
            Self::Any => false,
            Self::Uid => !same_user,
            Self::Perfmon => true,
        }
    }
}
