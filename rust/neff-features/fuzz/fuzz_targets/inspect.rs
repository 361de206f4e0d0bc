// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arbitrary bytes as a NEFF file, in every layout: no panic, and an end.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use neff_features::container::{inspect, Limits, Options};
use neff_features::header::ReadAs;

fuzz_target!(|file: &[u8]| {
    for read_as in [ReadAs::Auto, ReadAs::Runtime, ReadAs::Page] {
        let limits = Limits {
            verify_up_to: u64::MAX,
            max_inflated: 8 << 20,
            max_kept: 256 << 10,
        };
        let report =
            inspect(Cursor::new(file), &Options { read_as, limits }).expect("memory is readable");
        for finding in &report.findings {
            assert!(finding.to_string().contains("expected "));
        }
    }
});
