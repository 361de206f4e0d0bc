// SPDX-License-Identifier: MIT OR Apache-2.0
//! A 1 GiB file costs little memory, and little time where it is not compressed.
//!
//! One test in a process of its own, because it reads the peak of the whole process. The files are
//! written in small pieces for the same reason.
#![cfg(all(feature = "container", target_os = "linux"))]

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::iter;
use std::path::Path;
use std::time::{Duration, Instant};

use flate2::{Compress, Compression, Crc, FlushCompress};
use neff_features::container::{inspect_path, Limits, Options, Outcome, Report};
use neff_features::header::{RuntimeHeader, HEADER_SIZE};
use neff_features::FeatureMask;
use tar::Header;

const LARGE: u64 = 1 << 30;
/// A quarter of what an inspection may take, and less than the large `def.json`.
const MAX_MEMORY_KIB: u64 = 16 << 10;
const MAX_TIME: Duration = Duration::from_secs(1);

/// What a large `def.json` repeats, and how often: 18 MiB.
const ELEMENT: &[u8] = br#"{"queue": "0123456789abcdef", "id": 1.25e3, "none": null},"#;
const ELEMENTS: u64 = 320_000;
const _: () = assert!(ELEMENTS * ELEMENT.len() as u64 > MAX_MEMORY_KIB << 10);

/// Peak resident memory of this process in KiB.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("proc");
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .expect("peak");
    line.split_whitespace()
        .nth(1)
        .and_then(|kib| kib.parse().ok())
        .expect("number")
}

/// The header block of a member.
fn block(name: &str, size: u64) -> [u8; 512] {
    let mut header = Header::new_ustar();
    header.set_path(name).expect("short name");
    header.set_size(size);
    header.set_cksum();
    *header.as_bytes()
}

/// Zero bytes up to the next block.
fn padding(size: u64) -> Vec<u8> {
    vec![0; (size.wrapping_neg() % 512) as usize]
}

/// The members behind the large one; returns their size with all blocks.
fn write_rest(out: &mut impl Write, elements: u64) -> io::Result<u64> {
    let (start, end) = (
        br#"{"neff_features": ["neff_feature_custom_ops"], "var": ["#,
        b"0]}",
    );
    let size = start.len() as u64 + elements * ELEMENT.len() as u64 + end.len() as u64;
    out.write_all(&block("neff.json", 2))?;
    out.write_all(b"{}")?;
    out.write_all(&padding(2))?;
    out.write_all(&block("sg00/def.json", size))?;
    out.write_all(start)?;
    (0..elements).try_for_each(|_| out.write_all(ELEMENT))?;
    out.write_all(end)?;
    out.write_all(&padding(size))?;
    out.write_all(&[0; 1024])?;
    Ok(512 + 512 + 512 + size + padding(size).len() as u64 + 1024)
}

fn write_header(file: &mut File, payload_size: u64) -> io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&RuntimeHeader::new(FeatureMask::new(4), 2, payload_size, [0; 16]).write())
}

/// A hole of 1 GiB as the first member.
fn write_plain(path: &Path, elements: u64) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.seek(SeekFrom::Start(HEADER_SIZE as u64))?;
    file.write_all(&block("weights.bin", LARGE))?;
    file.seek(SeekFrom::Current(LARGE as i64))?;
    let mut out = BufWriter::new(file);
    let rest = write_rest(&mut out, elements)?;
    write_header(&mut out.into_inner()?, 512 + LARGE + rest)
}

/// Bytes deflated on their own, so that the result can be repeated.
struct Piece {
    deflated: Vec<u8>,
    crc: Crc,
}

impl Piece {
    fn new(data: &[u8], flush: FlushCompress) -> Self {
        let mut deflated = Vec::with_capacity(data.len() + 1024);
        let mut deflate = Compress::new(Compression::fast(), false);
        deflate
            .compress_vec(data, &mut deflated, flush)
            .expect("in memory");
        assert_eq!(deflate.total_in(), data.len() as u64);
        let mut crc = Crc::new();
        crc.update(data);
        Self { deflated, crc }
    }
}

/// The same as one gzip stream. A gibibyte of zeros is a mebibyte repeated.
fn write_compressed(path: &Path) -> io::Result<()> {
    let mut rest = Vec::new();
    write_rest(&mut rest, 0)?;
    let zeros = Piece::new(&[0; 1 << 20], FlushCompress::Full);
    let first = Piece::new(&block("weights.bin", LARGE), FlushCompress::Full);
    let last = Piece::new(&rest, FlushCompress::Finish);
    let repeated = iter::repeat_n(&zeros, (LARGE >> 20) as usize);

    let mut file = File::create(path)?;
    file.seek(SeekFrom::Start(HEADER_SIZE as u64))?;
    file.write_all(b"\x1f\x8b\x08\0\0\0\0\0\0\x03")?;
    let mut crc = Crc::new();
    for piece in iter::once(&first).chain(repeated).chain([&last]) {
        file.write_all(&piece.deflated)?;
        crc.combine(&piece.crc);
    }
    file.write_all(&crc.sum().to_le_bytes())?;
    file.write_all(&crc.amount().to_le_bytes())?;
    let size = file.stream_position()?;
    write_header(&mut file, size - HEADER_SIZE as u64)
}

fn inspected(path: &Path) -> (Report, Duration) {
    let options = Options {
        limits: Limits {
            verify_up_to: 0,
            ..Limits::DEFAULT
        },
        ..Options::default()
    };
    let start = Instant::now();
    let report = inspect_path(path, &options).expect("readable");
    let time = start.elapsed();
    assert_eq!(
        report.outcome(),
        Outcome::Clean,
        "{:?} {:?}",
        report.fatal,
        report.findings
    );
    assert_eq!(report.cores[0].features, ["neff_feature_custom_ops"]);
    (report, time)
}

fn assert_memory_is_bounded() {
    let peak = peak_memory();
    assert!(peak <= MAX_MEMORY_KIB, "{peak} KiB");
}

#[test]
fn a_large_file_takes_little_memory_and_a_plain_one_little_time() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("large.neff");

    write_plain(&path, 0).expect("disk space");
    let (report, time) = inspected(&path);
    assert!(report.file_size > LARGE && time <= MAX_TIME, "{time:?}");
    assert_memory_is_bounded();

    write_plain(&path, ELEMENTS).expect("disk space");
    inspected(&path);
    assert_memory_is_bounded();

    write_compressed(&path).expect("disk space");
    let (report, _) = inspected(&path);
    assert!(report.compressed);
    assert_memory_is_bounded();
}
