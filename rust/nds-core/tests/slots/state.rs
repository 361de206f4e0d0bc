// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can still matter about the state of a history, and nothing of how it came about: two histories with equal
//! states have equal futures.
//!
//! Numbers that only ever grow are left out: generations, claims, values that were written. Actors are alike, and so
//! are files, so states that differ only in who is who are one.

use std::collections::{BTreeMap, BTreeSet};

use nds_core::Caller;

use super::history::{History, Kept, Open, Via};
use super::model::{Claim, Life};

/// Whose names do not matter: the first two processes, and the first two files.
pub(crate) const ACTORS: usize = 2;

/// A state, equal for histories that cannot be told apart from here on.
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct State {
    /// Of all slots but those that bystanders keep.
    slots: BTreeMap<usize, SlotState>,
    free: Vec<usize>,
    files: BTreeSet<(usize, FileState)>,
    mappings: Vec<MappingState>,
    in_flight: Option<(Grant, bool)>,
    grants: Vec<Grant>,
    newest: Option<LifeState>,
}

/// Of an occupancy: its slot, how many the slot had after it, and whether it is present.
type LifeState = (usize, usize, bool);

/// Who got which occupancy through which file.
type Grant = (usize, usize, LifeState);

#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
struct SlotState {
    /// Whose it is; nobody's if the owner is dead.
    owner: Option<usize>,
    holders: BTreeSet<usize>,
    mapped: bool,
    dirty: bool,
    written: bool,
}

#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
struct FileState {
    writable: bool,
    closing: bool,
    holds: Vec<LifeState>,
    reads: Vec<LifeState>,
}

#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
struct MappingState {
    grant: Grant,
    may_write: bool,
    replaced: bool,
    own_written: bool,
}

impl State {
    /// The state of a history with two actors and two files of theirs, whoever is called the first.
    pub(crate) fn of(history: &History) -> Self {
        let named = [(0, 0), (0, 1), (1, 0), (1, 1)];
        let states = named.map(|(people, files)| {
            Named {
                history,
                people,
                files,
            }
            .state()
        });
        states.into_iter().min().expect("four states")
    }
}

/// A history in which actors and files may have each other's name.
struct Named<'a> {
    history: &'a History,
    people: usize,
    files: usize,
}

/// The places of actors and of their files swapped, if `swap` is 1.
fn renamed(place: usize, swap: usize) -> usize {
    if place < ACTORS {
        place ^ swap
    } else {
        place
    }
}

impl Named<'_> {
    fn state(&self) -> State {
        let it = self.history;
        let places = it.files.iter().enumerate();
        let opened = places.filter_map(|(place, open)| Some((place, open.as_ref()?)));
        let present = it.model.lives.iter().filter(|life| !life.ended);
        let newest = it.names.len().checked_sub(1);
        State {
            slots: present.filter_map(|life| self.slot(life)).collect(),
            free: it.model.free.clone(),
            files: opened.map(|(place, open)| self.file(place, open)).collect(),
            mappings: it.mappings.iter().map(|kept| self.mapping(kept)).collect(),
            in_flight: self.in_flight(),
            grants: it
                .grants
                .iter()
                .map(|&(via, life)| self.grant(via, life))
                .collect(),
            newest: newest.map(|life| self.life(life)),
        }
    }

    fn life(&self, life: usize) -> LifeState {
        let lives = &self.history.model.lives[life..];
        let it = &lives[0];
        let later = lives.iter().filter(|other| other.slot == it.slot).count() - 1;
        (it.slot, later, !it.ended)
    }

    fn lives<'b>(&self, lives: impl Iterator<Item = &'b usize>) -> Vec<LifeState> {
        lives.map(|&life| self.life(life)).collect()
    }

    fn grant(&self, via: Via, life: usize) -> Grant {
        let (who, file) = (renamed(via.who, self.people), renamed(via.file, self.files));
        (who, file, self.life(life))
    }

    fn slot(&self, life: &Life) -> Option<(usize, SlotState)> {
        let mut people = self.history.people.iter();
        let owner = people.position(|process| process.id() == life.owner);
        if owner.is_some_and(|who| who >= ACTORS) {
            return None;
        }
        let holders = life.holders.iter();
        let state = SlotState {
            owner: owner.map(|who| renamed(who, self.people)),
            holders: holders.filter_map(|&file| self.place_of(file)).collect(),
            mapped: life.mapped,
            dirty: !life.dirty.is_empty(),
            written: life.contents.values().any(|&value| value != 0),
        };
        Some((life.slot, state))
    }

    /// The place of a file of the model.
    fn place_of(&self, file: usize) -> Option<usize> {
        let mut places = self.history.files.iter();
        let place = places.position(|open| matches!(open, Some(open) if open.model == file));
        place.map(|place| renamed(place, self.files))
    }

    fn file(&self, place: usize, open: &Open) -> (usize, FileState) {
        let naive = &self.history.model.files[open.model];
        let state = FileState {
            writable: naive.writable,
            closing: open.closing,
            holds: self.lives(naive.holds.values()),
            reads: self.lives(naive.reads.values()),
        };
        (renamed(place, self.files), state)
    }

    fn mapping(&self, kept: &Kept) -> MappingState {
        let naive = &self.history.model.mappings[kept.model];
        MappingState {
            grant: self.grant(kept.via, naive.life),
            may_write: naive.may_write,
            replaced: !naive.replaced.is_empty(),
            own_written: naive.own != 0,
        }
    }

    /// The call whose answer is on its way, and whether undoing it would take something back.
    fn in_flight(&self) -> Option<(Grant, bool)> {
        let call = self.history.in_flight.as_ref()?;
        let life = &self.history.model.lives[call.answer.life];
        let file = self.history.files[call.via.file].as_ref()?.model;
        let undoable = match call.answer.claim {
            Some(Claim::Hold(number)) => number == life.claims,
            read @ Some(Claim::Read(_)) => {
                read == self.history.model.files[file].last_attach(life.slot)
            }
            None => false,
        };
        Some((self.grant(call.via, call.answer.life), undoable))
    }
}
