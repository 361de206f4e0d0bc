// SPDX-License-Identifier: MIT OR Apache-2.0

//! H1, H3, H15: what a mapping shows and does after its occupancy ended, and
//! how the end of an occupancy finds every piece of every mapping.

use nix::errno::Errno;
use nix::libc::{MREMAP_DONTUNMAP, MREMAP_MAYMOVE, PROT_NONE, PROT_READ, PROT_WRITE};

use crate::ktap::{self, Suite};
use crate::sys::abi::{Cookie, PAGE, SLAB_SIZE, SLOTS};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::map::Map;

pub(super) const SUITE: Suite = Suite {
    name: "attacks.stale",
    tests: ktap::tests![
        h01_a_former_owner_writes_where_nobody_reads,
        h01_a_reader_of_an_ended_slab_reads_zeros,
        h01_a_reader_of_a_dead_owner_reads_zeros,
        h01_an_old_cookie_never_maps_again,
        h01_a_mapping_of_ones_own_past_does_not_show_ones_present,
        h03_what_an_owner_wrote_by_any_route_is_zero_for_the_next,
        h15_pieces_of_a_split_mapping_go_stale,
        h15_a_moved_mapping_goes_stale,
        h15_a_mapping_cannot_grow_or_be_doubled,
        h15_unmapping_a_piece_keeps_the_rest,
    ],
};

const READ_WRITE: i32 = PROT_READ | PROT_WRITE;

/// Takes slots with new processes until `wanted` is taken; the last one has it.
fn next_owners_of(wanted: Cookie) -> (Vec<Actor>, Session) {
    let mut heirs = Vec::new();
    for _ in 0..SLOTS {
        let heir = Actor::spawn();
        let slab = heir.produce();
        heirs.push(heir);
        if slab.cookie.slot() == wanted.slot() {
            return (heirs, slab);
        }
    }
    panic!("slot {} was not handed out again", wanted.slot());
}

/// The next owner of `old`'s slot sees zeros, and keeps what it writes although
/// the former owner scribbles through `stale`.
fn assert_harmless(former: &Actor, old: Cookie, stale: &[Map]) {
    let scribble = |value| {
        for map in stale {
            let map = *map;
            former.call(move || map.fill_with(value));
        }
    };
    scribble(0xBAD);
    let (heirs, slab) = next_owners_of(old);
    let heir = heirs.last().expect("an heir");
    assert_eq!(
        heir.call(move || slab.map.nonzero()),
        None,
        "the next owner's first sight"
    );
    scribble(0xBAD2);
    assert_eq!(
        heir.call(move || slab.map.nonzero()),
        None,
        "after more scribbling"
    );
    heir.call(move || slab.map.fill_with(5));
    for map in stale {
        let map = *map;
        let seen = former.call(move || map.find(|_, value| value == 0 || value == 0xBAD2));
        assert_eq!(seen, None, "the former owner sees the next one's slab");
    }
    scribble(0xBAD3);
    assert_eq!(
        heir.call(move || slab.map.differs(|_| 5)),
        None,
        "the next owner's own words"
    );
}

fn h01_a_former_owner_writes_where_nobody_reads() {
    let owner = Actor::spawn();
    let slab = owner.produce();
    owner.call(move || {
        slab.map.fill_with(3);
        slab.device.release(0).unwrap();
    });
    assert_harmless(&owner, slab.cookie, &[slab.map]);
}

fn h01_a_reader_of_an_ended_slab_reads_zeros() {
    let (owner, reader) = (Actor::spawn(), Actor::spawn());
    let slab = owner.produce();
    owner.call(move || slab.map.fill_with(3));
    let view = reader.attach(&owner);
    assert_eq!(reader.call(move || view.map.differs(|_| 3)), None);
    owner.call(move || slab.device.release(0)).unwrap();
    assert_eq!(reader.call(move || view.map.nonzero()), None);
    let (heirs, next) = next_owners_of(slab.cookie);
    heirs.last().unwrap().call(move || next.map.fill_with(7));
    assert_eq!(reader.call(move || view.map.nonzero()), None);
    assert_eq!(
        reader.call(move || view.map.kernel_store(0, 1)),
        Err(Errno::EFAULT),
        "and writes nothing"
    );
}

