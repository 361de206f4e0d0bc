// SPDX-License-Identifier: MIT OR Apache-2.0
//! The layout crate against the golden vectors in `tests/data`, and against its own rules.
//!
//! One module a subject; `support` reads the vectors and makes slabs.

mod bitmap;
mod catalog;
mod concurrency;
mod counters;
mod hash;
mod ordering;
mod properties;
mod raw_slab;
mod records;
mod regions;
mod retry;
mod slab_image;
mod support;
mod words;
