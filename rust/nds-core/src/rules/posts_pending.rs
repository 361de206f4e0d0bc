// SPDX-License-Identifier: MIT OR Apache-2.0
//! What has been counted but not yet delivered.
//!
//! Owns the promise that nothing is dropped before it was delivered: what goes into a message moves to the *sent* part,
//! from where it disappears when the message was delivered, and returns when it was not.

use super::block::{HeadRow, HEAD};
use super::versions::{Usage, VersionTables};
use crate::layout::{NcCounter, NdCounter};

/// Counts, versions and feature bits. All zero: nothing.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Amounts {
    growth: HeadRow,
    versions: VersionTables,
    features: u64,
}

impl Amounts {
    const NONE: Self = Self {
        growth: [0; HEAD],
        versions: VersionTables::new(),
        features: 0,
    };

    fn add_growth(&mut self, growth: &HeadRow) {
        for (sum, more) in self.growth.iter_mut().zip(growth) {
            *sum = sum.wrapping_add(*more);
        }
    }
}

/// What waits for delivery, and what is on its way.
#[derive(Clone, Debug)]
#[repr(C)]
pub(super) struct Pending {
    waiting: Amounts,
    sent: Amounts,
}

impl Pending {
    /// Nothing counted yet.
    pub(super) const fn new() -> Self {
        Self {
            waiting: Amounts::NONE,
            sent: Amounts::NONE,
        }
    }

    /// A producer's counters went from `seen` to `now`. A counter that fell contributes nothing, and does not take
    /// from what others added.
    pub(super) fn add_growth(&mut self, seen: &HeadRow, now: &HeadRow) {
        for ((sum, seen), now) in self.waiting.growth.iter_mut().zip(seen).zip(now) {
            *sum = sum.wrapping_add(now.saturating_sub(*seen));
        }
    }

    /// An occupancy has a version.
    pub(super) fn note_version(&mut self, counter: NdCounter, word: u64) {
        if let Some(table) = self.waiting.versions.get_mut(counter) {
            table.note(word);
        }
    }

    /// An occupancy uses features.
    pub(super) fn note_features(&mut self, bits: u64) {
        self.waiting.features |= bits;
    }

    /// What a counter has grown by.
    pub(super) fn growth(&self, counter: NcCounter) -> u64 {
        self.waiting
            .growth
            .get(counter.index())
            .copied()
            .unwrap_or(0)
    }

    /// Feature bits.
    pub(super) const fn features(&self) -> u64 {
        self.waiting.features
    }

    /// The growth of a counter is in the message.
    pub(super) fn send_growth(&mut self, counter: NcCounter) {
        let waiting = self.waiting.growth.get_mut(counter.index());
        if let (Some(waiting), Some(sent)) = (waiting, self.sent.growth.get_mut(counter.index())) {
            *sent = core::mem::take(waiting);
        }
    }

    /// The feature bits are in the message.
    pub(super) fn send_features(&mut self) {
        self.sent.features = core::mem::take(&mut self.waiting.features);
    }

    /// The most used version, which leaves the waiting ones: it must be handed to [`Self::send_version`] or
    /// [`Self::keep_version`].
    pub(super) fn take_version(&mut self, counter: NdCounter) -> Option<Usage> {
        self.waiting.versions.get_mut(counter)?.take_most_used()
    }

    /// The version is in the message.
    pub(super) fn send_version(&mut self, counter: NdCounter, usage: Usage) {
        if let Some(table) = self.sent.versions.get_mut(counter) {
            table.add(usage);
        }
    }

    /// The version did not fit.
    pub(super) fn keep_version(&mut self, counter: NdCounter, usage: Usage) {
        if let Some(table) = self.waiting.versions.get_mut(counter) {
            table.add(usage);
        }
    }

    /// What was sent has arrived.
    pub(super) fn delivered(&mut self) {
        self.sent = Amounts::NONE;
    }

    /// What was sent has not arrived and waits again, with what came meanwhile.
    pub(super) fn not_delivered(&mut self) {
        let Self { waiting, sent } = self;
        waiting.add_growth(&sent.growth);
        waiting.versions.add_all(&sent.versions);
        waiting.features |= sent.features;
        self.delivered();
    }
}

impl Default for Pending {
    fn default() -> Self {
        Self::new()
    }
}
