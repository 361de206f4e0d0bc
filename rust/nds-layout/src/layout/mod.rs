// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shared-memory layout of the Neuron DataStore: one subject a module.
//!
//! | Module | Subject |
//! |---|---|
//! | [`abi`] | the C structs, for their sizes and offsets |
//! | [`region`] | where each region starts and ends |
//! | [`index`] | checked core, counter and model slot numbers |
//! | [`address`] | index to word; contiguous runs for bulk walks |
//! | [`place`] | where records lie |
//! | [`slab`] | the access traits |
//! | [`raw_slab`] | the access traits over mapped memory |
//! | [`header`], [`bitmap`], [`hash`], [`packed_version`] | the small encodings |
//! | [`record`] | records as bytes |
//! | [`publish`] | records into and out of a slab |
//! | [`retry`] | the two looks of a reader |
//! | [`ioctl`] | command words and argument |
//! | [`catalog`] | what each counter means and how to aggregate it |
//!
//! The kernel module compiles this directory by path, so nothing here uses crate attributes, `std` or `alloc`.

#[cfg(not(all(target_endian = "little", target_pointer_width = "64")))]
compile_error!("the NDS layout is defined for little-endian 64-bit targets only");

pub mod abi;
pub mod address;
pub mod bitmap;
pub mod catalog;
mod catalog_nc;
mod catalog_nd;
pub mod hash;
pub mod header;
pub mod index;
pub mod ioctl;
pub mod packed_version;
pub mod place;
pub mod publish;
pub mod raw_slab;
pub mod record;
pub mod region;
pub mod retry;
pub mod slab;

pub use address::{band_of, nc_word, nd_word, Band, Run, WordIndex, RUNS};
pub use catalog::{CounterInfo, Feature, Group, Kind};
pub use index::{Core, ModelSlot, NcCounter, NdCounter};
pub use packed_version::PackedVersion;
pub use place::RecordPlace;
pub use raw_slab::{RawSlab, ReadOnlySlab};
pub use record::{MemoryUsage, Model, ProcessInfo, ProcessInfoExt, Version};
pub use region::{REQUIRED_SIZE, SLAB_SIZE, SLAB_WORDS};
pub use slab::{Slab, SlabRead};
