// SPDX-License-Identifier: MIT OR Apache-2.0

//! Random arguments to every call that a device file takes, near what is
//! right and far from it. Whatever is asked, the answer is one of the few that
//! the ABI knows, and nothing but a whole slab acquired through the file is
//! ever mapped.

use std::ffi::c_void;
use std::time::Instant;

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::libc::{self, PROT_READ, PROT_WRITE};

use super::tally::Tally;
use super::{leaks, random};
use crate::ktap::Suite;
use crate::sys::abi::{Argument, Cookie, ACQUIRE, PAGE, RELEASE, SLAB_SIZE};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::map::Map;
use crate::sys::process;
use crate::sys::report::{REPORT, SIZE};

pub(super) const SUITE: Suite = Suite {
    name: "lab.fuzz",
    tests: &[super::part("random_arguments", random_arguments)],
};

/// Processes at once.
const FUZZERS: u64 = 4;
/// Calls of one process before a fresh one takes its place.
const CALLS: u32 = 5000;

fn random_arguments() {
    let tally = Tally::new(&[
        "ioctls",
        "reports",
        "mmaps",
        "other calls",
        "acquires",
        "mappings",
        "processes",
    ]);
    tally.count_panics();
    let deadline = super::deadline(15);
    // Somebody to attach to.
    let owner = Actor::spawn();
    owner.produce();
    let target = owner.pid();
    let mut round = 0;
    while Instant::now() < deadline && tally.failures() == 0 {
        let fuzzers = (0..FUZZERS).map(|index| {
            let random = random(round * FUZZERS + index);
            process::spawn(move || Fuzzer::new(tally, random, target).run(deadline))
        });
        let fuzzers: Vec<_> = fuzzers.collect();
        fuzzers.into_iter().for_each(process::expect_success);
        tally.add("processes", FUZZERS);
        round += 1;
    }
    assert_eq!(
        tally.failures(),
        0,
        "a process got an answer that there is not, see above"
    );
    drop(owner);
    leaks::assert_all_free_and_zero(1);
    leaks::end();
    tally.report();
}

struct Fuzzer {
    tally: Tally,
    random: fastrand::Rng,
    target: i32,
    device: Device,
    access: OFlag,
    /// What was acquired through `device`, ended or not.
    cookies: Vec<Cookie>,
    /// Two pages, of which the second comes and goes.
    scratch: Map,
    /// Room for a report, with nothing behind it.
    report: Map,
    /// A slab as memory for structs.
    slab: Option<Session>,
}

impl Fuzzer {
    fn new(tally: Tally, random: fastrand::Rng, target: i32) -> Self {
        Self {
            tally,
            random,
            target,
            device: Device::open().expect("the node opens"),
            access: OFlag::O_RDWR,
            cookies: Vec::new(),
            scratch: Map::anonymous(2 * PAGE, PROT_READ | PROT_WRITE).expect("two pages"),
            report: room_for_report(),
            slab: Session::produce().ok(),
        }
    }

    fn run(&mut self, deadline: Instant) {
        for _ in 0..CALLS {
            match self.random.u32(0..100) {
                0..50 => self.ioctl(),
                50..55 => self.report(),
                55..88 => self.mmap(),
                88..98 => self.other_call(),
                _ => self.reopen(),
            }
            if Instant::now() >= deadline {
                break;
            }
        }
    }

