// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules once more, as naively as they can be said: every occupancy ever is kept in a list, and its place in that
//! list is its name. Nothing is packed, nothing is shared with the code under test but the words for its answers.

use std::collections::{BTreeMap, BTreeSet};

use nds_core::{MapRequest, Refusal, Role, Statistics};

use super::process::may_attach;

/// The slots of a device, the pages of its slabs and of their defined map, and the bytes of a page.
pub(crate) const SLOTS: usize = 16;
const PAGES_OF_MAP: usize = 17;
const PAGE: u64 = 4096;

/// What is done to the device, with occupancies by their place in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Revoked(usize),
    Retired(usize),
    Zeroed(usize, BTreeSet<usize>),
}

/// One occupancy, present or ended.
#[derive(Debug)]
pub(crate) struct Life {
    pub(crate) slot: usize,
    pub(crate) owner: u64,
    user: u32,
    pub(crate) ended: bool,
    pub(crate) holders: BTreeSet<usize>,
    pub(crate) claims: u64,
    pub(crate) mapped: bool,
    pub(crate) dirty: BTreeSet<usize>,
    pub(crate) contents: BTreeMap<usize, u64>,
}

/// An open file, by slot the last occupancy that was acquired and that was attached through it.
#[derive(Debug, Default)]
pub(crate) struct ModelFile {
    pub(crate) writable: bool,
    pub(crate) holds: BTreeMap<usize, usize>,
    pub(crate) reads: BTreeMap<usize, usize>,
    pub(crate) attaches: BTreeMap<usize, u64>,
}

impl ModelFile {
    pub(crate) fn opened(writable: bool) -> Self {
        Self {
            writable,
            ..Self::default()
        }
    }

    /// What the last attach to that slot through this file gave.
    pub(crate) fn last_attach(&self, slot: usize) -> Option<Claim> {
        self.attaches.get(&slot).copied().map(Claim::Read)
    }
}

/// A mapping of an occupancy's slab.
#[derive(Debug)]
pub(crate) struct ModelMapping {
    pub(crate) life: usize,
    pub(crate) may_write: bool,
    pub(crate) replaced: BTreeSet<usize>,
    pub(crate) own: u64,
}

/// What undoing an answer takes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// The hold that the owner's acquire of this number gave.
    Hold(u64),
    /// The right to read that the file's attach of this number gave.
    Read(u64),
}

/// An acquire that was answered, to be undone perhaps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) life: usize,
    pub(crate) claim: Option<Claim>,
}

/// A device.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) lives: Vec<Life>,
    /// Free slots in the order in which they are handed out.
    pub(crate) free: Vec<usize>,
    pub(crate) files: Vec<ModelFile>,
    pub(crate) mappings: Vec<ModelMapping>,
    pub(crate) dead: BTreeSet<u64>,
    pub(crate) counted: Statistics,
    pub(crate) stale_uses: [u64; SLOTS],
    effects: Vec<Effect>,
}

/// A process: its identity and its present user.
pub(crate) type Who = (u64, u32);

impl Model {
    pub(crate) fn new() -> Self {
        Self {
            lives: Vec::new(),
            free: (0..SLOTS).collect(),
            files: Vec::new(),
            mappings: Vec::new(),
            dead: BTreeSet::new(),
            counted: Statistics::new(),
            stale_uses: [0; SLOTS],
            effects: Vec::new(),
        }
    }

    /// What was done to the device since this was asked last.
    pub(crate) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    pub(crate) fn owned_by(&self, owner: u64) -> Option<usize> {
        self.lives
            .iter()
            .position(|life| !life.ended && life.owner == owner)
    }

    /// The present occupancy of a slot.
    pub(crate) fn present(&self, slot: usize) -> Option<usize> {
        self.lives
            .iter()
            .position(|life| !life.ended && life.slot == slot)
    }

    fn refuse<T>(&mut self, reason: Refusal) -> Result<T, Refusal> {
        let place = Refusal::ALL.iter().position(|&known| known == reason);
        self.counted.refusals[place.expect("a known reason")] += 1;
        Err(reason)
    }

    pub(crate) fn acquire(&mut self, who: Who, file: usize) -> Result<Answer, Refusal> {
        if !self.files[file].writable {
            return self.refuse(Refusal::NotWritable);
        }
        if let Some(life) = self.owned_by(who.0) {
            return Ok(self.claim(life, who, file));
        }
        self.reap();
        if self.free.is_empty() {
            return self.refuse(Refusal::NoSlot);
        }
        let slot = self.free.remove(0);
        self.counted.acquires += 1;
        self.lives.push(Life {
            slot,
            owner: who.0,
            user: who.1,
            ended: false,
            holders: BTreeSet::new(),
            claims: 0,
            mapped: false,
            dirty: BTreeSet::new(),
            contents: BTreeMap::new(),
        });
        Ok(self.claim(self.lives.len() - 1, who, file))
    }

    fn claim(&mut self, life: usize, who: Who, file: usize) -> Answer {
        let it = &mut self.lives[life];
        it.user = who.1;
        it.claims += 1;
        self.files[file].holds.insert(it.slot, life);
        let fresh = it.holders.insert(file);
        let claim = fresh.then_some(Claim::Hold(it.claims));
        Answer { life, claim }
    }

