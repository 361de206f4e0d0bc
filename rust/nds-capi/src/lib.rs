// SPDX-License-Identifier: MIT OR Apache-2.0
//! libnds in C: the 36 functions that runtimes and monitors link against (libnds reference).
//!
//! Each module is one translation unit of the original, or what they share. This crate owns the C boundary: handles,
//! return codes, gates, NULL. The bytes are `nds_layout`'s, reading many records at once is `nds`'s.
//!
//! | Module | Functions |
//! |---|---|
//! | [`lifecycle`] | open, close, header |
//! | [`counters`] | the nine counter operations |
//! | [`helpers`] | hash and bitmap arithmetic |
//! | [`object`] | objects of any type: new, commit, delete |
//! | [`process`] | the two process records |
//! | [`models`] | the model records |
//!
//! The pages come from `ndl_nds_open` and go to `ndl_nds_close`, which this library imports: from libnrt, or from
//! libndl_nds.
//!
//! # Pointers
//!
//! Every function accepts NULL and answers it with an error. Any other pointer must be what the header `nds.h` asks
//! for: an open instance, a living handle, memory of the size that the call names. That is the whole `# Safety` of
//! this crate; no function can check more of a C pointer than that it is not NULL.
//!
//! # Panics
//!
//! None crosses the boundary: an `extern "C"` function aborts instead. Built as the libraries are, with optimisation,
//! no panic is left to be reached; `scripts/c-library` refuses to make a library with one.
#![allow(
    clippy::missing_safety_doc,
    reason = "one contract for all functions, above"
)]

mod allocation;
pub mod counters;
mod failure;
mod handle;
pub mod helpers;
mod instance;
pub mod lifecycle;
mod lock;
mod model_records;
pub mod models;
mod ndl;
pub mod object;
mod objects;
mod pause;
mod payload;
pub mod process;
mod producers;

pub use handle::Handle;
pub use instance::Instance;
pub use ndl::Device;
