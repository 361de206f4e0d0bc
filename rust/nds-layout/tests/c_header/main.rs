// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C header of the ABI, `include/uapi/neuron_nds.h`, against the crate and the golden vectors.
//!
//! `clang` asks libclang for every value the header defines; `values` compares them; `compile` builds the header with
//! the system's compilers.

mod clang;
mod compile;
mod values;

use std::path::{Path, PathBuf};

/// The header's path in the repository.
fn header() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include/uapi/neuron_nds.h");
    path.canonicalize()
        .expect("the C header lies beside the Rust workspace")
}
