// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C face of nds-core: what the glue of the kernel module's portable body calls.
//!
//! Cargo builds it as a crate, to lint and to test it; the object that the glue is linked with is built from
//! `object.rs` by `scripts/portable-core`.
#![no_std]

use nds_core as rules;
use nds_layout as layout;

pub mod face;
