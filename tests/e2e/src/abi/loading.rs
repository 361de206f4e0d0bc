// SPDX-License-Identifier: MIT OR Apache-2.0

//! Parameters, nodes, and unloading that leaves nothing behind.

use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::OFlag;

use crate::ktap::{self, Suite};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::module;

pub(super) const SUITE: Suite = Suite {
    name: "abi.loading",
    tests: ktap::tests![
        one_device_is_the_default,
        as_many_nodes_appear_as_asked_for,
        every_device_of_64_works within 180,
        compat_names_are_those_of_the_c_driver,
        bad_parameters_are_einval_and_leave_nothing,
        parameters_are_fixed_once_loaded,
        nodes_are_for_root_alone_until_udev_says_otherwise,
        unloading_removes_every_trace,
        an_open_file_keeps_the_module,
        a_mapping_alone_keeps_the_module,
        a_stale_mapping_keeps_the_module,
        a_killed_process_does_not_keep_the_module,
    ],
};

fn paths(count: usize, node: fn(usize) -> String) -> Vec<PathBuf> {
    let mut expected: Vec<_> = (0..count).map(|index| PathBuf::from(node(index))).collect();
    expected.sort();
    expected
}

fn one_device_is_the_default() {
    module::reload("");
    assert_eq!(module::nodes(), paths(1, module::node));
}

fn as_many_nodes_appear_as_asked_for() {
    for count in [1, 2, 16] {
        module::reload(&format!("devices={count}"));
        assert_eq!(module::nodes(), paths(count, module::node));
        for path in module::nodes() {
            assert!(path.metadata().unwrap().file_type().is_char_device());
        }
    }
}

fn every_device_of_64_works() {
    module::reload("devices=64");
    assert_eq!(module::nodes(), paths(64, module::node));
    for index in 0..64 {
        let device = Device::open_as(index, OFlag::O_RDWR).unwrap();
        let map = device.map(device.acquire(0).unwrap()).unwrap();
        map.store(index, 1);
        assert_eq!(map.load(index), 1);
    }
}

fn compat_names_are_those_of_the_c_driver() {
    module::reload("devices=2 compat_names=1");
    assert_eq!(module::nodes(), paths(2, module::compat_node));
}

fn bad_parameters_are_einval_and_leave_nothing() {
    module::unload().unwrap();
    let refused = [
        "devices=0",
        "devices=65",
        "devices=-1",
        "devices=4294967297",
        "devices=many",
        "attach_policy=everybody",
        "attach_policy=",
        "metrics_period_ms=0",
    ];
    for parameters in refused {
        let loaded = module::load_only(parameters);
        assert!(
            matches!(loaded, Err(Errno::EINVAL | Errno::ERANGE)),
            "{parameters}: {loaded:?}"
        );
        assert_no_trace(parameters);
    }
}

fn parameters_are_fixed_once_loaded() {
    for name in entries("/sys/module/neuron_nds/parameters") {
        let path = Path::new("/sys/module/neuron_nds/parameters").join(&name);
        let mode = path.metadata().unwrap().mode() & 0o777;
        assert_eq!(mode & 0o222, 0, "{name}: {mode:o}");
    }
}

fn nodes_are_for_root_alone_until_udev_says_otherwise() {
    module::unload().unwrap();
    module::load_only(module::DEFAULT).unwrap();
    let node = Path::new(&module::node(0)).metadata().unwrap();
    assert_eq!((node.mode() & 0o7777, node.uid()), (0o600, 0));
}

fn unloading_removes_every_trace() {
    let slab = Session::produce().unwrap();
    slab.map.touch(17);
    slab.end().unwrap();
    module::unload().unwrap();
    assert_no_trace("unload");
}

fn assert_no_trace(after: &str) {
    assert!(!module::is_loaded(), "{after}: the module is still there");
    assert_eq!(module::nodes(), Vec::<PathBuf>::new(), "{after}");
    for folder in [
        "/sys/class/misc",
        "/sys/kernel/debug",
        "/sys/devices/virtual/misc",
    ] {
        let left = entries(folder)
            .into_iter()
            .find(|name| name.contains("neuron"));
        assert_eq!(left, None, "{after}: in {folder}");
    }
}

fn entries(folder: &str) -> Vec<String> {
    let listing = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
    listing
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// Unloading is refused now, and everything still works.
fn assert_kept() {
    // The bare call says EAGAIN when told not to wait; `rmmod` makes "in use" of it.
    assert_eq!(module::unload(), Err(Errno::EAGAIN));
    assert!(module::is_loaded());
    let other = Actor::spawn();
    other.produce();
}

fn an_open_file_keeps_the_module() {
    for access in [OFlag::O_RDWR, OFlag::O_RDONLY, OFlag::O_WRONLY] {
        let device = Device::open_as(0, access).unwrap();
        assert_kept();
        device.close().unwrap();
    }
    module::unload().unwrap();
}

fn a_mapping_alone_keeps_the_module() {
    let slab = Session::produce().unwrap();
    slab.map.store(1, 5);
    slab.device.close().unwrap();
    assert_kept();
    assert_eq!(slab.map.load(1), 5);
    slab.map.unmap().unwrap();
    module::unload().unwrap();
}

fn a_stale_mapping_keeps_the_module() {
    let slab = Session::produce().unwrap();
    slab.device.release(0).unwrap();
    slab.device.close().unwrap();
    assert_kept();
    slab.map.touch(17);
    slab.map.unmap().unwrap();
    module::unload().unwrap();
}

fn a_killed_process_does_not_keep_the_module() {
    let owner = Actor::spawn();
    owner.produce();
    owner.kill();
    module::unload().unwrap();
    assert_no_trace("unload");
}
