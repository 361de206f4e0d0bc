// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the libraries export, import and are called.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use crate::toolchain::{in_workspace, run};
use crate::LIBNDS;

/// The functions of the version script, each with its version.
fn exports() -> BTreeSet<(String, String)> {
    let path = in_workspace("rust/nds-capi/libnds.map");
    let script = fs::read_to_string(path).expect("the version script");
    let mut version = String::new();
    let mut exports = BTreeSet::new();
    for line in script.lines().map(str::trim) {
        if let Some(name) = line.strip_suffix(" {") {
            version = name.to_owned();
        } else if let Some(name) = line
            .strip_suffix(';')
            .filter(|name| *name != "*" && *name != "}")
        {
            exports.insert((name.to_owned(), version.clone()));
        }
    }
    exports
}

/// The symbols that `nm` lists with these options: the last word of each line that has a symbol.
fn symbols(options: &[&str], library: &str) -> BTreeSet<String> {
    let output = run(Command::new("nm")
        .args(options)
        .arg(LIBNDS.directory.join(library)));
    let text = String::from_utf8(output.stdout).expect("names are ASCII");
    text.lines()
        .filter(|line| line.contains(' '))
        .filter_map(|line| line.split_whitespace().next_back())
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_archive_has_36_global_symbols_and_nothing_else() {
    let names: BTreeSet<String> = exports().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), 36);
    assert_eq!(symbols(&["-g", "--defined-only"], "libnds.a"), names);
}

#[test]
fn the_shared_library_exports_36_versioned_symbols_and_nothing_else() {
    let versioned = exports()
        .into_iter()
        .map(|(name, version)| format!("{name}@@{version}"));
    let mut expected: BTreeSet<String> = versioned.collect();
    expected.extend(["NDS_1.0".to_owned(), "NDS_INTERNAL_1.0".to_owned()]);
    let options = ["-D", "--defined-only", "--with-symbol-versions"];
    assert_eq!(symbols(&options, "libnds.so"), expected);
}

#[test]
fn both_libraries_import_the_mapping_boundary() {
    for (options, library) in [(&["-u"][..], "libnds.a"), (&["-D", "-u"][..], "libnds.so")] {
        let imported = symbols(options, library);
        let of_ndl = imported.iter().filter(|name| name.starts_with("ndl_"));
        let of_ndl: Vec<&str> = of_ndl.map(String::as_str).collect();
        assert_eq!(of_ndl, ["ndl_nds_close", "ndl_nds_open"], "{library}");
    }
}

#[test]
fn programs_record_the_name_with_the_major_number() {
    let output = run(Command::new("readelf")
        .arg("-d")
        .arg(LIBNDS.directory.join("libnds.so")));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("Library soname: [libnds.so.1]"), "{text}");
}
