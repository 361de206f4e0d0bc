// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ndl_nds.h` against the functions of this crate.

// The way to do it, of the crate whose header is checked like this too.
#[path = "../../nds-capi/tests/header/in_c.rs"]
mod in_c;

use in_c::{compile, functions, in_c};
use ndl_nds::{boundary, device, Device};

in_c!(Device => "ndl_device_t");

#[test]
fn the_header_declares_the_functions_of_this_crate() {
    let functions = functions![
        boundary::ndl_nds_open(_, _, _, _);
        boundary::ndl_nds_close(_, _, _, _);
        device::ndl_nds_device_open(_, _, _);
        device::ndl_nds_device_open_index(_, _, _);
        device::ndl_nds_device_close(_);
        device::ndl_nds_emulated_open(_);
        device::ndl_nds_emulated_open_as(_, _, _);
    ];
    let declarations: String = functions.into_iter().map(|(_, text)| text).collect();
    let source = format!("#include <ndl_nds.h>\n{declarations}");
    compile("ndl_declarations.c", &source, "c11");
}

#[test]
fn the_header_suits_old_c_and_the_header_of_libnds() {
    compile("ndl_c99.c", "#include <ndl_nds.h>\nint used;\n", "c99");
    let both = "#include <ndl_nds.h>\n#include <nds.h>\n#include <ndl_nds.h>\nint used;\n";
    compile("ndl_both.c", both, "c11");
}
