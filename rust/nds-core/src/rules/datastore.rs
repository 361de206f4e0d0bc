// SPDX-License-Identifier: MIT OR Apache-2.0
//! The life of occupancies on one device: acquire, attach, release, the end of a file, the end of a process.
//!
//! Owns every rule about who begins, holds and ends an occupancy, and the order of what happens at its end. A body that
//! cannot be called back takes an end in halves: one of the `begin_*`, then [`Datastore::finish`]. Mappings and faults are in [`super::mapping`], what the counters add up to in [`super::totals`].

use super::cookie::{Cookie, Generation};
use super::platform::{Caller, Owner, Platform};
use super::rights::FileRights;
use super::slot::Slot;
use super::statistics::{Refusal, Statistics};
use super::table::{Ending, Occupancy, Table};

/// The process that a request names.
#[derive(Clone, Copy, Debug)]
pub enum Target<I> {
    /// The caller itself (`pid` 0).
    Caller,
    /// Another process, or the caller by its number.
    Process(I),
    /// A number that no process has in the caller's namespace.
    Nobody,
}

/// A successful acquire or attach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acquired {
    /// What to map.
    pub cookie: Cookie,
    /// What undoing it takes back: nothing, if the file had the right before.
    claim: Option<Claim>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    /// The file became a holder, by the owner's claim of this number.
    Hold(u64),
    /// The file may read, by its attach of this number.
    Read(u64),
}

/// The slots of one device and what became of them.
#[derive(Debug)]
pub struct Datastore<O> {
    pub(super) table: Table<O>,
    pub(super) statistics: Statistics,
}

impl<O: Owner> Datastore<O> {
    /// All slots free, nothing counted.
    pub const fn new() -> Self {
        Self {
            table: Table::new(),
            statistics: Statistics::new(),
        }
    }

    /// As [`Self::new`], but the first occupancy of each slot has that generation.
    pub fn starting_at(first: Generation) -> Self {
        Self {
            table: Table::starting_at(first),
            ..Self::new()
        }
    }

    /// The slots and their occupancies.
    pub const fn table(&self) -> &Table<O> {
        &self.table
    }

    /// What this device did so far.
    pub const fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Counts a request that was refused outside the datastore.
    pub fn refuse(&mut self, reason: Refusal) -> Refusal {
        self.statistics.refuse(reason)
    }

    /// Acquires a slab: the caller's own, which is created if it has none, or that of another process to read.
    ///
    /// `writable` says whether the file was opened for writing, `now` is the platform's clock in nanoseconds.
    ///
    /// # Errors
    ///
    /// [`Refusal::NotWritable`], [`Refusal::NoSlot`], [`Refusal::NoSuchOwner`] or [`Refusal::Policy`]; nothing changed.
    pub fn acquire<C: Caller<Owner = O>>(
        &mut self,
        platform: &mut impl Platform,
        caller: &C,
        rights: &mut FileRights,
        target: Target<O::Id>,
        writable: bool,
        now: impl FnOnce() -> u64,
    ) -> Result<Acquired, Refusal> {
        if self.reaps_first(caller.id(), target, writable) {
            self.reap(platform);
        }
        self.acquire_reaped(caller, rights, target, writable, now)
    }

    /// Whether an acquire has to wait until the occupancies of owners that are gone have ended: when a slot is wanted,
    /// or another process is named.
    pub fn reaps_first(&mut self, caller: O::Id, target: Target<O::Id>, writable: bool) -> bool {
        match target {
            Target::Caller => writable && self.table.owned_by(caller).is_none(),
            Target::Process(id) => id != caller,
            Target::Nobody => false,
        }
    }

    /// The rest of [`Self::acquire`], for a body that has reaped as [`Self::reaps_first`] says.
    ///
    /// # Errors
    ///
    /// As [`Self::acquire`].
    pub fn acquire_reaped<C: Caller<Owner = O>>(
        &mut self,
        caller: &C,
        rights: &mut FileRights,
        target: Target<O::Id>,
        writable: bool,
        now: impl FnOnce() -> u64,
    ) -> Result<Acquired, Refusal> {
        match target {
            Target::Caller if writable => self.acquire_own(caller, rights, now),
            Target::Caller => Err(self.refuse(Refusal::NotWritable)),
            Target::Process(id) => self.attach(caller, rights, id),
            Target::Nobody => Err(self.refuse(Refusal::NoSuchOwner)),
        }
    }

