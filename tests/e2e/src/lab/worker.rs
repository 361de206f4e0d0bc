// SPDX-License-Identifier: MIT OR Apache-2.0

//! One process of the races: everything a process may do to a device, chosen
//! at random, and the checks that hold whatever the others do.
//!
//! A word of a slab is zero or the mark of the occupancy whose cookie the
//! mapping has. A former owner's writes go to one page of its own, so through a
//! mapping that was writable marks may show up on other pages, but never those
//! of another occupancy.

use std::thread;
use std::time::Instant;

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::libc::{MAP_PRIVATE, MAP_SHARED, PROT_NONE, PROT_READ, PROT_WRITE};

use super::tally::Tally;
use crate::attacks::handover::mark;
use crate::sys::abi::{Cookie, PAGE, SLAB_SIZE};
use crate::sys::actor;
use crate::sys::device::Device;
use crate::sys::map::Map;
use crate::sys::passing::Lane;
use crate::sys::process;

/// Devices that the races use.
pub(super) const DEVICES: usize = 2;
/// Most files and mappings that one process keeps.
const FILES: usize = 5;
const MAPPINGS: usize = 8;
/// How deep children may have children.
const GENERATIONS: u32 = 2;

/// What a process needs to know of the others.
#[derive(Clone, Copy)]
pub(super) struct Ground {
    pub(super) tally: Tally,
    /// The numbers of the processes that take part, 0 where there is none.
    pub(super) pids: Map,
    pub(super) workers: usize,
    /// Where files are passed on.
    pub(super) lane: Lane,
    pub(super) deadline: Instant,
}

/// A file and the cookies it acquired, as far as this process knows.
struct OpenFile {
    device: Device,
    cookies: Vec<Cookie>,
}

/// A mapping, or what is left of it.
#[derive(Clone, Copy)]
struct Mapping {
    /// The whole slab, as it was mapped; pieces of it may be gone.
    whole: Map,
    piece: Map,
    cookie: Cookie,
    writable: bool,
}

/// The process.
pub(super) struct Worker {
    ground: Ground,
    random: fastrand::Rng,
    files: Vec<OpenFile>,
    mappings: Vec<Mapping>,
    depth: u32,
}

impl Worker {
    /// A process that has nothing yet.
    pub(super) fn new(ground: Ground, random: fastrand::Rng) -> Self {
        Self {
            ground,
            random,
            files: Vec::new(),
            mappings: Vec::new(),
            depth: 0,
        }
    }

    /// Does random things until the time is over.
    pub(super) fn run(&mut self) {
        while Instant::now() < self.ground.deadline {
            self.step();
        }
    }

    fn step(&mut self) {
        self.ground.tally.add("operations", 1);
        match self.random.u32(0..100) {
            0..8 => self.open(),
            8..13 => self.close(),
            13..16 => self.duplicate(),
            16..30 => self.acquire(),
            30..42 => self.attach(),
            42..58 => self.map(),
            58..68 => self.write(),
            68..78 => self.check(),
            78..82 => self.unmap(),
            82..86 => self.protect(),
            86..88 => self.relocate(),
            88..94 => self.release(),
            94..96 => self.write_while_releasing(),
            96..98 => self.pass_files(),
            98 => self.have_child(),
            _ => thread::yield_now(),
        }
    }

    fn open(&mut self) {
        if self.files.len() >= FILES {
            return;
        }
        let access = [
            OFlag::O_RDWR,
            OFlag::O_RDWR,
            OFlag::O_RDONLY,
            OFlag::O_WRONLY,
        ];
        let access = access[self.random.usize(0..access.len())];
        let index = self.random.usize(0..DEVICES);
        self.keep(Device::open_as(index, access).expect("the node opens"));
    }

    fn keep(&mut self, device: Device) {
        self.files.push(OpenFile {
            device,
            cookies: Vec::new(),
        });
    }

    fn any_file(&mut self) -> Option<&mut OpenFile> {
        match self.files.len() {
            0 => None,
            count => self.files.get_mut(self.random.usize(0..count)),
        }
    }

    fn any_mapping(&mut self) -> Option<Mapping> {
        match self.mappings.len() {
            0 => None,
            count => self.mappings.get(self.random.usize(0..count)).copied(),
        }
    }

