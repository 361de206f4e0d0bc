// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finding device files, this module's `/dev/neuron_ndsN` first, then `/dev/neuronN`; and processes.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// Devices of one machine have the indices 0..64.
pub const MAX_DEVICES: u32 = 64;

const DEV: &str = "/dev";

/// Name stems, in order of preference. Compatible names of the module are those of the C driver.
const STEMS: [&str; 2] = ["neuron_nds", "neuron"];

/// All device files, in order of index; only the preferred kind when both kinds exist.
#[must_use]
pub fn device_paths() -> Vec<PathBuf> {
    paths_in(Path::new(DEV))
}

/// The device file with this index.
///
/// # Errors
///
/// [`Error::NoDevice`] when neither kind exists.
pub fn device_path(index: u32) -> Result<PathBuf> {
    path_in(Path::new(DEV), index).ok_or(Error::NoDevice { index: Some(index) })
}

/// The processes of this pid namespace, as far as `/proc` shows them.
pub(crate) fn running_processes() -> Result<Vec<i32>> {
    let proc = Path::new("/proc");
    let entries = fs::read_dir(proc).map_err(|source| Error::Open {
        path: proc.to_owned(),
        source,
    })?;
    Ok(entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect())
}

fn paths_in(directory: &Path) -> Vec<PathBuf> {
    STEMS
        .iter()
        .map(|stem| {
            (0..MAX_DEVICES)
                .map(|index| directory.join(format!("{stem}{index}")))
                .filter(|path| path.exists())
                .collect::<Vec<_>>()
        })
        .find(|paths| !paths.is_empty())
        .unwrap_or_default()
}

fn path_in(directory: &Path, index: u32) -> Option<PathBuf> {
    STEMS
        .iter()
        .map(|stem| directory.join(format!("{stem}{index}")))
        .find(|path| path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory(name: &str, files: &[&str]) -> PathBuf {
        let directory = std::env::temp_dir().join(format!("nds-{name}-{}", std::process::id()));
        fs::create_dir_all(&directory).expect("a scratch directory");
        for file in files {
            fs::write(directory.join(file), "").expect("a scratch file");
        }
        directory
    }

    fn names(paths: &[PathBuf]) -> Vec<&str> {
        paths
            .iter()
            .filter_map(|path| path.file_name()?.to_str())
            .collect()
    }

    #[test]
    fn files_of_this_module_hide_those_of_the_c_driver() {
        let directory = directory(
            "both",
            &["neuron0", "neuron_nds1", "neuron_nds0", "neuron_nds64"],
        );
        assert_eq!(names(&paths_in(&directory)), ["neuron_nds0", "neuron_nds1"]);
        fs::remove_dir_all(directory).expect("removed");
    }

    #[test]
    fn files_of_the_c_driver_are_found_in_order_of_their_index() {
        let directory = directory("stock", &["neuron10", "neuron2", "neuron", "neuronx"]);
        assert_eq!(names(&paths_in(&directory)), ["neuron2", "neuron10"]);
        assert_eq!(path_in(&directory, 10), Some(directory.join("neuron10")));
        assert_eq!(path_in(&directory, 0), None);
        fs::remove_dir_all(directory).expect("removed");
    }
}
