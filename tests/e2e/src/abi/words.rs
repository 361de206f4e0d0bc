// SPDX-License-Identifier: MIT OR Apache-2.0

//! Which command words exist, and on which files. Callers of 32 bits are in `callers`.

use std::ptr::null_mut;

use nix::errno::Errno;
use nix::fcntl::OFlag;

use crate::ktap::{self, Suite};
use crate::sys::abi::{Argument, ACQUIRE, RELEASE};
use crate::sys::device::Device;

pub(super) const SUITE: Suite = Suite {
    name: "abi.words",
    tests: ktap::tests![
        near_misses_of_the_two_words_are_einval,
        every_other_word_of_the_magic_is_einval,
        a_write_only_file_has_no_ioctl,
        a_write_only_file_has_no_mapping,
        a_file_stays_usable_after_wrong_words,
    ],
};

/// Words that differ from the right ones in size, direction, number or magic.
const NEAR_MISSES: [u32; 12] = [
    0x8018_4E47,
    0x8018_4E48,
    0x8004_4E47,
    0x8004_4E48,
    0xC008_4E47,
    0xC018_4E47,
    0x4008_4E48,
    0x0000_4E47,
    0x8008_4F47,
    0x8008_4E46,
    0x8008_4E49,
    u32::MAX,
];

fn near_misses_of_the_two_words_are_einval() {
    let device = Device::open().unwrap();
    for word in NEAR_MISSES {
        let mut argument = Argument::of(0);
        assert_eq!(
            device.call(word, &mut argument),
            Err(Errno::EINVAL),
            "{word:#x}"
        );
        assert_eq!(argument, Argument::of(0), "{word:#x} changed the struct");
    }
}

fn every_other_word_of_the_magic_is_einval() {
    let device = Device::open().unwrap();
    let sizes = [0_u32, 4, 8, 16, 24, 64];
    for direction in 0..4_u32 {
        for word in sizes
            .iter()
            .flat_map(|size| (0..256).map(move |n| direction << 30 | size << 16 | 0x4E00 | n))
        {
            if word != ACQUIRE && word != RELEASE {
                assert_eq!(
                    device.ioctl(word, null_mut()),
                    Err(Errno::EINVAL),
                    "{word:#x}"
                );
            }
        }
    }
}

fn a_write_only_file_has_no_ioctl() {
    let device = Device::open_as(0, OFlag::O_WRONLY).unwrap();
    for word in [ACQUIRE, RELEASE, 0x8018_4E47] {
        let mut argument = Argument::of(0);
        assert_eq!(
            device.call(word, &mut argument),
            Err(Errno::EINVAL),
            "{word:#x}"
        );
        assert_eq!(
            device.ioctl(word, null_mut()),
            Err(Errno::EINVAL),
            "{word:#x}"
        );
    }
}

fn a_write_only_file_has_no_mapping() {
    let cookie = Device::open().unwrap().acquire(0).unwrap();
    let device = Device::open_as(0, OFlag::O_WRONLY).unwrap();
    assert_eq!(device.map(cookie), Err(Errno::EACCES));
    assert_eq!(device.map_read(cookie), Err(Errno::EACCES));
}

fn a_file_stays_usable_after_wrong_words() {
    let device = Device::open().unwrap();
    let _ = device.ioctl(0x8018_4E47, null_mut());
    let _ = device.ioctl(ACQUIRE, null_mut());
    let cookie = device.acquire(0).unwrap();
    assert_eq!(device.map(cookie).unwrap().nonzero(), None);
}
