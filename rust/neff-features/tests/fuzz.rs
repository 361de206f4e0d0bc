// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arbitrary and damaged bytes: no panic, bounded memory, and the same bytes always judged alike.
//!
//! In a process of its own, because it counts every allocation. The inputs come from a fixed seed.
#![cfg(feature = "container")]

#[path = "common/archive.rs"]
mod archive;
#[path = "common/packing.rs"]
mod packing;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::Cursor;

use neff_features::container::{inspect, Limits, Options};
use neff_features::finding::FatalCode;
use neff_features::header::ReadAs;

use archive::archive;
use packing::{gzip, neff};

thread_local! {
    /// Bytes this thread has in use; negative when it freed what another one took.
    static USED: Cell<isize> = const { Cell::new(0) };
    /// Their peak.
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// Counts for the thread that allocates.
struct Counting;

fn count(change: isize) {
    let used = USED.get() + change;
    USED.set(used);
    PEAK.set(PEAK.get().max(used));
}

/// Runs `body`; the most bytes it had in use beyond those of before.
fn peak_of(body: impl FnOnce()) -> usize {
    let before = USED.get();
    PEAK.set(before);
    body();
    (PEAK.get() - before).unsigned_abs()
}

// SAFETY: Every call is handed to the system allocator as it is; counting touches no memory of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: The caller's contract is the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: The block came from `alloc` above, so from the system allocator, with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes an inspection may need besides what it is allowed to keep: buffers, the decoder's window,
/// one extension header.
const WORKING_MEMORY: usize = 1 << 20;
const LIMITS: Limits = Limits {
    verify_up_to: u64::MAX,
    max_inflated: 8 << 20,
    max_kept: 256 << 10,
};
const ROUNDS: usize = 6000;

/// A xorshift generator: the same numbers everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next() as u8).collect()
    }
}

