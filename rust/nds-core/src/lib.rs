// SPDX-License-Identifier: MIT OR Apache-2.0
//! The decisions of the Neuron DataStore, as pure code.
#![no_std]

use nds_layout as layout;

pub mod rules;
pub use rules::*;
