// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report ioctl as an interface: sizes, editions, files, pointers, and that
//! the counts it gives are those of what was done.

use std::ptr::null_mut;

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::libc::{MAP_PRIVATE, MAP_SHARED, PROT_NONE, PROT_READ, PROT_WRITE};

use crate::ktap::{self, Suite};
use crate::sys::abi::{MAP_PAGES, PAGE, SLAB_SIZE};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::map::Map;
use crate::sys::module;
use crate::sys::process::own_pid;
use crate::sys::report::{Report, Statistic, HEAD, REPORT, SIZE};

pub(super) const SUITE: Suite = Suite {
    name: "report.interface",
    tests: ktap::tests![
        a_fresh_device_reports_nothing,
        a_report_says_its_size_and_edition,
        a_short_buffer_gets_the_beginning,
        a_long_buffer_gets_a_whole_report,
        a_buffer_without_a_head_is_einval,
        a_bad_pointer_is_efault,
        every_readable_file_may_ask,
        a_report_names_its_device,
        a_row_describes_an_occupancy,
        acquires_and_ends_are_counted,
        refusals_are_counted_by_reason,
        only_dirty_pages_are_zeroed,
        stale_uses_are_counted,
    ],
};

fn a_fresh_device_reports_nothing() {
    let report = Report::now();
    assert_eq!((report.occupied(), report.rows()), (0, vec![]));
    assert!(report.bytes()[24..].iter().all(|byte| *byte == 0));
    assert_eq!(report.cores(), 0xFFFF);
}

fn a_report_says_its_size_and_edition() {
    let report = Report::now();
    assert_eq!((report.size(), report.version()), (SIZE, 1));
}

fn a_short_buffer_gets_the_beginning() {
    let slab = Session::produce().unwrap();
    let whole = Report::take(slab.device).unwrap();
    for room in [HEAD, HEAD + 1, 24, 100, 856, SIZE - 1] {
        let part = Report::take_with_room(slab.device, SIZE, room).unwrap();
        assert_eq!(part.size(), room);
        assert!(
            part.bytes()[room..].iter().all(|byte| *byte == 0),
            "room {room} was left"
        );
        if room < 200 {
            assert_eq!(part.bytes()[4..room], whole.bytes()[4..room], "room {room}");
        }
    }
}

fn a_long_buffer_gets_a_whole_report() {
    let device = Device::open().unwrap();
    for room in [SIZE + 1, SIZE + PAGE, u32::MAX as usize] {
        let report = Report::take_with_room(device, SIZE + 64, room).unwrap();
        assert_eq!(report.size(), SIZE, "room {room}");
        assert!(report.bytes()[SIZE..].iter().all(|byte| *byte == 0));
    }
}

fn a_buffer_without_a_head_is_einval() {
    let device = Device::open().unwrap();
    for room in 0..HEAD {
        let refused = Report::take_with_room(device, SIZE, room);
        assert_eq!(refused.map(|_| ()), Err(Errno::EINVAL), "room {room}");
    }
}

fn a_bad_pointer_is_efault() {
    let device = Device::open().unwrap();
    assert_eq!(device.ioctl(REPORT, null_mut()), Err(Errno::EFAULT));
    let memory = Map::anonymous(2 * PAGE, PROT_READ | PROT_WRITE).unwrap();
    let head = memory.pages(1, 1).at(0) - HEAD;
    for (protection, second) in [(PROT_READ, PROT_READ), (PROT_READ | PROT_WRITE, PROT_NONE)] {
        memory.protect(PROT_READ | PROT_WRITE).unwrap();
        Map {
            address: head,
            length: HEAD,
        }
        .store(0, SIZE as u64);
        memory.pages(0, 1).protect(protection).unwrap();
        memory.pages(1, 1).protect(second).unwrap();
        assert_eq!(device.ioctl(REPORT, head as *mut _), Err(Errno::EFAULT));
    }
    assert_eq!(Report::now().size(), SIZE);
}

fn every_readable_file_may_ask() {
    let read_only = Device::open_as(0, OFlag::O_RDONLY).unwrap();
    assert!(Report::take(read_only).is_ok());
    let write_only = Device::open_as(0, OFlag::O_WRONLY).unwrap();
    assert_eq!(Report::take(write_only).map(|_| ()), Err(Errno::EINVAL));
}

fn a_report_names_its_device() {
    module::reload("devices=3 cores=0x0003");
    for index in 0..3 {
        let device = Device::open_as(index, OFlag::O_RDWR).unwrap();
        if index == 1 {
            device.acquire(0).unwrap();
        }
        let report = Report::take(device).unwrap();
        assert_eq!((report.device(), report.cores()), (index as u32, 3));
        assert_eq!(report.occupied(), u32::from(index == 1));
    }
}

