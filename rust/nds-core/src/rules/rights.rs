// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one open file has acquired: for each slot, the occupancy it holds as its owner's file, and the one it may read.
//!
//! Owns the record; who may get a right, and what ends it, is decided in [`super::datastore`].

use super::cookie::{Cookie, Generation};
use super::slot::{Slot, SlotSet, SLOTS};

/// In which capacity a process uses a slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Its owner: may write.
    Producer,
    /// Anybody else: may only read, whatever it asks for.
    Reader,
}

/// The rights of one open file. A right of an ended occupancy is worth nothing, since its generation never returns.
#[derive(Clone, Debug)]
pub struct FileRights {
    holds: [Option<Generation>; SLOTS],
    reads: [Option<Generation>; SLOTS],
    held: SlotSet,
    /// Attaches through this file, so that undoing one can tell whether another came after it.
    attaches: u64,
}

impl FileRights {
    /// Those of a file that was just opened: none.
    pub const fn new() -> Self {
        Self {
            holds: [None; SLOTS],
            reads: [None; SLOTS],
            held: SlotSet::EMPTY,
            attaches: 0,
        }
    }

    /// Whether the owner of this occupancy acquired it through this file.
    pub fn holds(&self, cookie: Cookie) -> bool {
        self.holds[cookie.slot.index()] == Some(cookie.generation)
    }

    /// Whether somebody attached to this occupancy through this file.
    pub fn reads(&self, cookie: Cookie) -> bool {
        self.reads[cookie.slot.index()] == Some(cookie.generation)
    }

    /// The occupancies that are held, ended ones included.
    pub fn held(&self) -> impl Iterator<Item = Cookie> + '_ {
        self.held.iter().filter_map(|slot| {
            let generation = self.holds[slot.index()]?;
            Some(Cookie { slot, generation })
        })
    }

    /// The occupancies that may be read, ended ones included.
    pub fn readable(&self) -> impl Iterator<Item = Cookie> + '_ {
        Slot::all().filter_map(|slot| {
            let generation = self.reads[slot.index()]?;
            Some(Cookie { slot, generation })
        })
    }

    /// A copy with only those rights whose occupancy `is_current`.
    pub(super) fn only(&self, is_current: impl Fn(Cookie) -> bool) -> Self {
        let mut kept = Self::new();
        self.held()
            .filter(|cookie| is_current(*cookie))
            .for_each(|cookie| kept.hold(cookie));
        self.readable()
            .filter(|cookie| is_current(*cookie))
            .for_each(|cookie| {
                kept.read(cookie);
            });
        kept
    }

    pub(super) fn hold(&mut self, cookie: Cookie) {
        self.holds[cookie.slot.index()] = Some(cookie.generation);
        self.held.insert(cookie.slot);
    }

    /// Gives a hold back, if there is one.
    pub(super) fn unhold(&mut self, slot: Slot) -> Option<Cookie> {
        self.held.remove(slot);
        let generation = self.holds[slot.index()].take()?;
        Some(Cookie { slot, generation })
    }

    /// Gives the right to read. The result says which attach through this file it was.
    pub(super) fn read(&mut self, cookie: Cookie) -> u64 {
        self.reads[cookie.slot.index()] = Some(cookie.generation);
        self.attaches = self.attaches.wrapping_add(1);
        self.attaches
    }

    /// Takes the right to read back that the attach of that number gave, unless another came after it.
    pub(super) fn unread(&mut self, slot: Slot, attach: u64) {
        if self.attaches == attach {
            self.reads[slot.index()] = None;
        }
    }
}

impl Default for FileRights {
    fn default() -> Self {
        Self::new()
    }
}
