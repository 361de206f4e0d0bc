// SPDX-License-Identifier: MIT OR Apache-2.0
//! Building and running C programs against the C libraries of this workspace, made as they are shipped.
//!
//! Also used by the tests of `ndl-nds`, which includes this file.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// The root of the workspace.
static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = manifest.ancestors().nth(2).expect("rust/<crate>");
    root.to_owned()
});

/// A file of the workspace.
pub(crate) fn in_workspace(path: &str) -> PathBuf {
    ROOT.join(path)
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

/// Whether there is a program of this name.
fn is_installed(name: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|directory| directory.join(name).is_file())
}

/// A C library: the name that programs link with, and the crate that it is made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Library {
    pub(crate) name: &'static str,
    pub(crate) package: &'static str,
}

/// How the Rust code is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// As these tests are, by default with the checks of a debug build.
    Test,
    /// As the libraries are shipped.
    Shipped,
}

impl Library {
    /// Makes `libNAME.a` and `libNAME.so` in a directory.
    fn make(self, profile: Profile, directory: &Path) {
        let Self { name, package } = self;
        let map = in_workspace(&format!("rust/{package}/lib{name}.map"));
        let is_shipped = profile == Profile::Shipped;
        run(Command::new(in_workspace("scripts/c-library"))
            .args(is_shipped.then_some("--no-panics"))
            .args([name, "1"])
            .args([&map, &self.static_library(profile), directory]));
    }

    /// The static library from cargo.
    fn static_library(self, profile: Profile) -> PathBuf {
        let tested = profile_directory();
        let target = tested.parent().expect("a target directory");
        let name = match profile {
            Profile::Shipped => "c-library",
            Profile::Test if tested.ends_with("debug") => "dev",
            Profile::Test => tested.file_name().and_then(OsStr::to_str).expect("a name"),
        };
        run(Command::new(env!("CARGO"))
            .args(["rustc", "--quiet", "--offline", "--lib"])
            .args(["--package", self.package])
            .args(["--profile", name, "--crate-type", "staticlib"])
            .arg("--target-dir")
            .arg(target)
            .current_dir(&*ROOT));
        let built = match profile {
            Profile::Shipped => target.join(name),
            Profile::Test => tested,
        };
        built.join(format!("lib{}.a", self.package.replace('-', "_")))
    }
}

/// The directory of the profile that this test was built with: the test lies in its `deps`.
fn profile_directory() -> PathBuf {
    let test = env::current_exe().expect("a running test");
    let directory = test.ancestors().nth(2).expect("deps");
    directory.to_owned()
}

/// A C compiler.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Compiler {
    Gcc,
    Clang,
}

impl Compiler {
    /// Its name.
    pub(crate) fn command(self) -> &'static str {
        static CLANG: LazyLock<String> = LazyLock::new(|| {
            let numbered = (14..30).rev().map(|version| format!("clang-{version}"));
            let mut names = std::iter::once("clang".to_owned()).chain(numbered);
            let installed = names.find(|name| is_installed(name));
            installed.expect("these tests need clang, as clang or clang-N")
        });
        match self {
            Self::Gcc => "gcc",
            Self::Clang => &CLANG,
        }
    }
}

/// How a program is linked with the libraries.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Linkage {
    Static,
    Shared,
}

/// How every program is built and run.
pub(crate) const BUILDS: [(Compiler, Linkage); 4] = [
    (Compiler::Gcc, Linkage::Static),
    (Compiler::Gcc, Linkage::Shared),
    (Compiler::Clang, Linkage::Static),
    (Compiler::Clang, Linkage::Shared),
];

/// Libraries to link with, and the directory that they are in, as are the programs.
#[derive(Debug)]
pub(crate) struct Libraries {
    libraries: &'static [Library],
    pub(crate) directory: PathBuf,
}

impl Libraries {
    /// Makes the libraries.
    pub(crate) fn make(libraries: &'static [Library], profile: Profile) -> Self {
        let name = format!("{}-{profile:?}", env!("CARGO_PKG_NAME")).to_lowercase();
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        for library in libraries {
            library.make(profile, &directory);
        }
        Self {
            libraries,
            directory,
        }
    }

    /// The program that consists of these C files, and is called as the first of them.
    pub(crate) fn program<'a>(&'a self, sources: &[PathBuf]) -> Program<'a> {
        Program {
            libraries: self,
            sources: sources.to_vec(),
        }
    }

    fn link(&self, command: &mut Command, linkage: Linkage) {
        let directory = self.directory.display();
        for Library { name, .. } in self.libraries {
            match linkage {
                Linkage::Static => command.arg(self.directory.join(format!("lib{name}.a"))),
                Linkage::Shared => command.arg(format!("-l{name}")),
            };
        }
        if matches!(linkage, Linkage::Shared) {
            command.arg(format!("-L{directory}"));
            command.arg(format!("-Wl,-rpath,{directory}"));
        }
    }
}

/// A C program.
#[derive(Debug)]
pub(crate) struct Program<'a> {
    libraries: &'a Libraries,
    sources: Vec<PathBuf>,
}

impl Program<'_> {
    /// Compiles and links the program.
    pub(crate) fn build(
        &self,
        compiler: Compiler,
        linkage: Linkage,
        sanitize: Option<&str>,
    ) -> PathBuf {
        let name = self.sources.first().and_then(|source| source.file_stem());
        let name = name.expect("a program has a source").to_string_lossy();
        let variant = format!("{name}-{compiler:?}-{linkage:?}{}", sanitize.unwrap_or(""));
        let binary = self.libraries.directory.join(variant.to_lowercase());
        let mut command = Command::new(compiler.command());
        command
            .args(["-std=c11", "-D_GNU_SOURCE", "-g", "-O1", "-pthread"])
            .args(["-Wall", "-Wextra", "-Werror"])
            .args(sanitize)
            .arg("-I")
            .arg(in_workspace("include"))
            .arg("-I")
            .arg(in_workspace("rust/nds-capi/tests/c"))
            .arg("-o")
            .arg(&binary)
            .args(&self.sources);
        self.libraries.link(&mut command, linkage);
        run(&mut command);
        binary
    }

    /// Runs the program in all builds.
    pub(crate) fn run(&self) {
        for (compiler, linkage) in BUILDS {
            run(&mut Command::new(self.build(compiler, linkage, None)));
        }
    }

    /// Runs the program under valgrind, or with the compiler's checks where there is no valgrind.
    pub(crate) fn check_memory(&self, arguments: &[&str]) {
        let mut command = if is_installed("valgrind") {
            let mut valgrind = Command::new("valgrind");
            valgrind
                .args(["--quiet", "--error-exitcode=9", "--leak-check=full"])
                .args(["--show-leak-kinds=all", "--errors-for-leak-kinds=all"])
                .arg(self.build(Compiler::Gcc, Linkage::Static, None));
            valgrind
        } else {
            let sanitize = "-fsanitize=address,undefined";
            Command::new(self.build(Compiler::Gcc, Linkage::Static, Some(sanitize)))
        };
        run(command.args(arguments));
    }
}
