// SPDX-License-Identifier: MIT OR Apache-2.0

//! Slab pages outlive no occupancy anywhere: they cannot be pinned, are in no
//! core dump and in no child, whatever `madvise` is asked for.

use std::path::PathBuf;

use nix::errno::Errno;
use nix::libc;
use nix::sys::resource::{setrlimit, Resource};
use nix::sys::signal::{raise, Signal};

use crate::ktap::{self, Suite};
use crate::sys::actor::Actor;
use crate::sys::device::Session;
use crate::sys::reach;

pub(super) const SUITE: Suite = Suite {
    name: "attacks.pinning",
    tests: ktap::tests![
        no_process_reads_a_slab_through_anothers_mapping,
        io_uring_cannot_register_a_slab_as_buffer,
        a_slab_page_cannot_go_into_a_pipe,
        no_futex_lives_in_a_slab,
        madvise_does_not_bring_inheritance_or_dumps_back,
        madvise_cannot_drop_or_fault_in_pages,
        a_core_dump_holds_no_slab,
        a_child_made_in_any_way_has_no_mapping,
    ],
};

fn no_process_reads_a_slab_through_anothers_mapping() {
    let owner = Actor::spawn();
    let slab = owner.produce();
    owner.call(move || slab.map.fill_with(0x5EC2E7));
    let (pid, address) = (owner.pid(), slab.map.at(1));
    assert_eq!(reach::proc_mem_read(pid, address), Err(Errno::EIO));
    assert_eq!(reach::process_vm_read(pid, address), Err(Errno::EFAULT));
    let peeked = reach::ptrace_read(pid, address);
    assert!(
        matches!(peeked, Err(Errno::EIO | Errno::EFAULT)),
        "{peeked:?}"
    );
}

fn io_uring_cannot_register_a_slab_as_buffer() {
    let slab = Session::produce().unwrap();
    slab.map.touch(17);
    let pinned = reach::io_uring_pin(slab.map.address);
    assert!(
        matches!(pinned, Err(Errno::EFAULT | Errno::EOPNOTSUPP)),
        "{pinned:?}"
    );
}

fn a_slab_page_cannot_go_into_a_pipe() {
    let slab = Session::produce().unwrap();
    slab.map.touch(17);
    assert_eq!(reach::vmsplice_pin(slab.map.address), Err(Errno::EFAULT));
}

fn no_futex_lives_in_a_slab() {
    let slab = Session::produce().unwrap();
    slab.map.touch(17);
    assert_eq!(reach::futex_wait(slab.map.address), Err(Errno::EFAULT));
}

fn madvise_does_not_bring_inheritance_or_dumps_back() {
    let slab = Session::produce().unwrap();
    assert_eq!(slab.map.advise(libc::MADV_DOFORK), Err(Errno::EINVAL));
    assert_eq!(slab.map.advise(libc::MADV_DODUMP), Err(Errno::EINVAL));
    let flags = crate::sys::smaps::flags(slab.map);
    for wanted in ["dc", "dd"] {
        assert!(
            flags.iter().any(|flag| flag == wanted),
            "{wanted} is missing in {flags:?}"
        );
    }
}

fn madvise_cannot_drop_or_fault_in_pages() {
    let slab = Session::produce().unwrap();
    slab.map.fill_with(8);
    let advices = [
        libc::MADV_DONTNEED,
        libc::MADV_REMOVE,
        libc::MADV_FREE,
        libc::MADV_MERGEABLE,
        libc::MADV_HUGEPAGE,
        libc::MADV_WIPEONFORK,
        libc::MADV_COLD,
        libc::MADV_PAGEOUT,
        libc::MADV_POPULATE_READ,
        libc::MADV_POPULATE_WRITE,
        libc::MADV_COLLAPSE,
    ];
    for advice in advices {
        // Some are refused, some are no-ops: none may change a word.
        let _ = slab.map.advise(advice);
        assert_eq!(slab.map.differs(|_| 8), None, "advice {advice}");
    }
}

/// What the process that dumps core has in its slab, and in ordinary memory.
const SECRET: u64 = 0x7365_6372_6574_2121;
const PUBLIC: u64 = 0x7075_626C_6963_2121;

fn a_core_dump_holds_no_slab() {
    let pattern = std::fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap();
    std::fs::write("/proc/sys/kernel/core_pattern", "/tmp/nds-core").expect("name core files");
    let owner = Actor::spawn();
    owner.dies_of(Signal::SIGABRT, dump_core);
    std::fs::write("/proc/sys/kernel/core_pattern", pattern).unwrap();
    let core = std::fs::read(core_file()).expect("a core file");
    std::fs::remove_file(core_file()).unwrap();
    // Other memory of the process is in the dump, so the search can find something.
    assert!(
        holds(&core, PUBLIC ^ u64::MAX),
        "the dump has no ordinary memory"
    );
    assert!(!holds(&core, SECRET ^ u64::MAX), "the dump has the slab");
}

fn dump_core() {
    let slab = Session::produce().unwrap();
    // The constants are inverted at run time: code does not hold what is searched for.
    let invert = std::hint::black_box(u64::MAX);
    slab.map.fill_with(SECRET ^ invert);
    let ordinary = std::hint::black_box(vec![PUBLIC ^ invert; 512]);
    setrlimit(
        Resource::RLIMIT_CORE,
        libc::RLIM_INFINITY,
        libc::RLIM_INFINITY,
    )
    .unwrap();
    raise(Signal::SIGABRT).unwrap();
    drop(ordinary);
}

/// Some kernels append the number of the process.
fn core_file() -> PathBuf {
    let entries = std::fs::read_dir("/tmp")
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    let mut cores = entries.filter(|path| path.to_string_lossy().starts_with("/tmp/nds-core"));
    cores
        .next()
        .expect("the kernel has CONFIG_COREDUMP and CONFIG_ELF_CORE")
}

fn holds(core: &[u8], word: u64) -> bool {
    core.chunks_exact(8)
        .any(|bytes| bytes == word.to_ne_bytes())
}

fn a_child_made_in_any_way_has_no_mapping() {
    let owner = Actor::spawn();
    let slab = owner.produce();
    owner.call(move || {
        slab.map.fill_with(2);
        let _ = slab.map.advise(libc::MADV_DOFORK);
    });
    let child = owner.fork();
    assert_eq!(
        child.call(move || slab.map.kernel_load(0)),
        Err(Errno::EFAULT)
    );
    let grandchild = child.fork();
    assert_eq!(
        grandchild.call(move || slab.map.kernel_load(0)),
        Err(Errno::EFAULT)
    );
}