    fn reopen(&mut self) {
        self.device.close().expect("close");
        self.cookies.clear();
        self.access = self.pick(&[
            OFlag::O_RDWR,
            OFlag::O_RDWR,
            OFlag::O_RDONLY,
            OFlag::O_WRONLY,
        ]);
        self.device = Device::open_as(0, self.access).expect("the node opens");
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.random.usize(0..choices.len())]
    }

    /// One of `likely`, or any number.
    fn number(&mut self, likely: &[u64]) -> u64 {
        match self.random.u32(0..4) {
            0 => self.random.u64(..),
            1 => self.pick(likely) ^ 1 << self.random.u32(0..64),
            _ => self.pick(likely),
        }
    }

    fn word(&mut self) -> u32 {
        let near = [
            ACQUIRE,
            ACQUIRE,
            ACQUIRE,
            RELEASE,
            0x8018_4E47,
            0x8018_4E48,
            0xC018_4E47,
        ];
        let word = self.number(&near.map(u64::from)) as u32;
        // Commands of the virtual file system would act on the descriptor itself.
        if word >> 8 & 0xFF == u32::from(b'N') {
            word
        } else {
            word & !0xFF00 | 0x4E00
        }
    }

    fn argument(&mut self) -> Argument {
        let own = process::own_pid() as u64;
        let pid = self.number(&[0, 0, 0, own, self.target as u64, 1, u64::MAX]) as i32;
        Argument {
            pid,
            hole_low: self.random.u32(..),
            mmap_offset: self.random.u64(..),
            size: self.random.u32(..),
            hole_high: self.random.u32(..),
        }
    }

    /// Somewhere to put a struct, or nowhere.
    fn pointer(&mut self) -> usize {
        let slab = self
            .slab
            .map_or(0, |slab| slab.map.address + self.random.usize(0..SLAB_SIZE));
        let straddling = self.scratch.address + PAGE - self.random.usize(0..32);
        let inside = self.scratch.address + self.random.usize(0..64);
        let wild = self.random.usize(..);
        let choices = [
            inside,
            inside,
            inside,
            straddling,
            slab,
            0,
            usize::MAX,
            1 << 47,
            wild,
        ];
        self.pick(&choices)
    }

    fn ioctl(&mut self) {
        self.tally.add("ioctls", 1);
        let second = self.pick(&[PROT_READ | PROT_WRITE, PROT_READ, libc::PROT_NONE]);
        self.scratch.pages(1, 1).protect(second).expect("mprotect");
        let (word, argument, pointer) = (self.word(), self.argument(), self.pointer());
        let placed = poke(pointer, argument);
        let answer = self.device.ioctl(word, pointer as *mut c_void);
        match (word, answer) {
            (ACQUIRE, Ok(0)) => self.acquired(pointer),
            (RELEASE, Ok(0)) => {}
            (ACQUIRE, Err(Errno::ENOENT | Errno::ENOMEM | Errno::EACCES | Errno::EFAULT)) => {}
            (RELEASE, Err(Errno::EFAULT)) => {}
            (_, Err(Errno::EINVAL)) if self.access == OFlag::O_WRONLY => {}
            (ACQUIRE | RELEASE, other) => panic!("{word:#x} of {argument:?}: {other:?}"),
            (_, Err(Errno::EINVAL)) => {}
            (_, other) => panic!("the unknown {word:#x}: {other:?}"),
        }
        assert!(
            placed || answer.is_err(),
            "{word:#x} succeeded without a struct"
        );
    }

    /// A report into memory that is good, ends early, is a slab, or is not there.
    fn report(&mut self) {
        self.tally.add("reports", 1);
        let room = self.number(&[SIZE as u64, 0, 8, 24, 1 << 31]) as u32;
        let end = self.report.address + self.report.length;
        let slab = self.slab.map_or(0, |slab| {
            slab.map.address + self.random.usize(0..SLAB_SIZE - SIZE)
        });
        let choices = [
            self.report.address,
            end - 8,
            end - self.random.usize(1..SIZE),
            slab,
            0,
            1 << 47,
        ];
        let pointer = self.pick(&choices);
        let head = u64::from(self.random.u32(..)) << 32 | u64::from(room);
        let _ = Map {
            address: pointer,
            length: 8,
        }
        .kernel_store(0, head);
        match self.device.ioctl(REPORT, pointer as *mut c_void) {
            Ok(0) | Err(Errno::EFAULT | Errno::EINVAL) => {}
            other => panic!("a report of {room} bytes: {other:?}"),
        }
    }

    fn acquired(&mut self, pointer: usize) {
        self.tally.add("acquires", 1);
        let answer = peek(pointer).expect("what was written can be read");
        assert_eq!(answer.size as usize, SLAB_SIZE);
        let cookie = Cookie(answer.mmap_offset);
        assert_eq!(
            cookie,
            Cookie::new(cookie.generation(), cookie.slot() as u64)
        );
        self.cookies.push(cookie);
    }

    fn mmap(&mut self) {
        self.tally.add("mmaps", 1);
        let known: Vec<_> = self
            .cookies
            .iter()
            .rev()
            .take(8)
            .map(|cookie| cookie.0)
            .collect();
        let known = if known.is_empty() {
            vec![1 << 22]
        } else {
            known
        };
        let offset = self.number(&known);
        let length = self.number(&[SLAB_SIZE as u64; 4]) as usize;
        let protection = self.random.i32(0..16) & !8;
        let flags = self.flags();
        match self.device.map_with(offset, length, protection, flags) {
            Ok(map) => self.mapped(map, offset, length),
            Err(
                Errno::EINVAL
                | Errno::EACCES
                | Errno::EPERM
                | Errno::ENOMEM
                | Errno::EOVERFLOW
                | Errno::EOPNOTSUPP
                | Errno::EAGAIN
                | Errno::ENODEV,
            ) => {}
            Err(other) => {
                panic!("mmap({offset:#x}, {length:#x}, {protection}, {flags:#x}): {other}")
            }
        }
    }

    fn flags(&mut self) -> i32 {
        let kind = self.pick(&[
            libc::MAP_SHARED,
            libc::MAP_SHARED,
            libc::MAP_PRIVATE,
            libc::MAP_SHARED_VALIDATE,
        ]);
        let extra = [
            libc::MAP_POPULATE,
            libc::MAP_LOCKED,
            libc::MAP_NORESERVE,
            libc::MAP_GROWSDOWN,
            libc::MAP_NONBLOCK,
            #[cfg(target_arch = "x86_64")]
            libc::MAP_32BIT,
            libc::MAP_SYNC,
            libc::MAP_STACK,
        ];
        match self.random.bool() {
            true => kind,
            false => kind | self.pick(&extra),
        }
    }

    fn mapped(&mut self, map: Map, offset: u64, length: usize) {
        self.tally.add("mappings", 1);
        assert!(
            self.cookies.contains(&Cookie(offset)),
            "{offset:#x} was never acquired here"
        );
        assert_eq!(
            length.div_ceil(PAGE) * PAGE,
            SLAB_SIZE,
            "a mapping of {length} bytes"
        );
        // Where the protection allows it, every page can be touched through the kernel.
        for page in 0..SLAB_SIZE / PAGE {
            let _ = map.kernel_load(page * 512);
            let _ = map.kernel_store(page * 512, 1);
        }
        Map {
            length: SLAB_SIZE,
            ..map
        }
        .unmap()
        .expect("unmap");
    }

    /// Calls that a device file need not know, and must survive.
    fn other_call(&mut self) {
        self.tally.add("other calls", 1);
        let (fd, size) = (self.device.0, self.random.usize(0..3 * PAGE));
        let mut buffer = vec![0_u8; size.max(1)];
        let offset = self.number(&[0, PAGE as u64, SLAB_SIZE as u64]) as i64;
        let bytes = buffer.as_mut_ptr().cast::<c_void>();
        let mut poll = libc::pollfd {
            fd,
            events: -1,
            revents: 0,
        };
        // SAFETY: the buffer has `size` bytes; everything else is numbers that
        // the kernel checks.
        unsafe {
            match self.random.u32(0..10) {
                0 => libc::read(fd, bytes, size) as i64,
                1 => libc::pread(fd, bytes, size, offset) as i64,
                2 => libc::write(fd, bytes, size) as i64,
                3 => libc::pwrite(fd, bytes, size, offset) as i64,
                4 => libc::lseek(fd, offset, self.random.i32(0..5)),
                5 => libc::fsync(fd).into(),
                6 => libc::ftruncate(fd, offset).into(),
                7 => libc::fallocate(fd, 0, offset, 4096).into(),
                8 => libc::poll(&raw mut poll, 1, 0).into(),
                _ => libc::posix_fadvise(fd, offset, 4096, self.random.i32(0..6)).into(),
            };
        }
    }
}

