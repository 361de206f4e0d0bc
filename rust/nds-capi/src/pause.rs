// SPDX-License-Identifier: MIT OR Apache-2.0
//! The wait of readers between two looks: one `usleep`, as in the original, which tests replace.

use std::time::Duration;

/// Suspends the thread; a signal may cut it short, and it is then not resumed.
pub(crate) fn pause(duration: Duration) {
    let microseconds = u32::try_from(duration.as_micros()).unwrap_or(u32::MAX);
    // SAFETY: no precondition.
    unsafe { libc::usleep(microseconds) };
}