fn h01_a_reader_of_a_dead_owner_reads_zeros() {
    let (owner, reader) = (Actor::spawn(), Actor::spawn());
    let slab = owner.produce();
    owner.call(move || slab.map.fill_with(3));
    let view = reader.attach(&owner);
    assert_eq!(reader.call(move || view.map.load(0)), 3);
    owner.kill();
    assert_eq!(reader.call(move || view.map.nonzero()), None);
    let (heirs, next) = next_owners_of(slab.cookie);
    heirs.last().unwrap().call(move || next.map.fill_with(7));
    assert_eq!(reader.call(move || view.map.nonzero()), None);
}

fn h01_an_old_cookie_never_maps_again() {
    let (owner, reader) = (Actor::spawn(), Actor::spawn());
    let slab = owner.produce();
    let view = reader.attach(&owner);
    owner.call(move || slab.device.release(0)).unwrap();
    let both = [(&owner, slab), (&reader, view)];
    for (who, old) in both {
        assert_eq!(
            who.call(move || old.device.map_read(old.cookie)),
            Err(Errno::EINVAL)
        );
    }
    let (_heirs, next) = next_owners_of(slab.cookie);
    assert!(next.cookie.generation() > slab.cookie.generation());
    for (who, old) in both {
        assert_eq!(
            who.call(move || old.device.map_read(old.cookie)),
            Err(Errno::EINVAL)
        );
        assert_eq!(
            who.call(move || old.device.map_read(next.cookie)),
            Err(Errno::EINVAL),
            "not acquired"
        );
    }
}

fn h01_a_mapping_of_ones_own_past_does_not_show_ones_present() {
    let device = Device::open().unwrap();
    let mut past = Vec::new();
    for round in 1..=2 * SLOTS as u64 + 1 {
        let map = device.map(device.acquire(0).unwrap()).unwrap();
        assert_eq!(map.nonzero(), None);
        map.fill_with(round);
        for old in &past {
            assert_eq!(Map::nonzero(*old), None, "round {round}");
        }
        past.push(map);
        device.release(0).unwrap();
    }
}

/// Writes into a slab that was acquired through a file.
type Route = fn(Device, Cookie);

/// Ways for an owner to get a value into its slab.
const ROUTES: [(&str, Route); 7] = [
    ("a plain write", |device, cookie| {
        device.map(cookie).unwrap().fill_with(9)
    }),
    ("a single byte at the end", |device, cookie| {
        device.map(cookie).unwrap().store(SLAB_SIZE / 8 - 1, 9);
    }),
    (
        "pages read first, written after mprotect",
        |device, cookie| {
            let map = device.map_read(cookie).unwrap();
            assert_eq!(map.nonzero(), None);
            map.protect(READ_WRITE).unwrap();
            map.fill_with(9);
        },
    ),
    (
        "pages read through one mapping, written through another",
        |device, cookie| {
            let (reader, writer) = (
                device.map_read(cookie).unwrap(),
                device.map(cookie).unwrap(),
            );
            assert_eq!(reader.nonzero(), None);
            writer.fill_with(9);
        },
    ),
    (
        "a mapping that began without any access",
        |device, cookie| {
            let map = device
                .map_with(cookie.0, SLAB_SIZE, PROT_NONE, nix::libc::MAP_SHARED)
                .unwrap();
            map.pages(40, 8).protect(READ_WRITE).unwrap();
            map.pages(40, 8).fill_with(9);
        },
    ),
    ("the kernel's writes", |device, cookie| {
        let map = device.map(cookie).unwrap();
        for page in 0..64 {
            map.kernel_store(page * 512 + 511, 9).unwrap();
        }
    }),
    ("a mapping that was moved", |device, cookie| {
        let map = device.map(cookie).unwrap();
        move_away(map).fill_with(9);
    }),
];

/// Moves a mapping to another address.
fn move_away(map: Map) -> Map {
    let target = Map::anonymous(map.length, PROT_NONE).unwrap();
    map.remap_to(target.address).unwrap()
}

