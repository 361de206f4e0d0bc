// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the facts of a machine mean. Reads nothing itself.

use super::finding::{Finding, Problem};
use super::host::{Host, Loaded};
use super::installed::Installed;
use super::nodes::{Access, Node};

/// The attach policies that the module knows (`docs/abi.md`, Parameters).
const POLICIES: [&str; 3] = ["uid", "any", "perfmon"];

/// The oldest series of kernels that the module can be built for (`dkms.conf`).
const OLDEST_KERNEL: (u32, u32) = (6, 1);

/// Reload instruction that several remedies share.
const RELOAD: &str =
    "stop the processes that use it, then: sudo modprobe -r neuron_nds && sudo modprobe neuron_nds";

/// Every finding about the machine, most fundamental first.
pub(crate) fn examine(host: &Host) -> Vec<Finding> {
    let mut findings = vec![drivers(host)];
    if host.ours.is_some() || host.stock.is_some() {
        findings.extend(nodes(host));
    }
    findings.extend(configured_policy(host));
    if let Some(loaded) = &host.ours {
        findings.push(loaded_policy(host, loaded));
        findings.push(version(loaded));
    }
    findings
}

fn drivers(host: &Host) -> Finding {
    match (&host.ours, &host.stock) {
        (Some(_), Some(_)) => Finding::problem(
            Problem::BothDrivers,
            "the stock driver (neuron) and neuron_nds are both loaded: processes may publish through one of \
             them while monitors read the other",
            "unload the one that is not wanted: sudo modprobe -r neuron, or sudo modprobe -r neuron_nds",
        ),
        (Some(loaded), None) => Finding::good(format!("neuron_nds {} is loaded", or_unknown(&loaded.version))),
        (None, Some(version)) => Finding::good(format!(
            "the stock driver (neuron {version}) is loaded; it keeps no totals, so `nds totals` needs neuron_nds"
        )),
        (None, None) => absent(host),
    }
}

/// No driver is loaded: is there one that could be?
fn absent(host: &Host) -> Finding {
    let kernel = &host.kernel;
    match host.installed.iter().find(|file| file.kernel == *kernel) {
        Some(file) => not_loaded(host, file),
        None if host.installed.is_empty() => not_installed(host),
        None => {
            let others: Vec<_> = host
                .installed
                .iter()
                .map(|file| file.kernel.as_str())
                .collect();
            Finding::problem(
                Problem::OtherKernel,
                format!(
                    "neuron_nds is built for {}, but {kernel} is running",
                    others.join(", ")
                ),
                build_remedy(host),
            )
        }
    }
}

/// The running kernel's tree has the module.
fn not_loaded(host: &Host, file: &Installed) -> Finding {
    let kernel = &host.kernel;
    if let Some(other) = file
        .built_for
        .as_ref()
        .filter(|built_for| *built_for != kernel)
    {
        return Finding::problem(
            Problem::OtherKernel,
            format!(
                "{} is built for {other}, but {kernel} is running",
                file.path.display()
            ),
            build_remedy(host),
        );
    }
    let signature = if host.signatures_enforced {
        "; this kernel takes only signed modules, so if that says \"Key was rejected\", enrol the signing key \
         (docs/install.md, Secure Boot)"
    } else {
        ""
    };
    Finding::problem(
        Problem::ModuleAbsent,
        "neuron_nds is installed, but not loaded",
        format!("sudo modprobe neuron_nds{signature}"),
    )
}

fn not_installed(host: &Host) -> Finding {
    Finding::problem(
        Problem::ModuleAbsent,
        "no driver is loaded, and neuron_nds is not installed",
        build_remedy(host),
    )
}

/// How to get a module for the running kernel.
fn build_remedy(host: &Host) -> String {
    let kernel = &host.kernel;
    if series(kernel).is_some_and(|series| series < OLDEST_KERNEL) {
        let (major, minor) = OLDEST_KERNEL;
        format!("boot a kernel of {major}.{minor} or newer: {kernel} is too old for the module")
    } else {
        format!("install the package neuron-nds-dkms and the headers of {kernel}, then: sudo dkms autoinstall -k {kernel}")
    }
}

