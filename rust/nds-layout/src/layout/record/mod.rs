// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records as bytes: named fields to and from the exact image of a record (layout reference section 6).
//!
//! An encoded image has zeroed holes and a stored hash. Decoding takes any image, ignores hash and holes, and cannot
//! fail: verify first ([`hash::verify`](super::hash::verify)), or read with
//! [`read_once`](super::publish::read_once), which does.

mod bytes;
pub mod model;
pub mod process_info;
pub mod process_info_ext;
pub mod version;

pub use bytes::{padded, trimmed};
pub use model::{MemoryUsage, Model};
pub use process_info::{FrameworkType, ProcessInfo, TagPlacement};
pub use process_info_ext::ProcessInfoExt;
pub use version::Version;
