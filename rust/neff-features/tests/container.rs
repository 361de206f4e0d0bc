// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the container reader promises beyond the generated files: limits, streams, errors.
#![cfg(feature = "container")]

#[path = "common/archive.rs"]
mod archive;
#[path = "common/packing.rs"]
mod packing;

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use neff_features::container::{
    inspect, inspect_path, DigestState, Limits, Offset, Options, Outcome, Report,
};
use neff_features::finding::FatalCode;
use neff_features::header::{Layout, ReadAs};
use neff_features::Code;
use proptest::prelude::*;

use archive::archive;
use packing::{gzip, neff};

const EMPTY_DEF: &[u8] = br#"{"neff_features": []}"#;

/// The smallest archive without findings, with this `def.json`.
fn model(def_json: &[u8]) -> Vec<u8> {
    archive([("neff.json", b"{}".as_slice()), ("sg00/def.json", def_json)])
}

fn report(file: &[u8]) -> Report {
    report_within(file, Limits::DEFAULT)
}

fn report_within(file: &[u8], limits: Limits) -> Report {
    inspect(
        Cursor::new(file),
        &Options {
            limits,
            ..Options::default()
        },
    )
    .expect("memory is readable")
}

fn fatal(report: &Report) -> Option<FatalCode> {
    report.fatal.as_ref().map(|fault| fault.code)
}

