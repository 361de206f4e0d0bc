// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sets of NeuronCores. Owns nothing about what they count.

use crate::layout::Core;

/// Which NeuronCores a device has, or which have counted something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct CoreMask(u16);

const _: () = assert!(Core::COUNT == u16::BITS as usize);

impl CoreMask {
    /// No core.
    pub const NONE: Self = Self(0);
    /// Every core that a slab has counters for.
    pub const ALL: Self = Self(u16::MAX);

    /// The cores whose bit is set: bit n for core n.
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// Bit n for core n.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Whether the core is in it.
    pub const fn contains(self, core: Core) -> bool {
        self.0 & Self::bit(core) != 0
    }

    /// Puts a core in.
    pub fn insert(&mut self, core: Core) {
        self.0 |= Self::bit(core);
    }

    /// Its cores in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Core> + Clone {
        Core::all().filter(move |core| self.contains(*core))
    }

    /// INVARIANT of `Core`: below 16, so that no bit is shifted out.
    const fn bit(core: Core) -> u16 {
        1_u16.wrapping_shl(core.get())
    }
}
