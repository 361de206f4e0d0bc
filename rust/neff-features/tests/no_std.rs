// SPDX-License-Identifier: MIT OR Apache-2.0
//! The core needs neither `std` nor `alloc`: it links into a program that has its own panic
//! handler and no allocator, and that program runs.
//!
//! A second panic handler (from `std`) or a missing allocator (for `alloc`) fails the build, so a
//! successful one is the proof. The compiler is called directly: without the feature `container`
//! the crate is one file tree without dependencies.

use std::path::Path;
use std::process::Command;

fn rustc(input: &Path, out_dir: &Path, extra: &[&str]) {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["--edition", "2021", "-O", "-C", "panic=abort", "--out-dir"])
        .arg(out_dir)
        .args(extra)
        .arg(input)
        .output()
        .expect("rustc runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn the_core_links_and_runs_without_std_and_without_an_allocator() {
    let out = tempfile::tempdir().expect("temporary folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    rustc(
        &root.join("src/lib.rs"),
        out.path(),
        &["--crate-type", "rlib", "--crate-name", "neff_features"],
    );

    let library = format!(
        "neff_features={}",
        out.path().join("libneff_features.rlib").display()
    );
    rustc(
        &root.join("tests/data/bare.rs"),
        out.path(),
        &["--extern", &library],
    );

    let status = Command::new(out.path().join("bare"))
        .status()
        .expect("bare program runs");
    assert_eq!(status.code(), Some(0));
}
