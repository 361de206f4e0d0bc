// SPDX-License-Identifier: MIT OR Apache-2.0
//! NEFF feature flags: what a compiled model needs, and whether a runtime will take it.
//!
//! A NEFF declares the runtime features it needs in a 64-bit mask in its header, a schema version
//! beside the mask, and a mirror of the named features in each core's `def.json`. The rules are in
//! the "NEFF feature reference"; section numbers in this crate refer to that document.
//!
//! | Question | Module |
//! |---|---|
//! | Which bits exist, what sets them, what do they gate? | [`bits`], [`mask`] |
//! | Which module attributes does the compiler keep? | [`attributes`] |
//! | How does a packager derive mask, names and schema? | [`mod@assemble`] |
//! | Will this runtime take the file? | [`mod@gate`], [`libnrt`], [`profiles`] |
//! | Do the names in `def.json` agree with the mask? | [`names`], [`finding`] |
//! | Where is all this in the header? | [`header`] |
//! | What does this line of the loader's log mean? | [`log_line`] |
//! | What is in this file? | [`container`] (feature `container`) |
//!
//! Without the feature `container` the crate is `no_std`, allocates nothing and has no
//! dependencies.
//!
//! ```
//! use neff_features::{gate, Capability, FeatureMask};
//!
//! // "NEFF version: 2.0, features: 0x100 are not supported. Currently supporting: 0xff"
//! let needed = FeatureMask::new(0x100);
//! let runtime = Capability { supported: FeatureMask::new(0xff), max_schema: 2 };
//! let verdict = gate(needed, 2, &runtime);
//! assert!(!verdict.accepted());
//! assert!(verdict.unsupported.names().eq(["neff_feature_indirect_memcpy_bound_check"]));
//! ```
#![no_std]

#[cfg(feature = "container")]
extern crate std;

pub mod arch;
pub mod assemble;
pub mod attributes;
pub mod bits;
#[cfg(feature = "container")]
pub mod container;
pub mod finding;
pub mod gate;
pub mod header;
pub mod libnrt;
pub mod log_line;
pub mod mask;
pub mod names;
pub mod profiles;
pub mod text;

pub use assemble::{assemble, Assembly, Module};
pub use attributes::{AttributeSet, ModuleAttribute};
pub use finding::{Code, Severity};
pub use gate::{gate, Capability, Verdict};
pub use header::Header;
pub use mask::FeatureMask;
