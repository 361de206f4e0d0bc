// SPDX-License-Identifier: GPL-2.0
//! A device under the rules, without a node: processes that live and die at the word of a test, the memory that devices
//! use, and a log of what the rules did to it.
//!
//! Owns what the kernel objects of the module would contribute. The fullest tests of the rules run under cargo, in
//! `rust/nds-core/tests/slots`.

use core::cell::Cell;

use kernel::prelude::*;

use crate::layout::{raw_slab::ReadOnlySlab, Slab, SlabRead, WordIndex, SLAB_SIZE};
use crate::memory::writable;
use crate::rules::{
    pages::PAGE_SIZE, Acquired, Caller, Cookie, Datastore, FileRights, MapRequest, Owner, PageSet,
    Platform, Refusal, Slot, Target, SLOTS,
};
use crate::slab::Slabs;

/// Processes of a test; more than a device has slots.
const PROCESSES: usize = SLOTS + 4;

/// Which processes of a test are alive.
pub(crate) struct Lives([Cell<bool>; PROCESSES]);

impl Lives {
    pub(crate) fn new() -> Self {
        Self([const { Cell::new(true) }; PROCESSES])
    }

    /// The first `N` processes, of one user.
    pub(crate) fn some<const N: usize>(&self) -> [Process<'_>; N] {
        const { assert!(N <= PROCESSES) };
        core::array::from_fn(|id| Process {
            id,
            user: 1000,
            life: &self.0[id],
        })
    }
}

/// A thread group: the caller of a request, and the owner of an occupancy.
#[derive(Clone, Copy)]
pub(crate) struct Process<'a> {
    id: usize,
    pub(crate) user: u32,
    life: &'a Cell<bool>,
}

impl Process<'_> {
    /// Its last thread is gone.
    pub(crate) fn dies(&self) {
        self.life.set(false);
    }
}

impl Owner for Process<'_> {
    type Id = usize;

    fn id(&self) -> usize {
        self.id
    }

    fn is_alive(&self) -> bool {
        self.life.get()
    }
}

impl<'a> Caller for Process<'a> {
    type Owner = Process<'a>;

    fn id(&self) -> usize {
        self.id
    }

    fn reference(&self) -> Self {
        *self
    }

    fn is_described_by(&self, owner: &Self) -> bool {
        self.user == owner.user
    }

    fn may_attach(&self, owner: &Self) -> bool {
        self.user == owner.user
    }
}

/// An open file, and whether it was opened for writing.
pub(crate) struct File {
    pub(crate) rights: FileRights,
    pub(crate) writable: bool,
}

impl File {
    pub(crate) fn opened(writable: bool) -> Self {
        let rights = FileRights::new();
        Self { rights, writable }
    }
}

/// What the rules did to the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Revoked(Cookie),
    Retired(Slot),
    Zeroed(Slot, PageSet),
}

const LOG_ROOM: usize = 8;

/// The memory and the log.
pub(crate) struct Memory {
    pub(crate) slabs: Slabs,
    log: [Option<Event>; LOG_ROOM],
}

impl Memory {
    fn note(&mut self, event: Event) {
        if let Some(place) = self.log.iter_mut().find(|place| place.is_none()) {
            *place = Some(event);
        }
    }

    /// The first events since this was asked last, as far as there is room for them.
    pub(crate) fn take_log(&mut self) -> [Option<Event>; LOG_ROOM] {
        core::mem::take(&mut self.log)
    }

    /// Stores a value in the first word of a page of a slab, as a mapping would.
    pub(crate) fn write(&self, slot: Slot, page: usize, value: u64) -> Result {
        if let Some(word) = WordIndex::new(page * PAGE_SIZE / size_of::<u64>()) {
            writable(&self.slabs, slot)?.store(word, value);
        }
        Ok(())
    }

    /// What the first word of a page of a slab has.
    pub(crate) fn read(&self, slot: Slot, page: usize) -> u64 {
        let word = WordIndex::new(page * PAGE_SIZE / size_of::<u64>());
        word.map_or(0, |word| self.slabs.words(slot).load(word))
    }
}

impl Platform for Memory {
    type Slab = ReadOnlySlab;

