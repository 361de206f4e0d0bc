// SPDX-License-Identifier: MIT OR Apache-2.0

//! H4: a reader that tries to write, by every way there is.

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::libc::{self, MAP_SHARED, PROT_EXEC, PROT_READ, PROT_WRITE};

use crate::ktap::{self, Suite};
use crate::sys::abi::{PAGE, SLAB_SIZE};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::map::Map;
use crate::sys::reach;

pub(super) const SUITE: Suite = Suite {
    name: "attacks.readers",
    tests: ktap::tests![
        h04_prot_write_gives_no_writing,
        h04_mprotect_gives_no_writing,
        h04_mremap_gives_no_writing,
        h04_remap_file_pages_gives_no_writing,
        h04_reopening_gives_no_writing,
        h04_writing_to_the_file_is_refused,
        h04_proc_mem_gives_no_writing,
        h04_ptrace_gives_no_writing,
        h04_process_vm_writev_gives_no_writing,
        h04_io_uring_gives_no_writing,
        h04_an_inherited_right_gives_no_writing,
    ],
};

const READ_WRITE: i32 = PROT_READ | PROT_WRITE;

/// An owner, its slab filled with 1, and a reader of it.
struct Scene {
    owner: Actor,
    slab: Session,
    reader: Actor,
    view: Session,
}

fn scene() -> Scene {
    let (owner, reader) = (Actor::spawn(), Actor::spawn());
    let slab = owner.produce();
    owner.call(move || slab.map.fill_with(1));
    let view = reader.attach(&owner);
    // Present pages are attacked as well as absent ones.
    reader.call(move || view.map.load(0));
    Scene {
        owner,
        slab,
        reader,
        view,
    }
}

impl Scene {
    /// Nothing the reader did has changed a word.
    fn assert_untouched(&self) {
        let map = self.slab.map;
        assert_eq!(
            self.owner.call(move || map.differs(|_| 1)),
            None,
            "the reader wrote"
        );
    }

    /// The reader can read through `map` and not write.
    fn assert_read_only(&self, map: Map) {
        self.reader.call(move || {
            for page in [0, 1, map.length / PAGE - 1] {
                let word = page * 512;
                assert_eq!(map.kernel_load(word), Ok(1));
                assert_eq!(map.kernel_store(word, 666), Err(Errno::EFAULT));
            }
        });
        self.assert_untouched();
    }
}

fn h04_prot_write_gives_no_writing() {
    let scene = scene();
    let view = scene.view;
    for protection in [READ_WRITE, PROT_WRITE, READ_WRITE | PROT_EXEC] {
        let mapped = scene.reader.call(move || {
            view.device
                .map_with(view.cookie.0, SLAB_SIZE, protection, MAP_SHARED)
        });
        if protection != READ_WRITE | PROT_EXEC {
            mapped.expect("the request is granted, read-only");
        }
        if let Ok(map) = mapped {
            let written = scene.reader.call(move || map.kernel_store(0, 666));
            assert_eq!(written, Err(Errno::EFAULT), "protection {protection}");
        }
        scene.assert_untouched();
    }
}

fn h04_mprotect_gives_no_writing() {
    let scene = scene();
    let view = scene.view.map;
    for protection in [PROT_WRITE, READ_WRITE, READ_WRITE | PROT_EXEC] {
        let refused = scene.reader.call(move || view.protect(protection));
        assert_eq!(refused, Err(Errno::EACCES));
        let part = scene
            .reader
            .call(move || view.pages(3, 2).protect(protection));
        assert_eq!(part, Err(Errno::EACCES));
    }
    scene
        .reader
        .call(move || view.protect(libc::PROT_NONE))
        .unwrap();
    assert_eq!(
        scene.reader.call(move || view.protect(READ_WRITE)),
        Err(Errno::EACCES)
    );
    scene.reader.call(move || view.protect(PROT_READ)).unwrap();
    scene.assert_read_only(view);
}

fn h04_mremap_gives_no_writing() {
    let scene = scene();
    let view = scene.view.map;
    let moved = scene.reader.call(move || {
        let room = Map::anonymous(SLAB_SIZE, READ_WRITE).unwrap();
        view.remap_to(room.address).unwrap()
    });
    assert_eq!(
        scene.reader.call(move || moved.protect(READ_WRITE)),
        Err(Errno::EACCES)
    );
    scene.assert_read_only(moved);
}

fn h04_remap_file_pages_gives_no_writing() {
    let scene = scene();
    let view = scene.view.map;
    for page in [0, 1, 64] {
        let refused = scene.reader.call(move || remap_file_pages(view, page));
        assert!(
            refused.is_err(),
            "page {page} was mapped in place of another"
        );
    }
    scene.assert_untouched();
}

