// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shared-memory layout of the Neuron DataStore (NDS), byte for byte.
//!
//! One *slab* of 256 KiB belongs to one (device, producer process) pair. The producer writes counters, model records
//! and its identity into it; monitors and the kernel read the same pages. This crate says where everything is, how
//! records become bytes and back, and which atomic operation touches which word. It knows nothing about how a slab
//! is allocated, mapped, owned or waited for.
//!
//! No `std`, no allocation, no dependency, no floating point, no indirect call, no reachable panic. Offsets and sizes
//! are bytes from the slab base unless a name says *word* (u64) or *word32* (u32).
//!
//! Start with [`RawSlab`] (access), [`Core`] and [`NcCounter`] (checked indices), [`nc_word`] (address), and
//! [`record`] with [`publish`](publish::publish) and [`read_once`](publish::read_once).
#![no_std]

pub mod layout;
pub use layout::*;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
