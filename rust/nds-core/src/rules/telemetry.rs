// SPDX-License-Identifier: MIT OR Apache-2.0
//! Everything that a device adds up over its occupancies: the retired totals and the posts.
//!
//! Owns when a slab's counters are read: once when its occupancy ends, for both, and at each tick for the posts. Lives
//! under the lock of the device. Reports read it through [`super::report`].

use super::block::{load_device, CoreWords, HEAD};
use super::cores::CoreMask;
use super::posts::{Occasion, Posts};
use super::posts_table::Constant;
use super::slot::Slot;
use super::totals::Totals;
use crate::layout::SlabRead;

/// What the C driver posts where it cannot read the asset tag.
const UNKNOWN_INSTANCE: &[u8] = b"0";

/// The telemetry of one device.
///
/// All zero bytes are a valid start without cores, so that a body can make it in zeroed memory and then
/// [`set_cores`](Self::set_cores): it is too large for a kernel stack.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Telemetry {
    cores: CoreMask,
    totals: Totals,
    posts: Posts,
}

impl Telemetry {
    /// Nothing counted, for a device with these cores.
    pub const fn new(cores: CoreMask) -> Self {
        Self {
            cores,
            totals: Totals::new(),
            posts: Posts::new(),
        }
    }

    /// Says which cores the device has; the counters of others are ignored. To be called before anything is counted.
    pub fn set_cores(&mut self, cores: CoreMask) {
        self.cores = cores;
    }

    /// Says what every post begins with: the board's asset tag, which names the instance, and the module's version.
    pub fn set_constants(&mut self, asset_tag: Option<&[u8]>, version: &[u8]) {
        let tag = asset_tag.unwrap_or(UNKNOWN_INSTANCE);
        let tag = tag.strip_suffix(b" ").unwrap_or(tag);
        self.posts.set_constant(Constant::InstanceId, tag);
        self.posts.set_constant(Constant::DriverVersion, version);
    }

    /// The cores of the device.
    pub const fn cores(&self) -> CoreMask {
        self.cores
    }

    /// What ended occupancies left behind.
    pub const fn totals(&self) -> &Totals {
        &self.totals
    }

    /// The posts, to make and deliver them.
    pub fn posts(&mut self) -> &mut Posts {
        &mut self.posts
    }

    /// An occupancy has ended and nobody can change its slab any more: takes its counters over, each read once.
    pub fn retire(&mut self, slot: Slot, slab: &impl SlabRead) {
        let device = load_device(slab);
        let mut counters = [0; HEAD];
        self.totals.fold_device(&device);
        self.totals.fold_cores(slab, self.cores, &mut counters);
        self.posts.observe(slot, &device, &counters, Occasion::End);
    }

    /// A tick is due: looks at the slab of an occupancy.
    pub fn observe(&mut self, slot: Slot, slab: &impl SlabRead) {
        let device = load_device(slab);
        let mut counters = [0; HEAD];
        for core in self.cores.iter() {
            CoreWords::of(core).add_head(slab, &mut counters);
        }
        self.posts.observe(slot, &device, &counters, Occasion::Tick);
    }
}

impl Default for Telemetry {
    fn default() -> Self {
        Self::new(CoreMask::ALL)
    }
}
