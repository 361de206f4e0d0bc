// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files of the module below `/lib/modules`, and the kernels that they were built for.

use std::fs;
use std::path::{Path, PathBuf};

use super::host::OURS;

/// Folders of a kernel's module tree where modules from outside the kernel are put.
const PLACES: [&str; 4] = ["updates", "updates/dkms", "extra", "weak-updates"];

/// Endings that a module's file may have.
const ENDINGS: [&str; 4] = ["ko", "ko.xz", "ko.zst", "ko.gz"];

/// A file of the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Installed {
    /// Release of the kernel in whose tree it is.
    pub(crate) kernel: String,
    /// The file.
    pub(crate) path: PathBuf,
    /// Release of the kernel it was built for, as the file says; `None` if it is compressed.
    pub(crate) built_for: Option<String>,
}

/// All files of the module, in order of their kernels' names.
pub(crate) fn look(root: &Path) -> Vec<Installed> {
    let Ok(kernels) = fs::read_dir(root.join("lib/modules")) else {
        return Vec::new();
    };
    let mut found: Vec<_> = kernels.flatten().filter_map(|k| of_kernel(&k)).collect();
    found.sort_by(|a, b| a.kernel.cmp(&b.kernel));
    found
}

fn of_kernel(kernel: &fs::DirEntry) -> Option<Installed> {
    let path = PLACES
        .iter()
        .flat_map(|place| ENDINGS.map(|ending| format!("{place}/{OURS}.{ending}")))
        .map(|file| kernel.path().join(file))
        .find(|path| path.is_file())?;
    Some(Installed {
        kernel: kernel.file_name().to_string_lossy().into_owned(),
        built_for: built_for(&path),
        path,
    })
}

/// The first word of the file's `vermagic` note.
fn built_for(path: &Path) -> Option<String> {
    const NOTE: &[u8] = b"vermagic=";
    let bytes = fs::read(path).ok()?;
    let start = bytes
        .windows(NOTE.len())
        .position(|window| window == NOTE)?
        + NOTE.len();
    let word = bytes
        .get(start..)?
        .split(|byte| matches!(byte, 0 | b' '))
        .next()?;
    String::from_utf8(word.to_vec()).ok()
}
