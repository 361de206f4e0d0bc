// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header in programs of the system's compilers, without a warning.

use super::clang;
use super::header;
use std::ffi::OsString;
use std::process::Command;

/// Uses what a C program needs; the counter arguments are variables, so that no macro is folded away.
const PROGRAM: &str = r#"
#include "neuron_nds.h"

int main(int argc, char **argv)
{
	unsigned int counter = (unsigned int)argc;
	struct neuron_ioctl_nds nds = { 0, 0, 0 };
	enum nds_nc_counter last = NDS_NC_COUNTER_OOB;

	(void)argv;
	if (!NDS_NC_COUNTER_VALID(argc, counter) || !NDS_ND_COUNTER_VALID(last))
		return 1;
	if (NDS_HEADER_WORD != 0x000186a00073646e || sizeof(nds) != 24)
		return 2;
	if (NEURON_NDS_IOCTL_ACQUIRE != 0x80084e47 || NEURON_NDS_IOCTL_RELEASE != 0x80084e48)
		return 3;
	if (NDS_NC_COUNTER_OFFSET(argc, counter) != 0x100 + 8 * 32)
		return 4;
	if (NDS_NC_COUNTER_OFFSET(argc + 6, NDS_NC_COUNTER_MAC_COUNT) != 0xec68)
		return 5;
	return NDS_MODEL_OFFSET(argc) != 1992 || NDS_ND_COUNTER_OFFSET(counter) != 16;
}
"#;

fn compiler(variable: &str, default: &str) -> OsString {
    std::env::var_os(variable).unwrap_or_else(|| default.into())
}

/// Compiles the program with this compiler and standard, warnings as errors, and runs it.
fn compiles_and_runs(compiler: OsString, standard: &str, language: &str) {
    let dir = tempfile::tempdir().unwrap();
    let (source, program) = (dir.path().join("program"), dir.path().join("program.out"));
    std::fs::write(&source, PROGRAM).unwrap();
    let compiled = Command::new(&compiler)
        .args([
            "-Wall",
            "-Wextra",
            "-Wpedantic",
            "-Werror",
            standard,
            "-x",
            language,
        ])
        .arg("-I")
        .arg(header().parent().unwrap())
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap_or_else(|error| panic!("{compiler:?} does not run: {error}"));
    let complaints = String::from_utf8_lossy(&compiled.stderr);
    assert!(
        compiled.status.success() && complaints.is_empty(),
        "{complaints}"
    );
    assert_eq!(
        Command::new(&program).status().unwrap().code(),
        Some(0),
        "{standard}"
    );
}

#[test]
fn the_header_compiles_as_c_without_a_warning() {
    for standard in ["-std=c99", "-std=c11"] {
        compiles_and_runs(compiler("CC", "cc"), standard, "c");
    }
}

#[test]
fn the_header_compiles_as_cplusplus_without_a_warning() {
    for standard in ["-std=c++11", "-std=c++20"] {
        compiles_and_runs(compiler("CXX", "c++"), standard, "c++");
    }
}

#[test]
fn clang_has_no_warning_either() {
    assert!(clang::parses(&["-std=c99"]));
    assert!(clang::parses(&["-x", "c++", "-std=c++20"]));
}
