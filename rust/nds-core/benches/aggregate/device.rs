// SPDX-License-Identifier: MIT OR Apache-2.0
//! A full device over plain memory: 16 occupied slabs with a number in every counter.

use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

use divan::black_box;
use nds_core::{
    Caller, Cookie, CoreMask, Datastore, FileRights, Owner, PageSet, Part, Platform, Process, Slot,
    Snapshot, Target, Telemetry, TextCursor, SLOTS,
};
use nds_layout::region::{
    EXT_NC_COUNTERS_SIZE, EXT_NC_COUNTERS_START, EXT_NC_DATA_SIZE, EXT_NC_DATA_START,
    NC_COUNTERS_SIZE, NC_COUNTERS_START, ND_COUNTERS_SIZE, ND_COUNTERS_START, SLAB_WORDS, WORD,
};
use nds_layout::{Core, NcCounter, NdCounter, RawSlab, SLAB_SIZE};

/// Start and size of every region of counters, in bytes.
const COUNTERS: [(usize, usize); 4] = [
    (ND_COUNTERS_START, ND_COUNTERS_SIZE),
    (NC_COUNTERS_START, NC_COUNTERS_SIZE),
    (EXT_NC_COUNTERS_START, EXT_NC_COUNTERS_SIZE),
    (EXT_NC_DATA_START, EXT_NC_DATA_SIZE),
];

/// A process.
#[derive(Clone, Copy)]
struct Somebody(u32);

impl Owner for Somebody {
    type Id = u32;

    fn id(&self) -> u32 {
        self.0
    }

    fn is_alive(&self) -> bool {
        true
    }
}

impl Caller for Somebody {
    type Owner = Self;

    fn id(&self) -> u32 {
        self.0
    }

    fn reference(&self) -> Self {
        *self
    }

    fn is_described_by(&self, _owner: &Self) -> bool {
        true
    }

    fn may_attach(&self, _owner: &Self) -> bool {
        true
    }
}

/// The slabs.
struct Slabs(Vec<RawSlab>);

impl Platform for Slabs {
    type Slab = RawSlab;

    fn slab(&self, slot: Slot) -> &RawSlab {
        &self.0[slot.index()]
    }

    fn revoke(&mut self, _cookie: Cookie) {}

    fn retire(&mut self, _slot: Slot) {}

    fn zero(&mut self, _slot: Slot, _pages: PageSet) {}
}

/// The device, and room for copies of its counters.
pub(crate) struct Device {
    memory: Vec<AtomicU64>,
    slabs: Slabs,
    store: Datastore<Somebody>,
    telemetry: Box<Telemetry>,
    snapshot: Box<Snapshot>,
    copies: Vec<u8>,
}

impl Device {
    pub(crate) fn new() -> Self {
        let memory: Vec<_> = (0..SLOTS * SLAB_WORDS)
            .map(|n| AtomicU64::new(n as u64 % 1000))
            .collect();
        let slabs = memory.chunks(SLAB_WORDS).map(|words| {
            let base = NonNull::from(words).cast();
            // SAFETY: The words live as long as the device, which keeps them next to the slab, and are atomics.
            unsafe { RawSlab::new(base, SLAB_SIZE) }.expect("a slab is large enough")
        });
        let mut slabs = Slabs(slabs.collect());
        let mut store = Datastore::new();
        for process in 0..SLOTS as u32 {
            let mut file = FileRights::new();
            let caller = Somebody(process);
            store
                .acquire(&mut slabs, &caller, &mut file, Target::Caller, true, || {
                    process.into()
                })
                .expect("a slab is free");
        }
        let counters: usize = COUNTERS.iter().map(|(_, size)| size).sum();
        Self {
            memory,
            slabs,
            store,
            telemetry: Box::new(Telemetry::new(CoreMask::ALL)),
            snapshot: Box::new(Snapshot::new()),
            copies: vec![0; SLOTS * counters],
        }
    }

    /// Takes a report.
    pub(crate) fn report(&mut self) {
        let describe = |_, owner: &Somebody| {
            Some(Process {
                pid: owner.0 as i32,
                uid: 0,
            })
        };
        for part in Part::all() {
            self.store.collect(
                &self.telemetry,
                &self.slabs,
                part,
                0,
                describe,
                &mut self.snapshot,
            );
        }
        black_box(&self.snapshot);
    }

    /// Copies the same bytes.
    pub(crate) fn copy(&mut self) {
        let mut copies = self.copies.as_mut_slice();
        for slab in self.memory.chunks(SLAB_WORDS) {
            for (start, size) in COUNTERS {
                let (copy, rest) = copies.split_at_mut(size);
                let from = slab[start / WORD..(start + size) / WORD].as_ptr();
                // SAFETY: Both sides have `size` bytes, nothing else uses the memory now, and any byte is a `u8`.
                unsafe {
                    from.cast::<u8>()
                        .copy_to_nonoverlapping(copy.as_mut_ptr(), size)
                };
                copies = rest;
            }
        }
        black_box(&self.copies);
    }

    /// The end of one occupancy.
    pub(crate) fn retire(&mut self) {
        let slot = Slot::new(7).expect("there are 16");
        self.telemetry.retire(slot, self.slabs.slab(slot));
    }

    /// The whole text of the last report.
    pub(crate) fn text(&self) -> u64 {
        let mut cursor = TextCursor::new();
        let mut buffer = [0; 4096];
        let mut bytes = 0;
        loop {
            match cursor.fill(black_box(&self.snapshot), &mut buffer) {
                0 => return bytes,
                written => bytes += written as u64,
            }
        }
    }

    /// The words of every slab.
    pub(crate) fn slabs(&self) -> impl Iterator<Item = &[AtomicU64]> {
        self.memory.chunks(SLAB_WORDS)
    }

    /// A counter of the last report, over all cores.
    pub(crate) fn total(&self, counter: NcCounter) -> u64 {
        let totals = Core::all().filter_map(|core| self.snapshot.core(core, counter));
        totals.fold(0, u64::wrapping_add)
    }

    /// The feature bits of the last report.
    pub(crate) fn features(&self) -> u64 {
        self.snapshot.device(NdCounter::FEATURE_BITMAP)
    }

    /// Adds up as the C driver does.
    pub(crate) fn c_loop(&self) {
        black_box(super::c_loop::aggregate(black_box(self.slabs())));
    }
}
