// SPDX-License-Identifier: MIT OR Apache-2.0

//! H16, H20, H33 to H36: one process's worst, and what it does to the kernel
//! and to everybody else, which is nothing.

use std::ptr::null_mut;
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::libc::{self, MAP_SHARED, PROT_READ, PROT_WRITE};

use crate::ktap::{self, KernelLog, Suite};
use crate::sys::abi::{Argument, ACQUIRE, HEADER, PAGE, PAGE_WORDS, RELEASE, SLAB_SIZE, SLOTS};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Result, Session};
use crate::sys::map::Map;
use crate::sys::report::{self, Report};
use crate::sys::userfault::Blocked;
use crate::sys::{module, process};

pub(super) const SUITE: Suite = Suite {
    name: "attacks.bystanders",
    tests: ktap::tests![
        h16_bad_calls_do_not_flood_the_log,
        h20_no_slab_word_stops_the_kernel,
        h33_no_number_reaches_outside_a_table,
        h34_a_caller_stuck_before_acquire_delays_nobody,
        h34_a_caller_stuck_after_acquire_delays_nobody,
        h34_a_caller_stuck_in_release_delays_nobody,
        h34_a_caller_stuck_in_a_report_delays_nobody,
        h34_a_caller_stuck_in_reading_delays_nobody,
        h35_garbage_in_one_slab_reaches_no_other,
        h36_every_page_of_every_device_is_its_own within 180,
    ],
};

const READ_WRITE: i32 = PROT_READ | PROT_WRITE;

fn h16_bad_calls_do_not_flood_the_log() {
    let mut log = KernelLog::from_now().unwrap();
    let slab = Session::produce().unwrap();
    let device = slab.device;
    device.release(0).unwrap();
    for _ in 0..2000 {
        let _ = device.ioctl(0x8018_4E47, null_mut());
        let _ = device.ioctl(ACQUIRE, null_mut());
        let _ = device.ioctl(RELEASE, null_mut());
        let _ = device.acquire(-1);
        let _ = device.map(slab.cookie);
        let _ = device.map_with(0, PAGE, READ_WRITE, MAP_SHARED);
    }
    for _ in 0..500 {
        let cookie = device.acquire(0).unwrap();
        let map = device.map(cookie).unwrap();
        device.release(0).unwrap();
        map.touch(2);
        map.unmap().unwrap();
    }
    let lines = log.lines().len();
    assert!(lines < 100, "{lines} lines in the kernel's log");
}

/// Words that broke, or could break, whoever trusts them.
const NASTY: [u64; 9] = [
    u64::MAX,
    1 << 63,
    i64::MAX as u64,
    1,
    HEADER,
    0xFFFF_FFFF,
    0xFFFF_FFFF_0000_0000,
    0x8000_0000_8000_0000,
    1 << 11,
];

fn h20_no_slab_word_stops_the_kernel() {
    module::reload("devices=1 metrics_period_ms=1");
    let keeper = Actor::spawn();
    keeper.produce();
    for value in NASTY {
        let owner = Actor::spawn();
        let slab = owner.produce();
        owner.call(move || slab.map.fill_with(value));
        // Periodic work looks at it, then the end of the occupancy does.
        thread::sleep(Duration::from_millis(20));
        drop(std::fs::read(module::node(0)));
        owner.call(move || slab.map.fill(|word| value.rotate_left(word as u32 % 64)));
        owner.kill();
        assert!(keeper.call(|| Device::open().unwrap().acquire(0).is_ok()));
    }
    let last = Session::produce().unwrap();
    assert_eq!(last.map.nonzero(), None);
}

fn h33_no_number_reaches_outside_a_table() {
    let slab = Session::produce().unwrap();
    let extremes = [
        1,
        15,
        16,
        17,
        31,
        63,
        64,
        u64::from(u32::MAX),
        u64::MAX >> 1,
        u64::MAX,
    ];
    for number in extremes {
        for shift in [12, 18, 22, 40, 62] {
            let offset = (number << shift) & !(PAGE as u64 - 1);
            let mapped = slab
                .device
                .map_with(offset, SLAB_SIZE, READ_WRITE, MAP_SHARED);
            if offset != slab.cookie.0 {
                assert!(
                    matches!(mapped, Err(Errno::EINVAL | Errno::EOVERFLOW)),
                    "{offset:#x}: {mapped:?}"
                );
            }
        }
    }
    for pid in [-1, -16, i32::MIN, i32::MIN + 1, i32::MAX] {
        assert_eq!(slab.device.acquire(pid), Err(Errno::ENOENT));
        assert_eq!(slab.device.release(pid), Ok(()));
    }
    assert_eq!(slab.device.acquire(0), Ok(slab.cookie));
}

/// A call on a device file with a pointer to memory.
type Call = fn(Device, usize) -> Result<i32>;