/// The first two numbers of a kernel's release.
fn series(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

fn nodes(host: &Host) -> Vec<Finding> {
    if host.nodes.is_empty() {
        return vec![Finding::problem(
            Problem::NodeMissing,
            "a driver is loaded, but the kernel shows no device of it",
            "look for the reason with: sudo dmesg | grep neuron",
        )];
    }
    host.nodes.iter().map(|n| node(host, n)).collect()
}

fn node(host: &Host, node: &Node) -> Finding {
    let path = format!("/dev/{}", node.name);
    match &node.access {
        Access::Open => Finding::good(format!("{path} can be opened")),
        Access::Missing => Finding::problem(
            Problem::NodeMissing,
            format!("the kernel has the device {}, but {path} is missing", node.name),
            format!(
                "in a container: pass it in (--device {path}); else: sudo udevadm trigger --name-match={}",
                node.name
            ),
        ),
        Access::NotADevice => Finding::problem(
            Problem::NodeMissing,
            format!("{path} is no device: something has written a file in its place"),
            format!("sudo rm {path}, then load the module again"),
        ),
        Access::Denied { gid } => denied(host, &path, *gid),
        Access::Failed(reason) => Finding::problem(
            Problem::NodeMissing,
            format!("{path} cannot be opened: {reason}"),
            "a node that was made by hand may have the numbers of another device: remove it, load the module again",
        ),
    }
}

fn denied(host: &Host, path: &str, gid: Option<u32>) -> Finding {
    let group = gid.and_then(|gid| Some((gid, host.user.group_name(gid)?)));
    let remedy = match group {
        Some((0, _)) => {
            "install the udev rule (package neuron-nds), then: sudo udevadm trigger".to_owned()
        }
        Some((gid, group)) if host.user.groups.contains(&gid) => {
            format!("you are in its group {group}, which may not open it: see ls -l {path}")
        }
        Some((_, group)) => {
            format!("sudo usermod -aG {group} $USER, then log in again; or use sudo")
        }
        None => "use sudo, or ask the administrator for access".to_owned(),
    };
    Finding::problem(
        Problem::NoPermission,
        format!("you may not open {path}"),
        remedy,
    )
}

/// What modprobe would set: nothing, a known policy, or a mistake.
fn configured_policy(host: &Host) -> Option<Finding> {
    let setting = host.configured_policy.as_ref()?;
    let (path, value) = (setting.path.display(), &setting.value);
    if !POLICIES.contains(&value.as_str()) {
        return Some(Finding::problem(
            Problem::AttachPolicy,
            format!("{path} says attach_policy={value}, with which neuron_nds does not load"),
            format!("write one of {} there", POLICIES.join(", ")),
        ));
    }
    let loaded = host.ours.as_ref()?.policy.as_ref()?;
    (loaded != value).then(|| {
        Finding::problem(
            Problem::AttachPolicy,
            format!("{path} says attach_policy={value}, but neuron_nds was loaded with {loaded}"),
            RELOAD,
        )
    })
}

fn loaded_policy(host: &Host, loaded: &Loaded) -> Finding {
    let policy = or_unknown(&loaded.policy);
    if policy == "perfmon" && !host.user.may_attach_to_all() {
        return Finding::problem(
            Problem::AttachPolicy,
            "attach_policy=perfmon admits only CAP_PERFMON to other processes, which you do not have",
            "use sudo, or give the monitor the capability: sudo setcap cap_perfmon+ep FILE",
        );
    }
    Finding::good(match policy {
        "uid" if !host.user.may_attach_to_all() => {
            "attach_policy=uid: you can read the processes of your own user".to_owned()
        }
        _ => format!("attach_policy={policy}: you can read all processes"),
    })
}

fn version(loaded: &Loaded) -> Finding {
    const TOOL: &str = env!("CARGO_PKG_VERSION");
    let found = loaded.version.as_deref().and_then(generation);
    if found < generation(TOOL) {
        return Finding::problem(
            Problem::OldAbi,
            format!(
                "the loaded neuron_nds is of version {}, older than this tool ({TOOL}): requests may be missing",
                or_unknown(&loaded.version)
            ),
            format!("update the package neuron-nds-dkms; {RELOAD}"),
        );
    }
    Finding::good("the module is as new as this tool")
}

/// Major and minor number: what an interface may differ in.
fn generation(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

fn or_unknown(text: &Option<String>) -> &str {
    text.as_deref().unwrap_or("unknown")
}
