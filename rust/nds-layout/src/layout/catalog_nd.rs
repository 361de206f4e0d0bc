// SPDX-License-Identifier: MIT OR Apache-2.0
//! The per-device counters of the catalogue (metrics reference section 1).

use super::catalog::{catalogue, CounterInfo, Group, Kind, RESERVED_MEANING};
use super::index::NdCounter;

const fn group(_: u32) -> Group {
    Group::Nd
}

catalogue! {
    /// Every per-device counter, by number.
    ND_COUNTERS: NdCounter, group;
    0 RUNTIME_VERSION Version "Packed version of the Neuron runtime.";
    1 FRAMEWORK_VERSION Version "Packed version of the machine-learning framework, its type in the reserved field.";
    2 FAL_VERSION Version "Packed version of the framework adaptation layer.";
    3 FEATURE_BITMAP Bitmap "Features in use: bit 0 test, bit 1 multi-core.";
    4 MIN_NEFF_VERSION Identifier "Oldest model-file version the process accepts.";
    5 MAX_NEFF_VERSION Identifier "Newest model-file version the process accepts.";
    6 MEM_USAGE_CODE_HOST Gauge "Host memory for code, in bytes.";
    7 MEM_USAGE_TENSORS_HOST Gauge "Host memory for tensors, in bytes.";
    8 MEM_USAGE_CONSTANTS_HOST Gauge "Host memory for constants and weights, in bytes.";
    9 MEM_USAGE_SCRATCHPAD_HOST Gauge "Host memory for scratchpads, in bytes.";
    10 MEM_USAGE_MISC_HOST Gauge "Host memory for everything else, in bytes.";
    11 DYNAMIC_SYSFS_METRIC_BITMAP Bitmap "NC counters the process asks to be shown in sysfs, one bit each.";
    12 DEVICE_CLUSTER_ID Identifier "Communicator of the process, equal on all its ranks.";
    13 AGG_NEFF_ID Identifier "Hash over the set of loaded models.";
    reserved 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
}
