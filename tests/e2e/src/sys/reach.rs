// SPDX-License-Identifier: MIT OR Apache-2.0

//! Ways into memory that bypass a mapping's protection, or pin its pages:
//! ptrace, `/proc/<pid>/mem`, process_vm_*, io_uring, splice.
//!
//! All functions speak of word addresses in some process and return what the
//! kernel said.

use std::fs::OpenOptions;
use std::io::{IoSlice, IoSliceMut};
use std::os::fd::{AsFd, AsRawFd, RawFd};
use std::os::unix::fs::FileExt;

use io_uring::{opcode, types, IoUring};
use nix::errno::Errno;
use nix::libc;
use nix::sys::ptrace;
use nix::sys::uio::{process_vm_readv, process_vm_writev, RemoteIoVec};
use nix::sys::wait::waitpid;
use nix::unistd::{pipe, Pid};

use super::device::Result;

fn errno(error: &std::io::Error) -> Errno {
    Errno::from_raw(error.raw_os_error().unwrap_or(0))
}

/// Reads a word of a process through `/proc/<pid>/mem`.
pub(crate) fn proc_mem_read(pid: i32, address: usize) -> Result<u64> {
    let mut word = [0; 8];
    let file = OpenOptions::new()
        .read(true)
        .open(format!("/proc/{pid}/mem"))
        .expect("its memory");
    file.read_exact_at(&mut word, address as u64)
        .map_err(|error| errno(&error))?;
    Ok(u64::from_ne_bytes(word))
}

/// Writes a word of a process through `/proc/<pid>/mem`.
pub(crate) fn proc_mem_write(pid: i32, address: usize, value: u64) -> Result<()> {
    let file = OpenOptions::new()
        .write(true)
        .open(format!("/proc/{pid}/mem"))
        .expect("its memory");
    file.write_all_at(&value.to_ne_bytes(), address as u64)
        .map_err(|error| errno(&error))
}

/// Runs `body` while a process is stopped under ptrace by the caller.
fn traced<R>(pid: i32, body: impl FnOnce(Pid) -> R) -> R {
    let pid = Pid::from_raw(pid);
    ptrace::attach(pid).expect("attach with ptrace");
    waitpid(pid, None).expect("the process stops");
    let result = body(pid);
    ptrace::detach(pid, None).expect("detach");
    result
}

/// Reads a word of a process through ptrace.
pub(crate) fn ptrace_read(pid: i32, address: usize) -> Result<i64> {
    traced(pid, |pid| ptrace::read(pid, address as ptrace::AddressType))
}

/// Writes a word of a process through ptrace.
pub(crate) fn ptrace_write(pid: i32, address: usize, value: u64) -> Result<()> {
    traced(pid, |pid| {
        ptrace::write(pid, address as ptrace::AddressType, value as i64)
    })
}

/// Reads a word of a process through process_vm_readv.
pub(crate) fn process_vm_read(pid: i32, address: usize) -> Result<u64> {
    let mut word = [0; 8];
    let remote = [RemoteIoVec {
        base: address,
        len: 8,
    }];
    process_vm_readv(
        Pid::from_raw(pid),
        &mut [IoSliceMut::new(&mut word)],
        &remote,
    )?;
    Ok(u64::from_ne_bytes(word))
}

/// Writes a word of a process through process_vm_writev.
pub(crate) fn process_vm_write(pid: i32, address: usize, value: u64) -> Result<()> {
    let remote = [RemoteIoVec {
        base: address,
        len: 8,
    }];
    process_vm_writev(
        Pid::from_raw(pid),
        &[IoSlice::new(&value.to_ne_bytes())],
        &remote,
    )
    .map(drop)
}

/// Lets io_uring read eight bytes from a pipe into the caller's memory.
pub(crate) fn io_uring_store(address: usize, value: u64) -> Result<()> {
    let (reader, writer) = pipe()?;
    nix::unistd::write(&writer, &value.to_ne_bytes())?;
    let mut ring = IoUring::new(2).expect("the kernel has CONFIG_IO_URING");
    let read = opcode::Read::new(types::Fd(reader.as_raw_fd()), address as *mut u8, 8).build();
    // SAFETY: the kernel checks the address; descriptor and ring outlive the wait.
    unsafe { ring.submission().push(&read).expect("an empty queue") };
    ring.submit_and_wait(1).map_err(|error| errno(&error))?;
    let done = ring.completion().next().expect("one completion");
    match done.result() {
        8 => Ok(()),
        other => Err(Errno::from_raw(-other)),
    }
}

/// Asks io_uring to pin a page of the caller's memory.
pub(crate) fn io_uring_pin(address: usize) -> Result<()> {
    let ring = IoUring::new(2).expect("the kernel has CONFIG_IO_URING");
    let buffer = [libc::iovec {
        iov_base: address as *mut libc::c_void,
        iov_len: super::abi::PAGE,
    }];
    // SAFETY: the kernel checks the address; nothing is read or written through the buffer.
    unsafe { ring.submitter().register_buffers(&buffer) }.map_err(|error| errno(&error))
}

/// A ring that has a file registered, and keeps it open until it is dropped.
pub(crate) fn ring_with_file(file: RawFd) -> IoUring {
    let ring = IoUring::new(2).expect("the kernel has CONFIG_IO_URING");
    ring.submitter()
        .register_files(&[file])
        .expect("register a file");
    ring
}

/// Asks for a page of the caller's memory to be put into a pipe by reference.
pub(crate) fn vmsplice_pin(address: usize) -> Result<()> {
    let (_reader, writer) = pipe()?;
    let part = libc::iovec {
        iov_base: address as *mut libc::c_void,
        iov_len: super::abi::PAGE,
    };
    // SAFETY: the kernel checks the address; `part` lives over the call.
    Errno::result(unsafe { libc::vmsplice(writer.as_fd().as_raw_fd(), &raw const part, 1, 0) })
        .map(drop)
}

/// Waits on a shared futex in the caller's memory with a value that it has not:
/// EAGAIN where the kernel could look up the page, EFAULT where it may not.
pub(crate) fn futex_wait(address: usize) -> Result<()> {
    let none = std::ptr::null::<libc::timespec>();
    // SAFETY: the kernel checks the address and returns at once.
    Errno::result(unsafe {
        libc::syscall(libc::SYS_futex, address, libc::FUTEX_WAIT, 0x5EED_u32, none)
    })
    .map(drop)
}
