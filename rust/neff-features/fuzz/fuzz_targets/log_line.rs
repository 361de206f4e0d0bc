// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arbitrary text as a loader's log: no panic, and every message found is found again when printed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use neff_features::log_line::find;

fuzz_target!(|text: &str| {
    for line in find(text) {
        assert!(find(&line.to_string()).eq([line]));
    }
});
