// SPDX-License-Identifier: MIT OR Apache-2.0

//! Fault injection: lets the n-th thing that can fail in the kernel fail, for
//! the calling thread and one stretch of code.
//!
//! Allocations of all kinds and copies from and to user memory count. Needs a
//! kernel with CONFIG_FAULT_INJECTION and debugfs.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Every kind of allocation may fail, and the kernel says nothing of it.
const SETTINGS: [(&str, &str); 7] = [
    ("failslab/ignore-gfp-wait", "N"),
    ("fail_page_alloc/ignore-gfp-wait", "N"),
    ("fail_page_alloc/ignore-gfp-highmem", "N"),
    ("fail_page_alloc/min-order", "0"),
    ("failslab/verbose", "0"),
    ("fail_page_alloc/verbose", "0"),
    ("fail_usercopy/verbose", "0"),
];

/// The switch of the thread that made it.
pub(crate) struct Injector(File);

impl Injector {
    /// Whether this kernel can inject faults.
    pub(crate) fn is_available() -> bool {
        Path::new("/proc/thread-self/fail-nth").exists()
    }

    /// Makes every kind of allocation eligible and takes the calling thread's switch.
    pub(crate) fn new() -> Self {
        for (setting, value) in SETTINGS {
            let path = Path::new("/sys/kernel/debug").join(setting);
            std::fs::write(&path, value)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
        let switch = OpenOptions::new()
            .read(true)
            .write(true)
            .open("/proc/thread-self/fail-nth");
        Self(switch.expect("the kernel has CONFIG_FAULT_INJECTION"))
    }

    /// Runs `body` with its `nth` fallible step failing. Returns what it
    /// returned, and whether there was such a step.
    pub(crate) fn run<R>(&self, nth: u32, body: impl FnOnce() -> R) -> (R, bool) {
        self.set(nth);
        let result = body();
        let mut left = [0; 16];
        let length = self.0.read_at(&mut left, 0);
        // The copy of the answer can be the step that fails: then it was not in `body`.
        let failed = length.is_ok_and(|length| left[..length].starts_with(b"0\n"));
        self.set(0);
        (result, failed)
    }

    fn set(&self, nth: u32) {
        // With a fault still pending the write itself may be what fails.
        while self.0.write_at(nth.to_string().as_bytes(), 0).is_err() {}
    }
}
