// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rust functions as C declares them, compiled together with a header.
//!
//! A second declaration of a function must agree with the first one, or a C compiler refuses it. Also used by the
//! tests of `ndl-nds`, which includes this file.

use std::ffi::{c_char, c_void};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A Rust type as C writes it.
pub(crate) trait InC {
    fn in_c() -> String;
}

/// Names the C types of Rust types.
macro_rules! in_c {
    ($($rust:ty => $c:literal),* $(,)?) => {
        $(impl $crate::in_c::InC for $rust {
            fn in_c() -> String {
                $c.to_owned()
            }
        })*
    };
}
pub(crate) use in_c;

in_c!(
    () => "void",
    c_void => "void",
    c_char => "char",
    bool => "bool",
    i32 => "int",
    u32 => "uint32_t",
    u64 => "uint64_t",
    usize => "size_t",
);

impl<T: InC> InC for *mut T {
    fn in_c() -> String {
        format!("{} *", T::in_c())
    }
}

impl<T: InC> InC for *const T {
    fn in_c() -> String {
        format!("const {} *", T::in_c())
    }
}

/// A function pointer as a C declaration.
pub(crate) trait Declare {
    fn declare(self, name: &str) -> String;
}

macro_rules! declare {
    ($($parameter:ident),*) => {
        impl<R: InC, $($parameter: InC),*> Declare
            for unsafe extern "C" fn($($parameter),*) -> R
        {
            fn declare(self, name: &str) -> String {
                let parameters = [$($parameter::in_c()),*].join(", ");
                format!("{} {name}({parameters});\n", R::in_c())
            }
        }
    };
}

declare!(A);
declare!(A, B);
declare!(A, B, C);
declare!(A, B, C, D);

/// Name and declaration of each function, as the Rust compiler knows its type.
macro_rules! functions {
    ($($module:ident::$name:ident($($parameter:tt),*);)*) => {
        vec![$((
            stringify!($name),
            $crate::in_c::Declare::declare(
                $module::$name as unsafe extern "C" fn($($parameter),*) -> _,
                stringify!($name),
            ),
        )),*]
    };
}
pub(crate) use functions;

/// Compiles a source without output; fails with what the compiler says.
pub(crate) fn compile(name: &str, source: &str, standard: &str) {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&file, source).expect("a writable directory");
    let output = Command::new("gcc")
        .args(["-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror"])
        .arg(format!("-std={standard}"))
        .arg("-I")
        .arg(workspace.join("include"))
        .arg("-I")
        .arg(workspace.join("rust/nds-capi/tests/c"))
        .arg(&file)
        .output()
        .expect("these tests need gcc");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
}
