// SPDX-License-Identifier: MIT OR Apache-2.0
//! Userspace library of the Neuron DataStore.
//!
//! An inference process publishes counters, model records and its identity in a shared-memory slab
//! that it gets from a Neuron device; monitors map the same pages and read. A [`Device`] is a device
//! file (this project's module or the stock C driver, whose ABI is the same) or an emulated device
//! inside the process. It hands out a [`Producer`], which writes, and a [`Reader`] for each process
//! of interest, which cannot.
//!
//! ```no_run
//! use nds::{Core, Device, NcCounter};
//!
//! let device = Device::open_index(0)?;
//! let producer = device.producer()?;
//! let core = Core::new(2).expect("cores are 0..16");
//! producer.add_nc(core, NcCounter::INFER_COMPLETED, 1);
//!
//! let reader = device.reader(4711)?;
//! println!("{}", reader.nc(core, NcCounter::INFER_COMPLETED));
//! # Ok::<(), nds::Error>(())
//! ```

pub mod attempt;
mod backend;
pub mod bulk;
mod device;
mod discover;
mod error;
mod index;
mod mapping;
mod model_handle;
pub mod pause;
mod producer;
mod prometheus;
mod reader;
mod registry;
mod report;
mod snapshot;
mod view;

pub use backend::{Access, EmulatedDevice, EmulatedProcess};
pub use bulk::Models;
pub use device::Device;
pub use discover::{device_path, device_paths, MAX_DEVICES};
pub use error::{Error, Result};
pub use index::{nc_index, nd_index, InvalidIndex};
pub use mapping::SlabMapping;
pub use model_handle::ModelHandle;
pub use nds_core::statistics::{Refusal, Statistics};
pub use nds_layout as layout;
pub use nds_layout::hash::RecordFault;
pub use nds_layout::{
    Core, MemoryUsage, Model, ModelSlot, NcCounter, NdCounter, PackedVersion, ProcessInfo,
    ProcessInfoExt, Version,
};
pub use producer::Producer;
pub use prometheus::prometheus_text;
pub use reader::Reader;
pub use report::{Occupancy, Report, VersionUsage};
pub use snapshot::SlabSnapshot;
pub use view::{Pause, SlabView};

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
