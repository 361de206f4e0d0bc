// SPDX-License-Identifier: MIT OR Apache-2.0

//! H9, H17, H18, H19: attacks on the moments at which the module comes and goes.

use std::fs::File;
use std::io::Read;
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::OFlag;

use crate::ktap::{self, Suite};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::fault::Injector;
use crate::sys::module;

pub(super) const SUITE: Suite = Suite {
    name: "attacks.loading",
    tests: ktap::tests![
        h09_unloading_never_frees_mapped_pages,
        h17_a_visible_node_works_at_once within 120,
        h18_a_failed_load_leaves_nothing within 300,
        h19_unloading_right_after_loading_is_safe within 120,
        h09_unloading_under_an_open_debugfs_file_is_harmless,
    ],
};

fn h09_unloading_never_frees_mapped_pages() {
    let (owner, reader) = (Actor::spawn(), Actor::spawn());
    let slab = owner.produce();
    let view = reader.attach(&owner);
    owner.call(move || {
        slab.map.fill_with(3);
        slab.device.close().unwrap();
    });
    reader.call(move || view.device.close()).unwrap();
    for _ in 0..20 {
        assert_eq!(module::unload(), Err(Errno::EAGAIN));
    }
    assert_eq!(reader.call(move || view.map.differs(|_| 3)), None);
    owner.call(move || slab.map.unmap()).unwrap();
    assert_eq!(
        module::unload(),
        Err(Errno::EAGAIN),
        "the reader's mapping is left"
    );
    assert_eq!(reader.call(move || view.map.nonzero()), None);
    reader.call(move || view.map.unmap()).unwrap();
    module::unload().unwrap();
}

fn h09_unloading_under_an_open_debugfs_file_is_harmless() {
    for name in ["slots", "statistics", "last_post"] {
        let path = format!("/sys/kernel/debug/neuron_nds/0/{name}");
        let mut unread = File::open(&path).unwrap();
        let mut half_read = File::open(&path).unwrap();
        half_read.read_exact(&mut [0]).unwrap();
        // Whether the file keeps the module or loses it, nothing breaks.
        let kept = module::unload().is_err();
        assert_eq!(kept, module::is_loaded());
        let mut rest = String::new();
        assert_eq!(unread.read_to_string(&mut rest).is_ok(), kept, "{name}");
        drop((unread, half_read));
        module::reload(module::DEFAULT);
    }
}

/// How often each node is used while the module comes and goes.
const USES: u32 = 8;

/// Uses device `index` as soon as its node is there, lets go for a moment, and again.
fn pounce(index: usize) {
    let mut times = 0;
    while times < USES {
        let Ok(device) = Device::open_as(index, OFlag::O_RDWR) else {
            continue;
        };
        let cookie = device.acquire(0).expect("a visible node has free slabs");
        let map = device.map(cookie).expect("a visible node maps");
        assert_eq!(map.nonzero(), None);
        map.touch(64);
        map.unmap().unwrap();
        device.release(0).unwrap();
        device.close().unwrap();
        times += 1;
        thread::sleep(Duration::from_millis(10));
    }
}

fn h17_a_visible_node_works_at_once() {
    module::unload().unwrap();
    let users = [0, 1].map(|index| thread::spawn(move || pounce(index)));
    let mut loads = 0;
    while !users.iter().all(|user| user.is_finished()) {
        module::load_only("devices=2").unwrap();
        loads += 1;
        while module::unload().is_err() {
            thread::sleep(Duration::from_millis(1));
        }
    }
    users.into_iter().for_each(|user| user.join().unwrap());
    ktap::summary(&format!("{loads} loads, each node used {USES} times"));
    assert!(loads > 1);
}

fn assert_no_trace(what: &str) {
    assert!(!module::is_loaded(), "{what}: the module is there");
    assert!(
        module::nodes().is_empty(),
        "{what}: {:?} is there",
        module::nodes()
    );
}

fn h18_a_failed_load_leaves_nothing() {
    module::unload().unwrap();
    for parameters in [
        "devices=0",
        "devices=65",
        "attach_policy=nobody",
        "devices=4 attach_policy=x",
    ] {
        assert_eq!(
            module::load_only(parameters),
            Err(Errno::EINVAL),
            "{parameters}"
        );
        assert_no_trace(parameters);
    }
    if Injector::is_available() {
        fail_early_steps_of_loading();
    }
    module::load(module::DEFAULT).unwrap();
    Session::produce().unwrap().end().unwrap();
}

/// The first steps are the kernel's own; the lab goes through to the last one.
fn fail_early_steps_of_loading() {
    let (injector, file) = (Injector::new(), module::open_file());
    for nth in 1..100 {
        let load = || module::load_file(&file, "devices=2");
        match injector.run(nth, load).0 {
            Ok(()) => module::unload().unwrap(),
            Err(_) => assert_no_trace("a failed allocation"),
        }
    }
}

fn h19_unloading_right_after_loading_is_safe() {
    module::unload().unwrap();
    for round in 0..20 {
        module::load_only("devices=4 metrics_period_ms=1").unwrap();
        if round % 2 == 1 {
            thread::sleep(Duration::from_millis(round % 7));
        }
        module::unload().unwrap();
    }
}
