// SPDX-License-Identifier: MIT OR Apache-2.0
//! The result of reading all models: verified images, decoded on demand.

use nds_layout::record::model::LEN;
use nds_layout::{Model, ModelSlot};

/// Image of a model record in private memory, its hash word included.
pub type ModelImage = [u8; LEN];

/// The models of one process, in ascending order of slot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Models {
    slots: Vec<ModelSlot>,
    images: Vec<ModelImage>,
}

impl Models {
    /// None yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            slots: Vec::new(),
            images: Vec::new(),
        }
    }

    /// Makes room for the records of these slots, whose images are arbitrary until they are read.
    pub(super) fn renew(&mut self, slots: impl Iterator<Item = ModelSlot>) {
        self.slots.clear();
        self.slots.extend(slots);
        self.images.resize(self.slots.len(), [0; LEN]);
    }

    pub(super) fn parts_mut(&mut self) -> (&[ModelSlot], &mut [ModelImage]) {
        (&self.slots, &mut self.images)
    }

    /// Removes the n-th record for each bit n.
    pub(super) fn leave_out(&mut self, failed: u64) {
        let keep = |nth: &mut u32| {
            let kept = failed >> *nth & 1 == 0;
            *nth += 1;
            kept
        };
        let (mut nth_slot, mut nth_image) = (0, 0);
        self.slots.retain(|_| keep(&mut nth_slot));
        self.images.retain(|_| keep(&mut nth_image));
    }

    /// How many there are, 0 to 64.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Each slot and the verified image of its record.
    pub fn images(&self) -> impl ExactSizeIterator<Item = (ModelSlot, &ModelImage)> + Clone {
        self.slots.iter().copied().zip(&self.images)
    }

    /// Each slot and its model.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ModelSlot, Model)> + Clone + '_ {
        self.images()
            .map(|(slot, image)| (slot, Model::decode(image)))
    }
}