    pub(crate) fn attach(&mut self, who: Who, file: usize, target: u64) -> Result<Answer, Refusal> {
        if who.0 != target {
            self.reap();
        }
        let Some(life) = self.owned_by(target) else {
            return self.refuse(Refusal::NoSuchOwner);
        };
        if who.0 == target {
            return Ok(self.claim(life, who, file));
        }
        if !may_attach(who.1, self.lives[life].user) {
            return self.refuse(Refusal::Policy);
        }
        self.counted.attaches += 1;
        let it = &mut self.files[file];
        let slot = self.lives[life].slot;
        let attaches = it.attaches.entry(slot).or_default();
        *attaches += 1;
        let before = it.reads.insert(slot, life);
        let claim = (before != Some(life)).then_some(Claim::Read(*attaches));
        Ok(Answer { life, claim })
    }

    pub(crate) fn undo(&mut self, file: usize, answer: Answer) {
        let life = &self.lives[answer.life];
        if !life.ended && answer.claim == Some(Claim::Hold(life.claims)) {
            self.drop_holder(file, answer.life);
        } else if answer.claim == self.files[file].last_attach(life.slot) {
            self.files[file].reads.remove(&life.slot);
        }
    }

    pub(crate) fn release(&mut self, caller: u64, target: u64) {
        if let (true, Some(life)) = (caller == target, self.owned_by(caller)) {
            self.counted.releases += 1;
            self.end(life);
        }
    }

    pub(crate) fn file_gone(&mut self, file: usize) {
        for life in std::mem::take(&mut self.files[file].holds).into_values() {
            if !self.lives[life].ended {
                self.drop_holder(file, life);
            }
        }
    }

    fn drop_holder(&mut self, file: usize, life: usize) {
        self.files[file].holds.remove(&self.lives[life].slot);
        self.lives[life].holders.remove(&file);
        if self.lives[life].holders.is_empty() {
            self.counted.closes += 1;
            self.end(life);
        }
    }

    pub(crate) fn reap(&mut self) {
        let is_ghost = |life: &Life| !life.ended && self.dead.contains(&life.owner);
        let lives = self.lives.iter().enumerate();
        let ghosts = lives.filter(|(_, life)| is_ghost(life));
        let by_slot: BTreeMap<_, _> = ghosts.map(|(at, life)| (life.slot, at)).collect();
        for life in by_slot.into_values() {
            self.counted.reaps += 1;
            self.end(life);
        }
    }

    fn end(&mut self, life: usize) {
        let it = &mut self.lives[life];
        it.ended = true;
        self.free.push(it.slot);
        if it.mapped {
            self.effects.push(Effect::Revoked(life));
        }
        if !it.dirty.is_empty() {
            self.effects.push(Effect::Retired(it.slot));
            self.effects.push(Effect::Zeroed(it.slot, it.dirty.clone()));
            self.counted.bytes_zeroed += it.dirty.len() as u64 * PAGE;
        }
    }

    pub(crate) fn map(
        &mut self,
        who: Who,
        file: usize,
        life: usize,
        asked: MapRequest,
    ) -> Result<Role, Refusal> {
        let slot = self.lives[life].slot;
        let holds = self.files[file].holds.get(&slot) == Some(&life);
        let reads = self.files[file].reads.get(&slot) == Some(&life);
        if self.lives[life].ended {
            if holds || reads {
                self.count_stale_use(slot);
            }
            return self.refuse(Refusal::BadCookie);
        }
        let role = match (self.lives[life].owner == who.0, holds, reads) {
            (true, true, _) => Role::Producer,
            (false, _, true) => Role::Reader,
            _ => return self.refuse(Refusal::BadCookie),
        };
        if role == Role::Producer && asked.private && asked.may_write {
            return self.refuse(Refusal::PrivateWritable);
        }
        self.lives[life].mapped = true;
        self.mappings.push(ModelMapping {
            life,
            may_write: asked.may_write && role == Role::Producer,
            replaced: BTreeSet::new(),
            own: 0,
        });
        Ok(role)
    }

    fn count_stale_use(&mut self, slot: usize) {
        self.counted.stale_uses += 1;
        self.stale_uses[slot] += 1;
    }

    /// Touches a page; what is there before and, if `value` is given and may be stored, what is there then.
    pub(crate) fn touch(&mut self, mapping: usize, page: usize, value: Option<u64>) -> (u64, u64) {
        let life = self.mappings[mapping].life;
        if self.lives[life].ended {
            return self.touch_stale(mapping, page, value);
        }
        let it = &mut self.lives[life];
        if self.mappings[mapping].may_write {
            it.dirty.extend(brought_in(page));
        }
        let place = it.contents.entry(page).or_insert(0);
        let before = *place;
        *place = value.unwrap_or(before);
        (before, *place)
    }

    fn touch_stale(&mut self, mapping: usize, page: usize, value: Option<u64>) -> (u64, u64) {
        let slot = self.lives[self.mappings[mapping].life].slot;
        if self.mappings[mapping].replaced.insert(page) {
            self.count_stale_use(slot);
        }
        let own = &mut self.mappings[mapping].own;
        let before = *own;
        *own = value.unwrap_or(before);
        (before, *own)
    }
}

/// The pages that come in with a touched one.
fn brought_in(page: usize) -> std::ops::Range<usize> {
    if page < PAGES_OF_MAP {
        0..PAGES_OF_MAP
    } else {
        page..page + 1
    }
}