fn codes(report: &Report) -> Vec<Code> {
    report.findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn a_consistent_file_is_clean_whether_compressed_or_not() {
    let payload = model(EMPTY_DEF);
    for payload in [payload.clone(), gzip(&payload)] {
        let report = report(&neff(0, 1, &payload));
        assert_eq!(
            (report.outcome(), report.digest),
            (Outcome::Clean, DigestState::Ok),
            "{report:?}"
        );
        assert_eq!(report.cores.len(), 1);
    }
}

#[test]
fn a_payload_above_the_limit_is_read_but_its_digest_is_not_computed() {
    let payload = model(EMPTY_DEF);
    let mut file = neff(0, 1, &payload);
    let limits = Limits {
        verify_up_to: payload.len() as u64 - 1,
        ..Limits::DEFAULT
    };
    assert_eq!(report_within(&file, limits).digest, DigestState::Skipped);
    *file.last_mut().expect("not empty") ^= 1;
    assert_eq!(report_within(&file, limits).outcome(), Outcome::Clean);
    assert_eq!(codes(&report(&file)), [Code::HashMismatch]);
}

#[test]
fn a_forced_layout_overrides_the_look_of_the_header() {
    let file = neff(0x100, 2, &model(EMPTY_DEF));
    let options = Options {
        read_as: ReadAs::Page,
        ..Options::default()
    };
    let report = inspect(Cursor::new(file), &options).expect("memory is readable");
    let header = report.header.expect("header");
    assert_eq!(
        (header.layout(), header.mask().raw(), header.schema_min()),
        (Layout::Page, 0x100, 2)
    );
    assert_eq!(report.digest, DigestState::None);
}

#[test]
fn damage_to_the_stream_outranks_whatever_the_walk_met_in_it() {
    let mut archive = model(EMPTY_DEF);
    archive[1024 + 148] ^= 1;
    assert_eq!(
        fatal(&report(&neff(0, 1, &archive))),
        Some(FatalCode::TarBadChecksum)
    );
    let mut payload = gzip(&archive);
    assert_eq!(
        fatal(&report(&neff(0, 1, &payload))),
        Some(FatalCode::TarBadChecksum)
    );
    let crc = payload.len() - 8;
    payload[crc] ^= 1;
    let report = report(&neff(0, 1, &payload));
    assert_eq!(fatal(&report), Some(FatalCode::GzipCorrupt));
    assert!(report.findings.is_empty() && report.members.is_empty());
}

#[test]
fn a_header_checksum_over_signed_bytes_is_a_checksum() {
    let mut archive = archive([
        ("neff.json", b"{}".as_slice()),
        ("sg00/def.json", EMPTY_DEF),
        ("w\u{e9}.bin", b"1"),
    ]);
    let block = archive
        .chunks_exact_mut(512)
        .rfind(|block| block.starts_with(b"w"))
        .expect("third member");
    block[148..156].fill(b' ');
    let sum: i32 = block.iter().map(|&byte| i32::from(byte as i8)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let report = report(&neff(0, 1, &archive));
    assert_eq!(report.outcome(), Outcome::Clean, "{report:?}");
    assert_eq!(
        report.members.last().map(|name| name.to_string()),
        Some("w\u{e9}.bin".into())
    );
}

#[test]
fn a_member_that_is_not_json_is_an_error_with_the_parsers_words() {
    let deep = [
        br#"{"a":"#.as_slice(),
        &b"[".repeat(1000),
        &b"]".repeat(1000),
        b"}",
    ]
    .concat();
    let cases: [(&[u8], &str); 8] = [
        (b"", "EOF"),
        (b"{} {}", "trailing"),
        (b"\xef\xbb\xbf", "EOF"),
        (br#"{"a": 01}"#, "number"),
        (br#"{"neff_features": ["a", ]}"#, "comma"),
        (b"{\"a\": \"\xff\"}", "UTF-8"),
        (b"{\"neff_features\": [\"\xc0\xaf\"]}", "UTF-8"),
        (&deep, "nested"),
    ];
    for (text, words) in cases {
        let report = report(&neff(0, 1, &model(text)));
        assert_eq!(
            codes(&report),
            [Code::JsonInvalid],
            "{}",
            String::from_utf8_lossy(text)
        );
        let said = report.findings[0].to_string();
        assert!(
            said.contains(words) && said.contains("sg00/def.json"),
            "{said}"
        );
    }
}

#[test]
fn json_that_a_careful_writer_may_use_is_json() {
    for text in [
        r#"{"a": 1e999, "b": "\ud800", "neff_features": []}"#,
        r#"{"neff_features": ["neff_feature_custom_o\u0070s"], "neff_features": []}"#,
        "\u{feff}{\"\u{e9}\": [[[]]], \"neff_features\": []}\n",
    ] {
        let report = report(&neff(0, 1, &model(text.as_bytes())));
        assert_eq!(report.outcome(), Outcome::Clean, "{text}: {report:?}");
    }
}

#[test]
fn more_names_than_could_be_meant_are_refused_and_not_kept() {
    let many = format!(r#"{{"neff_features": [{}"x"]}}"#, r#""x","#.repeat(1024));
    let long = format!(r#"{{"neff_features": ["{}"]}}"#, "x".repeat(300 << 10));
    for text in [many, long] {
        let report = report(&neff(0, 1, &gzip(&model(text.as_bytes()))));
        assert_eq!(fatal(&report), Some(FatalCode::LimitExceeded));
    }
}

#[test]
fn more_members_than_the_limit_are_refused() {
    let names: Vec<String> = (0..1000)
        .map(|number| format!("weights-{number}.bin"))
        .collect();
    let file = neff(
        0,
        1,
        &archive(names.iter().map(|name| (name.as_str(), b"".as_slice()))),
    );
    assert_eq!(fatal(&report(&file)), None);
    let limits = Limits {
        max_kept: 100_000,
        ..Limits::DEFAULT
    };
    let refused = report_within(&file, limits);
    assert_eq!(fatal(&refused), Some(FatalCode::LimitExceeded));
    assert!(refused.members.is_empty());
}

#[test]
fn a_fault_in_a_plain_archive_is_at_its_offset_in_the_file() {
    let mut archive = model(EMPTY_DEF);
    archive[1024 + 148] ^= 1;
    let fault = report(&neff(0, 1, &archive)).fatal.expect("bad checksum");
    assert_eq!(fault.offset, Offset::File(1024 + 1024));
    let fault = report(&neff(0, 1, &gzip(&archive)))
        .fatal
        .expect("bad checksum");
    assert_eq!(fault.offset, Offset::Unpacked(1024));
}

#[test]
fn a_file_that_cannot_be_read_is_an_error_with_its_name() {
    let folder = tempfile::tempdir().expect("temporary folder");
    for path in [folder.path().to_owned(), folder.path().join("absent.neff")] {
        let said = inspect_path(&path, &Options::default())
            .expect_err("unreadable")
            .to_string();
        let start = format!("{}: offset 0: cannot read: ", path.display());
        assert!(
            said.starts_with(&start) && said.contains("expected"),
            "{said}"
        );
    }
}

/// A file on a disk that fails from `bad` on.
struct FailingDisk<'a> {
    file: Cursor<&'a [u8]>,
    bad: u64,
}

impl Read for FailingDisk<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let good = self.bad.saturating_sub(self.file.position());
        if good == 0 && !out.is_empty() {
            return Err(io::Error::other("bad sector"));
        }
        (&mut self.file).take(good).read(out)
    }
}

impl Seek for FailingDisk<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[test]
fn a_failing_disk_is_never_mistaken_for_a_bad_file() {
    let payload = model(EMPTY_DEF);
    for payload in [payload.clone(), gzip(&payload)] {
        let file = neff(0, 1, &payload);
        for verify_up_to in [0, u64::MAX] {
            let options = Options {
                limits: Limits {
                    verify_up_to,
                    ..Limits::DEFAULT
                },
                ..Options::default()
            };
            for bad in [0, 100, 1024, 1024 + payload.len() as u64 / 2] {
                let disk = FailingDisk {
                    file: Cursor::new(&file),
                    bad,
                };
                let error = inspect(disk, &options).expect_err("bad sector");
                assert!(error.to_string().contains("bad sector"), "{error}");
                assert!(error.offset() <= bad, "{error}");
            }
        }
    }
}

proptest! {
    // Failures are reproduced from the printed input, not from a file.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn members_are_listed_in_order_with_unknown_bits_and_compression_making_no_difference(
        names in prop::collection::btree_set("[a-z]{1,12}(/[a-z]{1,80}){0,3}", 0..12),
        sizes in prop::collection::vec(0usize..2000, 12),
        mask: u64,
    ) {
        let data = vec![7; 2000];
        let members: Vec<(&str, &[u8])> =
            names.iter().zip(&sizes).map(|(name, &size)| (name.as_str(), &data[..size])).collect();
        let archive = archive(members.iter().copied());
        let plain = report(&neff(mask, 2, &archive));
        let packed = report(&neff(mask, 2, &gzip(&archive)));
        prop_assert_eq!(fatal(&plain), None);
        prop_assert!(plain.members.iter().map(|name| name.as_ref()).eq(members.iter().map(|(name, _)| *name)));
        prop_assert_eq!(&plain.members, &packed.members);
        prop_assert_eq!(codes(&plain), codes(&packed));
        prop_assert_eq!(plain.header.expect("header").mask().raw(), mask);
        let unassigned = codes(&plain).iter().filter(|&&code| code == Code::UnassignedBit).count();
        prop_assert_eq!(unassigned as u32, plain.header.expect("header").mask().unassigned().raw().count_ones());
    }
}