fn a_row_describes_an_occupancy() {
    let owner = Actor::spawn_user(1000);
    let slab = owner.produce();
    owner.call(move || slab.map.store(crate::sys::report::nc_word(5, 1), 1));
    let rows = Report::now().rows();
    assert_eq!(rows.len(), 1);
    let row = rows[0];
    assert_eq!((row.pid, row.uid), (owner.pid(), 1000));
    assert_eq!(
        (row.generation, usize::from(row.slot)),
        (slab.cookie.generation(), slab.cookie.slot())
    );
    assert_eq!((row.cores, row.stale_uses), (1 << 5, 0));
    std::thread::sleep(std::time::Duration::from_millis(20));
    let later = Report::now().rows()[0];
    let aged = later.age_ns - row.age_ns;
    assert!(
        (20_000_000..10_000_000_000).contains(&aged),
        "aged by {aged} ns in about 20 ms"
    );
}

fn acquires_and_ends_are_counted() {
    let device = Device::open().unwrap();
    let count = |which| Report::now().statistic(which);
    for _ in 0..3 {
        device.acquire(0).unwrap();
        device.acquire(0).unwrap();
        device.release(0).unwrap();
        device.release(0).unwrap();
    }
    assert_eq!(
        (count(Statistic::Acquires), count(Statistic::Releases)),
        (3, 3)
    );
    device.acquire(0).unwrap();
    device.close().unwrap();
    assert_eq!(count(Statistic::Closes), 1);
    let parent = Actor::spawn();
    let file = parent.call(|| Device::open().unwrap());
    let child = parent.fork();
    child.call(move || file.acquire(0)).unwrap();
    assert!(Device::open().unwrap().acquire(child.pid()).is_ok());
    assert_eq!(count(Statistic::Attaches), 1);
    child.exit();
    assert_eq!(count(Statistic::Reaps), 1);
    assert_eq!(Report::now().occupied(), 0);
}

fn refusals_are_counted_by_reason() {
    let slab = Session::produce().unwrap();
    let device = slab.device;
    let read_only = Device::open_as(0, OFlag::O_RDONLY).unwrap();
    let owner = Actor::spawn_user(1000);
    owner.produce();
    let other = Actor::spawn_user(2000);
    let map = |length, flags| device.map_with(slab.cookie.0, length, PROT_READ, flags);
    let attempts: [(&str, Errno, &dyn Fn() -> Errno); 7] = [
        ("no_such_owner", Errno::ENOENT, &|| {
            device.acquire(-1).unwrap_err()
        }),
        ("policy", Errno::EACCES, &|| {
            other.try_attach(&owner).unwrap_err()
        }),
        ("not_writable", Errno::EACCES, &|| {
            read_only.acquire(0).unwrap_err()
        }),
        ("bad_cookie", Errno::EINVAL, &|| {
            read_only.map_read(slab.cookie).unwrap_err()
        }),
        ("bad_length", Errno::EINVAL, &|| {
            map(PAGE, MAP_SHARED).unwrap_err()
        }),
        ("private_writable", Errno::EINVAL, &|| {
            map(SLAB_SIZE, MAP_PRIVATE).unwrap_err()
        }),
        ("bad_word", Errno::EINVAL, &|| {
            device.ioctl(0x8018_4E47, null_mut()).unwrap_err()
        }),
    ];
    for (reason, errno, attempt) in attempts {
        assert_eq!(Report::now().refused(reason), 0, "{reason}");
        assert_eq!((attempt(), attempt()), (errno, errno), "{reason}");
        assert_eq!(Report::now().refused(reason), 2, "{reason}");
    }
    device
        .ioctl(crate::sys::abi::ACQUIRE, null_mut())
        .unwrap_err();
    assert_eq!(Report::now().refused("bad_pointer"), 1);
    assert_eq!(device.acquire(own_pid()), Ok(slab.cookie));
}

fn only_dirty_pages_are_zeroed() {
    let device = Device::open().unwrap();
    let zeroed = || Report::now().statistic(Statistic::BytesZeroed) as usize;
    device.acquire(0).unwrap();
    device.release(0).unwrap();
    assert_eq!(zeroed(), 0, "never mapped");
    let map = device.map(device.acquire(0).unwrap()).unwrap();
    map.unmap().unwrap();
    device.release(0).unwrap();
    assert_eq!(zeroed(), 0, "mapped and never touched");
    let map = device.map(device.acquire(0).unwrap()).unwrap();
    map.touch(MAP_PAGES);
    map.unmap().unwrap();
    device.release(0).unwrap();
    assert_eq!(zeroed(), MAP_PAGES * PAGE, "the defined map was touched");
    let owner = Actor::spawn();
    let slab = owner.produce();
    let view = Session::attach(owner.pid()).unwrap();
    assert_eq!(view.map.nonzero(), None);
    owner.call(move || slab.end()).unwrap();
    assert_eq!(zeroed(), MAP_PAGES * PAGE, "only a reader looked");
}

fn stale_uses_are_counted() {
    let slab = Session::produce().unwrap();
    slab.device.release(0).unwrap();
    let before = Report::now().statistic(Statistic::StaleUses);
    slab.map.store(0, 1);
    assert!(Report::now().statistic(Statistic::StaleUses) > before);
    let before = Report::now().statistic(Statistic::StaleUses);
    assert_eq!(slab.device.map(slab.cookie), Err(Errno::EINVAL));
    assert_eq!(Report::now().statistic(Statistic::StaleUses), before + 1);
}