    fn close(&mut self) {
        if !self.files.is_empty() {
            let gone = self.random.usize(0..self.files.len());
            let file = self.files.swap_remove(gone);
            file.device.close().expect("close");
        }
    }

    fn duplicate(&mut self) {
        if self.files.len() < FILES {
            if let Some(device) = self.any_file().map(|file| file.device) {
                self.keep(device.dup().expect("dup"));
            }
        }
    }

    fn acquire(&mut self) {
        let tally = self.ground.tally;
        let Some(file) = self.any_file() else { return };
        match file.device.acquire(0) {
            Ok(cookie) if !file.cookies.contains(&cookie) => {
                tally.add("acquires", 1);
                file.cookies.push(cookie);
            }
            Ok(_) => {}
            Err(Errno::ENOMEM | Errno::EACCES | Errno::EINVAL) => {}
            Err(other) => panic!("acquire: {other}"),
        }
    }

    fn attach(&mut self) {
        let other = self
            .ground
            .pids
            .load(self.random.usize(0..self.ground.workers)) as i32;
        let tally = self.ground.tally;
        let Some(file) = self.any_file() else { return };
        match file.device.acquire(other.max(1)) {
            Ok(cookie) => {
                tally.add("attaches", 1);
                file.cookies.push(cookie);
            }
            Err(Errno::ENOENT | Errno::EACCES | Errno::EINVAL) => {}
            Err(other) => panic!("attach: {other}"),
        }
    }

    fn map(&mut self) {
        if self.mappings.len() >= MAPPINGS {
            return;
        }
        let protections = [
            PROT_READ | PROT_WRITE,
            PROT_READ | PROT_WRITE,
            PROT_READ,
            PROT_NONE,
        ];
        let protection = protections[self.random.usize(0..protections.len())];
        let flags = if self.random.u32(0..6) == 0 {
            MAP_PRIVATE
        } else {
            MAP_SHARED
        };
        let newest = self.random.bool();
        let pick = self.random.usize(..);
        let Some(file) = self.any_file() else { return };
        let count = file.cookies.len();
        if count == 0 {
            return;
        }
        let cookie = file.cookies[if newest { count - 1 } else { pick % count }];
        match file.device.map_with(cookie.0, SLAB_SIZE, protection, flags) {
            Ok(map) => self.mapped(map, cookie),
            Err(Errno::EINVAL | Errno::EACCES) => {}
            Err(other) => panic!("mmap: {other}"),
        }
    }

    fn mapped(&mut self, map: Map, cookie: Cookie) {
        self.ground.tally.add("mappings", 1);
        // Write access for the asking is what tells an owner's mapping.
        let writable = map.protect(PROT_READ | PROT_WRITE).is_ok();
        if !writable {
            map.protect(PROT_READ).expect("reading is always allowed");
        }
        let mapping = Mapping {
            whole: map,
            piece: map,
            cookie,
            writable,
        };
        mapping.check();
        self.mappings.push(mapping);
    }

    fn write(&mut self) {
        if let Some(mapping) = self.any_mapping().filter(|mapping| mapping.writable) {
            mapping.write(self.random.usize(0..mapping.piece.length / PAGE));
        }
    }

    fn check(&mut self) {
        if let Some(mapping) = self.any_mapping() {
            mapping.check();
            self.ground
                .tally
                .add("words checked", mapping.piece.words() as u64);
        }
    }

    fn unmap(&mut self) {
        if self.mappings.is_empty() {
            return;
        }
        let chosen = self.random.usize(0..self.mappings.len());
        let pages = self.mappings[chosen].piece.length / PAGE;
        if pages > 1 && self.random.bool() {
            let kept = self.random.usize(1..pages);
            let mapping = &mut self.mappings[chosen];
            mapping
                .piece
                .pages(kept, pages - kept)
                .unmap()
                .expect("unmap a part");
            mapping.piece = mapping.piece.pages(0, kept);
        } else {
            let mapping = self.mappings.swap_remove(chosen);
            mapping.piece.unmap().expect("unmap");
        }
    }