fn h03_what_an_owner_wrote_by_any_route_is_zero_for_the_next() {
    for (name, write) in ROUTES {
        let owner = Actor::spawn();
        let cookie = owner.call(move || {
            let device = Device::open().unwrap();
            let cookie = device.acquire(0).unwrap();
            write(device, cookie);
            device.release(0).unwrap();
            cookie
        });
        let (heirs, slab) = next_owners_of(cookie);
        let seen = heirs.last().unwrap().call(move || slab.map.nonzero());
        assert_eq!(seen, None, "{name}");
    }
}

fn h15_pieces_of_a_split_mapping_go_stale() {
    let owner = Actor::spawn();
    let slab = owner.produce();
    owner.call(move || {
        slab.map.fill_with(3);
        // Three protections in a row split the mapping into pieces.
        slab.map.pages(8, 8).protect(PROT_READ).unwrap();
        slab.map.pages(24, 1).unmap().unwrap();
        slab.map.pages(40, 4).protect(PROT_NONE).unwrap();
        slab.device.release(0).unwrap();
        slab.map.pages(8, 8).protect(READ_WRITE).unwrap();
        slab.map.pages(40, 4).protect(READ_WRITE).unwrap();
    });
    let pieces = [(0, 8), (8, 8), (16, 8), (25, 15), (40, 4), (44, 20)]
        .map(|(first, count)| slab.map.pages(first, count));
    assert_harmless(&owner, slab.cookie, &pieces);
}

fn h15_a_moved_mapping_goes_stale() {
    let owner = Actor::spawn();
    let slab = owner.produce();
    let moved = owner.call(move || {
        slab.map.fill_with(3);
        let moved = move_away(slab.map);
        assert_eq!(moved.differs(|_| 3), None);
        moved
    });
    let piece = owner.call(move || move_away(moved.pages(5, 3)));
    let rest = [moved.pages(0, 5), moved.pages(8, 56), piece];
    owner.call(move || slab.device.release(0)).unwrap();
    assert_harmless(&owner, slab.cookie, &rest);
}

fn h15_a_mapping_cannot_grow_or_be_doubled() {
    let slab = Session::produce().unwrap();
    let refused = [Errno::EFAULT, Errno::EINVAL, Errno::EPERM];
    let grown = slab.map.remap(2 * SLAB_SIZE, MREMAP_MAYMOVE).unwrap_err();
    assert!(refused.contains(&grown), "grown: {grown}");
    let nothing = Map {
        length: 0,
        ..slab.map
    };
    let doubled = nothing.remap(SLAB_SIZE, MREMAP_MAYMOVE).unwrap_err();
    assert!(refused.contains(&doubled), "doubled: {doubled}");
    let doubled = slab
        .map
        .remap(SLAB_SIZE, MREMAP_MAYMOVE | MREMAP_DONTUNMAP)
        .unwrap_err();
    assert!(refused.contains(&doubled), "kept and moved: {doubled}");
    slab.map.store(0, 1);
    let shrunk = slab.map.remap(PAGE, 0).unwrap();
    assert_eq!(shrunk.load(0), 1);
    let back = shrunk.remap(SLAB_SIZE, MREMAP_MAYMOVE).unwrap_err();
    assert!(refused.contains(&back), "grown back: {back}");
}

fn h15_unmapping_a_piece_keeps_the_rest() {
    let slab = Session::produce().unwrap();
    slab.map.fill_with(4);
    slab.map.pages(1, 1).unmap().unwrap();
    slab.map.pages(62, 2).unmap().unwrap();
    assert_eq!(slab.map.pages(0, 1).differs(|_| 4), None);
    assert_eq!(slab.map.pages(2, 60).differs(|_| 4), None);
    assert_eq!(slab.device.acquire(0), Ok(slab.cookie));
    slab.device.close().unwrap();
    slab.map.pages(0, 1).unmap().unwrap();
    assert_eq!(
        slab.map.pages(2, 60).differs(|_| 4),
        None,
        "the last piece holds the file"
    );
}
