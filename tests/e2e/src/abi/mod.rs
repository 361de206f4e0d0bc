// SPDX-License-Identifier: MIT OR Apache-2.0

//! The ABI as userspace sees it: command words, the struct, every errno, the
//! order of slots, the rules of `mmap`, parameters and unloading. Who may do
//! what is in `ownership`, what happens under attack in `attacks`.

mod acquire;
#[cfg(target_arch = "x86_64")]
mod callers;
mod loading;
mod mapping;
mod release;
mod slots;
mod structs;
mod words;

use crate::ktap::Suite;

pub(crate) fn suites() -> Vec<Suite> {
    Vec::from([
        loading::SUITE,
        words::SUITE,
        #[cfg(target_arch = "x86_64")]
        callers::SUITE,
        structs::SUITE,
        acquire::SUITE,
        release::SUITE,
        slots::SUITE,
        mapping::SUITE,
    ])
}