    /// The caller's own slab, if it holds one through this file already. This is the frequent case of
    /// [`Self::acquire`], in few steps and without anything that would have to be undone.
    #[inline]
    pub fn reacquire<C: Caller<Owner = O>>(
        &mut self,
        caller: &C,
        rights: &FileRights,
    ) -> Option<Cookie> {
        let (cookie, occupancy) = self.table.owned_by(caller.id())?;
        if !rights.holds(cookie) || !caller.is_described_by(&occupancy.owner) {
            return None;
        }
        occupancy.claims = occupancy.claims.wrapping_add(1);
        Some(cookie)
    }

    fn acquire_own<C: Caller<Owner = O>>(
        &mut self,
        caller: &C,
        rights: &mut FileRights,
        now: impl FnOnce() -> u64,
    ) -> Result<Acquired, Refusal> {
        if let Some((cookie, occupancy)) = self.table.owned_by(caller.id()) {
            return Ok(claim(cookie, occupancy, caller, rights));
        }
        match self.table.occupy(|| caller.reference(), now()) {
            Some((cookie, occupancy)) => {
                self.statistics.acquires = self.statistics.acquires.wrapping_add(1);
                Ok(claim(cookie, occupancy, caller, rights))
            }
            None => Err(self.refuse(Refusal::NoSlot)),
        }
    }

    fn attach<C: Caller<Owner = O>>(
        &mut self,
        caller: &C,
        rights: &mut FileRights,
        id: O::Id,
    ) -> Result<Acquired, Refusal> {
        let Some((cookie, occupancy)) = self.table.owned_by(id) else {
            return Err(self.refuse(Refusal::NoSuchOwner));
        };
        if id == caller.id() {
            return Ok(claim(cookie, occupancy, caller, rights));
        }
        if !caller.may_attach(&occupancy.owner) {
            return Err(self.refuse(Refusal::Policy));
        }
        let had_it = rights.reads(cookie);
        let attach = rights.read(cookie);
        self.statistics.attaches = self.statistics.attaches.wrapping_add(1);
        Ok(Acquired {
            cookie,
            claim: (!had_it).then_some(Claim::Read(attach)),
        })
    }

    /// Takes an acquire back of which the caller could not be told. Nothing happens if the same right
    /// was acquired once more since, or if the occupancy has ended.
    pub fn undo(
        &mut self,
        platform: &mut impl Platform,
        rights: &mut FileRights,
        acquired: Acquired,
    ) {
        if let Some(ending) = self.begin_undo(rights, acquired) {
            self.end(platform, ending);
        }
    }

    /// Ends the caller's occupancy. Naming another process, or owning nothing, is no error and does nothing.
    pub fn release<C: Caller<Owner = O>>(
        &mut self,
        platform: &mut impl Platform,
        caller: &C,
        target: Target<O::Id>,
    ) {
        if let Some(ending) = self.begin_release(caller.id(), target) {
            self.end(platform, ending);
        }
    }

    /// An open file is gone, and its mappings with it: it holds nothing any more.
    pub fn file_gone(&mut self, platform: &mut impl Platform, rights: &mut FileRights) {
        for slot in Slot::all() {
            if let Some(ending) = self.begin_close(rights, slot) {
                self.end(platform, ending);
            }
        }
    }

    /// Ends the occupancies whose owners are gone although somebody else keeps their files open.
    pub fn reap(&mut self, platform: &mut impl Platform) {
        for slot in self.table.used().iter() {
            if let Some(ending) = self.begin_reap(slot, |owner| !owner.is_alive()) {
                self.end(platform, ending);
            }
        }
    }

    /// What a file has acquired that has not ended: for reports.
    pub fn live_rights(&self, rights: &FileRights) -> FileRights {
        rights.only(
            |cookie| matches!(self.table.get(cookie.slot), Some((current, _)) if current == cookie),
        )
    }

