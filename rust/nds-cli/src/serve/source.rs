// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the text comes from: device files, or an emulated device with known sums.

use std::slice;

use nds::{Core, Device, EmulatedDevice};

use super::args::Serve;
use crate::args::{CoreList, Devices, WorkloadArgs};
use crate::choose;
use crate::failure::Failure;
use crate::totals::prometheus;
use crate::workload::Workload;

/// The pids that the made-up processes pretend to have.
const GONE: i32 = 4711;
const PRESENT: i32 = 4712;

/// How often each of them has executed on each core, and on how many cores.
const EXECUTIONS: u64 = 1000;
const CORES: usize = 2;

/// What is scraped.
pub(super) enum Source<'a> {
    /// Device files, which are opened for each scrape: devices come and go, and an open one would keep
    /// the module from being unloaded.
    Files(&'a Devices),
    Emulated(Emulated),
}

/// An emulated device, and the producer that is present.
pub(super) struct Emulated {
    device: Device,
    _producer: Workload,
}

impl<'a> Source<'a> {
    pub(super) fn new(args: &'a Serve) -> Result<Self, Failure> {
        if args.demo {
            Ok(Self::Emulated(emulated()?))
        } else {
            Ok(Self::Files(&args.devices))
        }
    }

    /// The text as it is now.
    pub(super) fn text(&self) -> Result<Vec<u8>, Failure> {
        match self {
            Self::Files(devices) => Ok(prometheus(&choose::to_read(devices)?)?),
            Self::Emulated(Emulated { device, .. }) => Ok(prometheus(slice::from_ref(device))?),
        }
    }
}

fn emulated() -> Result<Emulated, nds::Error> {
    let device = EmulatedDevice::new()?;
    drop(producer(&device, GONE)?);
    Ok(Emulated {
        _producer: producer(&device, PRESENT)?,
        device: device.open(),
    })
}

/// A made-up process that has executed as often as it will.
fn producer(device: &EmulatedDevice, pid: i32) -> Result<Workload, nds::Error> {
    let args = WorkloadArgs {
        rate: 0,
        models: 1,
        cores: CoreList(Core::all().take(CORES).collect()),
        tag: None,
    };
    let mut workload = Workload::start(device.process(pid).open().producer()?, &args, pid)?;
    workload.execute(EXECUTIONS)?;
    Ok(workload)
}
