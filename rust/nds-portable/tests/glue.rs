// SPDX-License-Identifier: MIT OR Apache-2.0
//! The face as the glue uses it, over memory of this process: references are neither lost nor put twice.

use std::cell::Cell;
use std::mem::MaybeUninit;
use std::ptr;

use nds_core::rules::pages::SLAB_PAGES;
use nds_core::{FileRights, Refusal, SLOTS};
use nds_portable::face::*;

/// A device whose core and slabs are in zeroed memory, as the glue allocates them.
struct Device {
    core: Box<Core>,
    _slabs: Box<[u64]>,
}

const WORDS: usize = SLAB_PAGES * 4096 / 8;

impl Device {
    fn new() -> Self {
        let mut slabs = vec![0_u64; SLOTS * WORDS].into_boxed_slice();
        let mut core = Box::new(MaybeUninit::<Core>::zeroed());
        // SAFETY: the memory is zeroed; the slabs are kept beside the core.
        let made =
            unsafe { nds_core_init(&mut core, slabs.as_mut_ptr().cast(), 0xffff, policy("uid")) };
        assert!(made);
        // SAFETY: initialised.
        let core = unsafe { core.assume_init() };
        Self {
            core,
            _slabs: slabs,
        }
    }

    fn acquire(&mut self, file: &mut FileRights, request: &Request) -> Result<Acquisition, i32> {
        let mut acquired = MaybeUninit::uninit();
        match nds_core_acquire(&mut self.core, file, request, &mut acquired) {
            // SAFETY: success has written it.
            0 => Ok(unsafe { acquired.assume_init() }),
            error => Err(error),
        }
    }

    fn finish(&mut self) -> Ended {
        let mut ended = Ended {
            owner: Identity::NONE,
            pages: 0,
            slot: 0,
        };
        nds_core_finish(&mut self.core, &mut ended);
        ended
    }
}

fn policy(name: &str) -> i32 {
    // SAFETY: a text with its length.
    unsafe { nds_core_policy(name.as_ptr(), name.len()) }
}

/// The process of that number, with credentials of that number.
fn identity(process: usize, cred: usize) -> Identity {
    Identity {
        tgid: ptr::without_provenance(process * 64),
        cred: ptr::without_provenance(cred * 64),
    }
}

/// A request of that caller for its own slab.
fn request(caller: Identity) -> Request {
    Request {
        caller,
        offered: Cell::new(caller),
        named: ptr::null(),
        number: 0,
        writable: true,
        allowed: false,
        now: 1,
    }
}

fn same(left: Identity, right: Identity) -> bool {
    ptr::eq(left.tgid, right.tgid) && ptr::eq(left.cred, right.cred)
}

#[test]
fn a_first_acquire_takes_the_references_and_the_end_gives_them_back() {
    let (mut device, mut file) = (Device::new(), FileRights::new());
    let caller = identity(1, 1);
    let request = request(caller);
    assert!(nds_core_reaps_first(&mut device.core, &request));
    device.acquire(&mut file, &request).unwrap();
    assert!(same(request.offered.get(), Identity::NONE));
    assert!(nds_core_release(&mut device.core, &request));
    assert!(same(device.finish().owner, caller));
}

#[test]
fn acquiring_again_leaves_the_references_to_be_put() {
    let (mut device, mut file) = (Device::new(), FileRights::new());
    let caller = identity(1, 1);
    device.acquire(&mut file, &request(caller)).unwrap();
    let again = request(caller);
    assert!(!nds_core_reaps_first(&mut device.core, &again));
    device.acquire(&mut file, &again).unwrap();
    assert!(same(again.offered.get(), caller));
}

#[test]
fn new_credentials_are_exchanged_for_the_old_ones() {
    let (mut device, mut file) = (Device::new(), FileRights::new());
    device.acquire(&mut file, &request(identity(1, 1))).unwrap();
    let changed = request(identity(1, 2));
    device.acquire(&mut file, &changed).unwrap();
    assert!(same(changed.offered.get(), identity(1, 1)));
    let mut owner = Identity::NONE;
    assert!(nds_core_owner(&device.core, 0, &mut owner));
    assert!(same(owner, identity(1, 2)));
}

#[test]
fn a_refused_acquire_keeps_nothing() {
    let (mut device, mut file) = (Device::new(), FileRights::new());
    let mut request = request(identity(1, 1));
    request.writable = false;
    let refused = device.acquire(&mut file, &request).map(|_| ());
    assert_eq!(refused, Err(-Refusal::NotWritable.errno()));
    assert!(same(request.offered.get(), identity(1, 1)));
}

#[test]
fn an_acquire_that_finds_no_slot_keeps_nothing() {
    let mut device = Device::new();
    for process in 1..=SLOTS {
        let request = request(identity(process, 1));
        device.acquire(&mut FileRights::new(), &request).unwrap();
    }
    let caller = identity(SLOTS + 1, 1);
    let late = request(caller);
    let refused = device.acquire(&mut FileRights::new(), &late).map(|_| ());
    assert_eq!(refused, Err(-Refusal::NoSlot.errno()));
    assert!(same(late.offered.get(), caller));
}

