// SPDX-License-Identifier: MIT OR Apache-2.0
//! Forked children, which inherit neither the mappings nor the emulated device.

use nds::{
    Device, EmulatedDevice, Error, MemoryUsage, Model, NcCounter, ProcessInfo, Producer, Reader,
};

const COUNTER: NcCounter = NcCounter::INFER_COMPLETED;

fn model(number: u32) -> Model {
    let unused = [MemoryUsage::default(); 12];
    Model {
        model_id: number,
        model_node_id: number,
        name: [0; 256],
        uuid: [0; 16],
        nc_index: 0,
        sg_index: 0,
        host_usage: unused,
        device_usage: unused,
    }
}

/// Everything that a process of this library may have.
struct Instances {
    device: Device,
    producer: Producer,
    reader: Reader,
}

fn instances(emulated: &EmulatedDevice) -> Instances {
    let device = emulated.open();
    let producer = device.producer().expect("a free slab");
    let pid = std::process::id() as i32;
    let reader = emulated
        .process(pid + 1)
        .open()
        .reader(pid)
        .expect("stamped");
    Instances {
        device,
        producer,
        reader,
    }
}

/// Runs `child` in a forked child and says whether it returned `true` there.
fn in_child(child: impl FnOnce() -> bool) -> bool {
    // SAFETY: this process has one thread, so the child may do what the parent may.
    let pid = unsafe { libc::fork() };
    assert!(pid >= 0, "no child");
    if pid == 0 {
        let ok = std::panic::catch_unwind(std::panic::AssertUnwindSafe(child)).unwrap_or(false);
        std::process::exit(i32::from(!ok));
    }
    let mut status = 0;
    // SAFETY: writes the status of the child to a local variable.
    let waited = unsafe { libc::waitpid(pid, &mut status, 0) };
    assert_eq!(waited, pid);
    libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0
}

fn is_forked<T>(result: Result<T, Error>) -> bool {
    let parent = std::os::unix::process::parent_id() as i32;
    matches!(result, Err(Error::Forked { owner }) if owner == parent)
}

pub(crate) fn a_forked_child_has_no_instance() {
    let emulated = EmulatedDevice::new().expect("memory");
    let Instances {
        device,
        producer,
        reader,
    } = instances(&emulated);
    let mut handle = producer.publish_model(&model(1)).expect("a free slot");
    assert!(in_child(|| {
        is_forked(producer.publish_process_info(&ProcessInfo::default()))
            && is_forked(producer.publish_model(&model(2)))
            && is_forked(handle.update(&model(2)))
            && is_forked(producer.process_info())
            && is_forked(reader.check_header())
            && is_forked(reader.models())
            && is_forked(reader.snapshot())
            && is_forked(device.producer())
            && is_forked(device.report())
    }));
}

pub(crate) fn what_a_child_drops_stays() {
    let emulated = EmulatedDevice::new().expect("memory");
    let all = instances(&emulated);
    let handle = all.producer.publish_model(&model(1)).expect("a free slot");
    let core = nds::Core::new(0).expect("a core");
    all.producer.add_nc(core, COUNTER, 5);
    let mut inherited = Some((emulated, all, handle));
    assert!(in_child(|| {
        drop(inherited.take());
        true
    }));
    let (_emulated, all, handle) = inherited.expect("the parent's");
    assert_eq!(all.reader.nc(core, COUNTER), 5);
    assert_eq!(
        all.reader.model(handle.slot()).expect("published"),
        model(1)
    );
    assert!(all.producer.check_header().is_ok());
}
