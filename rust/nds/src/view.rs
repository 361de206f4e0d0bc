// SPDX-License-Identifier: MIT OR Apache-2.0
//! What both sides can do with a mapped slab: look at it.

use std::fmt;
use std::time::Duration;

use nds_layout::hash::RecordFault;
use nds_layout::record::ProcessInfoExt;
use nds_layout::{
    bitmap, nc_word, nd_word, place, Core, Model, ModelSlot, NcCounter, NdCounter, ProcessInfo,
    ReadOnlySlab, SlabRead,
};

use crate::attempt;
use crate::bulk::{self, Method, Models};
use crate::mapping::current_pid;
use crate::{pause, Error, Result, SlabSnapshot};

/// A way to wait; tests put their own in.
pub type Pause = fn(Duration);

/// The reading half of an attachment; [`Producer`](crate::Producer) and
/// [`Reader`](crate::Reader) both dereference to it.
///
/// Another process changes the slab at any time. So counters are single loads without any order
/// between them, and records are copied, verified, and only then decoded.
///
/// In a forked child, where the mapping does not exist, everything that returns a `Result` fails
/// with [`Error::Forked`]; the counter accessors do not check and must not be called there.
pub struct SlabView {
    slab: ReadOnlySlab,
    owner: i32,
    pause: Pause,
}

impl SlabView {
    pub(crate) fn new(slab: ReadOnlySlab, owner: i32) -> Self {
        Self {
            slab,
            owner,
            pause: pause::sleep,
        }
    }

    /// Replaces the way to wait between two attempts.
    pub(crate) fn set_pause(&mut self, pause: Pause) {
        self.pause = pause;
    }

    /// Fails in a forked child.
    pub(crate) fn check_process(&self) -> Result<()> {
        if current_pid() == self.owner {
            Ok(())
        } else {
            Err(Error::Forked { owner: self.owner })
        }
    }

    /// The words of the slab, for code that works on the layout itself.
    #[must_use]
    pub fn slab(&self) -> &ReadOnlySlab {
        &self.slab
    }

    /// Checks the header, with one more look after 500 us.
    ///
    /// A reader does so before each round of samples: a header of 0 means that the producer is
    /// gone, after which the kernel may give its pages to another process.
    ///
    /// # Errors
    ///
    /// [`Error::BadHeader`], [`Error::Forked`].
    pub fn check_header(&self) -> Result<()> {
        self.check_process()?;
        attempt::check_header(&self.slab, self.pause)
    }

    /// One counter of a NeuronCore.
    #[must_use]
    #[inline]
    pub fn nc(&self, core: Core, counter: NcCounter) -> u64 {
        self.slab.load(nc_word(core, counter))
    }

    /// One per-device counter.
    #[must_use]
    #[inline]
    pub fn nd(&self, counter: NdCounter) -> u64 {
        self.slab.load(nd_word(counter))
    }

    /// What the producer says about itself.
    ///
    /// # Errors
    ///
    /// [`Error::Record`] if two attempts, 200 us apart, both failed; [`Error::Forked`].
    pub fn process_info(&self) -> Result<ProcessInfo> {
        self.check_process()?;
        let image = attempt::read_record(&self.slab, place::PROCESS_INFO, self.pause)?;
        Ok(ProcessInfo::decode(&image))
    }

    /// The producer's long tag.
    ///
    /// # Errors
    ///
    /// As [`process_info`](Self::process_info).
    pub fn process_info_ext(&self) -> Result<ProcessInfoExt> {
        self.check_process()?;
        let image = attempt::read_record(&self.slab, place::PROCESS_INFO_EXT, self.pause)?;
        Ok(ProcessInfoExt::decode(&image))
    }

    /// The taken model slots, in ascending order. A slot may be taken before its record is there.
    ///
    /// # Errors
    ///
    /// [`Error::Forked`].
    pub fn model_slots(&self) -> Result<impl Iterator<Item = ModelSlot> + Clone> {
        self.check_process()?;
        Ok(bitmap::taken(bitmap::load(&self.slab)))
    }

    /// The model in one slot, whether the bitmap names it or not.
    ///
    /// # Errors
    ///
    /// As [`process_info`](Self::process_info).
    pub fn model(&self, slot: ModelSlot) -> Result<Model> {
        self.check_process()?;
        let image = attempt::read_record(&self.slab, place::model(slot), self.pause)?;
        Ok(Model::decode(&image))
    }

    /// The model in one slot, even if it did not verify: then with the fault of the second attempt.
    ///
    /// # Errors
    ///
    /// [`Error::Forked`].
    pub fn model_last_copy(&self, slot: ModelSlot) -> Result<(Model, Option<RecordFault>)> {
        self.check_process()?;
        let (image, fault) = attempt::read_last_copy(&self.slab, place::model(slot), self.pause);
        Ok((Model::decode(&image), fault))
    }

    /// All models.
    ///
    /// The bitmap is looked at once; slots whose record fails twice are left out.
    ///
    /// # Errors
    ///
    /// [`Error::Forked`].
    pub fn models(&self) -> Result<Models> {
        let mut models = Models::new();
        self.read_models(&mut models)?;
        Ok(models)
    }

    /// As [`models`](Self::models), into memory that is used again for each sample.
    ///
    /// # Errors
    ///
    /// [`Error::Forked`]; `models` is unchanged then.
    pub fn read_models(&self, models: &mut Models) -> Result<()> {
        self.check_process()?;
        bulk::read_models(&self.slab, Method::best(), self.pause, models);
        Ok(())
    }

    /// The whole slab at once: every counter, every valid record.
    ///
    /// # Errors
    ///
    /// [`Error::Forked`].
    pub fn snapshot(&self) -> Result<SlabSnapshot> {
        let mut snapshot = SlabSnapshot::new();
        self.read_snapshot(&mut snapshot)?;
        Ok(snapshot)
    }

    /// As [`snapshot`](Self::snapshot), into memory that is used again for each sample.
    ///
    /// # Errors
    ///
    /// [`Error::Forked`]; `snapshot` is unchanged then.
    pub fn read_snapshot(&self, snapshot: &mut SlabSnapshot) -> Result<()> {
        self.check_process()?;
        snapshot.read(&self.slab, Method::best(), self.pause);
        Ok(())
    }
}

impl fmt::Debug for SlabView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SlabView")
            .field("slab", &self.slab)
            .finish_non_exhaustive()
    }
}
