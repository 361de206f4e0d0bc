// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counter catalogue: what each counter is called, what it means and how it aggregates.
//!
//! Owns: the shape of an entry and the lookups. Does not own: the entries (`catalog_nd`, `catalog_nc`) or addresses
//! (`address`). Positions are ABI: the runtime computes some from its error codes. Never renumber, append only.

use super::catalog_nc::NC_COUNTERS;
use super::catalog_nd::ND_COUNTERS;
use super::index::{NcCounter, NdCounter};

/// How a counter's values of several producers, living and gone, make one value of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Only grows while its producer lives: totals of ended producers plus the sum over living ones, modulo 2^64.
    ///
    /// Reserved counters are of this kind too. A newer runtime may fill them, and every name given so far at the end
    /// of the NC list is an event count, so that nothing is lost.
    Monotonic,
    /// An amount at this moment: the sum over living producers only.
    Gauge,
    /// A set of flags: bitwise OR.
    Bitmap,
    /// A packed version ([`PackedVersion`](super::packed_version::PackedVersion)): listed, never added.
    Version,
    /// An opaque number: the last one that is not 0.
    Identifier,
}

/// Which enumeration of the C header names a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// Per device.
    Nd,
    /// Per NeuronCore, original: base band for cores 0-3, else data band.
    Nc,
    /// Per NeuronCore, extended: ext band for cores 0-3, else data band.
    ExtNc,
}

impl Group {
    /// What the C header puts before the name.
    pub const fn c_prefix(self) -> &'static str {
        match self {
            Self::Nd => "NDS_ND_COUNTER_",
            Self::Nc => "NDS_NC_COUNTER_",
            Self::ExtNc => "NDS_EXT_NC_COUNTER_",
        }
    }
}

/// One entry of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CounterInfo {
    /// Number, as in [`NdCounter`] or [`NcCounter`].
    pub index: u32,
    /// Name without the C prefix; `RESERVED_n` if it has none yet.
    pub name: &'static str,
    /// One sentence.
    pub meaning: &'static str,
    /// How it aggregates.
    pub kind: Kind,
    /// Which enumeration names it.
    pub group: Group,
}

impl CounterInfo {
    /// Whether the format gives this counter a name.
    pub fn is_named(&self) -> bool {
        self.meaning != RESERVED_MEANING
    }
}

/// A feature in [`NdCounter::FEATURE_BITMAP`]; the value is its bit number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Feature {
    /// Test feature.
    Test = 0,
    /// Multi-core execution.
    Multicore = 1,
}

impl Feature {
    /// The feature's bit.
    pub const fn mask(self) -> u64 {
        1 << self as u8
    }
}

/// The meaning of an entry without a name.
pub(super) const RESERVED_MEANING: &str = "Reserved for a later runtime.";

/// Defines a catalogue table, and a constant of the index type for each named counter.
macro_rules! catalogue {
    (
        $(#[$doc:meta])*
        $table:ident: $index:ident, $group:expr;
        $($number:literal $name:ident $kind:ident $meaning:literal;)*
        reserved $($reserved:literal)*
    ) => {
        $(#[$doc])*
        pub(super) const $table: [CounterInfo; $index::COUNT] = [
            $(CounterInfo {
                index: $number,
                name: stringify!($name),
                meaning: $meaning,
                kind: Kind::$kind,
                group: $group($number),
            },)*
            $(CounterInfo {
                index: $reserved,
                name: concat!("RESERVED_", $reserved),
                meaning: RESERVED_MEANING,
                kind: Kind::Monotonic,
                group: $group($reserved),
            },)*
        ];

        impl $index {
            $(
                #[doc = $meaning]
                pub const $name: Self = match Self::new($number) {
                    Some(counter) => counter,
                    None => unreachable!(),
                };
            )*
        }

        const _: () = {
            let mut place = 0;
            while place < $table.len() {
                assert!($table[place].index as usize == place);
                place += 1;
            }
        };
    };
}
pub(super) use catalogue;

/// Adds the catalogue lookups to an index type.
macro_rules! lookups {
    ($index:ident, $table:ident, $all:ident) => {
        /// All entries of the catalogue, by counter number.
        pub const fn $all() -> &'static [CounterInfo; $index::COUNT] {
            &$table
        }

        impl $index {
            /// The catalogue entry of this counter.
            pub fn info(self) -> &'static CounterInfo {
                // The index is below the table's length by its invariant, so the fallback is never taken.
                $table.get(self.index()).unwrap_or(&$table[0])
            }

            /// Looks a counter up by its name without the C prefix, in the catalogue's spelling.
            #[inline]
            pub fn by_name(name: &str) -> Option<Self> {
                Self::all().find(|counter| counter.info().name == name)
            }
        }
    };
}

lookups!(NdCounter, ND_TABLE, nd_counters);
lookups!(NcCounter, NC_TABLE, nc_counters);

/// The tables in static memory: one copy for all lookups.
static ND_TABLE: [CounterInfo; NdCounter::COUNT] = ND_COUNTERS;
static NC_TABLE: [CounterInfo; NcCounter::COUNT] = NC_COUNTERS;
