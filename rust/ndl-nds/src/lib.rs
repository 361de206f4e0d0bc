// SPDX-License-Identifier: MIT OR Apache-2.0
//! libndl_nds: the mapping boundary of libnds for C programs without libnrt (libnds reference section 4).
//!
//! | Module | Functions |
//! |---|---|
//! | [`device`] | opening a device by path or number, or an emulated one; closing it |
//! | [`boundary`] | `ndl_nds_open` and `ndl_nds_close`, which libnds imports |
//!
//! Everything behind the C boundary is `nds`. All functions return 0 or a negative errno.
//!
//! # Pointers
//!
//! Every function answers NULL with `-EINVAL`. Any other pointer must be what the header `ndl_nds.h` asks for: an open
//! device, a text that ends with NUL, a place for a result. That is the whole `# Safety` of this crate.
#![allow(
    clippy::missing_safety_doc,
    reason = "one contract for all functions, above"
)]

pub mod boundary;
pub mod device;
mod errno;

pub use device::Device;
