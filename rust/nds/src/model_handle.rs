// SPDX-License-Identifier: MIT OR Apache-2.0
//! A published model, for as long as its handle lives.

use nds_layout::{Model, ModelSlot};

use crate::{Producer, Result};

/// A model in a slot of the producer's table. Dropping the handle deletes the model.
///
/// The handle keeps its producer, so the slab cannot go before it.
#[derive(Debug)]
pub struct ModelHandle {
    producer: Producer,
    slot: ModelSlot,
}

impl ModelHandle {
    /// # Invariants
    ///
    /// The slot was taken for this handle.
    pub(crate) fn new(producer: Producer, slot: ModelSlot) -> Self {
        Self { producer, slot }
    }

    /// The slot, which stays the same over updates.
    #[must_use]
    pub fn slot(&self) -> ModelSlot {
        self.slot
    }

    /// Publishes a new state of the model in the same slot.
    ///
    /// # Errors
    ///
    /// [`Error::Forked`](crate::Error::Forked).
    pub fn update(&mut self, model: &Model) -> Result<()> {
        self.producer.update_model(self.slot, model)
    }
}

impl Drop for ModelHandle {
    fn drop(&mut self) {
        // Fails only in a forked child, where there is nothing to delete.
        let _ = self.producer.delete_model(self.slot);
    }
}
