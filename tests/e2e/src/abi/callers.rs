// SPDX-License-Identifier: MIT OR Apache-2.0

//! Callers of 32 bits, for whom the ABI has nothing. On x86-64 only: no other
//! architecture lets a 64-bit process call the kernel as one of 32 bits.

use std::arch::asm;

use nix::errno::Errno;
use nix::libc;
use nix::sys::signal::Signal;

use crate::ktap::{self, Suite};
use crate::sys::abi::{Cookie, ACQUIRE, PAGE, RELEASE, SLAB_SIZE};
use crate::sys::device::Device;
use crate::sys::map::Map;

pub(super) const SUITE: Suite = Suite {
    name: "abi.callers",
    tests: ktap::tests![callers_of_32_bits_get_enotty],
};

fn callers_of_32_bits_get_enotty() {
    if !kernel_takes_32_bit_calls() {
        ktap::skip("the kernel has no CONFIG_IA32_EMULATION, so no 32-bit callers");
    }
    let device = Device::open().unwrap();
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let low = Map::anonymous_with(PAGE, protection, libc::MAP_32BIT).unwrap();
    for word in [ACQUIRE, RELEASE, 0x8004_4E47, 0x8004_4E48] {
        assert_eq!(
            ioctl_of_32_bits(device, word, low.address as u32),
            -(Errno::ENOTTY as i32),
            "{word:#x}"
        );
    }
    assert_eq!(low.nonzero(), None, "the struct was touched");
    let absent = device.map_with(
        Cookie::new(1, 0).0,
        SLAB_SIZE,
        libc::PROT_READ,
        libc::MAP_SHARED,
    );
    assert_eq!(absent, Err(Errno::EINVAL), "no slab was taken");
}

/// Number of `ioctl` in the 32-bit table of x86.
const IOCTL_OF_32_BITS: i32 = 54;
/// Number of `getpid` there.
const GETPID_OF_32_BITS: i32 = 20;

/// One system call through the 32-bit entry, which a 64-bit process may use too.
fn call_of_32_bits(number: i32, first: u32, second: u32, third: u32) -> i32 {
    let result: i32;
    // SAFETY: the entry keeps all registers but the result and r8 to r11, which
    // are declared; rbx is reserved by the compiler and exchanged around it. The
    // kernel checks the arguments.
    unsafe {
        asm!(
            "xchg {first:r}, rbx",
            "int 0x80",
            "xchg {first:r}, rbx",
            first = inout(reg) u64::from(first) => _,
            inlateout("eax") number => result,
            in("ecx") second,
            in("edx") third,
            out("r8") _, out("r9") _, out("r10") _, out("r11") _,
        );
    }
    result
}

fn ioctl_of_32_bits(device: Device, word: u32, argument: u32) -> i32 {
    call_of_32_bits(IOCTL_OF_32_BITS, device.0 as u32, word, argument)
}

/// Without the entry, the trap ends the caller: a child tries it.
fn kernel_takes_32_bit_calls() -> bool {
    use nix::sys::wait::{waitpid, WaitStatus};
    let child = crate::sys::process::spawn(|| {
        assert_eq!(
            call_of_32_bits(GETPID_OF_32_BITS, 0, 0, 0),
            crate::sys::process::own_pid()
        );
    });
    match waitpid(child, None).unwrap() {
        WaitStatus::Exited(_, 0) => true,
        WaitStatus::Signaled(_, Signal::SIGSEGV, _) => false,
        other => panic!("the 32-bit entry ended a child as {other:?}"),
    }
}