    fn protect(&mut self) {
        let Some(mapping) = self.any_mapping() else {
            return;
        };
        let pages = mapping.piece.length / PAGE;
        let first = self.random.usize(0..pages);
        let part = mapping
            .piece
            .pages(first, self.random.usize(0..=pages - first));
        part.protect(PROT_NONE)
            .expect("no access is always allowed");
        thread::yield_now();
        let back = part.protect(PROT_READ | PROT_WRITE);
        let expected = if mapping.writable || part.length == 0 {
            Ok(())
        } else {
            Err(Errno::EACCES)
        };
        assert_eq!(back, expected, "mprotect");
        if back.is_err() {
            part.protect(PROT_READ).expect("reading is always allowed");
        }
    }

    fn relocate(&mut self) {
        if self.mappings.is_empty() {
            return;
        }
        let chosen = self.random.usize(0..self.mappings.len());
        let mapping = &mut self.mappings[chosen];
        let room = Map::anonymous(mapping.piece.length, PROT_NONE).expect("room");
        let moved = mapping.piece.remap_to(room.address).expect("mremap");
        // The mapping keeps its place in the slab, so words keep their numbers.
        let offset = mapping.piece.address - mapping.whole.address;
        mapping.whole.address = moved.address - offset;
        mapping.piece = moved;
    }

    fn release(&mut self) {
        let own = self.random.u32(0..4) != 0;
        let other = self
            .ground
            .pids
            .load(self.random.usize(0..self.ground.workers)) as i32;
        if let Some(file) = self.any_file() {
            match file.device.release(if own { 0 } else { other }) {
                Ok(()) | Err(Errno::EINVAL) => self.ground.tally.add("releases", 1),
                Err(other) => panic!("release: {other}"),
            }
        }
    }

    /// Threads write through all mappings while another thread releases.
    fn write_while_releasing(&mut self) {
        let writable: Vec<_> = self
            .mappings
            .iter()
            .filter(|mapping| mapping.writable)
            .copied()
            .collect();
        let device = self.any_file().map(|file| file.device);
        thread::scope(|scope| {
            for mapping in writable {
                scope.spawn(move || mapping.write(0));
            }
            if let Some(device) = device {
                let _ = device.release(0);
                let _ = device.acquire(0);
            }
        });
    }

    fn pass_files(&mut self) {
        if self.random.bool() {
            if let Some(device) = self.any_file().map(|file| file.device) {
                self.ground.lane.try_send(device);
            }
        } else if self.files.len() < FILES {
            if let Some(device) = self.ground.lane.try_receive() {
                self.ground.tally.add("files passed", 1);
                self.keep(device);
            }
        }
    }

    /// A child with all files and none of the mappings, which does a few things.
    fn have_child(&mut self) {
        if self.depth >= GENERATIONS {
            return;
        }
        self.ground.tally.add("children", 1);
        let steps = self.random.u32(0..60);
        let kill = self.random.u32(0..3) == 0;
        let fork = self.random.fork();
        let child = process::spawn(|| {
            actor::drop_link();
            self.random = fork;
            self.mappings.clear();
            self.depth += 1;
            for _ in 0..steps {
                self.step();
            }
        });
        if kill {
            let _ = nix::sys::signal::kill(child, nix::sys::signal::Signal::SIGKILL);
        }
        self.judge(child);
    }

    fn judge(&self, child: nix::unistd::Pid) {
        use nix::sys::signal::Signal;
        use nix::sys::wait::{waitpid, WaitStatus};
        match waitpid(child, None) {
            Ok(WaitStatus::Exited(_, 0) | WaitStatus::Signaled(_, Signal::SIGKILL, _)) => {}
            other => panic!("a child ended as {other:?}"),
        }
    }
}

impl Mapping {
    fn first_word(self) -> usize {
        (self.piece.address - self.whole.address) / 8
    }

    fn write(self, page: usize) {
        let first = self.first_word() + page * PAGE / 8;
        self.piece
            .pages(page, 1)
            .fill(|word| mark(self.cookie, first + word));
    }

    fn check(self) {
        let first = self.first_word();
        let right = |word, value| match self.writable {
            true => value >> 16 == self.cookie.0 & (u64::MAX >> 16),
            false => value == mark(self.cookie, first + word),
        };
        let strange = self
            .piece
            .find(|word, value| value == 0 || right(word, value));
        assert_eq!(
            strange, None,
            "{:?}, writable {}",
            self.cookie, self.writable
        );
    }
}