    fn slab(&self, slot: Slot) -> &ReadOnlySlab {
        self.slabs.words(slot)
    }

    fn revoke(&mut self, cookie: Cookie) {
        self.note(Event::Revoked(cookie));
    }

    fn retire(&mut self, slot: Slot) {
        self.note(Event::Retired(slot));
    }

    fn zero(&mut self, slot: Slot, pages: PageSet) {
        self.note(Event::Zeroed(slot, pages));
        self.slabs.zero(slot, pages);
    }
}

/// A device of a test.
pub(crate) struct World<'a> {
    /// Too large for a kernel stack.
    pub(crate) store: KBox<Datastore<Process<'a>>>,
    pub(crate) memory: Memory,
}

impl<'a> World<'a> {
    /// A device that was just loaded.
    pub(crate) fn new() -> Result<Self> {
        Self::over(Datastore::new())
    }

    /// A device with that datastore.
    pub(crate) fn over(store: Datastore<Process<'a>>) -> Result<Self> {
        let store = KBox::new(store, GFP_KERNEL)?;
        let slabs = Slabs::new()?;
        let log = [None; LOG_ROOM];
        Ok(Self {
            store,
            memory: Memory { slabs, log },
        })
    }

    /// `acquire` of whatever the caller names.
    pub(crate) fn ask(
        &mut self,
        who: &Process<'a>,
        file: &mut File,
        target: Target<usize>,
    ) -> Result<Acquired, Refusal> {
        let (rights, memory) = (&mut file.rights, &mut self.memory);
        self.store
            .acquire(memory, who, rights, target, file.writable, || 0)
    }

    /// `acquire(0)`. The slab's name.
    pub(crate) fn acquire(
        &mut self,
        who: &Process<'a>,
        file: &mut File,
    ) -> Result<Cookie, Refusal> {
        self.ask(who, file, Target::Caller)
            .map(|acquired| acquired.cookie)
    }

    /// `acquire(pid of target)`. The slab's name.
    pub(crate) fn attach(
        &mut self,
        who: &Process<'a>,
        file: &mut File,
        target: &Process<'a>,
    ) -> Result<Cookie, Refusal> {
        let named = Target::Process(Owner::id(target));
        self.ask(who, file, named).map(|acquired| acquired.cookie)
    }

    /// The number of the slot that `acquire(0)` gives; nothing if it is refused.
    pub(crate) fn slot_given(&mut self, who: &Process<'a>, file: &mut File) -> Option<usize> {
        self.acquire(who, file)
            .ok()
            .map(|cookie| cookie.slot.index())
    }

    /// `release(0)`.
    pub(crate) fn release(&mut self, who: &Process<'a>) {
        self.store.release(&mut self.memory, who, Target::Caller);
    }

    /// The last reference to an open file goes.
    pub(crate) fn close(&mut self, mut file: File) {
        self.store.file_gone(&mut self.memory, &mut file.rights);
    }

    pub(crate) fn reap(&mut self) {
        self.store.reap(&mut self.memory);
    }

    /// How many slots are occupied.
    pub(crate) fn used(&self) -> usize {
        self.store.table().used().iter().count()
    }

    /// Whether the process owns a slab.
    pub(crate) fn owns(&self, who: &Process<'a>) -> bool {
        let table = self.store.table();
        let mut used = table.used().iter();
        used.any(|slot| matches!(table.get(slot), Some((_, found)) if Owner::id(&found.owner) == Owner::id(who)))
    }

    /// Releases and acquires until the process has that slot anew. The new name.
    pub(crate) fn return_to(
        &mut self,
        who: &Process<'a>,
        file: &mut File,
        slot: Slot,
    ) -> Result<Cookie, Refusal> {
        loop {
            self.release(who);
            let cookie = self.acquire(who, file)?;
            if cookie.slot == slot {
                return Ok(cookie);
            }
        }
    }
}

/// A request to map the slab of that cookie, shared and writable.
pub(crate) fn whole(cookie: Cookie) -> MapRequest {
    MapRequest {
        offset: cookie.offset(),
        length: SLAB_SIZE,
        private: false,
        may_write: true,
    }
}