    /// The first half of [`Self::undo`].
    pub fn begin_undo(&mut self, rights: &mut FileRights, acquired: Acquired) -> Option<Ending<O>> {
        let slot = acquired.cookie.slot;
        match acquired.claim? {
            Claim::Read(attach) => {
                rights.unread(slot, attach);
                None
            }
            Claim::Hold(number) => {
                let occupancy = self.table.current(acquired.cookie)?;
                if occupancy.claims != number {
                    return None;
                }
                self.begin_close(rights, slot)
            }
        }
    }

    /// The first half of [`Self::release`].
    pub fn begin_release(&mut self, caller: O::Id, target: Target<O::Id>) -> Option<Ending<O>> {
        match target {
            Target::Caller => {}
            Target::Process(id) if id == caller => {}
            Target::Process(_) | Target::Nobody => return None,
        }
        let (cookie, _) = self.table.owned_by(caller)?;
        self.statistics.releases = self.statistics.releases.wrapping_add(1);
        self.table.end(cookie.slot)
    }

    /// The first half of [`Self::file_gone`], for one slot: the file no longer holds its occupancy, which ends with its
    /// last holder.
    pub fn begin_close(&mut self, rights: &mut FileRights, slot: Slot) -> Option<Ending<O>> {
        let cookie = rights.unhold(slot)?;
        let occupancy = self.table.current(cookie)?;
        occupancy.holders = occupancy.holders.saturating_sub(1);
        if occupancy.holders > 0 {
            return None;
        }
        self.statistics.closes = self.statistics.closes.wrapping_add(1);
        self.table.end(slot)
    }

    /// The first half of [`Self::reap`], for one slot.
    pub fn begin_reap(
        &mut self,
        slot: Slot,
        is_dead: impl FnOnce(&O) -> bool,
    ) -> Option<Ending<O>> {
        let (_, occupancy) = self.table.get(slot)?;
        if !is_dead(&occupancy.owner) {
            return None;
        }
        self.statistics.reaps = self.statistics.reaps.wrapping_add(1);
        self.table.end(slot)
    }

    /// The end of an occupancy. Nothing is lost and nothing leaks because of the order: the cookie has stopped naming
    /// it, so no new mapping or fault reaches the slab; present mappings go; now nobody can change a counter, and each
    /// is read once; what could have been written is zeroed; only then is the slot free.
    fn end(&mut self, platform: &mut impl Platform, ending: Ending<O>) {
        if let Some(cookie) = ending.to_revoke() {
            platform.revoke(cookie);
        }
        self.finish(platform, ending);
    }

    /// The second half of every end, once the mappings of [`Ending::to_revoke`] are gone. Gives the owner back.
    pub fn finish(&mut self, platform: &mut impl Platform, ending: Ending<O>) -> O {
        let (slot, dirty) = (ending.slot(), ending.dirty());
        if !dirty.is_empty() {
            platform.retire(slot);
            platform.zero(slot, dirty);
            let zeroed = dirty.bytes();
            self.statistics.bytes_zeroed = self.statistics.bytes_zeroed.wrapping_add(zeroed);
        }
        self.table.free(slot);
        ending.into_owner()
    }
}

/// The owner acquires its occupancy through this file, which becomes a holder.
fn claim<C: Caller>(
    cookie: Cookie,
    occupancy: &mut Occupancy<C::Owner>,
    caller: &C,
    rights: &mut FileRights,
) -> Acquired {
    let held_it = rights.holds(cookie);
    if !held_it {
        rights.hold(cookie);
        occupancy.holders = occupancy.holders.saturating_add(1);
    }
    if !caller.is_described_by(&occupancy.owner) {
        caller.renew(&mut occupancy.owner);
    }
    occupancy.claims = occupancy.claims.wrapping_add(1);
    Acquired {
        cookie,
        claim: (!held_it).then_some(Claim::Hold(occupancy.claims)),
    }
}

impl<O: Owner> Default for Datastore<O> {
    fn default() -> Self {
        Self::new()
    }
}
