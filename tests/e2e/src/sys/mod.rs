// SPDX-License-Identifier: MIT OR Apache-2.0

//! Bare system calls, processes and memory: what the tests are made of.
//! Nothing here knows what the module ought to do.

pub(crate) mod abi;
pub(crate) mod actor;
pub(crate) mod device;
pub(crate) mod fault;
pub(crate) mod identity;
pub(crate) mod map;
pub(crate) mod memory;
pub(crate) mod module;
pub(crate) mod passing;
pub(crate) mod process;
pub(crate) mod reach;
pub(crate) mod report;
pub(crate) mod scrape;
pub(crate) mod smaps;
pub(crate) mod userfault;
