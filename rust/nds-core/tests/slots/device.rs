// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pages and mappings of a device that exists only in a test, and a log of what the rules did to them.
//!
//! Owns the part that hardware and kernel play: pages keep what is written, a present page is reached without asking
//! anybody, an absent one faults. No rule is in here.

use std::cell::{Cell, RefCell};

use nds_core::pages::{PAGE_SIZE, SLAB_PAGES};
use nds_core::{Cookie, PageSet, Platform, Slot};
use nds_layout::place::Word32Index;
use nds_layout::slab::SlabRead;
use nds_layout::WordIndex;

/// What the rules did to the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Revoked(Cookie),
    Retired(Slot),
    Zeroed(Slot, PageSet),
}

/// A slab of which every page holds one value in all its words.
#[derive(Debug)]
pub(crate) struct FakeSlab([Cell<u64>; SLAB_PAGES]);

impl SlabRead for FakeSlab {
    fn load(&self, word: WordIndex) -> u64 {
        self.0[word.byte_offset() / PAGE_SIZE].get()
    }

    fn load32(&self, word: Word32Index) -> u32 {
        self.0[word.byte_offset() / PAGE_SIZE].get() as u32
    }
}

/// A mapping of a whole slab, with the page table entries it has at present.
#[derive(Debug)]
pub(crate) struct Mapping {
    pub(crate) cookie: Cookie,
    pub(crate) may_write: bool,
    /// Pages of the slab that are reached without a fault.
    pub(crate) present: PageSet,
    /// Pages in whose place the mapping's own one is.
    pub(crate) replaced: PageSet,
    /// What that one holds.
    pub(crate) own: u64,
}

/// What a touch reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    Slab,
    Own,
    Nothing,
}

/// The device of a test.
#[derive(Debug)]
pub(crate) struct FakeDevice {
    slabs: Vec<FakeSlab>,
    /// By number; `None` after `munmap`.
    pub(crate) mappings: Vec<Option<Mapping>>,
    log: RefCell<Vec<Event>>,
}

impl FakeDevice {
    /// Sixteen slabs of zeros.
    pub(crate) fn new() -> Self {
        let slab = || FakeSlab([const { Cell::new(0) }; SLAB_PAGES]);
        Self {
            slabs: Slot::all().map(|_| slab()).collect(),
            mappings: Vec::new(),
            log: RefCell::default(),
        }
    }

    /// What happened since this was asked last.
    pub(crate) fn take_log(&self) -> Vec<Event> {
        self.log.take()
    }

    /// What a page of a slab holds, looked at from outside.
    pub(crate) fn page(&self, slot: Slot, page: usize) -> &Cell<u64> {
        &self.slabs[slot.index()].0[page]
    }

    /// Whether every page of a slab holds zeros.
    pub(crate) fn is_zero(&self, slot: Slot) -> bool {
        self.slabs[slot.index()]
            .0
            .iter()
            .all(|page| page.get() == 0)
    }

    /// The mapping of that number, which must exist.
    pub(crate) fn mapping(&mut self, number: usize) -> &mut Mapping {
        self.mappings[number]
            .as_mut()
            .expect("the test unmapped it")
    }

    /// What a touch of a page reaches without a fault.
    pub(crate) fn reached(&self, number: usize, page: usize) -> Reached {
        let mapping = self.mappings[number]
            .as_ref()
            .expect("the test unmapped it");
        if contains(mapping.present, page) {
            Reached::Slab
        } else if contains(mapping.replaced, page) {
            Reached::Own
        } else {
            Reached::Nothing
        }
    }
}

/// Whether the page is in the set.
pub(crate) fn contains(pages: PageSet, page: usize) -> bool {
    !pages.intersection(PageSet::single(page)).is_empty()
}

impl Platform for FakeDevice {
    type Slab = FakeSlab;

    fn slab(&self, slot: Slot) -> &FakeSlab {
        &self.slabs[slot.index()]
    }

    fn revoke(&mut self, cookie: Cookie) {
        self.log.borrow_mut().push(Event::Revoked(cookie));
        let all = self.mappings.iter_mut().flatten();
        for mapping in all.filter(|mapping| mapping.cookie == cookie) {
            mapping.present = PageSet::EMPTY;
        }
    }

    fn retire(&mut self, slot: Slot) {
        self.log.borrow_mut().push(Event::Retired(slot));
    }

    fn zero(&mut self, slot: Slot, pages: PageSet) {
        self.log.borrow_mut().push(Event::Zeroed(slot, pages));
        for (first, count) in pages.runs() {
            (first..first + count).for_each(|page| self.page(slot, page).set(0));
        }
    }
}
