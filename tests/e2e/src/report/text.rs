// SPDX-License-Identifier: MIT OR Apache-2.0

//! Reading the device file: well-formed Prometheus text, and one snapshot for
//! one sequence of reads.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileExt;

use nix::errno::Errno;
use nix::fcntl::OFlag;

use crate::ktap::{self, Suite};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::module;
use crate::sys::report::{nc_word, CORES, COUNTERS};
use crate::sys::scrape::Scrape;

pub(super) const SUITE: Suite = Suite {
    name: "report.text",
    tests: ktap::tests![
        the_text_keeps_the_rules_of_the_format,
        only_counters_are_called_total,
        the_order_of_lines_is_stable,
        reads_of_any_size_give_one_text,
        a_sequence_of_reads_sees_one_snapshot,
        reading_from_the_start_sees_the_present,
        reading_beyond_the_end_gives_nothing,
        reading_into_bad_memory_is_efault,
        a_write_only_file_cannot_be_read,
    ],
};

fn whole() -> String {
    std::fs::read_to_string(module::node(0)).expect("the text of the device")
}

/// A device about which there is something to say.
fn busy() -> (Actor, Session) {
    let owner = Actor::spawn();
    let slab = owner.produce();
    owner.call(move || {
        for core in 0..CORES {
            (0..COUNTERS)
                .for_each(|counter| slab.map.store(nc_word(core, counter), 1 << counter.min(63)));
        }
        (1..32).for_each(|word| slab.map.store(word, word as u64));
    });
    (owner, slab)
}

fn the_text_keeps_the_rules_of_the_format() {
    let _busy = busy();
    let scrape = Scrape::parse(&whole());
    assert!(
        scrape.samples.len() > CORES * COUNTERS,
        "{} samples",
        scrape.samples.len()
    );
    let mut series: Vec<_> = scrape
        .samples
        .iter()
        .map(|sample| (&sample.name, &sample.labels))
        .collect();
    series.sort();
    let count = series.len();
    series.dedup();
    assert_eq!(series.len(), count, "a series appears twice");
    for sample in &scrape.samples {
        let name = &sample.name;
        let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        assert!(
            name.starts_with("neuron_nds_") && name.bytes().all(fits),
            "{name}"
        );
        assert!(
            scrape.help.contains_key(name) && scrape.types.contains_key(name),
            "{name}"
        );
        assert_eq!(sample.label("device"), Some("0"), "{name}");
    }
}

fn only_counters_are_called_total() {
    let _busy = busy();
    for (name, kind) in Scrape::parse(&whole()).types {
        assert_eq!(
            name.ends_with("_total"),
            kind == "counter",
            "{name} is a {kind}"
        );
    }
}

/// The text without values, which change with time.
fn shape(text: &str) -> Vec<&str> {
    text.lines()
        .map(|line| line.rsplit_once(' ').map_or(line, |(series, _)| series))
        .collect()
}

fn the_order_of_lines_is_stable() {
    let _busy = busy();
    let (first, second) = (whole(), whole());
    assert_eq!(shape(&first), shape(&second));
    let names: Vec<_> = Scrape::parse(&first)
        .samples
        .into_iter()
        .map(|sample| sample.name)
        .collect();
    let mut families = names.clone();
    families.dedup();
    let count = families.len();
    families.sort();
    families.dedup();
    assert_eq!(families.len(), count, "samples of one name stand apart");
}

fn read_in_pieces(file: &mut File, size: usize) -> String {
    let mut text = Vec::new();
    let mut piece = vec![0; size];
    loop {
        match file.read(&mut piece).expect("read") {
            0 => return String::from_utf8(text).expect("ASCII"),
            length => text.extend_from_slice(&piece[..length]),
        }
    }
}

fn reads_of_any_size_give_one_text() {
    let _busy = busy();
    let expected = whole();
    for size in [1, 7, 100, 511, 512, 513, 4096, 1 << 20] {
        let mut file = File::open(module::node(0)).unwrap();
        let text = read_in_pieces(&mut file, size);
        assert_eq!(shape(&text), shape(&expected), "{size} bytes at a time");
    }
}

fn a_sequence_of_reads_sees_one_snapshot() {
    let (owner, slab) = busy();
    let mut file = File::open(module::node(0)).unwrap();
    let mut start = [0; 600];
    file.read_exact(&mut start).unwrap();
    owner.call(move || {
        for core in 0..CORES {
            (0..COUNTERS).for_each(|counter| slab.map.store(nc_word(core, counter), 0x5EED));
        }
    });
    let rest = read_in_pieces(&mut file, 333);
    assert!(
        !rest.contains(&format!(" {}\n", 0x5EED)),
        "the text changed while it was read"
    );
    assert!(whole().contains(&format!(" {}\n", 0x5EED)));
}

fn reading_from_the_start_sees_the_present() {
    let file = File::open(module::node(0)).unwrap();
    let slots = || {
        let mut text = vec![0; 1 << 20];
        let mut length = 0;
        loop {
            match file.read_at(&mut text[length..], length as u64).unwrap() {
                0 => break,
                more => length += more,
            }
        }
        let text = String::from_utf8(text[..length].to_vec()).unwrap();
        Scrape::parse(&text).only("neuron_nds_slots_occupied")
    };
    assert_eq!(slots(), 0);
    let device = Device::open().unwrap();
    device.acquire(0).unwrap();
    assert_eq!(slots(), 1);
    device.release(0).unwrap();
    assert_eq!(slots(), 0);
}

fn reading_beyond_the_end_gives_nothing() {
    let file = File::open(module::node(0)).unwrap();
    let mut byte = [0];
    for offset in [1 << 20, 1 << 40, i64::MAX as u64 - 1] {
        assert_eq!(
            file.read_at(&mut byte, offset).ok(),
            Some(0),
            "offset {offset}"
        );
    }
    assert_eq!(file.read_at(&mut [], 0).ok(), Some(0));
    assert_eq!(file.read_at(&mut byte, 0).ok(), Some(1));
}

fn reading_into_bad_memory_is_efault() {
    let device = Device::open_as(0, OFlag::O_RDONLY).unwrap();
    // SAFETY: the kernel checks the address.
    let read = unsafe { nix::libc::read(device.0, 8 as *mut _, 100) };
    assert_eq!(Errno::result(read), Err(Errno::EFAULT));
}

fn a_write_only_file_cannot_be_read() {
    let device = Device::open_as(0, OFlag::O_WRONLY).unwrap();
    let mut byte = [0_u8];
    // SAFETY: one byte is written at most, to a live variable.
    let read = unsafe { nix::libc::read(device.0, byte.as_mut_ptr().cast(), 1) };
    assert_eq!(Errno::result(read), Err(Errno::EBADF));
}
