// SPDX-License-Identifier: MIT OR Apache-2.0
//! No reachable panic: optimised code, even with overflow checks on as in kernels, names no panic function.

use std::path::Path;
use std::process::Command;

/// Instantiates what is generic, and includes the layout by path as the kernel module does.
const PROBE: &str = r#"
#![no_std]
#[path = "@LAYOUT@"]
pub mod layout;

use core::time::Duration;
use layout::{bitmap, header, place, publish, retry, Core, ModelSlot, NcCounter, RawSlab};

pub fn copy_words(slab: &RawSlab, first: layout::WordIndex, out: &mut [u64]) {
    layout::SlabRead::copy_words(slab, first, out)
}
pub fn publish_model(slab: &RawSlab, slot: ModelSlot, image: &[u8; 672]) {
    publish::publish(slab, place::model(slot), image)
}
pub fn erase_ext(slab: &RawSlab) {
    publish::erase(slab, place::PROCESS_INFO_EXT)
}
pub fn read_info(slab: &RawSlab, sleep: fn(Duration)) -> Option<[u8; 64]> {
    retry::read(slab, place::PROCESS_INFO, sleep).ok()
}
pub fn check_header(slab: &RawSlab, sleep: fn(Duration)) -> bool {
    header::commit(slab);
    retry::check_header(slab, sleep)
}
pub fn slots(slab: &RawSlab) -> Option<ModelSlot> {
    let last = bitmap::taken(bitmap::load(slab)).last()?;
    bitmap::free(slab, last);
    bitmap::take_lowest(slab)
}
pub fn counters(slab: &RawSlab, core: u32) -> u64 {
    let core = Core::new(core);
    let words = NcCounter::all().filter_map(|counter| Some(layout::nc_word(core?, counter)));
    words.fold(0, |sum: u64, word| sum.wrapping_add(layout::SlabRead::load(slab, word)))
}
"#;

/// Compiles the probe as a kernel would be: optimised, checked, without std.
fn object() -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let layout = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/layout/mod.rs");
    let (source, object) = (dir.path().join("probe.rs"), dir.path().join("probe.o"));
    let probe = PROBE.replace("@LAYOUT@", layout.to_str().unwrap());
    std::fs::write(&source, probe).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled = Command::new(rustc)
        .args([
            "--edition=2021",
            "--crate-type=lib",
            "--emit=obj",
            "-Copt-level=2",
        ])
        .args(["-Cpanic=abort", "-Coverflow-checks=on", "-Dwarnings", "-o"])
        .args([&object, &source])
        .output()
        .expect("rustc runs");
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    std::fs::read(object).unwrap()
}

fn contains(haystack: &[u8], needle: &str) -> bool {
    haystack
        .windows(needle.len())
        .any(|window| window == needle.as_bytes())
}

#[test]
fn optimised_code_names_no_panic_function() {
    let object = object();
    assert!(contains(&object, "publish_model"), "the probe was compiled");
    assert!(!contains(&object, "panic"), "a panic is reachable");
}
