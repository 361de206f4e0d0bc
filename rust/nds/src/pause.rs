// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two waits of a reader, and the sleep they are made with.
//!
//! Sleeping is a parameter everywhere in this crate, so that tests can check it without waiting.

use std::time::Duration;

use rustix::thread::Timespec;

/// Wait before the second and last look at a header that was not right.
pub const HEADER_RETRY: Duration = Duration::from_micros(500);

/// Wait before the second and last attempt to read a record that did not verify.
pub const RECORD_RETRY: Duration = Duration::from_micros(200);

/// Suspends the thread for `duration`; a signal may cut it short, and it is then not resumed.
pub fn sleep(duration: Duration) {
    // Both waits are far below a second, and a longer one would only be cut at the type's range.
    let request = Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: duration.subsec_nanos().into(),
    };
    let _ = rustix::thread::nanosleep(&request);
}
