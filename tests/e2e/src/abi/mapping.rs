// SPDX-License-Identifier: MIT OR Apache-2.0

//! What `mmap` accepts, and what the resulting mapping is like.

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::libc::{MAP_PRIVATE, MAP_SHARED, PROT_NONE, PROT_READ, PROT_WRITE};
use nix::sys::signal::Signal;

use crate::ktap::{self, Suite};
use crate::sys::abi::{Cookie, PAGE, PAGE_WORDS, SLAB_SIZE, SLOTS, WORDS};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::map::Map;
use crate::sys::smaps;

pub(super) const SUITE: Suite = Suite {
    name: "abi.mapping",
    tests: ktap::tests![
        a_fresh_slab_reads_zero_to_its_last_byte,
        every_word_holds_what_was_written,
        other_lengths_are_einval,
        other_offsets_are_einval,
        a_cookie_maps_only_on_a_file_that_acquired_it,
        a_slab_may_be_mapped_more_than_once,
        a_producers_private_mapping_is_einval,
        a_readers_private_mapping_is_read_only,
        a_readers_write_request_is_granted_read_only,
        a_readers_write_is_a_segmentation_fault,
        a_read_only_file_maps_for_reading,
        a_mapping_without_access_can_be_opened_by_its_owner,
        flags_forbid_growth_dumps_and_inheritance,
        slabs_of_all_slots_are_distinct,
    ],
};

const READ_WRITE: i32 = PROT_READ | PROT_WRITE;

fn a_fresh_slab_reads_zero_to_its_last_byte() {
    assert_eq!(Session::produce().unwrap().map.nonzero(), None);
}