/// Asks for the file's page `page` in place of the first pages of the mapping.
fn remap_file_pages(map: Map, page: usize) -> Result<(), Errno> {
    // SAFETY: the range is a mapping of this process that Rust does not refer to.
    let changed = unsafe {
        libc::syscall(
            libc::SYS_remap_file_pages,
            map.address,
            2 * PAGE,
            0,
            page,
            0,
        )
    };
    Errno::result(changed).map(drop)
}

fn h04_reopening_gives_no_writing() {
    let scene = scene();
    let (view, pid) = (scene.view, scene.owner.pid());
    let again = scene.reader.call(move || {
        let path = format!("/proc/self/fd/{}", view.device.0);
        let file = std::fs::OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .unwrap();
        let device = Device(std::os::fd::IntoRawFd::into_raw_fd(file));
        assert_eq!(
            device.map_read(view.cookie),
            Err(Errno::EINVAL),
            "a new file acquired nothing"
        );
        device.map(device.acquire(pid).unwrap()).unwrap()
    });
    scene.assert_read_only(again);
}

fn h04_writing_to_the_file_is_refused() {
    let scene = scene();
    let view = scene.view;
    scene.reader.call(move || {
        // SAFETY: the buffer is a live array; the descriptor is checked by the kernel.
        let written = unsafe {
            libc::pwrite(
                view.device.0,
                [0xFF_u8; 8].as_ptr().cast(),
                8,
                view.cookie.0 as i64,
            )
        };
        assert!(written < 0, "the device file took a write");
        // SAFETY: takes numbers only.
        let truncated = unsafe { libc::ftruncate(view.device.0, 0) };
        assert!(truncated < 0, "the device file was truncated");
    });
    scene.assert_untouched();
}

fn h04_proc_mem_gives_no_writing() {
    let scene = scene();
    let (view, pid) = (scene.view.map, scene.reader.pid());
    for word in [0, 600] {
        assert_eq!(
            reach::proc_mem_write(pid, view.at(word), 666),
            Err(Errno::EIO)
        );
    }
    // The owner's mapping is writable, but not by others.
    let address = scene.slab.map.at(0);
    assert_eq!(
        reach::proc_mem_write(scene.owner.pid(), address, 666),
        Err(Errno::EIO)
    );
    scene.assert_untouched();
}

fn h04_ptrace_gives_no_writing() {
    let scene = scene();
    let view = scene.view.map;
    for word in [0, 600] {
        let poked = reach::ptrace_write(scene.reader.pid(), view.at(word), 666);
        assert!(
            matches!(poked, Err(Errno::EIO | Errno::EFAULT)),
            "{poked:?}"
        );
        let poked = reach::ptrace_write(scene.owner.pid(), scene.slab.map.at(word), 666);
        assert!(
            matches!(poked, Err(Errno::EIO | Errno::EFAULT)),
            "{poked:?}"
        );
    }
    scene.assert_untouched();
}

fn h04_process_vm_writev_gives_no_writing() {
    let scene = scene();
    for (pid, map) in [
        (scene.reader.pid(), scene.view.map),
        (scene.owner.pid(), scene.slab.map),
    ] {
        for word in [0, 600] {
            assert_eq!(
                reach::process_vm_write(pid, map.at(word), 666),
                Err(Errno::EFAULT)
            );
        }
    }
    scene.assert_untouched();
}

fn h04_io_uring_gives_no_writing() {
    let scene = scene();
    let view = scene.view.map;
    for word in [0, 600] {
        let stored = scene
            .reader
            .call(move || reach::io_uring_store(view.at(word), 666));
        assert_eq!(stored, Err(Errno::EFAULT));
    }
    scene.assert_untouched();
}

fn h04_an_inherited_right_gives_no_writing() {
    let scene = scene();
    let (view, slab) = (scene.view, scene.slab);
    let owners_child = scene.owner.fork();
    for protection in [PROT_READ, READ_WRITE] {
        let mapped = owners_child.call(move || {
            slab.device
                .map_with(slab.cookie.0, SLAB_SIZE, protection, MAP_SHARED)
        });
        assert_eq!(
            mapped,
            Err(Errno::EINVAL),
            "the file was acquired by another process"
        );
    }
    let readers_child = scene.reader.fork();
    let map = readers_child
        .call(move || view.device.map(view.cookie))
        .expect("a reader's mapping");
    assert_eq!(
        readers_child.call(move || map.kernel_store(0, 666)),
        Err(Errno::EFAULT)
    );
    assert_eq!(
        readers_child.call(move || map.protect(READ_WRITE)),
        Err(Errno::EACCES)
    );
    let read_only = Device::open_as(0, OFlag::O_RDONLY).unwrap();
    let cookie = read_only.acquire(scene.owner.pid()).unwrap();
    assert_eq!(read_only.map(cookie), Err(Errno::EACCES));
    scene.assert_untouched();
}
