// SPDX-License-Identifier: MIT OR Apache-2.0
//! From what the user calls a device to the open device.

use std::path::PathBuf;

use nds::{device_path, device_paths, Device, Error};

use crate::args::{Devices, OneDevice};
use crate::failure::Failure;

/// The device to produce on.
pub(crate) fn to_produce(which: &OneDevice) -> Result<Device, Failure> {
    Ok(Device::open(path(which.device.as_deref())?)?)
}

/// The devices to look at.
pub(crate) fn to_read(which: &Devices) -> Result<Vec<Device>, Failure> {
    let paths = match which.devices.as_slice() {
        [] => device_paths(),
        names => names
            .iter()
            .map(|name| path(Some(name)))
            .collect::<Result<_, _>>()?,
    };
    if paths.is_empty() {
        return Err(Error::NoDevice { index: None }.into());
    }
    paths
        .iter()
        .map(|path| Ok(Device::open_for_reading(path)?))
        .collect()
}

/// The file of a device: a number is its index, anything else its path.
pub(crate) fn path(name: Option<&str>) -> Result<PathBuf, Error> {
    let Some(name) = name else {
        return device_paths()
            .into_iter()
            .next()
            .ok_or(Error::NoDevice { index: None });
    };
    name.parse()
        .map_or_else(|_| Ok(PathBuf::from(name)), device_path)
}
