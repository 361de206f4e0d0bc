// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checked numbers of cores, counters and model slots.
//!
//! Owns: the only ways to make such a number. Does not own: what it addresses (`address`, `place`) or means
//! (`catalog`).

use super::region::{CORE_COUNT, MODEL_SLOT_COUNT, ND_COUNTER_COUNT, TOTAL_NC_COUNTER_COUNT};

/// Defines a number below a bound, kept in a byte so that the optimiser knows its range.
macro_rules! checked_index {
    ($(#[$doc:meta])* $name:ident, $count:expr, $what:literal) => {
        $(#[$doc])*
        ///
        /// # Invariants
        ///
        /// The number is below [`Self::COUNT`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u8);

        impl $name {
            #[doc = concat!("How many ", $what, " there are.")]
            pub const COUNT: usize = $count;

            /// Checks a number; `None` if it is [`Self::COUNT`] or more.
            pub const fn new(number: u32) -> Option<Self> {
                if number < Self::COUNT as u32 {
                    // INVARIANT: just checked; COUNT fits a byte (asserted below).
                    Some(Self(number as u8))
                } else {
                    None
                }
            }

            /// The number.
            pub const fn get(self) -> u32 {
                self.0 as u32
            }

            /// The number, as an array index.
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            #[doc = concat!("All ", $what, " in ascending order.")]
            pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
                // INVARIANT: the range ends at COUNT.
                (0..Self::COUNT as u8).map(Self)
            }
        }

        const _: () = assert!($count <= u8::MAX as usize);
    };
}

checked_index!(
    /// A NeuronCore of a device, 0..16.
    Core,
    CORE_COUNT,
    "NeuronCores"
);
checked_index!(
    /// A counter of a NeuronCore, 0..95: 31 original ones, then 64 extended ones.
    NcCounter,
    TOTAL_NC_COUNTER_COUNT,
    "counters of a NeuronCore"
);
checked_index!(
    /// A per-device counter, 0..31.
    NdCounter,
    ND_COUNTER_COUNT,
    "per-device counters"
);
checked_index!(
    /// A place for a model record, 0..64.
    ModelSlot,
    MODEL_SLOT_COUNT,
    "model slots"
);

impl Core {
    /// Checks a core number as the C API passes it: signed, and negative numbers are refused.
    pub const fn from_i32(number: i32) -> Option<Self> {
        if number < 0 {
            None
        } else {
            Self::new(number as u32)
        }
    }
}
