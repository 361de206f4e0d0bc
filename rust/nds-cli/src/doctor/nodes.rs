// SPDX-License-Identifier: MIT OR Apache-2.0
//! The devices that the kernel has, and whether their nodes can be opened.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

/// Devices of this module are of the first class, those of the stock driver of the second.
const OUR_CLASS: &str = "sys/class/misc";
const STOCK_CLASS: &str = "sys/class/neuron_device";

/// A device of the kernel.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Its name below `/dev`.
    pub(crate) name: String,
    /// What came of opening the node.
    pub(crate) access: Access,
}

/// What came of opening a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// It can be read.
    Open,
    /// There is none.
    Missing,
    /// There is something that is no device.
    NotADevice,
    /// The user may not; the group that may, if it is known.
    Denied {
        /// Number of the node's group.
        gid: Option<u32>,
    },
    /// The kernel refuses for another reason.
    Failed(String),
}

/// The devices of the loaded drivers, in order of their names.
pub(crate) fn look(root: &Path, ours: bool, stock: bool) -> Vec<Node> {
    let mut names = Vec::new();
    if ours {
        names.extend(device_names(&root.join(OUR_CLASS)));
    }
    if stock {
        names.extend(device_names(&root.join(STOCK_CLASS)));
    }
    names.sort();
    names.dedup();
    let dev = root.join("dev");
    names
        .into_iter()
        .map(|name| Node {
            access: access(&dev.join(&name)),
            name,
        })
        .collect()
}

fn device_names(class: &Path) -> Vec<String> {
    let entries = fs::read_dir(class).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| is_device_name(name))
        .collect()
}

/// `neuron_nds` or `neuron` with a number.
fn is_device_name(name: &str) -> bool {
    let number = name
        .strip_prefix("neuron_nds")
        .or_else(|| name.strip_prefix("neuron"));
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit()))
}

fn access(path: &Path) -> Access {
    match fs::metadata(path) {
        Ok(node) if !node.file_type().is_char_device() => Access::NotADevice,
        Ok(node) => opened(File::open(path), Some(node.gid())),
        Err(error) => opened(Err(error), None),
    }
}

fn opened(result: io::Result<File>, gid: Option<u32>) -> Access {
    match result {
        Ok(_) => Access::Open,
        Err(error) => match error.kind() {
            ErrorKind::NotFound => Access::Missing,
            ErrorKind::PermissionDenied => Access::Denied { gid },
            _ => Access::Failed(error.to_string()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_name_is_a_stem_and_a_number() {
        for name in ["neuron0", "neuron12", "neuron_nds0"] {
            assert!(is_device_name(name), "{name}");
        }
        for name in ["neuron", "neuron_nds", "neuronx1", "null", "neuron_nds1a"] {
            assert!(!is_device_name(name), "{name}");
        }
    }
}
