// SPDX-License-Identifier: MIT OR Apache-2.0

//! The kernel's log since a moment, and which of its lines are complaints.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;

use nix::libc;

/// What a line of a kernel that found a fault contains.
const COMPLAINTS: [&str; 16] = [
    "BUG:",
    "BUG at",
    "WARNING:",
    "Oops",
    "KASAN",
    "UBSAN",
    "kmemleak:",
    "INFO: task",
    "INFO: rcu",
    "possible circular locking",
    "possible recursive locking",
    "inconsistent lock state",
    "general protection fault",
    "soft lockup",
    "rust_kernel: panicked",
    "ODEBUG",
];

/// Lines that look like complaints and are none.
const HARMLESS: [&str; 4] = [
    "kmemleak: Kernel memory leak detector initialized",
    "kmemleak: Automatic memory scanning thread",
    // An injected fault met the leak detector; it goes on without.
    "kmemleak: Cannot allocate a scan area",
    "KernelAddressSanitizer initialized",
];

/// A reader of the kernel log that starts at the end of what is there.
pub(crate) struct KernelLog(File);

impl KernelLog {
    /// Opens the log after its last line.
    pub(crate) fn from_now() -> std::io::Result<Self> {
        let mut file = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NONBLOCK)
            .open("/dev/kmsg")?;
        file.seek(SeekFrom::End(0))?;
        Ok(Self(file))
    }

    /// The messages since the last call.
    pub(crate) fn lines(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut record = [0_u8; 8192];
        loop {
            match self.0.read(&mut record) {
                Ok(length) => lines.push(message(&record[..length])),
                // Records were overwritten before they were read: go on with the rest.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
                Err(_) => return lines,
            }
        }
    }

    /// The complaints since the last call.
    pub(crate) fn complaints(&mut self) -> Vec<String> {
        let mut lines = self.lines();
        lines.retain(|line| is_complaint(line));
        lines
    }
}

/// A record is `priority,sequence,time,flags;text`, then lines of key and value.
fn message(record: &[u8]) -> String {
    let record = String::from_utf8_lossy(record);
    let text = record.split_once(';').map_or(&*record, |(_, text)| text);
    text.lines().next().unwrap_or_default().to_owned()
}

fn is_complaint(line: &str) -> bool {
    let has = |mark: &&str| line.contains(*mark);
    COMPLAINTS.iter().any(has) && !HARMLESS.iter().any(has)
}
