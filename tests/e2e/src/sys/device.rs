// SPDX-License-Identifier: MIT OR Apache-2.0

//! An open device file and the calls that a producer or reader makes on it.
//!
//! A [`Device`] is a bare descriptor number: it may be copied, sent to another
//! process that shares or inherited the descriptor, and used after it was
//! closed (the kernel then says EBADF). What the module does with the calls is
//! the business of the tests; where its nodes are is told by [`super::module`].

use std::ffi::c_void;
use std::os::fd::RawFd;

use nix::errno::Errno;
use nix::fcntl::{open, OFlag};
use nix::libc;
use nix::sys::stat::Mode;
use std::os::fd::IntoRawFd;

use super::abi::{Argument, Cookie, ACQUIRE, RELEASE, SLAB_SIZE};
use super::map::Map;
use super::module;

pub(crate) type Result<T> = std::result::Result<T, Errno>;

/// A descriptor of a device file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Device(pub(crate) RawFd);

impl Device {
    /// Opens device 0 for reading and writing.
    pub(crate) fn open() -> Result<Self> {
        Self::open_as(0, OFlag::O_RDWR)
    }

    /// Opens device `index` with the given access.
    pub(crate) fn open_as(index: usize, access: OFlag) -> Result<Self> {
        open(
            module::node(index).as_str(),
            access | OFlag::O_CLOEXEC,
            Mode::empty(),
        )
        .map(|fd| Self(fd.into_raw_fd()))
    }

    /// Closes the descriptor.
    pub(crate) fn close(self) -> Result<()> {
        nix::unistd::close(self.0)
    }

    /// A second descriptor of the same open file.
    pub(crate) fn dup(self) -> Result<Self> {
        // SAFETY: `dup` takes a number and touches no memory.
        Errno::result(unsafe { libc::dup(self.0) }).map(Self)
    }

    /// The bare ioctl: the return value as it is, also a positive one.
    pub(crate) fn ioctl(self, word: u32, argument: *mut c_void) -> Result<i32> {
        // SAFETY: the kernel checks the pointer; a test may pass any value,
        // and the structs that it passes are writable for 24 bytes.
        Errno::result(unsafe { libc::ioctl(self.0, word.into(), argument) })
    }

    /// The ioctl `word` on a struct; the struct is changed as the kernel left it.
    pub(crate) fn call(self, word: u32, argument: &mut Argument) -> Result<i32> {
        self.ioctl(word, std::ptr::from_mut(argument).cast())
    }

    /// Acquire: `pid` 0 takes a slab for the caller, another finds that process's.
    pub(crate) fn acquire(self, pid: i32) -> Result<Cookie> {
        let mut argument = Argument::of(pid);
        match self.call(ACQUIRE, &mut argument)? {
            0 => Ok(Cookie(argument.mmap_offset)),
            other => panic!("acquire returned {other}, neither 0 nor an error"),
        }
    }

    /// Release: `pid` 0 means the caller.
    pub(crate) fn release(self, pid: i32) -> Result<()> {
        match self.call(RELEASE, &mut Argument::of(pid))? {
            0 => Ok(()),
            other => panic!("release returned {other}, neither 0 nor an error"),
        }
    }

    /// Maps the slab of `cookie`, shared, for reading and writing.
    pub(crate) fn map(self, cookie: Cookie) -> Result<Map> {
        self.map_with(
            cookie.0,
            SLAB_SIZE,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED,
        )
    }

    /// Maps the slab of `cookie`, shared, for reading.
    pub(crate) fn map_read(self, cookie: Cookie) -> Result<Map> {
        self.map_with(cookie.0, SLAB_SIZE, libc::PROT_READ, libc::MAP_SHARED)
    }

    /// `mmap` with everything chosen by the caller.
    pub(crate) fn map_with(
        self,
        offset: u64,
        length: usize,
        protection: i32,
        flags: i32,
    ) -> Result<Map> {
        Map::of_file(self.0, offset, length, protection, flags)
    }
}

/// One process's use of a slab: its file, the cookie and the mapping.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Session {
    pub(crate) device: Device,
    pub(crate) cookie: Cookie,
    pub(crate) map: Map,
}

impl Session {
    /// Opens device 0, takes a slab and maps it writable.
    pub(crate) fn produce() -> Result<Self> {
        Self::begin(0, Device::map)
    }

    /// Opens device 0, finds the slab of `pid` and maps it read-only.
    pub(crate) fn attach(pid: i32) -> Result<Self> {
        Self::begin(pid, Device::map_read)
    }

    /// Leaves no file open when a step fails.
    fn begin(pid: i32, map: fn(Device, Cookie) -> Result<Map>) -> Result<Self> {
        let device = Device::open()?;
        let mapped = device.acquire(pid).and_then(|cookie| {
            let map = map(device, cookie)?;
            Ok(Self {
                device,
                cookie,
                map,
            })
        });
        if mapped.is_err() {
            device.close()?;
        }
        mapped
    }

    /// Unmaps, releases and closes, as a producer that ends in good order does.
    pub(crate) fn end(self) -> Result<()> {
        self.map.unmap()?;
        self.device.release(0)?;
        self.device.close()
    }
}
