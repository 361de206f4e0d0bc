// SPDX-License-Identifier: MIT OR Apache-2.0
//! The slots of a device: which are occupied, by whom, and which one is handed out next.
//!
//! Owns the record of an occupancy and the LRU rule. What begins and ends an occupancy is decided in
//! [`super::datastore`].

use super::cookie::{Cookie, Generation};
use super::pages::PageSet;
use super::platform::Owner;
use super::slot::{Slot, SlotSet, SLOTS};

/// One use of a slot by one process.
#[derive(Debug)]
pub struct Occupancy<O> {
    /// The process.
    pub owner: O,
    /// When it began, in nanoseconds of the platform's clock.
    pub since: u64,
    /// Open files through which the owner acquired it.
    pub(super) holders: u32,
    /// Acquisitions by the owner, so that undoing one can tell whether another came after it.
    pub(super) claims: u64,
    /// Whether a mapping was ever made, so that there may be something to revoke.
    pub(super) mapped: bool,
    /// Pages that were reachable for writing.
    pub(super) dirty: PageSet,
}

/// An occupancy that has ended, while its slab is not yet clean and its slot not yet free.
#[derive(Debug)]
#[must_use = "a slot whose occupancy has ended must be freed"]
pub struct Ending<O> {
    cookie: Cookie,
    occupancy: Occupancy<O>,
}

impl<O> Ending<O> {
    /// Its slot.
    pub const fn slot(&self) -> Slot {
        self.cookie.slot
    }

    /// The cookie whose mappings have to go, if there was ever one.
    pub fn to_revoke(&self) -> Option<Cookie> {
        self.occupancy.mapped.then_some(self.cookie)
    }

    /// The pages that could have been written.
    pub(super) const fn dirty(&self) -> PageSet {
        self.occupancy.dirty
    }

    pub(super) fn into_owner(self) -> O {
        self.occupancy.owner
    }
}

/// One slot.
///
/// # Invariants
///
/// `generation` is that of the present occupancy, or of the next if there is none; it was never used before. `None`:
/// worn out, no occupancy can ever be named again.
#[derive(Debug)]
pub struct Entry<O> {
    generation: Option<Generation>,
    clear_tick: u64,
    /// Uses of mappings and cookies of this slot after their occupancy had ended.
    pub(super) stale_uses: u64,
    occupancy: Option<Occupancy<O>>,
}

/// The slots of one device.
///
/// # Invariants
///
/// `used` has exactly the slots that have an occupancy.
#[derive(Debug)]
pub struct Table<O> {
    entries: [Entry<O>; SLOTS],
    used: SlotSet,
    next_tick: u64,
}

impl<O> Entry<O> {
    const FRESH: Self = Self {
        generation: Some(Generation::FIRST),
        clear_tick: 0,
        stale_uses: 0,
        occupancy: None,
    };
}

impl<O: Owner> Table<O> {
    /// All slots free and never used.
    pub const fn new() -> Self {
        Self {
            entries: [const { Entry::FRESH }; SLOTS],
            used: SlotSet::EMPTY,
            next_tick: 1,
        }
    }

    /// As [`Self::new`], but the first occupancy of each slot has that generation.
    pub fn starting_at(first: Generation) -> Self {
        let mut table = Self::new();
        for entry in &mut table.entries {
            entry.generation = Some(first);
        }
        table
    }

    /// The slots that are occupied.
    pub const fn used(&self) -> SlotSet {
        self.used
    }

    /// The slot's present occupancy and its name.
    pub fn get(&self, slot: Slot) -> Option<(Cookie, &Occupancy<O>)> {
        let entry = &self.entries[slot.index()];
        Some((
            Cookie {
                slot,
                generation: entry.generation?,
            },
            entry.occupancy.as_ref()?,
        ))
    }

    /// Uses of this slot's ended occupancies.
    pub fn stale_uses(&self, slot: Slot) -> u64 {
        self.entries[slot.index()].stale_uses
    }

    pub(super) fn count_stale_use(&mut self, slot: Slot) {
        let count = &mut self.entries[slot.index()].stale_uses;
        *count = count.wrapping_add(1);
    }

    /// The occupancy that a cookie names, if it has not ended.
    pub(super) fn current(&mut self, cookie: Cookie) -> Option<&mut Occupancy<O>> {
        let entry = &mut self.entries[cookie.slot.index()];
        if entry.generation != Some(cookie.generation) {
            return None;
        }
        entry.occupancy.as_mut()
    }

    /// The occupancy of a thread group. Each has at most one.
    #[inline]
    pub(super) fn owned_by(&mut self, id: O::Id) -> Option<(Cookie, &mut Occupancy<O>)> {
        let slot = self.used.iter().find(|slot| {
            matches!(&self.entries[slot.index()].occupancy, Some(found) if found.owner.id() == id)
        })?;
        let entry = &mut self.entries[slot.index()];
        Some((
            Cookie {
                slot,
                generation: entry.generation?,
            },
            entry.occupancy.as_mut()?,
        ))
    }

    /// The free slot that is handed out next: the first never used, else the one that was cleared longest ago.
    fn next_free(&self) -> Option<Slot> {
        self.used
            .complement()
            .iter()
            .filter(|slot| self.entries[slot.index()].generation.is_some())
            .min_by_key(|slot| self.entries[slot.index()].clear_tick)
    }

    /// Begins an occupancy, if a slot is free. Only then `owner` is asked for: a reference that is taken must be kept.
    pub(super) fn occupy(
        &mut self,
        owner: impl FnOnce() -> O,
        since: u64,
    ) -> Option<(Cookie, &mut Occupancy<O>)> {
        let slot = self.next_free()?;
        self.used.insert(slot);
        let entry = &mut self.entries[slot.index()];
        let cookie = Cookie {
            slot,
            generation: entry.generation?,
        };
        let fresh = Occupancy {
            owner: owner(),
            since,
            holders: 0,
            claims: 0,
            mapped: false,
            dirty: PageSet::EMPTY,
        };
        Some((cookie, entry.occupancy.insert(fresh)))
    }

    /// Ends the slot's occupancy: from here on its cookie names nothing. The slot is not free before [`Self::free`].
    pub(super) fn end(&mut self, slot: Slot) -> Option<Ending<O>> {
        let entry = &mut self.entries[slot.index()];
        let generation = entry.generation?;
        let occupancy = entry.occupancy.take()?;
        entry.generation = generation.next();
        let cookie = Cookie { slot, generation };
        Some(Ending { cookie, occupancy })
    }

    /// Gives a slot whose occupancy has ended back, as the one that was cleared last.
    pub(super) fn free(&mut self, slot: Slot) {
        self.used.remove(slot);
        self.entries[slot.index()].clear_tick = self.next_tick;
        self.next_tick = self.next_tick.wrapping_add(1);
    }
}

impl<O: Owner> Default for Table<O> {
    fn default() -> Self {
        Self::new()
    }
}
