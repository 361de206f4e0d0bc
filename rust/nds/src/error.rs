// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can go wrong, as one type.
//!
//! Three results of the C API have no variant here because the types exclude them: a mutator on a
//! reader (only [`Producer`](crate::Producer) has mutators), an invalid handle, and a call without
//! a mapping (both sides exist only while they are mapped).

use std::io;
use std::path::PathBuf;

use nds_layout::hash::RecordFault;

/// Failure of an operation on a device, an attachment or the model table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The device file could not be opened.
    #[error("cannot open {}: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The reason the kernel gave.
        source: io::Error,
    },
    /// The file is not a character device, so it cannot be a Neuron device.
    #[error("{} is not a character device", path.display())]
    NotADevice {
        /// The file.
        path: PathBuf,
    },
    /// No device file with this index, or none at all, exists.
    #[error("no Neuron device found: neither /dev/neuron_nds{0} nor /dev/neuron{0} exists", index_or_n(*.index))]
    NoDevice {
        /// The index looked for; `None` when any device would have done.
        index: Option<u32>,
    },
    /// The device was opened for reading only, so it cannot serve a producer.
    #[error("{device} is open for reading only: a producer needs read and write access")]
    ReadOnlyDevice {
        /// Name of the device.
        device: String,
    },
    /// The process has no slab on this device (`ENOENT`).
    #[error("process {pid} has no slab on {device}")]
    NoSuchProducer {
        /// Name of the device.
        device: String,
        /// The process asked for, in the caller's pid namespace.
        pid: i32,
    },
    /// The caller may not attach to this process (`EACCES` or `EPERM`).
    #[error("not permitted to attach to process {pid} on {device}")]
    NotPermitted {
        /// Name of the device.
        device: String,
        /// The process asked for.
        pid: i32,
    },
    /// All slabs of the device are taken (`ENOMEM`).
    #[error("all slabs of {device} are in use")]
    DeviceFull {
        /// Name of the device.
        device: String,
    },
    /// The device does not know the request: not a Neuron device, or a driver without it.
    #[error("{device} does not support the {request} request")]
    Unsupported {
        /// Name of the device.
        device: String,
        /// What was asked for.
        request: &'static str,
    },
    /// Another system call failed.
    #[error("{request} on {device} failed: {source}")]
    System {
        /// Name of the device.
        device: String,
        /// What was asked for.
        request: &'static str,
        /// The reason the kernel gave.
        source: io::Error,
    },
    /// A file could not be mapped as a slab image.
    #[error("cannot map the slab image: {0}")]
    Image(io::Error),
    /// The slab is smaller than the layout needs (67 200 bytes).
    #[error(
        "the slab has {size} bytes, the layout needs {}",
        nds_layout::REQUIRED_SIZE
    )]
    MapTooSmall {
        /// Size of the mapping in bytes.
        size: usize,
    },
    /// A producer needs a mapping with write permission.
    #[error("a producer needs a writable mapping")]
    ReadOnlyMapping,
    /// The header was not the known one at either of two looks.
    #[error("the slab header is {found:#018x}: {}", header_meaning(*.found))]
    BadHeader {
        /// The header as one little-endian word; 0 means that no producer has stamped it.
        found: u64,
    },
    /// All 64 model slots are taken.
    #[error("all model slots are in use")]
    NoSlot,
    /// The instance belongs to the parent of this forked process; mappings are not inherited.
    #[error("this instance was opened by process {owner}; a forked child must open its own")]
    Forked {
        /// Process that opened the instance.
        owner: i32,
    },
    /// A record was not accepted at either of two attempts.
    #[error(transparent)]
    Record(#[from] RecordFault),
}

/// Result of operations of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

fn index_or_n(index: Option<u32>) -> String {
    index.map_or_else(|| "N".to_owned(), |index| index.to_string())
}

fn header_meaning(found: u64) -> &'static str {
    match found {
        0 => "no producer has stamped it, or the producer is gone",
        _ => "an unknown layout",
    }
}
