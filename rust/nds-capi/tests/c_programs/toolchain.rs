// SPDX-License-Identifier: MIT OR Apache-2.0
//! Building and running C programs against the libraries as they are shipped.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use crate::vectors;

/// The root of the workspace.
static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest
        .ancestors()
        .nth(2)
        .expect("rust/nds-capi")
        .to_owned()
});

/// Directory with `libnds.a`, `libnds.so` and `vectors.c`.
pub(crate) static LIBRARIES: LazyLock<PathBuf> = LazyLock::new(|| {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("libnds");
    let script = ROOT.join("scripts/c-library");
    let map = Path::new(env!("CARGO_MANIFEST_DIR")).join("libnds.map");
    run(Command::new(script)
        .args(["nds", "1"])
        .args([&map, &static_library(), &directory]));
    fs::write(directory.join("vectors.c"), vectors::source()).expect("a writable directory");
    directory
});

/// The Rust static library, which cargo has built for this test already; asking again only names it.
fn static_library() -> PathBuf {
    let profile = profile_directory();
    run(Command::new(env!("CARGO"))
        .args([
            "build",
            "--quiet",
            "--offline",
            "--package",
            "nds-capi",
            "--lib",
        ])
        .args(if profile.ends_with("release") {
            &["--release"][..]
        } else {
            &[]
        })
        .arg("--target-dir")
        .arg(profile.parent().expect("a target directory"))
        .current_dir(&*ROOT));
    profile.join("libnds_capi.a")
}

/// The directory of the profile that this test was built with: it lies in `deps`.
fn profile_directory() -> PathBuf {
    let test = env::current_exe().expect("a running test");
    test.ancestors().nth(2).expect("deps").to_owned()
}

/// A C compiler.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Compiler {
    Gcc,
    Clang,
}

impl Compiler {
    fn command(self) -> &'static str {
        static CLANG: LazyLock<String> = LazyLock::new(|| {
            let numbered = (14..30).rev().map(|version| format!("clang-{version}"));
            let mut names = std::iter::once("clang".to_owned()).chain(numbered);
            names
                .find(|name| is_installed(name))
                .expect("these tests need clang, as clang or clang-N")
        });
        match self {
            Self::Gcc => "gcc",
            Self::Clang => &CLANG,
        }
    }
}

/// How a program is linked with libnds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Linkage {
    Static,
    Shared,
}

/// Whether there is a program of this name.
pub(crate) fn is_installed(name: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|directory| directory.join(name).is_file())
}

/// A C program of `tests/c`, and what else it is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) helpers: &'static [&'static str],
}

impl Program {
    /// Compiles and links the program.
    pub(crate) fn build(self, compiler: Compiler, linkage: Linkage, options: &[&str]) -> PathBuf {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
        let variant = format!("{}-{compiler:?}-{linkage:?}{}", self.name, options.concat());
        let binary = LIBRARIES.join(variant.to_lowercase());
        let mut command = Command::new(compiler.command());
        command
            .args([
                "-std=c11",
                "-D_GNU_SOURCE",
                "-g",
                "-O1",
                "-Wall",
                "-Wextra",
                "-Werror",
            ])
            .args(options)
            .arg("-I")
            .arg(ROOT.join("include"))
            .arg("-I")
            .arg(&sources)
            .arg("-o")
            .arg(&binary)
            .arg(sources.join(self.name).with_extension("c"));
        for helper in self.helpers {
            let directory = if *helper == "vectors" {
                &*LIBRARIES
            } else {
                &sources
            };
            command.arg(directory.join(helper).with_extension("c"));
        }
        match linkage {
            Linkage::Static => command.arg(LIBRARIES.join("libnds.a")),
            Linkage::Shared => command.args([
                OsStr::new("-L"),
                LIBRARIES.as_os_str(),
                OsStr::new("-lnds"),
                OsStr::new(&format!("-Wl,-rpath,{}", LIBRARIES.display())),
            ]),
        };
        run(command.arg("-pthread"));
        binary
    }
}

/// Runs a command that must succeed.
pub(crate) fn run(command: &mut Command) -> Output {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}
