// SPDX-License-Identifier: MIT OR Apache-2.0

//! libnds and libndl_nds, through the functions that C programs call.

use std::ffi::{c_int, CString};
use std::ptr;

use ndl_nds::device::{ndl_nds_device_close, ndl_nds_device_open};
use ndl_nds::Device;
use nds_capi::counters::{nds_get_nc_counter, nds_increment_nc_counter};
use nds_capi::lifecycle::{nds_check_header, nds_close, nds_open};
use nds_capi::models::{nds_obj_handle_to_model_node_info, nds_read_all_model_nodes};
use nds_capi::object::{nds_obj_commit, nds_obj_delete, nds_obj_new};
use nds_capi::Instance;
use nix::errno::Errno;
use nix::libc;

use crate::ktap::{self, Suite};
use crate::sys::module;
use crate::sys::process::own_pid;

pub(super) const SUITE: Suite = Suite {
    name: "libraries.c",
    tests: ktap::tests![
        a_monitor_reads_what_a_producer_writes,
        a_monitor_sees_the_end_of_its_producer,
        a_process_without_a_slab_is_enoent,
        a_device_for_reading_has_no_producer,
        the_last_of_two_producers_gives_the_slab_back,
    ],
};

const MODEL: c_int = 0;

/// A device of libndl_nds.
struct Handle(*mut Device);

impl Handle {
    fn open(read_only: bool) -> Self {
        let path = CString::new(module::node(0)).expect("a path without NUL");
        let mut device = ptr::null_mut();
        // SAFETY: a text that ends with NUL and a place for the result.
        let code = unsafe { ndl_nds_device_open(path.as_ptr(), read_only, &mut device) };
        assert_eq!(code, 0);
        Self(device)
    }

    /// Opens an instance: 0 for a producer.
    fn instance(&self, pid: i32) -> Result<*mut Instance, c_int> {
        let mut instance = ptr::null_mut();
        // libnds and libndl_nds each have a name for the one type of device.
        let device = self.0.cast();
        // SAFETY: an open device and a place for the result.
        match unsafe { nds_open(device, pid, &mut instance) } {
            0 => Ok(instance),
            code => Err(code),
        }
    }

    fn close(self) {
        // SAFETY: open, and not used any more.
        assert_eq!(unsafe { ndl_nds_device_close(self.0) }, 0);
    }
}

/// Closes an instance that is not used any more.
fn close(instance: *mut Instance) {
    // SAFETY: open, by the callers.
    assert_eq!(unsafe { nds_close(instance) }, 0);
}

fn add(instance: *mut Instance, amount: u64) -> c_int {
    // SAFETY: open, by the callers.
    unsafe { nds_increment_nc_counter(instance, 15, 94, amount) }
}

fn get(instance: *mut Instance) -> u64 {
    let mut value = u64::MAX;
    // SAFETY: open, by the callers.
    let code = unsafe { nds_get_nc_counter(instance, 15, 94, &mut value) };
    assert_eq!(code, 0);
    value
}

/// Model ids of all records, in order of their slots.
fn model_ids(instance: *mut Instance) -> Vec<u32> {
    let (mut models, mut count) = (ptr::null_mut(), 0);
    // SAFETY: an open instance and places for the results; handles and array are freed once.
    unsafe {
        let code = nds_read_all_model_nodes(instance, &mut models, &mut count);
        assert_eq!(code, 0);
        let ids = (0..count).map(|nth| {
            let model = *models.add(nth);
            let id = (*nds_obj_handle_to_model_node_info(model)).model_id;
            assert_eq!(nds_obj_delete(model), 0);
            id
        });
        let ids = ids.collect();
        libc::free(models.cast());
        ids
    }
}

fn a_monitor_reads_what_a_producer_writes() {
    let (device, monitors) = (Handle::open(false), Handle::open(true));
    let producer = device.instance(0).unwrap();
    let reader = monitors.instance(own_pid()).unwrap();
    // SAFETY: an object of an open instance, deleted before it is closed.
    unsafe {
        let model = nds_obj_new(producer, MODEL);
        (*nds_obj_handle_to_model_node_info(model)).model_id = 4711;
        assert_eq!(nds_obj_commit(model), 0);
        assert_eq!(model_ids(reader), [4711]);
        assert_eq!(nds_obj_delete(model), 0);
    }
    assert!(model_ids(reader).is_empty());
    assert_eq!((add(producer, 3), add(reader, 3)), (0, -1));
    assert_eq!(get(reader), 3);

    // Of the same process, yet its end takes nothing from the producer.
    close(reader);
    assert_eq!(get(producer), 3);
    close(producer);
    monitors.close();
    device.close();
}

fn a_monitor_sees_the_end_of_its_producer() {
    let (device, monitors) = (Handle::open(false), Handle::open(true));
    let producer = device.instance(0).unwrap();
    let reader = monitors.instance(own_pid()).unwrap();
    assert_eq!(add(producer, 3), 0);
    close(producer);
    assert_eq!(get(reader), 0);
    // SAFETY: an open instance.
    assert_eq!(unsafe { nds_check_header(reader) }, -libc::EINVAL);
    close(reader);
    monitors.close();
    device.close();
}

fn a_process_without_a_slab_is_enoent() {
    let device = Handle::open(true);
    for pid in [own_pid(), -1, i32::MAX] {
        assert_eq!(device.instance(pid), Err(-(Errno::ENOENT as c_int)));
    }
    device.close();
}

fn a_device_for_reading_has_no_producer() {
    let device = Handle::open(true);
    assert_eq!(device.instance(0), Err(-(Errno::EACCES as c_int)));
    device.close();
}

fn the_last_of_two_producers_gives_the_slab_back() {
    let device = Handle::open(false);
    let (first, second) = (device.instance(0).unwrap(), device.instance(0).unwrap());
    assert_eq!(add(first, 5), 0);
    close(first);
    assert_eq!(get(second), 5);
    close(second);
    let third = device.instance(0).unwrap();
    assert_eq!(get(third), 0);
    close(third);
    device.close();
}