#[test]
fn an_attach_asks_for_the_owner_and_obeys_the_answer() {
    let (mut device, mut file) = (Device::new(), FileRights::new());
    let (producer, reader) = (identity(1, 1), identity(2, 2));
    device.acquire(&mut file, &request(producer)).unwrap();
    let mut attach = request(reader);
    (attach.number, attach.named) = (41, producer.tgid);
    let mut owner = Identity::NONE;
    assert!(nds_core_reaps_first(&mut device.core, &attach));
    assert!(nds_core_asked(&device.core, &attach, &mut owner));
    assert!(same(owner, producer));
    assert!(nds_core_needs_perfmon(&device.core, &owner, &reader, false));
    assert!(!nds_core_needs_perfmon(&device.core, &owner, &reader, true));
    let mut other = FileRights::new();
    let refused = device.acquire(&mut other, &attach).map(|_| ());
    assert_eq!(refused, Err(-Refusal::Policy.errno()));
    attach.allowed = true;
    assert!(device.acquire(&mut other, &attach).is_ok());
}

#[test]
fn nobody_is_asked_about_a_slab_of_ones_own_or_of_nobody() {
    let (mut device, mut file) = (Device::new(), FileRights::new());
    let caller = identity(1, 1);
    device.acquire(&mut file, &request(caller)).unwrap();
    let mut owner = Identity::NONE;
    for (number, named) in [
        (0, ptr::null()),
        (7, caller.tgid),
        (8, ptr::null()),
        (-1, caller.tgid),
    ] {
        let mut request = request(caller);
        (request.number, request.named) = (number, named);
        assert!(!nds_core_asked(&device.core, &request, &mut owner));
    }
}

#[test]
fn the_end_of_a_mapped_slab_revokes_and_zeroes_what_could_be_written() {
    let (mut device, mut file) = (Device::new(), FileRights::new());
    let caller = identity(1, 1);
    let acquired = device.acquire(&mut file, &request(caller)).unwrap();
    let mut map = Map {
        caller,
        first_page: acquired.offset / 4096,
        length: SLAB_PAGES * 4096,
        private: false,
        may_write: true,
        producer: false,
        slot: 9,
        offset: 0,
    };
    assert_eq!(nds_core_map(&mut device.core, &file, &mut map), 0);
    assert!(map.producer && map.slot == 0 && map.offset == acquired.offset);
    let touch = Touch {
        offset: map.offset,
        page: 3,
        first: 0,
        count: SLAB_PAGES,
        may_write: true,
    };
    let pages = nds_core_fault(&mut device.core, &touch);
    assert_eq!(pages, (1 << 17) - 1);
    assert!(nds_core_close(&mut device.core, &mut file, 0));
    let (mut offset, mut slot) = (0, 9);
    assert!(nds_core_to_revoke(&device.core, &mut offset, &mut slot));
    assert_eq!((offset, slot), (acquired.offset, 0));
    assert_eq!(device.finish().pages, pages);
    assert_eq!(nds_core_fault(&mut device.core, &touch), 0, "stale");
}

#[test]
fn the_end_of_a_slab_that_was_never_mapped_revokes_and_zeroes_nothing() {
    let (mut device, mut file) = (Device::new(), FileRights::new());
    device.acquire(&mut file, &request(identity(1, 1))).unwrap();
    assert!(nds_core_reap(&mut device.core, 0));
    assert!(!nds_core_to_revoke(&device.core, &mut 0, &mut 0));
    assert_eq!(device.finish().pages, 0);
    assert!(
        !nds_core_reap(&mut device.core, 0),
        "a free slot has nobody"
    );
}

#[test]
fn an_undone_acquire_ends_what_it_began() {
    let (mut device, mut file) = (Device::new(), FileRights::new());
    let caller = identity(1, 1);
    let acquired = device.acquire(&mut file, &request(caller)).unwrap();
    // SAFETY: written by a successful acquire.
    assert!(unsafe { nds_core_undo(&mut device.core, &mut file, &acquired) });
    assert!(same(device.finish().owner, caller));
}

#[test]
fn an_offset_that_overflows_is_refused_as_a_bad_cookie() {
    let (mut device, file) = (Device::new(), FileRights::new());
    let mut map = Map {
        caller: identity(1, 1),
        first_page: u64::MAX,
        length: SLAB_PAGES * 4096,
        private: false,
        may_write: true,
        producer: false,
        slot: 0,
        offset: 0,
    };
    let refused = nds_core_map(&mut device.core, &file, &mut map);
    assert_eq!(refused, -Refusal::BadCookie.errno());
}

#[test]
fn a_policy_that_there_is_not_makes_no_core() {
    assert!(policy("root") < 0);
    let mut core = Box::new(MaybeUninit::<Core>::zeroed());
    // SAFETY: the memory is zeroed; no slab is given.
    let made = unsafe { nds_core_init(&mut core, ptr::null_mut(), 1, policy("any")) };
    assert!(!made, "nor do slabs that there are not");
}
