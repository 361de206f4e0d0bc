// SPDX-License-Identifier: MIT OR Apache-2.0
//! The versions of one component that a device has seen, by how often (metrics reference section 4.7).
//!
//! Owns the table and its eviction rule. Which words are versions is in the catalogue of `nds-layout`; what is posted
//! of them is decided in [`super::posts`].

use super::text::Text;
use crate::layout::{Kind, NdCounter, PackedVersion, Version};

/// Distinct versions that a table keeps.
pub const VERSIONS_KEPT: usize = 8;

/// Components that publish a version: the runtime, the framework, the framework adaptation layer.
pub const COMPONENTS: usize = 3;

/// The per-device counters that are versions, in the order of the tables.
pub const VERSION_WORDS: [NdCounter; COMPONENTS] = [
    NdCounter::RUNTIME_VERSION,
    NdCounter::FRAMEWORK_VERSION,
    NdCounter::FAL_VERSION,
];

/// One version and how often it was seen. All zero: none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Usage {
    /// The packed version, never 0 if `count` is not.
    pub word: u64,
    /// How often; it stays at its largest value.
    pub count: u64,
}

/// The most used versions of one component. All zero: none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct VersionTable {
    entries: [Usage; VERSIONS_KEPT],
}

impl VersionTable {
    /// No version.
    pub const fn new() -> Self {
        Self {
            entries: [Usage { word: 0, count: 0 }; VERSIONS_KEPT],
        }
    }

    /// Counts a version once. The word 0 means that none was set.
    pub fn note(&mut self, word: u64) {
        self.add(Usage { word, count: 1 });
    }

    /// Counts a version several times. If it is not in the table, the least used one (the first of several) goes.
    pub fn add(&mut self, usage: Usage) {
        if usage.word == 0 || usage.count == 0 {
            return;
        }
        if let Some(known) = self
            .entries
            .iter_mut()
            .find(|entry| entry.word == usage.word)
        {
            known.count = known.count.saturating_add(usage.count);
        } else if let Some(least) = self.entries.iter_mut().min_by_key(|entry| entry.count) {
            *least = usage;
        }
    }

    /// Takes the most used version (the first of several) out.
    pub fn take_most_used(&mut self) -> Option<Usage> {
        // Of equal keys `max_by_key` gives the last, so it looks from the end.
        let most = self
            .entries
            .iter_mut()
            .rev()
            .max_by_key(|entry| entry.count)?;
        (most.count > 0).then(|| core::mem::take(most))
    }

    /// The versions in it, in table order.
    pub fn iter(&self) -> impl Iterator<Item = &Usage> {
        self.entries.iter().filter(|entry| entry.count > 0)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

/// One table for each of [`VERSION_WORDS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct VersionTables([VersionTable; COMPONENTS]);

impl VersionTables {
    /// No version of any component.
    pub const fn new() -> Self {
        Self([VersionTable::new(); COMPONENTS])
    }

    /// The table of a per-device counter; none if that is not a version.
    pub fn get(&self, counter: NdCounter) -> Option<&VersionTable> {
        self.0.get(counter.index())
    }

    /// As [`Self::get`], to change it.
    pub fn get_mut(&mut self, counter: NdCounter) -> Option<&mut VersionTable> {
        self.0.get_mut(counter.index())
    }

    /// Puts everything that is in `other` in.
    pub fn add_all(&mut self, other: &Self) {
        for (table, more) in self.0.iter_mut().zip(&other.0) {
            more.iter().for_each(|usage| table.add(*usage));
        }
    }
}

// The tables are found by counter number.
const _: () = {
    let mut number = 0;
    while number < NdCounter::COUNT {
        let is_version = matches!(
            crate::layout::catalog::nd_counters()[number].kind,
            Kind::Version
        );
        assert!(is_version == (number < COMPONENTS));
        assert!(!is_version || VERSION_WORDS[number].index() == number);
        number += 1;
    }
};

/// Writes a version as `major.minor.build`.
pub fn write_version<const N: usize>(text: &mut Text<N>, word: u64) {
    let Version {
        major,
        minor,
        build,
    } = PackedVersion::from_word(word).version;
    text.decimal(major.into())
        .push(b".")
        .decimal(minor.into())
        .push(b".")
        .decimal(build.into());
}
