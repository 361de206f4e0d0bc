// SPDX-License-Identifier: MIT OR Apache-2.0
//! The facts of a machine that matter here, read once from the files below a root directory.
//!
//! Draws no conclusion. A file that cannot be read is a fact that is not known: `/sys` or `/boot`
//! may well be missing in a container.

use std::fs;
use std::path::Path;

use super::installed::{self, Installed};
use super::modprobe::{self, Setting};
use super::nodes::{self, Node};
use super::user::User;

/// Name of this module, and of the stock driver's.
pub(crate) const OURS: &str = "neuron_nds";
pub(crate) const STOCK: &str = "neuron";

/// A machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Host {
    /// Release of the running kernel; empty if not known.
    pub(crate) kernel: String,
    /// Whether the kernel refuses modules without a signature it trusts.
    pub(crate) signatures_enforced: bool,
    /// This module, if it is loaded.
    pub(crate) ours: Option<Loaded>,
    /// Version of the stock driver, if that is loaded.
    pub(crate) stock: Option<String>,
    /// Files of this module, of all kernels.
    pub(crate) installed: Vec<Installed>,
    /// What modprobe's configuration says of the attach policy.
    pub(crate) configured_policy: Option<Setting>,
    /// Devices that the kernel has, and what became of their nodes.
    pub(crate) nodes: Vec<Node>,
    /// Who is asking.
    pub(crate) user: User,
}

/// What the loaded module says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Loaded {
    /// Its version; `None` if it does not say.
    pub(crate) version: Option<String>,
    /// Its attach policy; `None` if it does not say.
    pub(crate) policy: Option<String>,
}

impl Host {
    /// Looks at the machine whose root directory this is.
    pub(crate) fn look(root: &Path) -> Self {
        let kernel = line(&root.join("proc/sys/kernel/osrelease")).unwrap_or_default();
        let loaded = loaded_modules(root);
        let is_loaded = |name| loaded.iter().any(|module| module == name);
        let (ours, stock) = (is_loaded(OURS), is_loaded(STOCK));
        Self {
            signatures_enforced: signatures_enforced(root),
            ours: ours.then(|| Loaded::look(&root.join("sys/module").join(OURS))),
            stock: stock.then(|| {
                line(&root.join("sys/module").join(STOCK).join("version")).unwrap_or_default()
            }),
            installed: installed::look(root),
            configured_policy: modprobe::setting(root, OURS, "attach_policy"),
            nodes: nodes::look(root, ours, stock),
            user: User::look(root),
            kernel,
        }
    }
}

impl Loaded {
    fn look(folder: &Path) -> Self {
        Self {
            version: line(&folder.join("version")),
            policy: line(&folder.join("parameters/attach_policy")),
        }
    }
}

/// The first line of a file, if there is one.
pub(crate) fn line(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    text.lines().next().map(|line| line.trim().to_owned())
}

fn loaded_modules(root: &Path) -> Vec<String> {
    let text = fs::read_to_string(root.join("proc/modules")).unwrap_or_default();
    text.lines()
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect()
}

/// By the parameter of the module loader, or by lockdown, which Secure Boot switches on.
fn signatures_enforced(root: &Path) -> bool {
    let enforce = line(&root.join("sys/module/module/parameters/sig_enforce"));
    let lockdown = line(&root.join("sys/kernel/security/lockdown"));
    enforce.as_deref() == Some("Y") || lockdown.is_some_and(|modes| !modes.contains("[none]"))
}
