// SPDX-License-Identifier: MIT OR Apache-2.0
//! A device under the rules: what a process asks becomes the calls that the kernel module makes, and after each of them
//! the promises that hold at all times are checked.
//!
//! Owns the translation and the promises. What single rules say is in the tests beside this file.

use nds_core::pages::SLAB_PAGES;
use nds_core::slot::SLOTS;
use nds_core::{
    Acquired, Caller, Cookie, Datastore, Fault, MapRequest, Owner, PageSet, Refusal, Role, Slot,
    Target,
};
use nds_layout::SLAB_SIZE;

use super::device::{FakeDevice, Mapping, Reached};
use super::process::{File, Process, Reference};

/// A device of a test.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) store: Datastore<Reference>,
    pub(crate) device: FakeDevice,
    /// What the platform's clock says, in nanoseconds.
    pub(crate) now: u64,
    /// Whether the promises are not checked, since they were when this world was made before.
    pub(crate) unchecked: bool,
}

impl World {
    /// A device that was just loaded.
    pub(crate) fn new() -> Self {
        Self::over(Datastore::new())
    }

    /// A device with that datastore.
    pub(crate) fn over(store: Datastore<Reference>) -> Self {
        Self {
            store,
            device: FakeDevice::new(),
            now: 0,
            unchecked: false,
        }
    }

    /// `acquire(0)`.
    pub(crate) fn acquire(&mut self, who: &Process, file: &mut File) -> Result<Acquired, Refusal> {
        self.ask(who, file, Target::Caller)
    }

    /// `acquire(pid of target)`.
    pub(crate) fn attach(
        &mut self,
        who: &Process,
        file: &mut File,
        target: &Process,
    ) -> Result<Acquired, Refusal> {
        self.ask(who, file, Target::Process(target.id()))
    }

    /// `acquire` of whatever the caller names.
    pub(crate) fn ask(
        &mut self,
        who: &Process,
        file: &mut File,
        target: Target<u64>,
    ) -> Result<Acquired, Refusal> {
        let now = self.now;
        let File { rights, writable } = file;
        let device = &mut self.device;
        let answer = self
            .store
            .acquire(device, who, rights, target, *writable, || now);
        self.check();
        answer
    }

    /// The answer to an acquire could not be written to the caller.
    pub(crate) fn undo(&mut self, file: &mut File, acquired: Acquired) {
        self.store
            .undo(&mut self.device, &mut file.rights, acquired);
        self.check();
    }

    /// `release(0)`.
    pub(crate) fn release(&mut self, who: &Process) {
        self.release_of(who, Target::Caller);
    }

    /// `release` of whatever the caller names.
    pub(crate) fn release_of(&mut self, who: &Process, target: Target<u64>) {
        self.store.release(&mut self.device, who, target);
        self.check();
    }

    /// The last reference to an open file goes, its mappings before it.
    pub(crate) fn close(&mut self, mut file: File) {
        self.file_gone(&mut file);
    }

    /// As [`Self::close`], for who keeps the record.
    pub(crate) fn file_gone(&mut self, file: &mut File) {
        self.store.file_gone(&mut self.device, &mut file.rights);
        self.check();
    }

    /// Releases and acquires until the process has the slot of that ended or present occupancy anew. Its new name.
    pub(crate) fn return_to(&mut self, who: &Process, file: &mut File, old: Cookie) -> Cookie {
        for _ in 0..SLOTS {
            self.release(who);
            let cookie = self.acquire(who, file).expect("a slab").cookie;
            if cookie.slot == old.slot {
                return cookie;
            }
        }
        panic!("every slot is handed out in its turn");
    }

    /// What the periodic work does.
    pub(crate) fn reap(&mut self) {
        self.store.reap(&mut self.device);
        self.check();
    }

    /// `mmap` of a whole slab, shared, with all access that the file allows. The mapping's number.
    pub(crate) fn map(
        &mut self,
        who: &Process,
        file: &File,
        cookie: Cookie,
    ) -> Result<usize, Refusal> {
        let request = MapRequest {
            may_write: file.writable,
            ..whole(cookie)
        };
        self.map_as(who, file, request).map(|(number, _)| number)
    }

