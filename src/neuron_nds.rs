// SPDX-License-Identifier: GPL-2.0
//! The Neuron DataStore as a kernel module: parameters and the set of devices.
//!
//! The decisions are in `rules`, the bytes in `layout`; both are compiled from the crates `nds-core` and `nds-layout`.
//! The other modules here translate kernel objects to them.

use kernel::{prelude::*, str::CString, sync::Arc};

use datastore::Device;
use debugfs::Shown;
use device::Node;
use metrics::Ticker;
use rules::CoreMask;

mod compat;
mod datastore;
mod debugfs;
mod device;
mod ffi;
mod file;
mod ioctl;
#[path = "../rust/nds-layout/src/layout/mod.rs"]
#[allow(
    unused,
    unreachable_pub,
    reason = "a shared source: userspace uses the rest of it"
)]
mod layout;
mod mapping;
mod metrics;
mod owner;
#[path = "../rust/nds-core/src/rules/mod.rs"]
#[allow(
    unused,
    unreachable_pub,
    reason = "a shared source: userspace uses the rest of it"
)]
mod rules;
mod slab;
mod text;

module! {
    type: NeuronNds,
    name: "neuron_nds",
    authors: ["The neuron-nds authors"],
    description: "AWS Neuron DataStore",
    license: "GPL",
    params: {
        devices: u32 {
            default: 1,
            description: "number of devices, 1 to 64 (default 1)",
        },
        cores: u16 {
            default: 0xffff,
            description: "mask of the NeuronCores of a device; counters of others are not added up (default 0xffff)",
        },
        metrics_period_ms: u32 {
            default: 150_000,
            description: "milliseconds between two posts, at least 1 (default 150000)",
        },
    },
}

/// The most devices that a host has.
const MAX_DEVICES: u32 = 64;

/// The loaded module.
struct NeuronNds {
    /// Unpublished, and with them their devices, when the module goes. Open files keep it from going.
    _nodes: KVec<Pin<KBox<Node>>>,
    _shown: Shown,
}

impl kernel::Module for NeuronNds {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let count = compat::copied::<u32>(module_parameters::devices.value());
        if !(1..=MAX_DEVICES).contains(&count) {
            pr_err!("devices must be 1 to {}, not {}\n", MAX_DEVICES, count);
            return Err(EINVAL);
        }
        if compat::copied::<u32>(module_parameters::metrics_period_ms.value()) == 0 {
            pr_err!("metrics_period_ms must not be 0\n");
            return Err(EINVAL);
        }
        let policy = owner::policy_from_parameter()?;
        let cores = CoreMask::from_bits(compat::copied::<u16>(module_parameters::cores.value()));
        let mut devices = KVec::with_capacity(count as usize, GFP_KERNEL)?;
        for index in 0..count {
            devices.push(Device::new(index, policy, cores)?, GFP_KERNEL)?;
        }
        let nodes = publish_all(&devices)?;
        device::allow_opening();
        // An open file in debugfs keeps the module too, so these come when nothing can fail any more.
        Ok(Self {
            _nodes: nodes,
            _shown: Shown::new(&devices),
        })
    }
}

/// Makes the nodes, once everything that they need is there.
fn publish_all(devices: &[Arc<Device>]) -> Result<KVec<Pin<KBox<Node>>>> {
    let mut nodes = KVec::with_capacity(devices.len(), GFP_KERNEL)?;
    let period_ms = compat::copied::<u32>(module_parameters::metrics_period_ms.value());
    for device in devices {
        let name = node_name(device.index)?;
        let ticker = Ticker::start(device.clone(), period_ms)?;
        nodes.push(Node::publish(device.clone(), name, ticker)?, GFP_KERNEL)?;
    }
    Ok(nodes)
}

fn node_name(index: u32) -> Result<CString> {
    // SAFETY: Written while the module is loaded only, before this.
    if unsafe { ffi::nds_compat_names } {
        CString::try_from_fmt(fmt!("neuron{index}"))
    } else {
        CString::try_from_fmt(fmt!("neuron_nds{index}"))
    }
}
