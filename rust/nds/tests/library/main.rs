// SPDX-License-Identifier: MIT OR Apache-2.0
//! The library over emulated devices and over memory with arbitrary bytes.

mod attachments;
mod bulk;
mod counters;
mod device_files;
mod life;
mod memory_model;
mod models;
mod reports;
mod snapshots;
mod support;
mod untrusted;
mod vectors;
