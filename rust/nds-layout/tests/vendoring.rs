// SPDX-License-Identifier: MIT OR Apache-2.0
//! The crate as a copied folder: an outside program builds against the copy without network or registry.

use nds_layout::{header, nc_word, place, publish::publish, Core, NcCounter, ProcessInfo};
use nds_layout::{record::padded, RawSlab, Slab, SLAB_SIZE, SLAB_WORDS};
use std::path::Path;
use std::process::Command;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

const MANIFEST: &str = r#"
[package]
name = "outside"
version = "0.0.0"
edition = "2021"

[dependencies]
nds-layout = { path = "vendor/nds-layout" }
"#;

/// Prints the tag and one counter of the slab image given as argument.
const PROGRAM: &str = r#"
use nds_layout::{header, hash::RecordFault, nc_word, place, publish::read_once, Core, NcCounter};
use nds_layout::{ProcessInfo, ReadOnlySlab, SlabRead};
use std::sync::atomic::AtomicU64;

fn main() -> Result<(), RecordFault> {
    let bytes = std::fs::read(std::env::args().nth(1).expect("an image")).expect("readable");
    let words = bytes.chunks_exact(8).map(|w| AtomicU64::new(u64::from_le_bytes(w.try_into().unwrap())));
    let words: Vec<AtomicU64> = words.collect();
    // SAFETY: the words live until the end of `main` and nothing else touches them.
    let slab = unsafe { ReadOnlySlab::read_only(std::ptr::NonNull::from(&words[..]).cast(), bytes.len()) };
    let slab = slab.expect("a whole slab");
    assert!(header::check(&slab));
    let info = ProcessInfo::decode(&read_once(&slab, place::PROCESS_INFO)?);
    let core = Core::new(7).expect("a core");
    println!("{} {}", String::from_utf8_lossy(info.tag_text()), slab.load(nc_word(core, NcCounter::MAC_COUNT)));
    Ok(())
}
"#;

/// The bytes of a slab whose producer is tagged `infer-7421` and counted 4711 on core 7.
fn slab_image() -> Vec<u8> {
    let words: Vec<AtomicU64> = (0..SLAB_WORDS).map(|_| AtomicU64::new(0)).collect();
    // SAFETY: the words outlive the slab and are accessed atomically only.
    let slab = unsafe { RawSlab::new(NonNull::from(&words[..]).cast(), SLAB_SIZE) }.unwrap();
    let info = ProcessInfo {
        tag: padded(b"infer-7421"),
        ..ProcessInfo::default()
    };
    header::commit(&slab);
    publish(&slab, place::PROCESS_INFO, &info.encode());
    slab.store(nc_word(Core::new(7).unwrap(), NcCounter::MAC_COUNT), 4711);
    words
        .iter()
        .flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes())
        .collect()
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in from.read_dir().unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn a_copy_of_the_folder_is_all_that_an_outside_program_needs() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    copy_folder(
        Path::new(env!("CARGO_MANIFEST_DIR")),
        &path("vendor/nds-layout"),
    );
    std::fs::create_dir(path("src")).unwrap();
    std::fs::write(path("Cargo.toml"), MANIFEST).unwrap();
    std::fs::write(path("src/main.rs"), PROGRAM).unwrap();
    std::fs::write(path("slab.img"), slab_image()).unwrap();
    // An empty cargo home: neither a registry cache nor a configuration can help.
    let run = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--offline", "--", "slab.img"])
        .current_dir(dir.path())
        .env("CARGO_HOME", path("cargo-home"))
        .env("CARGO_TARGET_DIR", path("target"))
        .output()
        .unwrap();
    let complaints = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{complaints}");
    assert_eq!(complaints, "", "the copy builds without a warning");
    assert_eq!(String::from_utf8_lossy(&run.stdout), "infer-7421 4711\n");
}
