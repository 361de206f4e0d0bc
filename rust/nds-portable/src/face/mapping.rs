// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mappings and their faults.

use super::device::Core;
use super::owner::{Identity, Known};
use super::refused;
use crate::rules::pages::PAGE_SIZE;
use crate::rules::{Cookie, Fault, FileRights, MapRequest, PageSet, Refusal, Role};

/// `struct nds_map`: what a process asks of `mmap`, and what it gets.
#[repr(C)]
#[derive(Debug)]
pub struct Map {
    /// The caller, not counted.
    pub caller: Identity,
    /// The file offset in pages.
    pub first_page: u64,
    /// Bytes.
    pub length: usize,
    /// Whether writes would go to a copy of the process's own.
    pub private: bool,
    /// Whether it can be written, now or after `mprotect`.
    pub may_write: bool,
    /// Whether it may stay so.
    pub producer: bool,
    /// The slot that is mapped.
    pub slot: u32,
    /// The slab's offset.
    pub offset: u64,
}

/// Decides a mapping: 0, or a negative errno.
#[no_mangle]
pub extern "C" fn nds_core_map(core: &mut Core, file: &FileRights, map: &mut Map) -> i32 {
    let Some(offset) = map.first_page.checked_mul(PAGE_SIZE as u64) else {
        return refused(core.store.refuse(Refusal::BadCookie));
    };
    let request = MapRequest {
        offset,
        length: map.length,
        private: map.private,
        may_write: map.may_write,
    };
    match core.store.map(&Known(&map.caller), file, request) {
        Ok((cookie, role)) => {
            map.producer = role == Role::Producer;
            map.slot = cookie.slot.index() as u32;
            map.offset = cookie.offset();
            0
        }
        Err(reason) => refused(reason),
    }
}

/// `struct nds_touch`: a touch of a page of a mapping that spans `count` pages of a slab from page `first` on.
#[repr(C)]
#[derive(Debug)]
pub struct Touch {
    /// The slab's offset when it was mapped.
    pub offset: u64,
    /// The page that was touched.
    pub page: usize,
    /// The first page of the mapping.
    pub first: usize,
    /// Its pages.
    pub count: usize,
    /// Whether it can be written, now or after `mprotect`.
    pub may_write: bool,
}

/// Decides a touch: the pages of the slab to put in place, page n in bit n; 0 if the occupancy has ended.
#[no_mangle]
pub extern "C" fn nds_core_fault(core: &mut Core, touch: &Touch) -> u64 {
    let Some(cookie) = Cookie::from_offset(touch.offset) else {
        return 0;
    };
    let within = PageSet::range(touch.first, touch.count);
    match core
        .store
        .fault(cookie, touch.page, within, touch.may_write)
    {
        Fault::Slab(pages) => pages.bits(),
        Fault::Stale => 0,
    }
}
