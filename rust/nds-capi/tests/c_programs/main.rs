// SPDX-License-Identifier: MIT OR Apache-2.0
//! libnds as C programs see it: every program of `tests/c`, built by two compilers, linked in two ways.

mod golden;
mod records;
mod symbols;
mod toolchain;
mod vectors;

use std::fs;
use std::process::Command;

use golden::{text, vectors as golden_vectors};
use sha2::{Digest, Sha256};
use toolchain::{is_installed, run, Compiler, Linkage, Program, LIBRARIES};

const BUILDS: [(Compiler, Linkage); 4] = [
    (Compiler::Gcc, Linkage::Static),
    (Compiler::Gcc, Linkage::Shared),
    (Compiler::Clang, Linkage::Static),
    (Compiler::Clang, Linkage::Shared),
];

const FAKE_NDL: &[&str] = &["fake_ndl"];
const RECORDS: &[&str] = &["fake_ndl", "records", "vectors"];
const RECORDS_AND_SLEEPS: &[&str] = &["fake_ndl", "records", "vectors", "sleeps"];

const fn program(name: &'static str, helpers: &'static [&'static str]) -> Program {
    Program { name, helpers }
}

/// Runs a program in all builds.
fn run_builds(program: Program) {
    for (compiler, linkage) in BUILDS {
        run(&mut Command::new(program.build(compiler, linkage, &[])));
    }
}

/// Runs a program in all builds, and once more under a memory checker.
fn run_builds_and_check_memory(program: Program) {
    run_builds(program);
    check_memory(program, &[]);
}

/// Runs a program under valgrind, or with the compiler's checks where there is no valgrind.
fn check_memory(program: Program, arguments: &[&str]) {
    if is_installed("valgrind") {
        let binary = program.build(Compiler::Gcc, Linkage::Static, &[]);
        run(Command::new("valgrind")
            .args(["--quiet", "--error-exitcode=9", "--leak-check=full"])
            .args(["--show-leak-kinds=all", "--errors-for-leak-kinds=all"])
            .arg(binary)
            .args(arguments));
    } else {
        let sanitize = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
        let binary = program.build(Compiler::Gcc, Linkage::Static, &sanitize);
        run(Command::new(binary).args(arguments));
    }
}

#[test]
fn lifecycle() {
    run_builds_and_check_memory(program("lifecycle", RECORDS_AND_SLEEPS));
}

#[test]
fn counters() {
    run_builds_and_check_memory(program("counters", RECORDS));
}

#[test]
fn helpers() {
    run_builds_and_check_memory(program("helpers", &["fake_ndl", "vectors"]));
}

#[test]
fn object() {
    run_builds_and_check_memory(program("object", RECORDS_AND_SLEEPS));
}

#[test]
fn process() {
    run_builds_and_check_memory(program("process", RECORDS_AND_SLEEPS));
}

#[test]
fn models() {
    run_builds_and_check_memory(program("models", RECORDS_AND_SLEEPS));
}

#[test]
fn golden_records() {
    run_builds_and_check_memory(program("golden", RECORDS_AND_SLEEPS));
}

#[test]
fn scenarios() {
    run_builds_and_check_memory(program("scenarios", RECORDS_AND_SLEEPS));
}

#[test]
fn a_reader_writes_nothing() {
    run_builds_and_check_memory(program("readonly", RECORDS));
}

/// Without a memory checker: these two bring their own `malloc`.
#[test]
fn a_refused_allocation_is_answered() {
    run_builds(program(
        "memory",
        &["fake_ndl", "records", "vectors", "allocator"],
    ));
}

#[test]
fn return_codes() {
    run_builds(program(
        "return_codes",
        &["fake_ndl", "records", "vectors", "sleeps", "allocator"],
    ));
}

#[test]
fn arbitrary_slabs() {
    let fuzz = program("fuzz", &["sleeps"]);
    run_builds(fuzz);
    check_memory(fuzz, &["20"]);
}

#[test]
fn threads() {
    run_builds(program("threads", FAKE_NDL));
}

#[test]
fn two_processes() {
    run_builds(program("two_processes", FAKE_NDL));
}

#[test]
fn a_slab_filled_through_the_api_is_the_golden_one() {
    let program = program("slab", RECORDS);
    for (compiler, linkage) in BUILDS {
        let dump = LIBRARIES.join(format!("slab-{compiler:?}-{linkage:?}"));
        run(Command::new(program.build(compiler, linkage, &[])).arg(&dump));
        let slab = fs::read(&dump).expect("the program writes the slab");
        let used = &slab[..67200];
        assert_eq!(digest(used), text(golden_vectors("slab/sha256_map")));
        assert_eq!(digest(&slab), text(golden_vectors("slab/sha256_slab")));
    }
}

fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