/// Memory with a page behind it that cannot be touched.
fn room_for_report() -> Map {
    let pages = SIZE.div_ceil(PAGE);
    let memory = Map::anonymous((pages + 1) * PAGE, PROT_READ | PROT_WRITE).expect("memory");
    memory
        .pages(pages, 1)
        .protect(libc::PROT_NONE)
        .expect("a guard page");
    memory.pages(0, pages)
}

/// Puts a struct anywhere. Returns whether all of it could be put.
fn poke(address: usize, argument: Argument) -> bool {
    let words: [u64; 3] = [0, 8, 16].map(|offset| {
        // SAFETY: reads eight of the struct's 24 bytes, which have no padding.
        unsafe {
            (&raw const argument)
                .byte_add(offset)
                .cast::<u64>()
                .read_unaligned()
        }
    });
    let target = |index: usize| Map {
        address: address.wrapping_add(8 * index),
        length: 8,
    };
    for (index, word) in words.into_iter().enumerate() {
        // Where it cannot be written, reading decides.
        let _ = target(index).kernel_store(0, word);
    }
    (0..words.len()).all(|index| target(index).kernel_load(0).is_ok())
}

fn peek(address: usize) -> Option<Argument> {
    let mut words = [0_u64; 3];
    for (index, word) in words.iter_mut().enumerate() {
        *word = Map {
            address: address + 8 * index,
            length: 8,
        }
        .kernel_load(0)
        .ok()?;
    }
    // SAFETY: 24 bytes for a struct of integers, of which every pattern is a value.
    Some(unsafe { std::mem::transmute::<[u64; 3], Argument>(words) })
}
