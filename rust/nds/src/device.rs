// SPDX-License-Identifier: MIT OR Apache-2.0
//! An open Neuron device, of whatever kind.

use std::path::Path;
use std::sync::Arc;

use crate::backend::{Access, Backend, DeviceFile};
use crate::discover::{device_path, running_processes};
use crate::mapping::SlabMapping;
use crate::{registry, Error, Producer, Reader, Report, Result};

/// An open device: a device file, or an emulated device of this process.
///
/// Producers and readers keep what they need of it, so it may be dropped before them.
#[derive(Clone, Debug)]
pub struct Device {
    backend: Arc<dyn Backend>,
}

impl Device {
    /// Opens a device file for reading and writing, as a producer needs.
    ///
    /// # Errors
    ///
    /// [`Error::Open`](crate::Error::Open), [`Error::NotADevice`](crate::Error::NotADevice).
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_file(path.as_ref(), Access::ReadWrite)
    }

    /// Opens a device file for reading only. That is enough for readers, and then the kernel, the
    /// stock driver's too, refuses any write through a mapping.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_for_reading(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_file(path.as_ref(), Access::ReadOnly)
    }

    /// Opens the device file with this index for reading and writing.
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`](crate::Error::NoDevice), and as [`open`](Self::open).
    pub fn open_index(index: u32) -> Result<Self> {
        Self::open(device_path(index)?)
    }

    fn open_file(path: &Path, access: Access) -> Result<Self> {
        Ok(Self::new(Arc::new(DeviceFile::open(path, access)?)))
    }

    pub(crate) fn new(backend: Arc<dyn Backend>) -> Self {
        Self { backend }
    }

    /// Name for messages: the path of a device file.
    #[must_use]
    pub fn name(&self) -> String {
        self.backend.name()
    }

    /// The producer of this process on this device: acquires a slab, or returns another clone of
    /// the producer that has it.
    ///
    /// # Errors
    ///
    /// [`Error::ReadOnlyDevice`](crate::Error::ReadOnlyDevice),
    /// [`Error::DeviceFull`](crate::Error::DeviceFull), and failures of the system calls.
    pub fn producer(&self) -> Result<Producer> {
        registry::shared(&self.backend).map(Producer::from_inner)
    }

    /// Attaches to the slab of process `pid`, as numbered in this process's pid namespace.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchProducer`](crate::Error::NoSuchProducer) before that process has acquired
    /// its slab, and [`Error::BadHeader`](crate::Error::BadHeader) before it has stamped it: both
    /// are normal just after its start. [`Error::NotPermitted`](crate::Error::NotPermitted), and
    /// failures of the system calls.
    pub fn reader(&self, pid: i32) -> Result<Reader> {
        Reader::new(self.map_process(pid)?)
    }

    /// Acquires and maps this process's own slab, without sharing it and without stamping it.
    ///
    /// Dropping the mapping gives the slab back, whoever else in this process uses it. For code
    /// that has its own producer; others use [`producer`](Self::producer).
    ///
    /// # Errors
    ///
    /// As [`producer`](Self::producer).
    pub fn map_own(&self) -> Result<SlabMapping> {
        SlabMapping::own(&self.backend)
    }

    /// Maps the slab of process `pid`, without looking at its header.
    ///
    /// # Errors
    ///
    /// As [`reader`](Self::reader), except for the header.
    pub fn map_process(&self, pid: i32) -> Result<SlabMapping> {
        SlabMapping::of_process(&self.backend, pid)
    }

    /// What the device adds up over all its producers, and who they are.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] from the stock C driver, which has no such request.
    pub fn report(&self) -> Result<Report> {
        self.backend.report()
    }

    /// The processes that have a slab on this device, in ascending order of pid: those of the
    /// report, or, where there is none, those of all processes of this pid namespace for which the
    /// device finds a slab.
    ///
    /// # Errors
    ///
    /// Failures of the system calls.
    pub fn producers(&self) -> Result<Vec<i32>> {
        let mut pids: Vec<i32> = match self.report() {
            Ok(report) => report.occupancies().filter_map(|row| row.pid).collect(),
            Err(Error::Unsupported { .. }) => self.probe(running_processes()?)?,
            Err(error) => return Err(error),
        };
        pids.sort_unstable();
        Ok(pids)
    }

    /// Those of the processes for which the device finds a slab.
    fn probe(&self, mut pids: Vec<i32>) -> Result<Vec<i32>> {
        let mut failure = None;
        pids.retain(|pid| match self.backend.acquire(*pid) {
            Ok(_) => true,
            Err(Error::NoSuchProducer { .. } | Error::NotPermitted { .. }) => false,
            Err(error) => {
                failure.get_or_insert(error);
                false
            }
        });
        failure.map_or(Ok(pids), Err)
    }
}
