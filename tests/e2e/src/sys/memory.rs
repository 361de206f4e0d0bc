// SPDX-License-Identifier: MIT OR Apache-2.0

//! Pages that the kernel handed out and no account of its own explains: where a
//! leak of bare pages shows, which a search for unreferenced objects misses.

use std::fs;

use super::abi::PAGE;

/// What explains pages that are not free.
const ACCOUNTS: [&str; 11] = [
    "MemFree",
    "Buffers",
    "Cached",
    "SwapCached",
    "AnonPages",
    "Slab",
    "KernelStack",
    "PageTables",
    "SecPageTables",
    "VmallocUsed",
    "Percpu",
];

/// Kilobytes of memory on no account.
pub(crate) fn unexplained_kilobytes() -> i64 {
    // What is only cached may be dropped by the kernel at any time.
    fs::write("/proc/sys/vm/drop_caches", "3").expect("the kernel has CONFIG_SYSCTL");
    let info = fs::read_to_string("/proc/meminfo").expect("/proc/meminfo");
    let value = |name: &str| -> i64 {
        let mut lines = info.lines().filter_map(|line| line.split_once(':'));
        lines
            .find(|(key, _)| *key == name)
            .map_or(0, |(_, rest)| number(rest))
    };
    let explained: i64 = ACCOUNTS.iter().map(|name| value(name)).sum();
    value("MemTotal") - explained - kept_by_processors()
}

/// Free pages that each processor keeps for itself are not in `MemFree`.
fn kept_by_processors() -> i64 {
    let zones = fs::read_to_string("/proc/zoneinfo").expect("/proc/zoneinfo");
    let counts = zones
        .lines()
        .filter_map(|line| line.trim().strip_prefix("count:"));
    counts.map(number).sum::<i64>() * (PAGE as i64 / 1024)
}

fn number(text: &str) -> i64 {
    let word = text.split_whitespace().next().unwrap_or("0");
    word.parse().expect("a number")
}
