// SPDX-License-Identifier: MIT OR Apache-2.0
//! The functions that the glue calls, as `src/portable/core.h` declares them.
//!
//! Owns the translation between C and the rules, and takes no decision. What the rules need of the kernel the glue
//! gives beforehand or does afterwards, so that nothing here calls back: it asks which owners are gone and says so, it
//! offers counted references and puts what was not taken, it unmaps what an end has to revoke.
//!
//! The glue holds the device's lock whenever it passes a [`Core`] or the rights of a file. References in signatures are
//! the contract with it: valid, initialised by the function that says so, and not used by anybody else meanwhile.

mod device;
mod listing;
mod mapping;
mod occupancy;
mod owner;
mod report;

pub use device::*;
pub use listing::*;
pub use mapping::*;
pub use occupancy::*;
pub use owner::*;
pub use report::*;

use crate::rules::slot::Slot;
use crate::rules::{FileRights, Message, Reading, Refusal};

/// u64 words in which C keeps what a file has acquired ([`FileRights`]).
pub const FILE_WORDS: usize = 48;

/// u64 words in which C keeps where a reader is ([`Reading`]).
pub const READING_WORDS: usize = 9;

/// Bytes in which C keeps a post ([`Message`]).
pub const MESSAGE_BYTES: usize = 129;

const fn fits<T, Room>() -> bool {
    size_of::<T>() <= size_of::<Room>() && align_of::<T>() <= align_of::<Room>()
}

const _: () = assert!(
    fits::<FileRights, [u64; FILE_WORDS]>()
        && fits::<Reading, [u64; READING_WORDS]>()
        && fits::<Message, [u8; MESSAGE_BYTES]>()
);

/// What C returns of a refused request.
const fn refused(reason: Refusal) -> i32 {
    -reason.errno()
}

/// A slot by its number; C passes only those that there are.
fn slot(number: u32) -> Option<Slot> {
    Slot::new(number.into())
}
