// SPDX-License-Identifier: MIT OR Apache-2.0

//! What the kernel's paths cost, in the guest's instructions.
//!
//! Means something only under an emulator that makes a nanosecond of guest time
//! one instruction (QEMU's `-icount shift=0`), with one CPU. Zeroed bytes are
//! told apart and count as one instruction each.
//! Prints one line a path, `# bench <name> instructions=<n> zeroed=<bytes>`;
//! what is allowed is known to whoever reads them.

mod meter;

use std::ffi::c_void;
use std::os::fd::AsRawFd;
use std::ptr::null_mut;

use nix::libc;

use crate::ktap::{self, Suite};
use crate::sys::abi::{Argument, ACQUIRE, MAP_PAGES, SLOTS};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::report::{self, nc_word, Report, CORES, COUNTERS, REPORT};

use meter::Meter;

pub(crate) const SUITE: Suite = Suite {
    name: "bench",
    tests: ktap::tests![
        null_ioctl,
        acquire_owned,
        release_acquire,
        map_cycle,
        end_of_occupancy,
        aggregate
    ],
};

/// The bare system call: what the checks around it take would count, too.
fn bare_ioctl(device: Device, word: u32, argument: *mut c_void) -> i32 {
    // SAFETY: the kernel checks the pointer; the structs are writable.
    unsafe { libc::ioctl(device.0, word.into(), argument) }
}

/// The floor: a command that `/dev/null` does not know.
fn null_ioctl() {
    let null = std::fs::File::open("/dev/null").expect("/dev/null");
    let device = Device(null.as_raw_fd());
    Meter::new("null_ioctl").run(|| {
        bare_ioctl(device, ACQUIRE, null_mut());
    });
}

fn acquire_owned() {
    let device = Device::open().unwrap();
    let mut argument = Argument::of(0);
    device.call(ACQUIRE, &mut argument).unwrap();
    Meter::new("acquire_owned").run(|| {
        bare_ioctl(device, ACQUIRE, (&raw mut argument).cast());
    });
}

fn release_acquire() {
    let device = Device::open().unwrap();
    device.acquire(0).unwrap();
    Meter::new("release_acquire").run(|| {
        device.release(0).unwrap();
        device.acquire(0).unwrap();
    });
}

fn map_cycle() {
    let device = Device::open().unwrap();
    Meter::new("map_cycle").run(|| {
        let map = device.map(device.acquire(0).unwrap()).unwrap();
        map.touch(MAP_PAGES);
        map.unmap().unwrap();
        device.release(0).unwrap();
    });
}

/// Adds something to every counter of every core.
fn count_everywhere(slab: Session) {
    for core in 0..CORES {
        (0..COUNTERS).for_each(|counter| slab.map.store(nc_word(core, counter), 1));
    }
}

/// Only the release of a slab with all its counters in use is measured.
fn end_of_occupancy() {
    let device = Device::open().unwrap();
    Meter::new("end_of_occupancy").run_after(
        || {
            let cookie = device.acquire(0).unwrap();
            let map = device.map(cookie).unwrap();
            count_everywhere(Session {
                device,
                cookie,
                map,
            });
            map.unmap().unwrap();
        },
        || device.release(0).unwrap(),
    );
}

/// What the counters of a full device take: a report of it, above one of an empty device.
fn aggregate() {
    let device = Device::open().unwrap();
    let mut room = [0_u32; report::SIZE / 4];
    let mut take_report = || {
        room[0] = report::SIZE as u32;
        bare_ioctl(device, REPORT, room.as_mut_ptr().cast());
    };
    let meter = Meter::new("aggregate").above(&mut take_report);
    let owners: Vec<_> = (0..SLOTS).map(|_| Actor::spawn()).collect();
    for owner in &owners {
        let slab = owner.produce();
        owner.call(move || count_everywhere(slab));
    }
    meter.run(take_report);
    assert_eq!(Report::now().nc(15, 94), SLOTS as u64);
}
