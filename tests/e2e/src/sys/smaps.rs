// SPDX-License-Identifier: MIT OR Apache-2.0

//! What the kernel says of a mapping of this process: its `VmFlags`.

use super::map::Map;

/// The two-letter flags of the mapping that holds `map`.
pub(crate) fn flags(map: Map) -> Vec<String> {
    let smaps = std::fs::read_to_string("/proc/self/smaps")
        .expect("the kernel has CONFIG_PROC_PAGE_MONITOR");
    let mut inside = false;
    for line in smaps.lines() {
        if let Some(range) = range(line) {
            inside = range.contains(&map.address);
        } else if let Some(flags) = line.strip_prefix("VmFlags:").filter(|_| inside) {
            return flags.split_whitespace().map(str::to_owned).collect();
        }
    }
    panic!("no mapping at {:#x}", map.address)
}

/// The address range that the head line of an entry begins with.
fn range(line: &str) -> Option<std::ops::Range<usize>> {
    let (start, end) = line.split_whitespace().next()?.split_once('-')?;
    let parse = |text| usize::from_str_radix(text, 16).ok();
    Some(parse(start)?..parse(end)?)
}
