// SPDX-License-Identifier: MIT OR Apache-2.0
//! The per-NeuronCore counters of the catalogue (metrics reference section 2).
//!
//! Order locks: the runtime computes 7-12 and 36-39 from error codes, and maps status codes to 16-20 by a fixed table.

use super::catalog::{catalogue, CounterInfo, Group, Kind, RESERVED_MEANING};
use super::index::NcCounter;
use super::region::NC_COUNTER_COUNT;

const fn group(number: u32) -> Group {
    if (number as usize) < NC_COUNTER_COUNT {
        Group::Nc
    } else {
        Group::ExtNc
    }
}

catalogue! {
    /// Every counter of a NeuronCore, by number.
    NC_COUNTERS: NcCounter, group;
    0 TIME_IN_USE Monotonic "Time the core spent executing; sources disagree on the unit, so do not convert.";
    1 INFER_COMPLETED Monotonic "Executions that succeeded.";
    2 INFER_COMPLETED_WITH_ERR Monotonic "Executions that ended with an error other than a numerical one.";
    3 INFER_COMPLETED_WITH_NUM_ERR Monotonic "Executions that ended with a numerical error.";
    4 INFER_TIMED_OUT Monotonic "Executions that exceeded their time limit.";
    5 INFER_INCORRECT_INPUT Monotonic "Executions refused for bad input.";
    6 INFER_FAILED_TO_QUEUE Monotonic "Executions refused because the queue was full.";
    7 ERR_GENERIC Monotonic "Errors without a class of their own.";
    8 ERR_NUMERICAL Monotonic "Numerical errors.";
    9 ERR_MODEL Monotonic "Errors in the model.";
    10 ERR_TRANSIENT Monotonic "Errors that may pass on a retry.";
    11 ERR_HW Monotonic "Hardware errors.";
    12 ERR_RT Monotonic "Errors of the runtime itself.";
    13 LATENCY_DEVICE Gauge "Latency on the device, as last stored.";
    14 LATENCY_TOTAL Gauge "Latency seen by the runtime, as last stored.";
    15 NC_TIME Gauge "Core time, as last stored.";
    16 GENERIC_FAIL Monotonic "Calls that ended with the status failure.";
    17 ERR_RESOURCE Monotonic "Failed allocations of a resource.";
    18 ERR_RESOURCE_NC Monotonic "Requests that found too few free cores.";
    19 ERR_INVALID Monotonic "Calls with an invalid argument or model.";
    20 ERR_UNSUPPORTED_NEFF_VERSION Monotonic "Models of a version the runtime does not support.";
    21 CC_TIME Gauge "Time in collective communication, as last stored.";
    22 MEM_USAGE_CODE_DEVICE Gauge "Device memory for code, in bytes.";
    23 MEM_USAGE_TENSORS_DEVICE Gauge "Device memory for tensors, in bytes.";
    24 MEM_USAGE_CONSTANTS_DEVICE Gauge "Device memory for constants and weights, in bytes.";
    25 MEM_USAGE_SCRATCHPAD_DEVICE Gauge "Device memory for scratchpads, in bytes.";
    26 MEM_USAGE_MISC_DEVICE Gauge "Device memory for everything else, in bytes.";
    27 MODEL_LOAD_COUNT Monotonic "Models loaded.";
    28 INFERENCE_COUNT Monotonic "Executions started.";
    29 MAC_COUNT Monotonic "Multiply-accumulate operations; twice this is the number of floating-point operations.";
    30 OOB Monotonic "Accesses out of bounds.";
    31 HW_ERR_COLLECTIVES Monotonic "Hardware errors in collective communication.";
    32 HW_ERR_HBM_UE Monotonic "Uncorrectable errors of the device memory.";
    33 HW_ERR_NC_UE Monotonic "Uncorrectable errors of the memory inside a core.";
    34 HW_ERR_DMA_ABORT Monotonic "Aborted DMA transfers.";
    35 ERR_SW_NQ_OVERFLOW Monotonic "Overflows of a notification queue.";
    36 ERR_SW_SEMAPHORE_ERROR Monotonic "Semaphore errors.";
    37 ERR_SW_EVENT_ERROR Monotonic "Event errors.";
    38 ERR_SW_PSUM_COLLISION Monotonic "Collisions in the partial-sum memory.";
    39 ERR_SW_SEQUENCER_FATAL Monotonic "Fatal errors of the instruction sequencer.";
    40 HW_ERR_REPAIRABLE_HBM_UE Monotonic "Uncorrectable but repairable errors of the device memory.";
    reserved 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75
        76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94
}
