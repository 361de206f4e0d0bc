// SPDX-License-Identifier: MIT OR Apache-2.0

//! Traps of the way mappings are made and revoked: several nodes of one device
//! (each has an address space of its own), copy on write, faults that race with
//! revocation.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use nix::errno::Errno;
use nix::fcntl::{open, OFlag};
use nix::libc::{MAP_PRIVATE, PROT_NONE, PROT_READ, PROT_WRITE};
use nix::sys::stat::{makedev, mknod, stat, Mode, SFlag};
use std::os::fd::IntoRawFd;

use crate::ktap::{self, Suite};
use crate::sys::abi::{PAGE_WORDS, SLAB_SIZE, SLOTS};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::module;

pub(super) const SUITE: Suite = Suite {
    name: "attacks.nodes",
    tests: ktap::tests![
        mappings_through_every_node_go_stale,
        a_second_node_is_the_same_device,
        a_removed_node_does_not_hide_its_mappings,
        a_private_writable_mapping_is_refused_whoever_asks,
        a_fault_never_brings_a_page_back_after_release within 120,
        mapping_and_releasing_at_once_leaves_nothing_behind within 120,
    ],
};

/// A second node of device 0, as a container's `/dev` has one. Removed again when dropped.
struct SecondNode(&'static str);

impl SecondNode {
    fn new(path: &'static str) -> Self {
        let number = stat(module::node(0).as_str()).unwrap().st_rdev;
        let device = makedev(nix::sys::stat::major(number), nix::sys::stat::minor(number));
        mknod(
            path,
            SFlag::S_IFCHR,
            Mode::from_bits_truncate(0o666),
            device,
        )
        .expect("a second node");
        Self(path)
    }
}

impl Drop for SecondNode {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(self.0);
    }
}

fn open_path(path: &str) -> Device {
    let file = open(path, OFlag::O_RDWR | OFlag::O_CLOEXEC, Mode::empty()).expect("the node opens");
    Device(file.into_raw_fd())
}

const PATHS: [&str; 2] = ["/tmp/nds-node-a", "/dev/nds-node-b"];

fn mappings_through_every_node_go_stale() {
    let _nodes = PATHS.map(SecondNode::new);
    let owner = Actor::spawn();
    let slab = owner.produce();
    owner.call(move || slab.map.fill_with(3));
    let readers = PATHS.map(|path| (Actor::spawn(), path));
    let pid = owner.pid();
    let views = readers.each_ref().map(|(reader, path)| {
        let path = *path;
        reader.call(move || {
            let device = open_path(path);
            let map = device.map_read(device.acquire(pid).unwrap()).unwrap();
            assert_eq!(map.differs(|_| 3), None);
            map
        })
    });
    let more = owner.call(|| {
        PATHS.map(|path| {
            let device = open_path(path);
            let map = device.map(device.acquire(0).unwrap()).unwrap();
            assert_eq!(map.differs(|_| 3), None);
            map
        })
    });
    owner.call(move || slab.device.release(0)).unwrap();
    for ((reader, path), view) in readers.iter().zip(views) {
        assert_eq!(reader.call(move || view.nonzero()), None, "{path}");
    }
    owner.call(move || more.map(|map| map.fill_with(0xBAD)));
    let heirs: Vec<_> = (0..SLOTS).map(|_| Actor::spawn()).collect();
    for heir in &heirs {
        let next = heir.produce();
        assert_eq!(
            heir.call(move || next.map.nonzero()),
            None,
            "slot {}",
            next.cookie.slot()
        );
    }
}

fn a_second_node_is_the_same_device() {
    let _nodes = PATHS.map(SecondNode::new);
    let slab = Session::produce().unwrap();
    for path in PATHS {
        let device = open_path(path);
        assert_eq!(
            device.map(slab.cookie),
            Err(Errno::EINVAL),
            "nothing was acquired through it"
        );
        assert_eq!(device.acquire(0), Ok(slab.cookie));
    }
}

fn a_removed_node_does_not_hide_its_mappings() {
    let node = SecondNode::new(PATHS[0]);
    let owner = Actor::spawn();
    let slab = owner.produce();
    owner.call(move || slab.map.fill_with(3));
    let pid = owner.pid();
    let reader = Actor::spawn();
    let view = reader.call(move || {
        let device = open_path(PATHS[0]);
        let map = device.map_read(device.acquire(pid).unwrap()).unwrap();
        device.close().unwrap();
        assert_eq!(map.load(0), 3);
        map
    });
    drop(node);
    owner.exit();
    assert_eq!(Device::open().unwrap().acquire(pid), Err(Errno::ENOENT));
    assert_eq!(reader.call(move || view.nonzero()), None);
}

fn a_private_writable_mapping_is_refused_whoever_asks() {
    let slab = Session::produce().unwrap();
    for protection in [PROT_NONE, PROT_READ, PROT_WRITE, PROT_READ | PROT_WRITE] {
        let mapped = slab
            .device
            .map_with(slab.cookie.0, SLAB_SIZE, protection, MAP_PRIVATE);
        assert_eq!(mapped, Err(Errno::EINVAL));
    }
    // The mapping that is allowed is not one: touching it in every way is harmless.
    let owner = Actor::spawn();
    owner.produce();
    let view = Session::attach(owner.pid()).unwrap();
    let private = view
        .device
        .map_with(
            view.cookie.0,
            SLAB_SIZE,
            PROT_READ | PROT_WRITE,
            MAP_PRIVATE,
        )
        .unwrap();
    assert_eq!(private.nonzero(), None);
    assert_eq!(private.kernel_store(0, 1), Err(Errno::EFAULT));
}

fn a_fault_never_brings_a_page_back_after_release() {
    let device = Device::open().unwrap();
    for _ in 0..150 {
        let map = device.map(device.acquire(0).unwrap()).unwrap();
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            // Each touch of a page that is not there yet is a fault.
            let faulting = scope.spawn(|| {
                for page in (0..SLAB_SIZE / 4096).cycle() {
                    map.store(page * PAGE_WORDS, 0xBAD);
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                }
            });
            device.release(0).unwrap();
            let next = device.map(device.acquire(0).unwrap()).unwrap();
            let dirty = (0..3).find_map(|_| next.nonzero());
            stop.store(true, Ordering::Relaxed);
            faulting.join().unwrap();
            assert_eq!(dirty.or_else(|| next.nonzero()), None);
            next.unmap().unwrap();
        });
        map.unmap().unwrap();
        device.release(0).unwrap();
    }
}

fn mapping_and_releasing_at_once_leaves_nothing_behind() {
    let device = Device::open().unwrap();
    for _ in 0..150 {
        let cookie = device.acquire(0).unwrap();
        let raced = thread::scope(|scope| {
            let mapping = scope.spawn(move || device.map(cookie));
            device.release(0).unwrap();
            mapping.join().unwrap()
        });
        // Mapped before or refused after: in neither case is it the next owner's slab.
        let next = device.map(device.acquire(0).unwrap()).unwrap();
        if let Ok(map) = raced {
            map.fill_with(0xBAD);
            map.unmap().unwrap();
        } else {
            assert_eq!(raced, Err(Errno::EINVAL));
        }
        assert_eq!(next.nonzero(), None);
        next.unmap().unwrap();
        device.release(0).unwrap();
    }
}
