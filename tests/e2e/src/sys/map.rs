// SPDX-License-Identifier: MIT OR Apache-2.0

//! A mapped range of memory that other processes change at any time.
//!
//! Every access is one relaxed atomic load or store of a word. A [`Map`] is an
//! address and a length: it may be copied, and using it after `unmap`, or
//! writing where the protection forbids it, ends the process by SIGSEGV, which
//! fails the one test that did it.

use std::cell::RefCell;
use std::ffi::c_void;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicU64, Ordering};

use nix::errno::Errno;
use nix::libc;

use super::abi::{PAGE, PAGE_WORDS};
use super::device::Result;

/// A range of this process's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Map {
    pub(crate) address: usize,
    pub(crate) length: usize,
}

impl Map {
    /// `mmap` of a descriptor.
    pub(crate) fn of_file(
        fd: RawFd,
        offset: u64,
        length: usize,
        protection: i32,
        flags: i32,
    ) -> Result<Self> {
        Self::mmap(length, protection, flags, fd, offset)
    }

    /// Anonymous private memory.
    pub(crate) fn anonymous(length: usize, protection: i32) -> Result<Self> {
        Self::anonymous_with(length, protection, 0)
    }

    /// Anonymous private memory with further `MAP_` flags.
    pub(crate) fn anonymous_with(length: usize, protection: i32, flags: i32) -> Result<Self> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | flags;
        Self::mmap(length, protection, flags, -1, 0)
    }

    /// Anonymous memory that children made later share.
    pub(crate) fn shared_anonymous(length: usize, protection: i32) -> Result<Self> {
        Self::mmap(
            length,
            protection,
            libc::MAP_SHARED | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    }

    fn mmap(length: usize, protection: i32, flags: i32, fd: RawFd, offset: u64) -> Result<Self> {
        // SAFETY: without MAP_FIXED the kernel picks a free range, so no memory
        // that Rust knows of is replaced.
        let address = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                length,
                protection,
                flags,
                fd,
                offset as libc::off_t,
            )
        };
        if address == libc::MAP_FAILED {
            return Err(Errno::last());
        }
        Ok(Self {
            address: address as usize,
            length,
        })
    }

    /// Words in the range.
    pub(crate) fn words(self) -> usize {
        self.length / 8
    }

    /// The part of `count` pages from page `first`.
    pub(crate) fn pages(self, first: usize, count: usize) -> Self {
        assert!(
            (first + count) * PAGE <= self.length,
            "pages outside the mapping"
        );
        Self {
            address: self.address + first * PAGE,
            length: count * PAGE,
        }
    }

    /// The address of a word.
    pub(crate) fn at(self, word: usize) -> usize {
        assert!(word < self.words(), "word {word} outside the mapping");
        self.address + word * 8
    }

    fn word(&self, word: usize) -> &AtomicU64 {
        // SAFETY: the address is 8-aligned and inside the mapping, all access is
        // atomic; a test that unmapped it before ends here by SIGSEGV.
        unsafe { AtomicU64::from_ptr(self.at(word) as *mut u64) }
    }

    /// Reads one word.
    pub(crate) fn load(self, word: usize) -> u64 {
        self.word(word).load(Ordering::Relaxed)
    }

    /// Writes one word.
    pub(crate) fn store(self, word: usize, value: u64) {
        self.word(word).store(value, Ordering::Relaxed);
    }

    /// Adds to one word.
    pub(crate) fn add(self, word: usize, value: u64) {
        self.word(word).fetch_add(value, Ordering::Relaxed);
    }

    /// Writes every word.
    pub(crate) fn fill(self, value: impl Fn(usize) -> u64) {
        for word in 0..self.words() {
            self.store(word, value(word));
        }
    }

    /// Writes the same value to every word.
    pub(crate) fn fill_with(self, value: u64) {
        self.fill(|_| value);
    }

    /// The first word, with its index, that `allowed` does not accept.
    pub(crate) fn find(self, allowed: impl Fn(usize, u64) -> bool) -> Option<(usize, u64)> {
        (0..self.words())
            .map(|word| (word, self.load(word)))
            .find(|&(word, value)| !allowed(word, value))
    }

    /// The first word that is not zero.
    pub(crate) fn nonzero(self) -> Option<(usize, u64)> {
        self.find(|_, value| value == 0)
    }

    /// The first word that differs from `expected`.
    pub(crate) fn differs(self, expected: impl Fn(usize) -> u64) -> Option<(usize, u64)> {
        self.find(|word, value| value == expected(word))
    }

    /// Touches one word of each of the first `count` pages.
    pub(crate) fn touch(self, count: usize) {
        for page in 0..count {
            self.store(page * PAGE_WORDS, 1);
        }
    }

    /// `munmap` of the range.
    pub(crate) fn unmap(self) -> Result<()> {
        // SAFETY: only ranges made by `mmap` here or a part of one are unmapped.
        Errno::result(unsafe { libc::munmap(self.address as *mut c_void, self.length) }).map(drop)
    }

    /// `mprotect` of the range.
    pub(crate) fn protect(self, protection: i32) -> Result<()> {
        // SAFETY: the range is a mapping made here; no Rust reference points into it.
        Errno::result(unsafe {
            libc::mprotect(self.address as *mut c_void, self.length, protection)
        })
        .map(drop)
    }

    /// `madvise` of the range.
    pub(crate) fn advise(self, advice: i32) -> Result<()> {
        // SAFETY: the range is a mapping made here; no Rust reference points into it.
        Errno::result(unsafe { libc::madvise(self.address as *mut c_void, self.length, advice) })
            .map(drop)
    }

    /// `mremap` from `self.length` to `length`.
    pub(crate) fn remap(self, length: usize, flags: i32) -> Result<Self> {
        self.mremap(length, flags, 0)
    }

    /// `mremap` to another address, over what is there.
    pub(crate) fn remap_to(self, address: usize) -> Result<Self> {
        self.mremap(
            self.length,
            libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED,
            address,
        )
    }

    fn mremap(self, length: usize, flags: i32, to: usize) -> Result<Self> {
        let from = self.address as *mut c_void;
        // SAFETY: the range is a mapping made here, as is the one that a fixed
        // address replaces; the result is returned as a new handle.
        let address = unsafe { libc::mremap(from, self.length, length, flags, to) };
        if address == libc::MAP_FAILED {
            return Err(Errno::last());
        }
        Ok(Self {
            address: address as usize,
            length,
        })
    }

    /// Lets the kernel write one word for us: EFAULT where it may not be written.
    pub(crate) fn kernel_store(self, word: usize, value: u64) -> Result<()> {
        with_pipe(|reader, writer| {
            nix::unistd::write(writer, &value.to_ne_bytes())?;
            let address = self.at(word) as *mut c_void;
            // SAFETY: the kernel checks the address and writes eight bytes of the mapping.
            Errno::result(unsafe { libc::read(reader.as_raw_fd(), address, 8) }).map(drop)
        })
    }

    /// Lets the kernel read one word for us: EFAULT where it may not be read.
    pub(crate) fn kernel_load(self, word: usize) -> Result<u64> {
        with_pipe(|reader, writer| {
            let address = self.at(word) as *const c_void;
            // SAFETY: the kernel checks the address and reads eight bytes of the mapping.
            Errno::result(unsafe { libc::write(writer.as_raw_fd(), address, 8) })?;
            let mut bytes = [0; 8];
            nix::unistd::read(reader, &mut bytes)?;
            Ok(u64::from_ne_bytes(bytes))
        })
    }
}

/// A pipe, and the process that made it: a child must not use its parent's.
type Pipe = (u32, OwnedFd, OwnedFd);

thread_local! {
    static PIPE: RefCell<Option<Pipe>> = const { RefCell::new(None) };
}

/// Runs `body` with the empty pipe of this thread.
fn with_pipe<R>(body: impl FnOnce(&OwnedFd, &OwnedFd) -> Result<R>) -> Result<R> {
    PIPE.with_borrow_mut(|pipe| {
        let own = std::process::id();
        if pipe.as_ref().is_none_or(|(maker, ..)| *maker != own) {
            let (reader, writer) = nix::unistd::pipe()?;
            *pipe = Some((own, reader, writer));
        }
        let (_, reader, writer) = pipe.as_ref().ok_or(Errno::EBADF)?;
        let result = body(reader, writer);
        if result.is_err() {
            // What was not read goes with it.
            *pipe = None;
        }
        result
    })
}
