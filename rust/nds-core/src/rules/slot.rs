// SPDX-License-Identifier: MIT OR Apache-2.0
//! The number of a slot. Owns its range and nothing about what is in it.

/// Slots, and so slabs, of one device (`NEURON_MAX_PROCESS_PER_DEVICE`).
pub const SLOTS: usize = 16;

const _: () = assert!(SLOTS.is_power_of_two() && SLOTS <= u16::BITS as usize);

/// One of the [`SLOTS`] slots of a device.
///
/// # Invariants
///
/// The number is below [`SLOTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u8);

impl Slot {
    /// The slot of that number; nothing if there is none.
    pub const fn new(number: u64) -> Option<Self> {
        // INVARIANT: compared with SLOTS here.
        if number < SLOTS as u64 {
            Some(Self(number as u8))
        } else {
            None
        }
    }

    /// Its number, 0..[`SLOTS`].
    pub const fn index(self) -> usize {
        // The mask changes nothing, and lets the compiler see that an index into `[T; SLOTS]` is in range.
        self.0 as usize & (SLOTS - 1)
    }

    /// All slots in ascending order.
    pub fn all() -> impl Iterator<Item = Self> {
        SlotSet::ALL.iter()
    }
}

/// A set of slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotSet(u16);

impl SlotSet {
    /// No slot.
    pub const EMPTY: Self = Self(0);
    /// Every slot.
    pub const ALL: Self = Self(u16::MAX);

    /// Puts a slot in.
    pub fn insert(&mut self, slot: Slot) {
        self.0 |= 1 << slot.index();
    }

    /// Takes a slot out.
    pub fn remove(&mut self, slot: Slot) {
        self.0 &= !(1 << slot.index());
    }

    /// Whether the slot is in it.
    pub const fn contains(self, slot: Slot) -> bool {
        self.0 >> slot.index() & 1 == 1
    }

    /// The slots that are not in it.
    pub const fn complement(self) -> Self {
        Self(!self.0)
    }

    /// Its slots in ascending order.
    pub const fn iter(self) -> Slots {
        Slots(self.0)
    }
}

/// Iterator over the slots of a [`SlotSet`].
#[derive(Clone, Debug)]
pub struct Slots(u16);

impl Iterator for Slots {
    type Item = Slot;

    fn next(&mut self) -> Option<Slot> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        // INVARIANT: a set bit of a u16 is below 16.
        Some(Slot(lowest as u8))
    }
}