/// Valid files to damage.
fn models() -> Vec<Vec<u8>> {
    let long = "d".repeat(120) + "/sg00/def.json";
    let def =
        br#"{"neff_features": ["neff_feature_custom_ops", 7, null], "var": {"a": [1.5, {}]}}"#;
    let members: [(&str, &[u8]); 5] = [
        ("neff.json", b"{}"),
        ("kelf-a.json", br#"{"target": "sunda"}"#),
        ("sg00/def.json", def),
        (&long, def),
        ("weights.bin", &[1; 700]),
    ];
    let plain = archive(members);
    vec![neff(4, 2, &plain), neff(4, 2, &gzip(&plain)), plain]
}

/// One of: arbitrary bytes; a damaged file; a header around arbitrary bytes.
fn input(random: &mut Random, models: &[Vec<u8>]) -> Vec<u8> {
    let size = random.below(4096);
    match random.below(4) {
        0 => random.bytes(size),
        1 => {
            let payload = random.bytes(size);
            neff(random.next(), random.next() % 4, &payload)
        }
        _ => {
            let model = models[random.below(models.len())].clone();
            damage(random, model)
        }
    }
}

fn damage(random: &mut Random, mut file: Vec<u8>) -> Vec<u8> {
    for _ in 0..=random.below(6) {
        let at = random.below(file.len());
        match random.below(4) {
            0 => file[at] = random.next() as u8,
            1 => file[at] ^= 1 << random.below(8),
            2 => file.truncate(at.max(1)),
            _ => {
                let piece = file[at..(at + 600).min(file.len())].to_vec();
                let to = random.below(file.len());
                file.splice(to..to, piece);
            }
        }
    }
    if random.below(2) == 0 {
        repair_checksums(&mut file);
    }
    file
}

/// Makes damaged header blocks look intact, so that the damage gets further.
fn repair_checksums(file: &mut [u8]) {
    for block in file.chunks_exact_mut(512).skip(2) {
        if block[257..262] == *b"ustar" {
            block[148..156].fill(b' ');
            let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
            block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        }
    }
}

#[test]
fn no_bytes_make_an_inspection_panic_or_take_more_memory_than_it_may() {
    let mut random = Random(0x4e45_4646_6675_7a7a);
    let models = models();
    let mut fatal = 0;
    for round in 0..ROUNDS {
        let file = input(&mut random, &models);
        let read_as = [ReadAs::Auto, ReadAs::Runtime, ReadAs::Page][round % 3];
        let options = Options {
            read_as,
            limits: LIMITS,
        };
        let mut first = None;
        let peak = peak_of(|| first = inspect(Cursor::new(&file), &options).ok());
        assert!(
            peak <= WORKING_MEMORY + LIMITS.max_kept as usize,
            "round {round}: {peak} bytes"
        );
        let first = first.expect("memory is readable");
        assert_eq!(
            inspect(Cursor::new(&file), &options).ok().as_ref(),
            Some(&first),
            "round {round}"
        );
        fatal += usize::from(first.fatal.is_some());
    }
    assert!(
        fatal > ROUNDS / 4 && fatal < ROUNDS,
        "{fatal} of {ROUNDS} inputs were fatal"
    );
}

#[test]
fn what_a_file_declares_is_never_allocated() {
    let mut declared = archive([("weights.bin", b"x".as_slice())]);
    declared[124..136].copy_from_slice(b"77777777777\0");
    declared[148..156].fill(b' ');
    let sum: u32 = declared[..512].iter().map(|&byte| u32::from(byte)).sum();
    declared[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let bomb = gzip(&archive([("zeros.bin", vec![0; 6 << 20].as_slice())]));
    for payload in [declared, bomb] {
        let file = neff(0, 1, &payload);
        let options = Options {
            limits: LIMITS,
            ..Options::default()
        };
        let peak = peak_of(|| drop(inspect(Cursor::new(&file), &options)));
        assert!(peak <= WORKING_MEMORY, "{peak} bytes");
    }
}

/// A tar entry with a name of any length, as an extension header and a block.
fn long_entry(name: &str, kind: u8) -> Vec<u8> {
    let mut length = name.len() + 10;
    while format!("{length} path={name}\n").len() > length {
        length += 1;
    }
    let record = format!("{length} path={name}\n");
    assert_eq!(record.len(), length);
    let mut entry = block("x", b'x', record.len()).to_vec();
    entry.extend_from_slice(record.as_bytes());
    entry.resize(entry.len().next_multiple_of(512), 0);
    entry.extend_from_slice(&block("short", kind, 0));
    entry
}

fn block(name: &str, kind: u8, size: usize) -> [u8; 512] {
    let mut header = tar::Header::new_ustar();
    header.set_path(name).expect("short name");
    header.set_entry_type(tar::EntryType::new(kind));
    header.set_size(size as u64);
    header.set_cksum();
    *header.as_bytes()
}

#[test]
fn an_archive_made_to_fill_the_memory_meets_its_limit() {
    let unknown = format!(
        r#"{{"neff_features": [{}7]}}"#,
        r#""unknown-name","#.repeat(900)
    );
    let odd = "\u{1}".repeat(60_000);
    let archives: [Vec<u8>; 6] = [
        (0..3_000)
            .flat_map(|n| block(&format!("w{n}"), b'0', 0))
            .collect(),
        (0..20)
            .flat_map(|n| long_entry(&format!("{n}{odd}"), b'0'))
            .collect(),
        (0..20)
            .flat_map(|n| long_entry(&format!("{n}{}", "s".repeat(60_000)), b'2'))
            .collect(),
        (0..3_000)
            .flat_map(|_| block("same.bin", b'0', 0))
            .collect(),
        archive(
            (0..10)
                .map(|n| format!("sg{n}/def.json"))
                .collect::<Vec<_>>()
                .iter()
                .map(|name| (name.as_str(), unknown.as_bytes())),
        ),
        (0..3_000)
            .flat_map(|n| block(&format!("sg{n}/def.json"), b'0', 0))
            .collect(),
    ];
    for (number, archive) in archives.iter().enumerate() {
        for payload in [archive.clone(), gzip(archive)] {
            let file = neff(0, 1, &payload);
            let options = Options {
                limits: Limits {
                    max_inflated: 64 << 20,
                    ..LIMITS
                },
                ..Options::default()
            };
            let mut report = None;
            let peak = peak_of(|| report = inspect(Cursor::new(&file), &options).ok());
            let code = report
                .and_then(|report| report.fatal)
                .map(|fault| fault.code);
            assert_eq!(code, Some(FatalCode::LimitExceeded), "archive {number}");
            assert!(
                peak <= WORKING_MEMORY + 2 * LIMITS.max_kept as usize,
                "archive {number}: {peak} bytes"
            );
        }
    }
}
