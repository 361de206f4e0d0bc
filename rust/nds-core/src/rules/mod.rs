// SPDX-License-Identifier: MIT OR Apache-2.0
//! The decisions of the Neuron DataStore: who gets which slab, who may see it, when it ends, what it adds up to.
//!
//! Pure code over two small traits ([`Platform`], [`Caller`]): the kernel module, the emulated device and the tests
//! implement them and hold the lock. Nothing here allocates, blocks, panics, or calls through a pointer.

pub mod cookie;
pub mod datastore;
pub mod mapping;
pub mod pages;
pub mod platform;
pub mod rights;
pub mod slot;
pub mod statistics;
pub mod table;

pub use cookie::{Cookie, Generation};
pub use datastore::{Acquired, Datastore, Target};
pub use mapping::{Fault, MapRequest};
pub use pages::PageSet;
pub use platform::{Caller, Owner, Platform};
pub use rights::{FileRights, Role};
pub use slot::{Slot, SLOTS};
pub use statistics::{Refusal, Statistics};
