// SPDX-License-Identifier: MIT OR Apache-2.0
//! The decisions of the Neuron DataStore: who gets which slab, who may see it, when it ends, what it adds up to.
//!
//! Pure code over two small traits ([`Platform`], [`Caller`]): the kernel module, the emulated device and the tests
//! implement them and hold the lock. Nothing here allocates, blocks, panics, or calls through a pointer.

pub mod block;
pub mod cookie;
pub mod cores;
pub mod datastore;
pub mod listing;
pub mod mapping;
pub mod message;
pub mod pages;
pub mod platform;
pub mod policy;
pub mod posts;
mod posts_pending;
pub mod posts_table;
pub mod prometheus;
mod prometheus_families;
mod prometheus_samples;
pub mod reading;
pub mod report;
pub mod report_collect;
pub mod rights;
pub mod slot;
pub mod statistics;
pub mod table;
pub mod telemetry;
pub mod text;
pub mod totals;
pub mod versions;

pub use block::{NcRow, NdRow};
pub use cookie::{Cookie, Generation};
pub use cores::CoreMask;
pub use datastore::{Acquired, Datastore, Target};
pub use mapping::{Fault, MapRequest};
pub use message::Message;
pub use pages::PageSet;
pub use platform::{Caller, Owner, Platform};
pub use policy::AttachPolicy;
pub use posts::Posts;
pub use prometheus::TextCursor;
pub use reading::Reading;
pub use report::{OccupancyRow, Process, Snapshot};
pub use report_collect::Part;
pub use rights::{FileRights, Role};
pub use slot::{Slot, SLOTS};
pub use statistics::{Refusal, Statistics};
pub use table::Ending;
pub use telemetry::Telemetry;
pub use totals::Totals;
pub use versions::{Usage, VersionTable, VersionTables};
