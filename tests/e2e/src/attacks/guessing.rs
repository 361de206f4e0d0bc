// SPDX-License-Identifier: MIT OR Apache-2.0

//! H5, H10 to H14: numbers that a caller made up. No cookie that was not handed
//! to this file maps anything, no other call reaches a slab, and no answer
//! tells an address or passes for success.

use std::ffi::c_void;

use nix::errno::Errno;
use nix::libc::{MAP_PRIVATE, MAP_SHARED, PROT_READ, PROT_WRITE};

use crate::ktap::{self, Suite};
use crate::sys::abi::{Cookie, ACQUIRE, PAGE, RELEASE, SLAB_SIZE, SLOTS};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};

pub(super) const SUITE: Suite = Suite {
    name: "attacks.guessing",
    tests: ktap::tests![
        h05_a_guessed_cookie_maps_nothing,
        h05_a_learned_cookie_maps_nothing,
        h05_another_users_cookie_maps_nothing,
        h05_a_right_ends_with_the_occupancy,
        h10_no_other_command_reaches_a_slab,
        h11_a_cookie_tells_no_address,
        h12_no_error_is_positive,
        h13_an_interior_offset_is_einval,
        h14_a_bad_length_is_einval_for_root_too,
    ],
};

const READ_WRITE: i32 = PROT_READ | PROT_WRITE;

fn h05_a_guessed_cookie_maps_nothing() {
    let owners: Vec<_> = (0..SLOTS).map(|_| Actor::spawn()).collect();
    let newest = owners
        .iter()
        .map(|owner| owner.produce().cookie.generation())
        .max()
        .unwrap();
    let device = Device::open().unwrap();
    for generation in 0..=newest + 2 {
        for slot in 0..SLOTS as u64 {
            let cookie = Cookie::new(generation, slot);
            assert_eq!(device.map(cookie), Err(Errno::EINVAL), "{cookie:?}");
            assert_eq!(device.map_read(cookie), Err(Errno::EINVAL), "{cookie:?}");
        }
    }
}

fn h05_a_learned_cookie_maps_nothing() {
    let (owner, reader, thief) = (Actor::spawn(), Actor::spawn(), Actor::spawn());
    let slab = owner.produce();
    reader.attach(&owner);
    let cookie = slab.cookie;
    thief.call(move || {
        let device = Device::open().unwrap();
        assert_eq!(device.map_read(cookie), Err(Errno::EINVAL));
        device.acquire(0).unwrap();
        assert_eq!(
            device.map_read(cookie),
            Err(Errno::EINVAL),
            "owning another slab"
        );
    });
}

fn h05_another_users_cookie_maps_nothing() {
    let owner = Actor::spawn_user(1000);
    let cookie = owner.produce().cookie;
    let pid = owner.pid();
    Actor::spawn_user(2000).call(move || {
        let device = Device::open().unwrap();
        assert_eq!(device.acquire(pid), Err(Errno::EACCES));
        for protection in [PROT_READ, READ_WRITE] {
            for flags in [MAP_SHARED, MAP_PRIVATE] {
                let mapped = device.map_with(cookie.0, SLAB_SIZE, protection, flags);
                assert_eq!(mapped, Err(Errno::EINVAL));
            }
        }
    });
}

fn h05_a_right_ends_with_the_occupancy() {
    let (owner, reader) = (Actor::spawn(), Actor::spawn());
    let slab = owner.produce();
    let view = reader.attach(&owner);
    owner.call(move || slab.device.release(0)).unwrap();
    // The owner has the same slot again once all others were used.
    let again = owner.call(move || loop {
        let cookie = slab.device.acquire(0).unwrap();
        if cookie.slot() == slab.cookie.slot() {
            break cookie;
        }
        slab.device.release(0).unwrap();
    });
    reader.call(move || {
        assert_eq!(view.device.map_read(view.cookie), Err(Errno::EINVAL));
        assert_eq!(view.device.map_read(again), Err(Errno::EINVAL));
    });
}

fn h10_no_other_command_reaches_a_slab() {
    let slab = Session::produce().unwrap();
    slab.map.fill_with(4);
    let mut memory = [0_u64; 64];
    for number in 0..256 {
        for size in [0, 4, 8, 16, 24, 32, 64] {
            for direction in 0..4 {
                let word = direction << 30 | size << 16 | 0x4E00 | number;
                if ![ACQUIRE, RELEASE].contains(&word) {
                    let answer = slab.device.ioctl(word, memory.as_mut_ptr().cast());
                    assert_eq!(answer, Err(Errno::EINVAL), "{word:#x}");
                }
            }
        }
    }
    assert_eq!(memory, [0; 64]);
    assert_eq!(slab.map.differs(|_| 4), None);
    assert_eq!(slab.device.acquire(0), Ok(slab.cookie));
}

fn h11_a_cookie_tells_no_address() {
    let device = Device::open().unwrap();
    for turn in 0..100 {
        let cookie = device.acquire(0).unwrap();
        // Nothing but the count of hand-outs so far and the slot's number is in it.
        assert_eq!(
            cookie,
            Cookie::new(cookie.generation(), turn % SLOTS as u64)
        );
        assert!(cookie.generation() <= turn + 1, "{cookie:?} in turn {turn}");
        device.release(0).unwrap();
    }
}

fn h12_no_error_is_positive() {
    let device = Device::open().unwrap();
    let page = crate::sys::map::Map::anonymous(2 * PAGE, READ_WRITE).unwrap();
    page.pages(1, 1).unmap().unwrap();
    for left in 0..24 {
        let pointer = (page.address + PAGE - left) as *mut c_void;
        for word in [ACQUIRE, RELEASE] {
            assert_eq!(
                device.ioctl(word, pointer),
                Err(Errno::EFAULT),
                "{left} bytes there"
            );
        }
    }
}

fn h13_an_interior_offset_is_einval() {
    let slab = Session::produce().unwrap();
    for page in 1..SLAB_SIZE / PAGE {
        let inside = Cookie(slab.cookie.0 + (page * PAGE) as u64);
        assert_eq!(slab.device.map(inside), Err(Errno::EINVAL), "page {page}");
    }
}

fn h14_a_bad_length_is_einval_for_root_too() {
    assert!(nix::unistd::geteuid().is_root());
    let slab = Session::produce().unwrap();
    for pages in (1..200).filter(|pages| pages * PAGE != SLAB_SIZE) {
        for flags in [MAP_SHARED, MAP_PRIVATE] {
            let mapped = slab
                .device
                .map_with(slab.cookie.0, pages * PAGE, READ_WRITE, flags);
            assert_eq!(mapped, Err(Errno::EINVAL), "{pages} pages");
        }
    }
}
