// SPDX-License-Identifier: MIT OR Apache-2.0
//! Publishes all kinds of records, one after another, without a pause.

use std::io::Write;
use std::os::fd::AsRawFd;
use std::path::Path;

use nds::{Device, EmulatedDevice, Producer};

use super::records;
use crate::failure::Failure;
use crate::produce::Started;

/// Models that are published all the time.
const MODELS: u32 = 8;

/// One model in so many publications is deleted, and another takes its slot.
const REPLACED_EVERY: u32 = 16;

/// Says who and where it is, and publishes until it is killed.
pub(super) fn run(device: Option<&Path>, out: &mut impl Write) -> Result<(), Failure> {
    if let Some(path) = device {
        let device = Device::open(path)?;
        return publish_on(&device, device.name(), out);
    }
    let emulated = EmulatedDevice::new()?;
    let memory = emulated.memory_file()?;
    let path = format!("/proc/{}/fd/{}", std::process::id(), memory.as_raw_fd());
    publish_on(&emulated.open(), path, out)
}

fn publish_on(device: &Device, name: String, out: &mut impl Write) -> Result<(), Failure> {
    let producer = device.producer()?;
    let started = Started {
        pid: std::process::id() as i32,
        device: name,
    };
    serde_json::to_writer(&mut *out, &started)?;
    writeln!(out)?;
    out.flush()?;
    republish(&producer)
}

fn republish(producer: &Producer) -> Result<(), Failure> {
    let publish = |number| producer.publish_model(&records::model(number));
    let mut handles = (0..MODELS).map(publish).collect::<Result<Vec<_>, _>>()?;
    for number in (0..=u32::MAX).cycle() {
        producer.publish_process_info(&records::process_info(number))?;
        producer.publish_process_info_ext(&records::process_info_ext(number))?;
        let place = number as usize % handles.len();
        handles[place].update(&records::model(number))?;
        if number % REPLACED_EVERY == 0 {
            drop(handles.remove(place));
            handles.push(publish(number)?);
        }
    }
    Ok(())
}
