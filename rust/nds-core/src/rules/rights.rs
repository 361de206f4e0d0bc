// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one open file has acquired: for each slot, the occupancy it holds as its owner's file, and the one it may read.
//!
//! Owns the record; who may get a right, and what ends it, is decided in [`super::datastore`].

use super::cookie::{Cookie, Generation};
use super::slot::{Slot, SLOTS};

/// In which capacity a process uses a slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Its owner: may write.
    Producer,
    /// Anybody else: may only read, whatever it asks for.
    Reader,
}

/// For each slot, an occupancy of it that something is said of.
type BySlot = [Option<Generation>; SLOTS];

/// The rights of one open file. A right of an ended occupancy is worth nothing, since its generation never returns.
#[derive(Clone, Debug)]
pub struct FileRights {
    holds: BySlot,
    reads: BySlot,
    /// Attaches to each slot through this file, so that undoing one can tell whether another came after it.
    attaches: [u64; SLOTS],
}

impl FileRights {
    /// Those of a file that was just opened: none.
    pub const fn new() -> Self {
        Self {
            holds: [None; SLOTS],
            reads: [None; SLOTS],
            attaches: [0; SLOTS],
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
        cookies(&self.holds)
    }

    /// The occupancies that may be read, ended ones included.
    pub fn readable(&self) -> impl Iterator<Item = Cookie> + '_ {
        cookies(&self.reads)
    }

    /// A copy with only those rights whose occupancy `is_current`.
    pub(super) fn only(&self, is_current: impl Fn(Cookie) -> bool) -> Self {
        let mut kept = self.clone();
        for rights in [&mut kept.holds, &mut kept.reads] {
            for (slot, right) in Slot::all().zip(rights) {
                *right = right.filter(|generation| {
                    is_current(Cookie {
                        slot,
                        generation: *generation,
                    })
                });
            }
        }
        kept
    }

    pub(super) fn hold(&mut self, cookie: Cookie) {
        self.holds[cookie.slot.index()] = Some(cookie.generation);
    }

    /// Gives a hold back, if there is one.
    pub(super) fn unhold(&mut self, slot: Slot) -> Option<Cookie> {
        let generation = self.holds[slot.index()].take()?;
        Some(Cookie { slot, generation })
    }

    /// Gives the right to read. The result says which attach to the slot through this file it was.
    pub(super) fn read(&mut self, cookie: Cookie) -> u64 {
        let index = cookie.slot.index();
        self.reads[index] = Some(cookie.generation);
        self.attaches[index] = self.attaches[index].wrapping_add(1);
        self.attaches[index]
    }

    /// Takes the right to read back that the attach of that number gave, unless another came after it.
    pub(super) fn unread(&mut self, slot: Slot, attach: u64) {
        if self.attaches[slot.index()] == attach {
            self.reads[slot.index()] = None;
        }
    }
}

fn cookies(rights: &BySlot) -> impl Iterator<Item = Cookie> + '_ {
    Slot::all().zip(rights).filter_map(|(slot, generation)| {
        Some(Cookie {
            slot,
            generation: (*generation)?,
        })
    })
}

impl Default for FileRights {
    fn default() -> Self {
        Self::new()
    }
}