fn every_word_holds_what_was_written() {
    let slab = Session::produce().unwrap();
    let value = |word| (word as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    slab.map.fill(value);
    assert_eq!(slab.map.differs(value), None);
}

fn other_lengths_are_einval() {
    let device = Device::open().unwrap();
    let cookie = device.acquire(0).unwrap();
    for length in [
        1,
        PAGE,
        17 * PAGE,
        SLAB_SIZE - PAGE,
        SLAB_SIZE + 1,
        2 * SLAB_SIZE,
        16 * SLAB_SIZE,
    ] {
        let mapped = device.map_with(cookie.0, length, READ_WRITE, MAP_SHARED);
        assert_eq!(mapped, Err(Errno::EINVAL), "{length} bytes");
    }
    // The kernel rounds up to pages before the module is asked.
    assert!(device
        .map_with(cookie.0, SLAB_SIZE - 1, READ_WRITE, MAP_SHARED)
        .is_ok());
}

fn other_offsets_are_einval() {
    let device = Device::open().unwrap();
    let cookie = device.acquire(0).unwrap();
    let (slab, generation) = (SLAB_SIZE as u64, cookie.generation());
    let pages = (1..64).map(|page| cookie.0 + page * PAGE as u64);
    let slots = (1..SLOTS as u64).map(|slot| Cookie::new(generation, slot).0);
    let generations =
        [0, 1, generation + 1, generation + 2, 1 << 41].map(|other| Cookie::new(other, 0).0);
    let edges = [
        0,
        PAGE as u64,
        slab,
        cookie.0 - slab,
        cookie.0 + slab,
        i64::MAX as u64 & !0xFFF,
    ];
    for offset in pages.chain(slots).chain(generations).chain(edges) {
        if offset != cookie.0 {
            assert_eq!(
                device.map(Cookie(offset)),
                Err(Errno::EINVAL),
                "offset {offset:#x}"
            );
        }
    }
}

fn a_cookie_maps_only_on_a_file_that_acquired_it() {
    let device = Device::open().unwrap();
    let cookie = device.acquire(0).unwrap();
    let other = Device::open().unwrap();
    assert_eq!(other.map(cookie), Err(Errno::EINVAL));
    assert_eq!(other.map_read(cookie), Err(Errno::EINVAL));
    other.acquire(0).unwrap();
    assert!(other.map(cookie).is_ok());
}

fn a_slab_may_be_mapped_more_than_once() {
    let slab = Session::produce().unwrap();
    let views = [0; 4].map(|_| slab.device.map(slab.cookie).unwrap());
    for (index, view) in views.iter().enumerate() {
        view.store(index, 7);
        assert_eq!(slab.map.load(index), 7);
    }
    views[0].unmap().unwrap();
    assert_eq!(views[1].load(0), 7);
}

fn a_producers_private_mapping_is_einval() {
    let device = Device::open().unwrap();
    let cookie = device.acquire(0).unwrap();
    for protection in [PROT_NONE, PROT_READ, READ_WRITE] {
        let mapped = device.map_with(cookie.0, SLAB_SIZE, protection, MAP_PRIVATE);
        assert_eq!(mapped, Err(Errno::EINVAL), "protection {protection}");
    }
}

fn a_readers_private_mapping_is_read_only() {
    let (owner, reader) = (Actor::spawn(), Actor::spawn());
    let slab = owner.produce();
    owner.call(move || slab.map.store(2, 22));
    let view = reader.attach(&owner);
    for protection in [PROT_READ, READ_WRITE] {
        let private = reader
            .call(move || {
                view.device
                    .map_with(view.cookie.0, SLAB_SIZE, protection, MAP_PRIVATE)
            })
            .expect("a private view");
        assert_eq!(reader.call(move || private.load(2)), 22);
        assert_never_writable(&reader, private);
    }
    owner.call(move || slab.map.store(2, 23));
    assert_eq!(reader.call(move || view.map.load(2)), 23);
}

/// The actor cannot write through `map`, whatever it asks for.
fn assert_never_writable(reader: &Actor, map: Map) {
    assert_eq!(
        reader.call(move || map.kernel_store(2, 666)),
        Err(Errno::EFAULT)
    );
    assert_eq!(
        reader.call(move || map.protect(READ_WRITE)),
        Err(Errno::EACCES)
    );
    assert_eq!(
        reader.call(move || map.protect(PROT_WRITE)),
        Err(Errno::EACCES)
    );
    assert_eq!(
        reader.call(move || map.kernel_store(2, 666)),
        Err(Errno::EFAULT)
    );
}

fn a_readers_write_request_is_granted_read_only() {
    let (owner, reader) = (Actor::spawn(), Actor::spawn());
    let slab = owner.produce();
    let view = reader.attach(&owner);
    let eager = reader
        .call(move || view.device.map(view.cookie))
        .expect("the request succeeds");
    owner.call(move || slab.map.store(2, 22));
    assert_eq!(reader.call(move || eager.load(2)), 22);
    assert_never_writable(&reader, eager);
    assert_eq!(owner.call(move || slab.map.load(2)), 22);
}

fn a_readers_write_is_a_segmentation_fault() {
    let (owner, reader) = (Actor::spawn(), Actor::spawn());
    let slab = owner.produce();
    let view = reader.attach(&owner);
    let eager = reader.call(move || view.device.map(view.cookie)).unwrap();
    reader.dies_of(Signal::SIGSEGV, move || eager.store(2, 666));
    assert_eq!(owner.call(move || slab.map.nonzero()), None);
}

fn a_read_only_file_maps_for_reading() {
    let owner = Actor::spawn();
    owner.produce();
    let device = Device::open_as(0, OFlag::O_RDONLY).unwrap();
    let cookie = device.acquire(owner.pid()).unwrap();
    assert_eq!(
        device.map(cookie),
        Err(Errno::EACCES),
        "the kernel's own rule"
    );
    let view = device.map_read(cookie).unwrap();
    assert_eq!(view.nonzero(), None);
    assert_eq!(view.protect(READ_WRITE), Err(Errno::EACCES));
}

fn a_mapping_without_access_can_be_opened_by_its_owner() {
    let device = Device::open().unwrap();
    let cookie = device.acquire(0).unwrap();
    let map = device
        .map_with(cookie.0, SLAB_SIZE, PROT_NONE, MAP_SHARED)
        .unwrap();
    assert_eq!(map.kernel_load(0), Err(Errno::EFAULT));
    map.protect(READ_WRITE).unwrap();
    map.store(WORDS - 1, 3);
    assert_eq!(map.load(WORDS - 1), 3);
}

fn flags_forbid_growth_dumps_and_inheritance() {
    let owner = Actor::spawn();
    let slab = Session::produce().unwrap();
    owner.produce();
    let view = Session::attach(owner.pid()).unwrap();
    for (who, map) in [("owner", slab.map), ("reader", view.map)] {
        let flags = smaps::flags(map);
        for wanted in ["sh", "io", "pf", "de", "dc", "dd"] {
            assert!(
                flags.iter().any(|flag| flag == wanted),
                "{who}: {wanted} is missing in {flags:?}"
            );
        }
        let may_write = flags.iter().any(|flag| flag == "mw");
        assert_eq!(may_write, who == "owner", "{who}: {flags:?}");
    }
}

fn slabs_of_all_slots_are_distinct() {
    let owners: Vec<_> = (0..SLOTS).map(|_| Actor::spawn()).collect();
    let slabs: Vec<_> = owners.iter().map(Actor::produce).collect();
    // One mark a page tells every page of every slot from all others.
    let mark = |slot: usize| {
        move |word: usize| (((slot << 8) + word / PAGE_WORDS) as u64) << 32 | word as u64
    };
    for (slot, (owner, slab)) in owners.iter().zip(&slabs).enumerate() {
        let map = slab.map;
        owner.call(move || map.fill(mark(slot)));
    }
    for (slot, (owner, slab)) in owners.iter().zip(&slabs).enumerate() {
        let map = slab.map;
        assert_eq!(
            owner.call(move || map.differs(mark(slot))),
            None,
            "slot {slot}"
        );
        let view = Session::attach(owner.pid()).unwrap();
        assert_eq!(
            view.map.differs(mark(slot)),
            None,
            "slot {slot} seen by a reader"
        );
    }
}
