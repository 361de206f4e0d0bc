// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who may map a slab, in which role, and what a touch of a mapping gets.
//!
//! Owns the checks of `mmap` and of a page fault, and the knowledge of which pages may be dirty.

use super::cookie::Cookie;
use super::datastore::Datastore;
use super::pages::PageSet;
use super::platform::{Caller, Owner};
use super::rights::{FileRights, Role};
use super::statistics::Refusal;
use crate::layout::region::SLAB_SIZE;

/// What a process asks of `mmap`.
#[derive(Clone, Copy, Debug)]
pub struct MapRequest {
    /// File offset in bytes.
    pub offset: u64,
    /// Length in bytes.
    pub length: usize,
    /// Whether writes would go to a copy of the process's own instead of to the slab.
    pub private: bool,
    /// Whether the mapping can be written, now or after `mprotect`.
    pub may_write: bool,
}

/// What a touch of a mapping gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// These pages of the slab.
    Slab(PageSet),
    /// The occupancy has ended: a page of zeros to a reader, a page of its own to a former owner.
    Stale,
}

impl<O: Owner> Datastore<O> {
    /// Decides a mapping: in which role, for which occupancy.
    ///
    /// # Errors
    ///
    /// [`Refusal::BadLength`], [`Refusal::BadCookie`] or [`Refusal::PrivateWritable`].
    pub fn map<C: Caller<Owner = O>>(
        &mut self,
        caller: &C,
        rights: &FileRights,
        request: MapRequest,
    ) -> Result<(Cookie, Role), Refusal> {
        if request.length != SLAB_SIZE {
            return Err(self.refuse(Refusal::BadLength));
        }
        let Some(cookie) = Cookie::from_offset(request.offset) else {
            return Err(self.refuse(Refusal::BadCookie));
        };
        let Some(role) = self.role(caller, rights, cookie) else {
            self.count_if_stale(rights, cookie);
            return Err(self.refuse(Refusal::BadCookie));
        };
        if role == Role::Producer && request.private && request.may_write {
            return Err(self.refuse(Refusal::PrivateWritable));
        }
        if let Some(occupancy) = self.table.current(cookie) {
            occupancy.mapped = true;
        }
        Ok((cookie, role))
    }

    /// The capacity in which the caller may use this occupancy through this file.
    fn role<C: Caller<Owner = O>>(
        &mut self,
        caller: &C,
        rights: &FileRights,
        cookie: Cookie,
    ) -> Option<Role> {
        let occupancy = self.table.current(cookie)?;
        if occupancy.owner.id() == caller.id() {
            rights.holds(cookie).then_some(Role::Producer)
        } else {
            rights.reads(cookie).then_some(Role::Reader)
        }
    }

    fn count_if_stale(&mut self, rights: &FileRights, cookie: Cookie) {
        let had = rights.holds(cookie) || rights.reads(cookie);
        if had && self.table.current(cookie).is_none() {
            self.count_stale_use(cookie);
        }
    }

    fn count_stale_use(&mut self, cookie: Cookie) {
        self.statistics.stale_uses = self.statistics.stale_uses.wrapping_add(1);
        self.table.count_stale_use(cookie.slot);
    }

    /// Decides a touch of page `page` of a mapping that was made with `cookie`. Pages that come into a mapping which
    /// could be written count as dirty from here on; `within` is what of the slab the mapping spans.
    pub fn fault(
        &mut self,
        cookie: Cookie,
        page: usize,
        within: PageSet,
        may_write: bool,
    ) -> Fault {
        let Some(occupancy) = self.table.current(cookie) else {
            self.count_stale_use(cookie);
            return Fault::Stale;
        };
        let pages = PageSet::around(page).intersection(within);
        if may_write {
            occupancy.dirty = occupancy.dirty.union(pages);
        }
        Fault::Slab(pages)
    }
}
