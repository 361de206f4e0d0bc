// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the C compiler makes of the header: constant expressions and enumerators, through bindgen.

use super::header;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Once;

/// Before the name of the constant that holds a probed expression.
const PROBE: &str = "PROBE_";

/// Points libclang's loader at a Debian LLVM directory, newest first, if its own search would not look there.
fn find_libclang() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let newest = (14..40)
            .rev()
            .map(|version| format!("/usr/lib/llvm-{version}/lib"));
        let mut found = newest.filter(|dir| has_libclang(Path::new(dir)));
        if let (None, Some(dir)) = (std::env::var_os("LIBCLANG_PATH"), found.next()) {
            std::env::set_var("LIBCLANG_PATH", dir);
        }
    });
}

fn has_libclang(dir: &Path) -> bool {
    let entries = dir.read_dir().into_iter().flatten().flatten();
    let mut names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.any(|name| name.starts_with("libclang.so") || name.starts_with("libclang-"))
}

/// Runs bindgen over the header followed by `extra`, with warnings as errors.
fn bind(extra: &str, language: &[&str]) -> String {
    find_libclang();
    let source = format!("#include \"{}\"\n{extra}", header().display());
    bindgen::builder()
        .header_contents("probe.h", &source)
        .clang_args(language)
        .clang_args(["-Wall", "-Wextra", "-Wpedantic", "-Werror"])
        // The probes themselves are unused.
        .clang_arg("-Wno-unused-const-variable")
        .prepend_enum_name(false)
        .generate()
        .expect("the header has no errors")
        .to_string()
}

/// Whether the header parses without warnings in this language.
pub(crate) fn parses(language: &[&str]) -> bool {
    bind("", language).contains("neuron_ioctl_nds")
}

/// The constants of generated code, by name.
fn constants(code: &str) -> BTreeMap<String, u64> {
    let lines = code
        .lines()
        .filter_map(|line| line.trim().strip_prefix("pub const "));
    lines
        .filter_map(|line| {
            let (name, rest) = line.split_once(':')?;
            let value = rest.split_once("= ")?.1.trim_end_matches(';');
            Some((name.to_owned(), value.parse().ok()?))
        })
        .collect()
}

/// The enumerators of the header, by name.
pub(crate) fn enumerators() -> BTreeMap<String, u64> {
    // Object-like macros become constants too; the header's own text tells them apart.
    let macros = macro_names();
    let mut all = constants(&bind("", &["-std=c11"]));
    all.retain(|name, _| !macros.contains(name) && name.starts_with("NDS_"));
    all
}

/// The values that the compiler gives to these expressions.
pub(crate) fn evaluate(expressions: &[String]) -> Vec<u64> {
    let probes = expressions.iter().enumerate().map(|(nth, expression)| {
        format!(
            "static const unsigned long long {PROBE}{nth} = (unsigned long long)({expression});\n"
        )
    });
    let values = constants(&bind(&probes.collect::<String>(), &["-std=c11"]));
    let value = |nth| values.get(&format!("{PROBE}{nth}")).copied();
    let evaluated = expressions.iter().enumerate().map(|(nth, expression)| {
        value(nth).unwrap_or_else(|| panic!("{expression} is not a constant"))
    });
    evaluated.collect()
}

/// Names of all macros without parameters that have a value.
pub(crate) fn macro_names() -> Vec<String> {
    let text = std::fs::read_to_string(header()).expect("the header is readable");
    let definitions = text
        .lines()
        .filter_map(|line| line.strip_prefix("#define "));
    let with_value = definitions.filter_map(|line| line.split_once(' '));
    let names = with_value
        .map(|(name, _)| name)
        .filter(|name| !name.contains('('));
    names.map(str::to_owned).collect()
}