    /// `mmap` of anything. The mapping's number and role.
    pub(crate) fn map_as(
        &mut self,
        who: &Process,
        file: &File,
        request: MapRequest,
    ) -> Result<(usize, Role), Refusal> {
        let (cookie, role) = self.store.map(who, &file.rights, request)?;
        self.device.mappings.push(Some(Mapping {
            cookie,
            may_write: request.may_write && role == Role::Producer,
            present: PageSet::EMPTY,
            replaced: PageSet::EMPTY,
            own: 0,
        }));
        self.check();
        Ok((self.device.mappings.len() - 1, role))
    }

    /// `munmap`.
    pub(crate) fn unmap(&mut self, number: usize) {
        self.device.mappings[number] = None;
    }

    /// The value that a process finds in a page of its mapping.
    pub(crate) fn read(&mut self, number: usize, page: usize) -> u64 {
        match self.touch(number, page) {
            Reached::Own => self.device.mapping(number).own,
            _ => {
                let slot = self.device.mapping(number).cookie.slot;
                self.device.page(slot, page).get()
            }
        }
    }

    /// Stores a value in a page of a mapping that may be written.
    pub(crate) fn write(&mut self, number: usize, page: usize, value: u64) {
        assert!(self.device.mapping(number).may_write);
        match self.touch(number, page) {
            Reached::Own => self.device.mapping(number).own = value,
            _ => {
                let slot = self.device.mapping(number).cookie.slot;
                self.device.page(slot, page).set(value);
            }
        }
    }

    /// Touches a page, with a fault if it is not there. What was reached.
    pub(crate) fn touch(&mut self, number: usize, page: usize) -> Reached {
        if self.device.reached(number, page) == Reached::Nothing {
            self.fault(number, page);
        }
        let reached = self.device.reached(number, page);
        assert_ne!(reached, Reached::Nothing, "a fault makes the page present");
        reached
    }

    fn fault(&mut self, number: usize, page: usize) {
        let whole = PageSet::range(0, SLAB_PAGES);
        let mapping = self.device.mapping(number);
        let decision = self
            .store
            .fault(mapping.cookie, page, whole, mapping.may_write);
        match decision {
            Fault::Slab(pages) => mapping.present = mapping.present.union(pages),
            Fault::Stale => mapping.replaced = mapping.replaced.union(PageSet::single(page)),
        }
        self.check();
    }

    /// The owner of each slot.
    pub(crate) fn owner(&self, slot: Slot) -> Option<u64> {
        self.store
            .table()
            .get(slot)
            .map(|(_, found)| found.owner.id())
    }

    /// The slot that a process owns.
    pub(crate) fn slot_of(&self, who: &Process) -> Option<Slot> {
        Slot::all().find(|&slot| self.owner(slot) == Some(who.id()))
    }

    /// What holds at all times.
    fn check(&self) {
        if self.unchecked {
            return;
        }
        for slot in Slot::all() {
            let used = self.store.table().used().contains(slot);
            assert_eq!(used, self.owner(slot).is_some(), "the used set is exact");
            assert!(used || self.device.is_zero(slot), "a free slab holds zeros");
        }
        self.check_one_slab_each();
        self.check_mappings();
        self.check_balance();
    }

    fn check_one_slab_each(&self) {
        let mut owners: Vec<_> = Slot::all().filter_map(|slot| self.owner(slot)).collect();
        let all = owners.len();
        owners.sort_unstable();
        owners.dedup();
        assert_eq!(owners.len(), all, "nobody owns two slabs");
    }

    fn check_mappings(&self) {
        for mapping in self.device.mappings.iter().flatten() {
            let current = self
                .store
                .table()
                .get(mapping.cookie.slot)
                .map(|(cookie, _)| cookie);
            let stale = current != Some(mapping.cookie);
            assert!(
                !stale || mapping.present.is_empty(),
                "nobody reaches an ended occupancy's slab"
            );
            assert!(
                !mapping.may_write || mapping.own == 0 || stale,
                "a current owner writes into its slab"
            );
        }
    }

    fn check_balance(&self) {
        let counted = self.store.statistics();
        let ended = counted.releases + counted.closes + counted.reaps;
        let present = self.store.table().used().iter().count() as u64;
        assert_eq!(
            counted.acquires,
            ended + present,
            "every occupancy that began ends or is there"
        );
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

/// `count` processes of one user, with identities from 1.
pub(crate) fn processes<const N: usize>() -> [Process; N] {
    std::array::from_fn(|index| Process::new(index as u64 + 1))
}

/// The number of the slot that an acquire answered.
pub(crate) fn slot_number(answer: Result<Acquired, Refusal>) -> usize {
    answer.expect("a slab").cookie.slot.index()
}
