// SPDX-License-Identifier: MIT OR Apache-2.0

//! The 24-byte struct: what comes back, and what happens when it cannot be
//! read or written. A failed acquire leaves nothing behind.

use std::ffi::c_void;
use std::ptr::null_mut;

use nix::errno::Errno;
use nix::libc::{PROT_NONE, PROT_READ, PROT_WRITE};

use crate::ktap::{self, Suite};
use crate::sys::abi::{Argument, ACQUIRE, PAGE, RELEASE, SLAB_SIZE};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::map::Map;

pub(super) const SUITE: Suite = Suite {
    name: "abi.structs",
    tests: ktap::tests![
        pid_and_holes_come_back_unchanged,
        size_is_262144_in_little_endian,
        a_failed_acquire_leaves_the_struct_untouched,
        release_leaves_the_struct_untouched,
        a_struct_that_cannot_be_read_is_efault,
        a_struct_that_faults_half_way_is_efault,
        an_acquire_that_cannot_answer_is_undone,
        an_acquire_that_can_answer_half_is_undone,
        a_repeated_acquire_that_cannot_answer_keeps_the_slab,
        an_attach_that_cannot_answer_is_undone,
    ],
};

/// Bytes of the struct.
const SIZE: usize = size_of::<Argument>();

fn noisy(pid: i32) -> Argument {
    Argument {
        pid,
        hole_low: 0xA5A5_5A5A,
        mmap_offset: 0x1234_5678_9ABC_DEF0,
        size: 77,
        hole_high: 0x5A5A_A5A5,
    }
}

fn pid_and_holes_come_back_unchanged() {
    let device = Device::open().unwrap();
    let mut argument = noisy(0);
    assert_eq!(device.call(ACQUIRE, &mut argument), Ok(0));
    let expected = Argument {
        mmap_offset: argument.mmap_offset,
        size: SLAB_SIZE as u32,
        ..noisy(0)
    };
    assert_eq!(argument, expected);
}

fn size_is_262144_in_little_endian() {
    let device = Device::open().unwrap();
    let memory = Map::anonymous(PAGE, PROT_READ | PROT_WRITE).unwrap();
    assert_eq!(device.ioctl(ACQUIRE, memory.address as *mut c_void), Ok(0));
    let last_word = memory.load(2).to_le_bytes();
    assert_eq!(last_word, [0x00, 0x00, 0x04, 0x00, 0, 0, 0, 0]);
}

fn a_failed_acquire_leaves_the_struct_untouched() {
    let device = Device::open().unwrap();
    let mut argument = noisy(-5);
    assert_eq!(device.call(ACQUIRE, &mut argument), Err(Errno::ENOENT));
    assert_eq!(argument, noisy(-5));
}

fn release_leaves_the_struct_untouched() {
    let device = Device::open().unwrap();
    device.acquire(0).unwrap();
    for _ in 0..2 {
        let mut argument = noisy(0);
        assert_eq!(device.call(RELEASE, &mut argument), Ok(0));
        assert_eq!(argument, noisy(0));
    }
}

/// Addresses at which nothing can be read: none, unmapped, the kernel's, none that exists.
fn unreadable() -> [*mut c_void; 5] {
    let gone = Map::anonymous(PAGE, PROT_READ).unwrap();
    gone.unmap().unwrap();
    [
        null_mut(),
        gone.address as *mut c_void,
        0xFFFF_8880_0000_0000_usize as *mut c_void,
        0x8000_0000_0000_0000_usize as *mut c_void,
        usize::MAX as *mut c_void,
    ]
}

fn a_struct_that_cannot_be_read_is_efault() {
    let device = Device::open().unwrap();
    let hidden = Map::anonymous(PAGE, PROT_NONE).unwrap().address as *mut c_void;
    for pointer in unreadable().into_iter().chain([hidden]) {
        for word in [ACQUIRE, RELEASE] {
            assert_eq!(
                device.ioctl(word, pointer),
                Err(Errno::EFAULT),
                "{word:#x} {pointer:?}"
            );
        }
    }
    assert_nothing_is_taken();
}

/// Two pages of which the second has `protection`, and a struct of which
/// `in_first` bytes lie in the first.
fn straddling(protection: i32, in_first: usize) -> *mut c_void {
    let memory = Map::anonymous(2 * PAGE, PROT_READ | PROT_WRITE).unwrap();
    memory.pages(1, 1).protect(protection).unwrap();
    (memory.address + PAGE - in_first) as *mut c_void
}

fn a_struct_that_faults_half_way_is_efault() {
    let device = Device::open().unwrap();
    for in_first in 1..SIZE {
        for word in [ACQUIRE, RELEASE] {
            let pointer = straddling(PROT_NONE, in_first);
            assert_eq!(
                device.ioctl(word, pointer),
                Err(Errno::EFAULT),
                "{in_first} bytes readable"
            );
        }
    }
    assert_nothing_is_taken();
}

fn an_acquire_that_cannot_answer_is_undone() {
    let device = Device::open().unwrap();
    let read_only = Map::anonymous(PAGE, PROT_READ).unwrap();
    assert_eq!(
        device.ioctl(ACQUIRE, read_only.address as *mut c_void),
        Err(Errno::EFAULT)
    );
    assert_nothing_is_taken();
}

fn an_acquire_that_can_answer_half_is_undone() {
    let device = Device::open().unwrap();
    // The copy-out begins with the pid, so any split leaves a part unanswered.
    for in_first in 1..SIZE {
        let pointer = straddling(PROT_READ, in_first);
        assert_eq!(
            device.ioctl(ACQUIRE, pointer),
            Err(Errno::EFAULT),
            "{in_first} bytes writable"
        );
        assert_nothing_is_taken();
    }
}

/// Nobody finds a slab of this process.
fn assert_nothing_is_taken() {
    let pid = crate::sys::process::own_pid();
    let reader = Device::open().unwrap();
    assert_eq!(
        reader.acquire(pid),
        Err(Errno::ENOENT),
        "a slab was left behind"
    );
    reader.close().unwrap();
}

fn a_repeated_acquire_that_cannot_answer_keeps_the_slab() {
    let slab = Session::produce().unwrap();
    slab.map.store(9, 99);
    let read_only = Map::anonymous(PAGE, PROT_READ).unwrap();
    assert_eq!(
        slab.device.ioctl(ACQUIRE, read_only.address as *mut c_void),
        Err(Errno::EFAULT)
    );
    assert_eq!(slab.device.acquire(0), Ok(slab.cookie));
    assert_eq!(slab.map.load(9), 99);
}

fn an_attach_that_cannot_answer_is_undone() {
    let owner = Actor::spawn();
    let slab = owner.produce();
    let reader = Device::open().unwrap();
    let memory = Map::anonymous(PAGE, PROT_READ | PROT_WRITE).unwrap();
    memory.store(0, owner.pid() as u64);
    memory.protect(PROT_READ).unwrap();
    assert_eq!(
        reader.ioctl(ACQUIRE, memory.address as *mut c_void),
        Err(Errno::EFAULT)
    );
    assert_eq!(
        reader.map_read(slab.cookie),
        Err(Errno::EINVAL),
        "the file kept the attachment"
    );
    assert_eq!(
        owner.call(move || slab.device.acquire(0)),
        Ok(slab.cookie),
        "the owner lost its slab"
    );
}
