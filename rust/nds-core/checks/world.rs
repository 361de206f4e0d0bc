// SPDX-License-Identifier: MIT OR Apache-2.0
//! A device without hardware and processes without a kernel, for the checks.
//!
//! Owns the fakes; the device behind them is the real datastore with its real telemetry.

use crate::layout::place::Word32Index;
use crate::layout::region::SLAB_SIZE;
use crate::layout::{nc_word, nd_word, Core, NcCounter, NdCounter, SlabRead, WordIndex};
use crate::rules::{
    Caller, Cookie, CoreMask, Datastore, FileRights, MapRequest, Message, Owner, PageSet, Part,
    Platform, Process, Slot, Snapshot, Target, Telemetry, SLOTS,
};

/// A slab that a check can fill.
pub(crate) trait TestSlab: SlabRead {
    /// Sets a word.
    fn set(&mut self, word: WordIndex, value: u64);

    /// Sets every word to 0.
    fn clear(&mut self);
}

/// Words of a slab that can differ from 0 at a time.
const SPARSE_WORDS: usize = 24;

/// A slab of zeros but for a few words: small enough for a kernel stack.
#[derive(Clone, Copy, Default)]
pub(crate) struct SparseSlab {
    numbers: [u16; SPARSE_WORDS],
    values: [u64; SPARSE_WORDS],
}

impl SlabRead for SparseSlab {
    fn load(&self, word: WordIndex) -> u64 {
        let words = self.numbers.iter().zip(&self.values);
        let found = words.filter(|(number, _)| usize::from(**number) == word.get());
        found.fold(0, |sum, (_, value)| sum | value)
    }

    fn load32(&self, _word: Word32Index) -> u32 {
        0
    }
}

impl TestSlab for SparseSlab {
    /// Beyond [`SPARSE_WORDS`] words the last one is given up.
    fn set(&mut self, word: WordIndex, value: u64) {
        let number = word.get() as u16;
        let place = self
            .numbers
            .iter()
            .position(|known| *known == number)
            .or(self.values.iter().position(|value| *value == 0))
            .unwrap_or(SPARSE_WORDS - 1);
        if let (Some(to), Some(to_value)) =
            (self.numbers.get_mut(place), self.values.get_mut(place))
        {
            *to = number;
            *to_value = value;
        }
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

/// A process, by its number. It lives as long as nobody says otherwise.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct TestProcess(pub(crate) u32);

impl Owner for TestProcess {
    type Id = u32;

    fn id(&self) -> u32 {
        self.0
    }

    fn is_alive(&self) -> bool {
        true
    }
}

impl Caller for TestProcess {
    type Owner = Self;

    fn id(&self) -> u32 {
        self.0
    }

    fn reference(&self) -> Self {
        *self
    }

    fn is_described_by(&self, owner: &Self) -> bool {
        self == owner
    }

    fn may_attach(&self, _owner: &Self) -> bool {
        true
    }
}

/// The slabs and the telemetry of the device.
pub(crate) struct Body<'a, S> {
    pub(crate) slabs: [S; SLOTS],
    pub(crate) telemetry: &'a mut Telemetry,
}

impl<S: TestSlab> Platform for Body<'_, S> {
    type Slab = S;

    fn slab(&self, slot: Slot) -> &S {
        &self.slabs[slot.index()]
    }

    fn revoke(&mut self, _cookie: Cookie) {}

    fn retire(&mut self, slot: Slot) {
        self.telemetry.retire(slot, &self.slabs[slot.index()]);
    }

    fn zero(&mut self, slot: Slot, _pages: PageSet) {
        self.slabs[slot.index()].clear();
    }
}

/// A device and its processes.
pub(crate) struct World<'a, S = SparseSlab> {
    pub(crate) store: Datastore<TestProcess>,
    pub(crate) body: Body<'a, S>,
    pub(crate) snapshot: &'a mut Snapshot,
    file: FileRights,
    /// Nanoseconds.
    pub(crate) now: u64,
}

impl<'a, S: TestSlab + Default> World<'a, S> {
    /// A device that nobody has used yet, with all cores.
    pub(crate) fn new(telemetry: &'a mut Telemetry, snapshot: &'a mut Snapshot) -> Self {
        telemetry.set_cores(CoreMask::ALL);
        Self {
            store: Datastore::new(),
            body: Body {
                slabs: core::array::from_fn(|_| S::default()),
                telemetry,
            },
            snapshot,
            file: FileRights::new(),
            now: 0,
        }
    }

    /// A process acquires its slab and maps it to write.
    pub(crate) fn begin(&mut self, process: u32) -> Result<Slot, &'static str> {
        let caller = TestProcess(process);
        self.now += 1;
        let now = self.now;
        let acquired = self
            .store
            .acquire(
                &mut self.body,
                &caller,
                &mut self.file,
                Target::Caller,
                true,
                || now,
            )
            .map_err(|_| "a slab was free")?;
        let request = MapRequest {
            offset: acquired.cookie.offset(),
            length: SLAB_SIZE,
            private: false,
            may_write: true,
        };
        let mapped = self.store.map(&caller, &self.file, request);
        let (cookie, _) = mapped.map_err(|_| "the owner maps its slab")?;
        self.store.fault(cookie, 0, PageSet::MAP, true);
        Ok(cookie.slot)
    }

    /// A process releases its slab.
    pub(crate) fn end(&mut self, process: u32) {
        self.store
            .release(&mut self.body, &TestProcess(process), Target::Caller);
    }

    /// The occupant of a slot stores a counter of a core.
    pub(crate) fn set_nc(&mut self, slot: Slot, core: u32, counter: NcCounter, value: u64) {
        if let Some(core) = Core::new(core) {
            self.body.slabs[slot.index()].set(nc_word(core, counter), value);
        }
    }

    /// The occupant of a slot stores a per-device counter.
    pub(crate) fn set_nd(&mut self, slot: Slot, counter: NdCounter, value: u64) {
        self.body.slabs[slot.index()].set(nd_word(counter), value);
    }

    /// Collects one part of a report.
    pub(crate) fn collect(&mut self, part: Part) {
        let describe = |_, owner: &TestProcess| {
            Some(Process {
                pid: owner.0 as i32,
                uid: 0,
            })
        };
        let Self { store, body, .. } = self;
        store.collect(
            body.telemetry,
            body,
            part,
            self.now,
            describe,
            self.snapshot,
        );
    }

    /// Takes a report at one moment.
    pub(crate) fn report(&mut self) -> &Snapshot {
        Part::all().for_each(|part| self.collect(part));
        self.snapshot
    }

    /// The total of a counter of a core in the last report.
    pub(crate) fn total(&self, core: u32, counter: NcCounter) -> Option<u64> {
        self.snapshot.core(Core::new(core)?, counter)
    }

    /// A tick whose message is not delivered yet.
    pub(crate) fn tick_undelivered(&mut self) -> Message {
        for slot in self.store.table().used().iter() {
            self.body
                .telemetry
                .observe(slot, &self.body.slabs[slot.index()]);
        }
        self.body.telemetry.posts().tick()
    }

    /// A tick whose message is delivered.
    pub(crate) fn tick(&mut self) -> Message {
        let message = self.tick_undelivered();
        self.body.telemetry.posts().delivered();
        message
    }
}
