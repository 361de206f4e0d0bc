// SPDX-License-Identifier: MIT OR Apache-2.0
//! libnds as C programs see it: every program of `tests/c`, built by two compilers, linked in two ways.

mod golden;
mod records;
mod symbols;
mod toolchain;
mod vectors;

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use golden::{text, vectors as golden_vectors};
use nds_layout::REQUIRED_SIZE;
use sha2::{Digest, Sha256};
use toolchain::{in_workspace, run, Compiler, Libraries, Library, Profile, Program, BUILDS};

/// The library, and `vectors.c` beside it.
static LIBNDS: LazyLock<Libraries> = LazyLock::new(|| libnds(Profile::Test));

fn libnds(profile: Profile) -> Libraries {
    const LIBNDS: Library = Library {
        name: "nds",
        package: "nds-capi",
    };
    let libraries = Libraries::make(&[LIBNDS], profile);
    fs::write(vectors_c(&libraries), vectors::source()).expect("a writable directory");
    libraries
}

fn vectors_c(libraries: &Libraries) -> PathBuf {
    libraries.directory.join("vectors.c")
}

const RECORDS: &[&str] = &["fake_ndl", "records"];
const RECORDS_AND_SLEEPS: &[&str] = &["fake_ndl", "records", "sleeps"];

/// A program of `tests/c`, with the files of that directory that it needs.
fn program(name: &str, helpers: &[&str]) -> Program<'static> {
    program_with(&LIBNDS, name, helpers)
}

fn program_with<'a>(libraries: &'a Libraries, name: &str, helpers: &[&str]) -> Program<'a> {
    let file = |name: &&str| in_workspace(&format!("rust/nds-capi/tests/c/{name}.c"));
    let mut sources: Vec<PathBuf> = std::iter::once(&name).chain(helpers).map(file).collect();
    sources.push(vectors_c(libraries));
    libraries.program(&sources)
}

/// Runs a program in all builds, and once more under a memory checker.
fn run_and_check_memory(name: &str, helpers: &[&str]) {
    let program = program(name, helpers);
    program.run();
    program.check_memory(&[]);
}

#[test]
fn lifecycle() {
    run_and_check_memory("lifecycle", RECORDS_AND_SLEEPS);
}

#[test]
fn counters() {
    run_and_check_memory("counters", RECORDS);
}

#[test]
fn helpers() {
    run_and_check_memory("helpers", &["fake_ndl"]);
}

#[test]
fn object() {
    run_and_check_memory("object", RECORDS_AND_SLEEPS);
}

#[test]
fn process() {
    run_and_check_memory("process", RECORDS_AND_SLEEPS);
}

#[test]
fn models() {
    run_and_check_memory("models", RECORDS_AND_SLEEPS);
}

#[test]
fn golden_records() {
    run_and_check_memory("golden", RECORDS_AND_SLEEPS);
}

#[test]
fn scenarios() {
    run_and_check_memory("scenarios", RECORDS_AND_SLEEPS);
}

#[test]
fn a_reader_writes_nothing() {
    run_and_check_memory("readonly", RECORDS);
}

/// Without a memory checker: these two bring their own `malloc`.
#[test]
fn a_refused_allocation_is_answered() {
    program("memory", &["fake_ndl", "records", "allocator"]).run();
}

#[test]
fn return_codes() {
    let helpers = &["fake_ndl", "records", "sleeps", "allocator"];
    program("return_codes", helpers).run();
}

#[test]
fn arbitrary_slabs() {
    let fuzz = program("fuzz", &["sleeps"]);
    fuzz.run();
    fuzz.check_memory(&["20"]);
}

#[test]
fn threads() {
    program("threads", &["fake_ndl"]).run();
}

#[test]
fn two_processes() {
    program("two_processes", &["fake_ndl"]).run();
}

#[test]
fn a_slab_filled_through_the_api_is_the_golden_one() {
    let program = program("slab", RECORDS);
    for (compiler, linkage) in BUILDS {
        let dump = LIBNDS
            .directory
            .join(format!("slab-{compiler:?}-{linkage:?}"));
        run(Command::new(program.build(compiler, linkage, None)).arg(&dump));
        let slab = fs::read(&dump).expect("the program writes the slab");
        assert_eq!(
            digest(&slab[..REQUIRED_SIZE]),
            text(golden_vectors("slab/sha256_map"))
        );
        assert_eq!(digest(&slab), text(golden_vectors("slab/sha256_slab")));
    }
}

/// Making it is the first test: it fails if the library contains code that can panic.
#[test]
fn the_optimised_library_cannot_panic_and_does_the_same() {
    let shipped = libnds(Profile::Shipped);
    for name in [
        "counters",
        "object",
        "process",
        "models",
        "golden",
        "scenarios",
        "readonly",
    ] {
        program_with(&shipped, name, RECORDS_AND_SLEEPS).run();
    }
    program_with(&shipped, "fuzz", &["sleeps"]).run();
    program_with(&shipped, "threads", &["fake_ndl"]).run();
    program_with(&shipped, "two_processes", &["fake_ndl"]).run();
}

#[test]
fn the_headers_are_cpp_too() {
    let source = LIBNDS.directory.join("headers.cpp");
    fs::write(&source, "#include <nds.h>\n#include <ndl_nds.h>\n").expect("a writable directory");
    run(Command::new(Compiler::Clang.command())
        .args(["-x", "c++", "-std=c++11", "-fsyntax-only"])
        .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror"])
        .arg("-I")
        .arg(in_workspace("include"))
        .arg(&source));
}

fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
