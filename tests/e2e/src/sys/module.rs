// SPDX-License-Identifier: MIT OR Apache-2.0

//! Loading and unloading the module under test, and where its nodes are.
//!
//! The runner loads it before each test and unloads it afterwards; a test that
//! wants other parameters reloads it.

use std::ffi::CString;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use nix::errno::Errno;
use nix::kmod::{delete_module, finit_module, DeleteModuleFlags, ModuleInitFlags};

use super::device::Result;

/// The module's name, as `/proc/modules` shows it.
pub(crate) const NAME: &str = "neuron_nds";
/// Parameters of the module as each test finds it.
pub(crate) const DEFAULT: &str = "devices=1";

const PLACES: [&str; 2] = ["/lib/modules/neuron_nds.ko", "/neuron_nds.ko"];

static PATH: OnceLock<PathBuf> = OnceLock::new();

/// Chooses the module file: the given one, or the first of the usual places.
pub(crate) fn choose(given: Option<PathBuf>) -> std::result::Result<(), String> {
    let found = given.or_else(|| PLACES.iter().map(PathBuf::from).find(|path| path.exists()));
    match found {
        Some(path) => PATH
            .set(path)
            .map_err(|_| "the module was chosen before".to_owned()),
        None => Err(format!(
            "no module: none of {PLACES:?} exists, give --module"
        )),
    }
}

/// The node of device `index`.
pub(crate) fn node(index: usize) -> String {
    format!("/dev/neuron_nds{index}")
}

/// The node of device `index` under `compat_names=1`.
pub(crate) fn compat_node(index: usize) -> String {
    format!("/dev/neuron{index}")
}

/// Loads the module and opens its nodes to every user, as no udev does it here.
pub(crate) fn load(parameters: &str) -> Result<()> {
    load_only(parameters)?;
    for path in nodes() {
        open_to_all(&path);
    }
    Ok(())
}

/// Loads the module and does nothing else.
pub(crate) fn load_only(parameters: &str) -> Result<()> {
    load_file(&open_file(), parameters)
}

/// The open module file.
pub(crate) fn open_file() -> File {
    let path = PATH.get().expect("the module is chosen at start");
    File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Loads the module from its open file: one system call.
pub(crate) fn load_file(file: &File, parameters: &str) -> Result<()> {
    let parameters = CString::new(parameters).expect("parameters hold no NUL");
    finit_module(file, &parameters, ModuleInitFlags::empty())
}

/// Unloads the module; EBUSY while it is in use.
pub(crate) fn unload() -> Result<()> {
    let name = CString::new(NAME).expect("the name holds no NUL");
    delete_module(&name, DeleteModuleFlags::O_NONBLOCK)
}

/// Unloads the module if it is loaded.
pub(crate) fn unload_if_loaded() -> Result<()> {
    match unload() {
        Err(Errno::ENOENT) => Ok(()),
        other => other,
    }
}

/// Unloads and loads with other parameters.
pub(crate) fn reload(parameters: &str) {
    unload_if_loaded().expect("the module unloads");
    load(parameters).unwrap_or_else(|errno| panic!("loading with {parameters:?}: {errno}"));
}

/// Whether the module is loaded.
pub(crate) fn is_loaded() -> bool {
    Path::new("/sys/module").join(NAME).exists()
}

/// Every node of the module, by either name.
pub(crate) fn nodes() -> Vec<PathBuf> {
    let mut found: Vec<_> = fs::read_dir("/dev")
        .expect("/dev is there")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.to_string_lossy().starts_with("/dev/neuron"))
        .collect();
    found.sort();
    found
}

fn open_to_all(path: &Path) {
    let everybody = fs::Permissions::from_mode(0o666);
    fs::set_permissions(path, everybody)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
