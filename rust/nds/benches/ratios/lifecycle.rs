// SPDX-License-Identifier: MIT OR Apache-2.0
//! Open, map and close as a reader, against the bare system calls.
//!
//! Over the slab image of an emulated device on any machine; over a device file too, where there is
//! one that may be opened.

use std::fs::File;
use std::hint::black_box;
use std::os::fd::{AsFd, AsRawFd};
use std::path::{Path, PathBuf};
use std::ptr;

use nds::layout::ioctl::{NeuronIoctlNds, ACQUIRE};
use nds::layout::SLAB_SIZE;
use nds::{device_paths, Device, EmulatedDevice, Reader, SlabMapping};
use rustix::fs::{Mode, OFlags};
use rustix::ioctl::{ioctl, Opcode, Updater};
use rustix::mm::{mmap, munmap, MapFlags, ProtFlags};

use crate::measure::{compare as measure, Comparison};

const LIMIT: f64 = 1.2;

pub(crate) fn compare() -> Vec<Comparison> {
    let device = device_paths().first().and_then(|path| device_file(path));
    std::iter::once(image()).chain(device).collect()
}

fn image() -> Comparison {
    let device = EmulatedDevice::new().expect("memory");
    let _producer = device.open().producer().expect("a free slab");
    let memory = device.memory_file().expect("a descriptor");
    let path = PathBuf::from(format!("/proc/self/fd/{}", memory.as_raw_fd()));
    measure(
        "reader of an image / bare calls",
        LIMIT,
        |count| {
            for _ in 0..count {
                let file = File::open(&path).expect("the memory");
                let mapping = SlabMapping::of_file(file, 0).expect("mapped");
                black_box(Reader::new(mapping).expect("stamped"));
            }
        },
        |count| (0..count).for_each(|_| bare_calls(&path, |_| 0)),
    )
}

/// This process as its own producer. Nothing if the device cannot be opened for that.
fn device_file(path: &Path) -> Option<Comparison> {
    let _producer = Device::open(path).ok()?.producer().ok()?;
    let pid = std::process::id() as i32;
    let acquire = |file: rustix::fd::BorrowedFd<'_>| {
        let mut argument = NeuronIoctlNds {
            pid,
            ..NeuronIoctlNds::default()
        };
        // SAFETY: the word takes a pointer to this argument.
        unsafe {
            ioctl(
                file,
                Updater::<{ ACQUIRE as Opcode }, _>::new(&mut argument),
            )
        }
        .expect("acquired");
        argument.mmap_offset
    };
    Some(measure(
        "reader of a device / bare calls",
        LIMIT,
        |count| {
            for _ in 0..count {
                let device = Device::open_for_reading(path).expect("opened");
                black_box(device.reader(pid).expect("stamped"));
            }
        },
        |count| (0..count).for_each(|_| bare_calls(path, acquire)),
    ))
}

/// Opens, asks for the offset, maps, looks at the header, unmaps, closes.
fn bare_calls(path: &Path, offset: impl Fn(rustix::fd::BorrowedFd<'_>) -> u64) {
    let file =
        rustix::fs::open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).expect("opened");
    let offset = offset(file.as_fd());
    // SAFETY: a new mapping, whose first word is read while it is there.
    unsafe {
        let base = mmap(
            ptr::null_mut(),
            SLAB_SIZE,
            ProtFlags::READ,
            MapFlags::SHARED,
            &file,
            offset,
        );
        let base = base.expect("mapped");
        black_box(base.cast::<u64>().read_volatile());
        munmap(base, SLAB_SIZE).expect("unmapped");
    }
}
