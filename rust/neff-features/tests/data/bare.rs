// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program without `std`: exit status 0 when every part of the core answers, else the number of
//! the part that did not. Built and run by `tests/no_std.rs`.
#![no_std]
#![no_main]

use core::hint::black_box;

use neff_features::assemble::{Merge, Packager};
use neff_features::attributes::Value;
use neff_features::header::{Header, ReadAs, RuntimeHeader};
use neff_features::libnrt::{admit, Admission};
use neff_features::names::{check, CoreNames, Declared, Listed};
use neff_features::{
    gate, log_line, AttributeSet, Capability, FeatureMask, Module, ModuleAttribute,
};

// The C start-up code and nothing of Rust's.
#[link(name = "c")]
extern "C" {}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

// The distributed `core` refers to it although nothing unwinds.
#[no_mangle]
extern "C" fn rust_eh_personality() {}

#[no_mangle]
extern "C" fn main() -> i32 {
    let mut attributes = AttributeSet::EMPTY;
    attributes.insert(
        black_box(ModuleAttribute::IndirectMemcpyBoundCheck),
        Value::Bool(false),
    );
    let module = Module {
        attributes,
        arch: 20,
        dve_perf_mode_disabled: false,
        remote_update: false,
    };
    let mut packager = Packager::new(1, Merge::Union);
    packager.add(&module);
    let Ok(assembly) = packager.finish() else {
        return 1;
    };
    if assembly.mask.raw() != 0x100 || assembly.schema_min != 2 {
        return 2;
    }

    let block = RuntimeHeader::new(assembly.mask, assembly.schema_min, 512, [7; 16]).write();
    let Ok(header) = Header::read(black_box(&block), ReadAs::Auto) else {
        return 3;
    };
    if header.mask() != assembly.mask {
        return 4;
    }
    if admit(&block, 1536)
        != (Admission::Accepted {
            features_examined: true,
        })
    {
        return 5;
    }
    let runtime = Capability {
        supported: FeatureMask::new(black_box(0xff)),
        max_schema: 2,
    };
    if gate(header.mask(), header.schema_min(), &runtime).accepted() {
        return 6;
    }

    let names = [Some("neff_feature_indirect_memcpy_bound_check")];
    let core = CoreNames {
        path: "sg00/def.json",
        listed: Listed::Array(&names),
    };
    let declared = Declared {
        mask: header.mask(),
        schema_min: 2,
        vnc_size: Some(1),
        arch: Some(20),
    };
    let mut findings = 0;
    check(&declared, black_box(&[core]), true, |_| findings += 1);
    if findings != 0 {
        return 7;
    }

    let log = "NEFF version: 2.0, features: 0x100 are not supported.  Currently supporting: 0xff";
    match log_line::find(black_box(log)).next() {
        Some(line) if line.missing() == header.mask() => 0,
        _ => 8,
    }
}