/// A caller hangs in `call` on memory that blocks; meanwhile another process
/// goes through a whole life and takes a report, and the caller still hangs.
fn assert_delays_nobody(call: Call, memory: Map, block: fn(Map) -> Blocked) {
    let device = Device::open().unwrap();
    let blocked = block(memory);
    let hanging = thread::spawn(move || call(device, memory.address));
    process::eventually("the caller hangs", || is_in_system_call(&hanging));
    let other = Actor::spawn();
    let slab = other.produce();
    other.call(move || {
        slab.map.fill_with(1);
        Report::now();
        std::fs::read(module::node(0)).unwrap();
        slab.end().unwrap();
    });
    other.exit();
    assert!(!hanging.is_finished(), "the caller did not hang");
    drop(blocked);
    assert!(hanging.join().unwrap().is_ok());
}

/// Whether some other thread of this process sleeps in an ioctl or a read.
fn is_in_system_call<R>(thread: &thread::JoinHandle<R>) -> bool {
    let calls = [libc::SYS_ioctl, libc::SYS_read].map(|number| format!("{number} "));
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let own = std::fs::read_link("/proc/thread-self").unwrap();
    let others = tasks.filter(|task| own.file_name() != Some(&task.file_name()));
    let asleep = others
        .map(|task| std::fs::read_to_string(task.path().join("syscall")).unwrap_or_default())
        .any(|state| calls.iter().any(|call| state.starts_with(call)));
    asleep && !thread.is_finished()
}

fn memory(pages: usize) -> Map {
    Map::anonymous(pages * PAGE, READ_WRITE).unwrap()
}

fn acquire_at(device: Device, address: usize) -> Result<i32> {
    device.ioctl(ACQUIRE, address as *mut _)
}

fn h34_a_caller_stuck_before_acquire_delays_nobody() {
    assert_delays_nobody(acquire_at, memory(1), Blocked::on_access);
}

fn h34_a_caller_stuck_after_acquire_delays_nobody() {
    let memory = memory(1);
    memory.store(0, 0);
    assert_delays_nobody(acquire_at, memory, Blocked::on_write);
}

fn h34_a_caller_stuck_in_release_delays_nobody() {
    let release = |device: Device, address| device.ioctl(RELEASE, address as *mut _);
    assert_delays_nobody(release, memory(1), Blocked::on_access);
}

fn h34_a_caller_stuck_in_a_report_delays_nobody() {
    let memory = memory(4);
    memory.fill_with(report::SIZE as u64);
    let report = |device: Device, address| device.ioctl(report::REPORT, address as *mut _);
    assert_delays_nobody(report, memory, Blocked::on_write);
}

fn h34_a_caller_stuck_in_reading_delays_nobody() {
    let read = |device: Device, address| {
        // SAFETY: the kernel writes into a page that is mapped for this test.
        let length = unsafe { libc::read(device.0, address as *mut _, PAGE) };
        Errno::result(length as i32)
    };
    assert_delays_nobody(read, memory(1), Blocked::on_access);
}

fn h35_garbage_in_one_slab_reaches_no_other() {
    let (victim, vandal) = (Actor::spawn(), Actor::spawn());
    let kept = victim.produce();
    victim.call(move || kept.map.fill(|word| word as u64));
    for seed in 0..20 {
        let slab = vandal.produce();
        vandal.call(move || {
            let mut random = fastrand::Rng::with_seed(seed);
            for word in 0..slab.map.words() {
                slab.map.store(word, random.u64(..));
            }
            slab.end().unwrap();
        });
        assert_eq!(
            victim.call(move || kept.map.differs(|word| word as u64)),
            None
        );
    }
    let mut argument = Argument::of(victim.pid());
    assert_eq!(Device::open().unwrap().call(ACQUIRE, &mut argument), Ok(0));
    assert_eq!(argument.mmap_offset, kept.cookie.0);
}

const DEVICES: usize = 4;

fn h36_every_page_of_every_device_is_its_own() {
    module::reload(&format!("devices={DEVICES}"));
    let owners: Vec<_> = (0..SLOTS).map(|_| Actor::spawn()).collect();
    let mark = |device: usize, slot: usize, word: usize| {
        ((device * SLOTS + slot) * 64 + word / PAGE_WORDS + 1) as u64
    };
    let maps: Vec<[Map; DEVICES]> = owners
        .iter()
        .enumerate()
        .map(|(slot, owner)| {
            owner.call(move || {
                let mut maps = [0; DEVICES].map(|_| Map {
                    address: 0,
                    length: 0,
                });
                for (index, map) in maps.iter_mut().enumerate() {
                    let device = Device::open_as(index, nix::fcntl::OFlag::O_RDWR).unwrap();
                    *map = device.map(device.acquire(0).unwrap()).unwrap();
                    map.fill(|word| mark(index, slot, word));
                }
                maps
            })
        })
        .collect();
    for (slot, (owner, maps)) in owners.iter().zip(maps).enumerate() {
        for (index, map) in maps.into_iter().enumerate() {
            let wrong = owner.call(move || map.differs(|word| mark(index, slot, word)));
            assert_eq!(wrong, None, "device {index}, slot {slot}");
        }
    }
}
