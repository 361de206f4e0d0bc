// SPDX-License-Identifier: MIT OR Apache-2.0
//! libnds and libndl_nds in one C program, as programs without libnrt have them.

// The harness of the crate whose library is linked here too.
#[path = "../../nds-capi/tests/c_programs/toolchain.rs"]
mod toolchain;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use toolchain::{in_workspace, run, Libraries, Library, Profile};

const BOTH: &[Library] = &[
    Library {
        name: "nds",
        package: "nds-capi",
    },
    Library {
        name: "ndl_nds",
        package: "ndl-nds",
    },
];

static LIBRARIES: LazyLock<Libraries> = LazyLock::new(|| Libraries::make(BOTH, Profile::Test));

/// The functions that the version script lists.
fn functions_of_version_script() -> BTreeSet<String> {
    let script = in_workspace("rust/ndl-nds/libndl_nds.map");
    let script = fs::read_to_string(script).expect("the version script");
    let names = script
        .lines()
        .filter_map(|line| line.trim().strip_suffix(';'))
        .filter(|name| name.starts_with("ndl_nds_"));
    names.map(str::to_owned).collect()
}

#[test]
fn programs_with_both_libraries() {
    let program = LIBRARIES.program(&[in_workspace("rust/ndl-nds/tests/c/emulated.c")]);
    program.run();
    program.check_memory(&[]);
}

/// What `pkg-config` says about the installed libraries.
fn pkg_config(root: &Path, arguments: &[&str]) -> Vec<String> {
    let output = run(Command::new("pkg-config")
        .args(arguments)
        .arg("libndl_nds")
        .env("PKG_CONFIG_LIBDIR", root.join("opt/nds/lib/pkgconfig"))
        .env("PKG_CONFIG_SYSROOT_DIR", root));
    let text = String::from_utf8(output.stdout).expect("paths of this test");
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn an_installed_library_is_found_by_pkg_config() {
    let root = LIBRARIES.directory.join("root");
    run(Command::new(in_workspace("scripts/install-libnds"))
        .env("FROM", &LIBRARIES.directory)
        .env("DESTDIR", &root)
        .env("PREFIX", "/opt/nds"));
    let program = root.join("emulated");
    run(Command::new("gcc")
        .arg("-I")
        .arg(in_workspace("rust/nds-capi/tests/c"))
        .arg("-o")
        .arg(&program)
        .arg(in_workspace("rust/ndl-nds/tests/c/emulated.c"))
        .args(pkg_config(&root, &["--cflags", "--libs"])));
    run(Command::new(&program).env("LD_LIBRARY_PATH", root.join("opt/nds/lib")));
    assert_eq!(
        pkg_config(&root, &["--modversion"]),
        [env!("CARGO_PKG_VERSION")]
    );
}

#[test]
fn the_program_of_the_manual_works() {
    let manual = fs::read_to_string(in_workspace("docs/libnds-c.md")).expect("the manual");
    let (_, rest) = manual.split_once("```c\n").expect("a C program");
    let (program, _) = rest.split_once("```").expect("its end");
    let source = LIBRARIES.directory.join("manual.c");
    fs::write(&source, program).expect("a writable directory");
    let program = LIBRARIES.program(&[source]);
    program.run();
    program.check_memory(&[]);
}

#[test]
fn the_archive_has_the_functions_of_the_version_script_and_nothing_else() {
    let archive = LIBRARIES.directory.join("libndl_nds.a");
    let output = run(Command::new("nm")
        .args(["-g", "--defined-only"])
        .arg(archive));
    let text = String::from_utf8(output.stdout).expect("names are ASCII");
    let symbols = text.lines().filter_map(|line| line.split(" T ").nth(1));
    let symbols: BTreeSet<String> = symbols.map(str::to_owned).collect();
    assert_eq!(symbols, functions_of_version_script());
}

#[test]
fn the_header_declares_the_functions_of_the_version_script() {
    let header = fs::read_to_string(in_workspace("include/ndl_nds.h")).expect("the header");
    let declared = header
        .lines()
        .filter_map(|line| line.strip_prefix("int ")?.split('(').next());
    let declared: BTreeSet<String> = declared.map(str::to_owned).collect();
    assert_eq!(declared, functions_of_version_script());
}
