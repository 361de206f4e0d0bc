// SPDX-License-Identifier: MIT OR Apache-2.0
//! The inference process's side: its own slab, and everything that writes to it.

use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nds_layout::publish::{erase, publish};
use nds_layout::{
    bitmap, header, nc_word, nd_word, place, Core, Model, ModelSlot, NcCounter, NdCounter,
    ProcessInfo, ProcessInfoExt, RawSlab, Slab,
};

use crate::mapping::SlabMapping;
use crate::model_handle::ModelHandle;
use crate::registry::{self, Key};
use crate::view::SlabView;
use crate::{Error, Result};

/// The producer of this process on one device. Clones are the same producer.
///
/// The slab is given back when the last clone and the last [`ModelHandle`] are gone; the kernel
/// then adds its counters to the device's totals and zeroes it. Reads go through [`SlabView`].
///
/// Counters may be changed from any thread at any time. Publishing and deleting records take turns
/// on a lock inside this process.
///
/// A forked child does not inherit the mapping: there, everything that returns a `Result` fails
/// with [`Error::Forked`], dropping does nothing, and the counter operations, which do not check,
/// must not be called.
#[derive(Clone, Debug)]
pub struct Producer {
    inner: Arc<Inner>,
}

/// What all clones of a producer share.
///
/// # Invariants
///
/// `slab` is the memory of `mapping`.
#[derive(Debug)]
pub(crate) struct Inner {
    slab: RawSlab,
    view: SlabView,
    /// `None` only while it is being dropped.
    mapping: Option<SlabMapping>,
    /// Its place in the registry; `None` if the mapping is not from a [`Device`](crate::Device).
    key: Option<Key>,
    records: Mutex<()>,
}

impl Inner {
    /// Takes a writable mapping over and announces the slab as initialised.
    pub(crate) fn new(mapping: SlabMapping, key: Option<Key>) -> Result<Self> {
        // SAFETY: both are lent out for the life of `self` only, and the mapping lives as long.
        let (slab, readable) = unsafe { (mapping.writable_slab()?, mapping.readable_slab()?) };
        let view = SlabView::new(readable, mapping.owner());
        header::commit(&slab);
        Ok(Self {
            slab,
            view,
            mapping: Some(mapping),
            key,
            records: Mutex::new(()),
        })
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(mapping) = self.mapping.take() {
            registry::end(self.key.as_ref(), mapping);
        }
    }
}

impl Producer {
    /// Writes to a mapped slab, and stamps its header.
    ///
    /// Two producers over one slab are kept from handing out a model slot twice, but not from
    /// publishing into one record together; [`Device::producer`](crate::Device::producer) hands
    /// out clones of one producer instead.
    ///
    /// # Errors
    ///
    /// [`Error::ReadOnlyMapping`].
    pub fn new(mapping: SlabMapping) -> Result<Self> {
        Ok(Self {
            inner: Arc::new(Inner::new(mapping, None)?),
        })
    }

    pub(crate) fn from_inner(inner: Arc<Inner>) -> Self {
        Self { inner }
    }

    /// Adds to a counter of a NeuronCore, modulo 2^64.
    #[inline]
    pub fn add_nc(&self, core: Core, counter: NcCounter, amount: u64) {
        self.inner.slab.add(nc_word(core, counter), amount);
    }

    /// Subtracts from a counter of a NeuronCore, modulo 2^64.
    #[inline]
    pub fn sub_nc(&self, core: Core, counter: NcCounter, amount: u64) {
        self.inner.slab.sub(nc_word(core, counter), amount);
    }

    /// Sets a counter of a NeuronCore.
    #[inline]
    pub fn set_nc(&self, core: Core, counter: NcCounter, value: u64) {
        self.inner.slab.store(nc_word(core, counter), value);
    }

    /// Adds to a per-device counter, modulo 2^64.
    #[inline]
    pub fn add_nd(&self, counter: NdCounter, amount: u64) {
        self.inner.slab.add(nd_word(counter), amount);
    }

    /// Subtracts from a per-device counter, modulo 2^64.
    #[inline]
    pub fn sub_nd(&self, counter: NdCounter, amount: u64) {
        self.inner.slab.sub(nd_word(counter), amount);
    }

    /// Sets a per-device counter.
    #[inline]
    pub fn set_nd(&self, counter: NdCounter, value: u64) {
        self.inner.slab.store(nd_word(counter), value);
    }

    /// Sets the bits of `mask` in a per-device counter; meant for the feature bitmap.
    #[inline]
    pub fn or_nd(&self, counter: NdCounter, mask: u64) {
        self.inner.slab.or(nd_word(counter), mask);
    }

    /// Publishes what this process says about itself, in place of what it said before.
    ///
    /// The record stays published until the slab is given back.
    ///
    /// # Errors
    ///
    /// [`Error::Forked`].
    pub fn publish_process_info(&self, info: &ProcessInfo) -> Result<()> {
        let _turn = self.take_turn()?;
        publish(&self.inner.slab, place::PROCESS_INFO, &info.encode());
        Ok(())
    }

    /// Publishes the long tag of this process, in place of the one before.
    ///
    /// # Errors
    ///
    /// [`Error::Forked`].
    pub fn publish_process_info_ext(&self, info: &ProcessInfoExt) -> Result<()> {
        let _turn = self.take_turn()?;
        publish(&self.inner.slab, place::PROCESS_INFO_EXT, &info.encode());
        Ok(())
    }

    /// Publishes a model in the lowest free slot. It is deleted when the handle is dropped.
    ///
    /// # Errors
    ///
    /// [`Error::NoSlot`] if all 64 are taken; [`Error::Forked`].
    pub fn publish_model(&self, model: &Model) -> Result<ModelHandle> {
        let _turn = self.take_turn()?;
        // Claimed first: the claim is atomic even against another instance over this slab, and
        // readers know that a taken slot may not have its record yet.
        let slot = bitmap::take_lowest(&self.inner.slab).ok_or(Error::NoSlot)?;
        publish(&self.inner.slab, place::model(slot), &model.encode());
        Ok(ModelHandle::new(self.clone(), slot))
    }

    pub(crate) fn update_model(&self, slot: ModelSlot, model: &Model) -> Result<()> {
        let _turn = self.take_turn()?;
        publish(&self.inner.slab, place::model(slot), &model.encode());
        Ok(())
    }

    pub(crate) fn delete_model(&self, slot: ModelSlot) -> Result<()> {
        let _turn = self.take_turn()?;
        erase(&self.inner.slab, place::model(slot));
        bitmap::free(&self.inner.slab, slot);
        Ok(())
    }

    /// Waits for the turn to write records. A panic of another thread cannot have left anything
    /// inconsistent that the next publish would not overwrite.
    fn take_turn(&self) -> Result<MutexGuard<'_, ()>> {
        self.check_process()?;
        Ok(self
            .inner
            .records
            .lock()
            .unwrap_or_else(PoisonError::into_inner))
    }
}

impl Deref for Producer {
    type Target = SlabView;

    fn deref(&self) -> &SlabView {
        &self.inner.view
    }
}
