// SPDX-License-Identifier: MIT OR Apache-2.0

//! Memory whose access blocks until somebody resolves it (userfaultfd): a way
//! to hold a system call for as long as one likes in its copy from or to user
//! memory.

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use nix::errno::Errno;
use nix::libc;

use super::map::Map;

const API: u64 = 0xAA;
const MISSING: u64 = 1 << 0;
const WRITE_PROTECTED: u64 = 1 << 1;
const FEATURE_WRITE_PROTECT: u64 = 1 << 0;

#[repr(C)]
struct ApiArgument {
    api: u64,
    features: u64,
    ioctls: u64,
}

#[repr(C)]
struct Register {
    start: u64,
    length: u64,
    mode: u64,
    ioctls: u64,
}

#[repr(C)]
struct WriteProtect {
    start: u64,
    length: u64,
    mode: u64,
}

nix::ioctl_readwrite!(uffdio_api, API, 0x3F, ApiArgument);
nix::ioctl_readwrite!(uffdio_register, API, 0x00, Register);
nix::ioctl_readwrite!(uffdio_writeprotect, API, 0x06, WriteProtect);

/// A guard over memory; access goes on when it is dropped.
pub(crate) struct Blocked(
    #[expect(dead_code, reason = "closing it lets the blocked access go on")] OwnedFd,
);

impl Blocked {
    /// Any access to the untouched `memory` blocks.
    pub(crate) fn on_access(memory: Map) -> Self {
        Self(register(memory, MISSING, 0))
    }

    /// Reading the touched `memory` works, writing to it blocks.
    pub(crate) fn on_write(memory: Map) -> Self {
        let fd = register(memory, WRITE_PROTECTED, FEATURE_WRITE_PROTECT);
        let mut protect = WriteProtect {
            start: memory.address as u64,
            length: memory.length as u64,
            mode: 1,
        };
        // SAFETY: the struct is what this command takes and lives over the call.
        unsafe { uffdio_writeprotect(fd.as_raw_fd(), &raw mut protect) }.expect("write-protect");
        Self(fd)
    }
}

fn register(memory: Map, mode: u64, features: u64) -> OwnedFd {
    // SAFETY: takes flags only; the descriptor it returns is ours alone.
    let fd = unsafe {
        let fd = Errno::result(libc::syscall(libc::SYS_userfaultfd, libc::O_CLOEXEC));
        OwnedFd::from_raw_fd(fd.expect("the kernel has CONFIG_USERFAULTFD") as i32)
    };
    let mut api = ApiArgument {
        api: API,
        features,
        ioctls: 0,
    };
    let mut range = Register {
        start: memory.address as u64,
        length: memory.length as u64,
        mode,
        ioctls: 0,
    };
    // SAFETY: the structs are what these commands take and live over the calls.
    unsafe {
        uffdio_api(fd.as_raw_fd(), &raw mut api).expect("agree on the interface");
        uffdio_register(fd.as_raw_fd(), &raw mut range).expect("register the memory");
    }
    fd
}
