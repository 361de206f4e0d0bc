// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shared-memory layout of the Neuron DataStore.
#![no_std]

pub mod layout;
pub use layout::*;
