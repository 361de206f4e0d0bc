// SPDX-License-Identifier: MIT OR Apache-2.0
//! `nds doctor` against broken machines, each a folder with the files that it looks at.
//!
//! A healthy machine, with a real device, is one of the tests in the virtual machine.

use std::fs;
use std::os::unix::fs::{symlink, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const KERNEL: &str = "7.3.4-test";
const NOBODY: u32 = 65534;
/// A capability set without CAP_PERFMON, and one with it.
const PLAIN: &str = "0000000000000000";
const PERFMON: &str = "0000004000000000";

/// A machine: healthy to begin with.
struct Machine(TempDir);

impl Machine {
    /// The module of this version is loaded, its one node can be opened by everybody.
    fn healthy() -> Self {
        let machine = Self::without_driver();
        machine.load("neuron_nds", env!("CARGO_PKG_VERSION"));
        machine.write("sys/module/neuron_nds/parameters/attach_policy", "uid\n");
        machine.device("neuron_nds0");
        machine
    }

    /// The kernel runs, nothing is loaded or installed.
    fn without_driver() -> Self {
        let machine = Self(tempfile::tempdir().expect("temporary folder"));
        let readable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(machine.0.path(), readable).expect("readable folder");
        machine.write("proc/sys/kernel/osrelease", &format!("{KERNEL}\n"));
        machine.write("proc/modules", "loop 45056 0 - Live 0x0\n");
        machine.capabilities(PLAIN);
        machine
    }

    fn write(&self, name: &str, content: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("parent")).expect("folder");
        fs::write(path, content).expect("file");
    }

    fn load(&self, module: &str, version: &str) {
        let modules = fs::read_to_string(self.0.path().join("proc/modules")).expect("modules");
        self.write(
            "proc/modules",
            &format!("{module} 98304 0 - Live 0x0\n{modules}"),
        );
        self.write(
            &format!("sys/module/{module}/version"),
            &format!("{version}\n"),
        );
    }

    /// A device with a node that is a character device.
    fn device(&self, name: &str) {
        self.write(&format!("sys/class/misc/{name}/dev"), "10:120\n");
        fs::create_dir_all(self.dev()).expect("folder");
        symlink("/dev/null", self.dev().join(name)).expect("node");
    }

    fn dev(&self) -> std::path::PathBuf {
        self.0.path().join("dev")
    }

    fn capabilities(&self, effective: &str) {
        self.write(
            "proc/self/status",
            &format!("Name:\tnds\nGid:\t5\t5\t5\t5\nGroups:\t5 7\nCapEff:\t{effective}\n"),
        );
    }

    fn doctor(&self, nds: &mut Command) -> Output {
        nds.args(["doctor", "--json", "--root"])
            .arg(self.0.path())
            .output()
            .expect("nds runs")
    }

    /// The exit status, which the JSON repeats, and all that was said, problems and remedies.
    fn examine(&self) -> (i32, String) {
        answer(&self.doctor(&mut nds()))
    }
}

fn nds() -> Command {
    Command::new(env!("CARGO_BIN_EXE_nds"))
}

fn answer(output: &Output) -> (i32, String) {
    let status = output.status.code().expect("exit status");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["status"], status);
    let findings = answer["findings"].as_array().expect("findings");
    let said = findings.iter().flat_map(|finding| {
        ["says", "remedy"].map(|key| finding[key].as_str().unwrap_or_default().to_owned())
    });
    (status, said.collect::<Vec<_>>().join("\n"))
}

#[track_caller]
fn assert_says(machine: &Machine, status: i32, words: &[&str]) {
    let (found, said) = machine.examine();
    assert_eq!(found, status, "{said}");
    for word in words {
        assert!(said.contains(word), "{word:?} is not in:\n{said}");
    }
}

#[test]
fn a_healthy_machine_is_0() {
    assert_says(
        &Machine::healthy(),
        0,
        &["is loaded", "/dev/neuron_nds0 can be opened"],
    );
}

#[test]
fn the_stock_driver_alone_is_healthy_but_keeps_no_totals() {
    let machine = Machine::without_driver();
    machine.load("neuron", "2.24.7");
    machine.write("sys/class/neuron_device/neuron0/dev", "241:0\n");
    fs::create_dir_all(machine.dev()).expect("folder");
    symlink("/dev/null", machine.dev().join("neuron0")).expect("node");
    assert_says(
        &machine,
        0,
        &[
            "stock driver (neuron 2.24.7)",
            "no totals",
            "/dev/neuron0 can",
        ],
    );
}

#[test]
fn an_absent_module_is_10_and_names_the_package() {
    assert_says(
        &Machine::without_driver(),
        10,
        &["not installed", "neuron-nds-dkms", KERNEL],
    );
}

#[test]
fn on_a_kernel_too_old_for_the_module_no_package_is_recommended() {
    let machine = Machine::without_driver();
    for (kernel, too_old) in [
        ("5.15.0-100-generic", true),
        ("6.0.19", true),
        ("6.1.0-50-cloud-amd64", false),
        ("6.12.117+deb13-amd64", false),
        ("7.0-rc1", false),
    ] {
        machine.write("proc/sys/kernel/osrelease", &format!("{kernel}\n"));
        let (status, said) = machine.examine();
        assert_eq!(status, 10);
        assert_eq!(
            said.contains("boot a kernel of 6.1 or newer"),
            too_old,
            "{kernel}"
        );
        assert_eq!(said.contains("neuron-nds-dkms"), !too_old, "{kernel}");
    }
}

#[test]
fn an_installed_module_that_is_not_loaded_is_10_and_names_modprobe() {
    let machine = Machine::without_driver();
    machine.write(
        &format!("lib/modules/{KERNEL}/updates/dkms/neuron_nds.ko.xz"),
        "",
    );
    assert_says(
        &machine,
        10,
        &["installed, but not loaded", "modprobe neuron_nds"],
    );
    assert!(!machine.examine().1.contains("signed"));
}

#[test]
fn where_signatures_are_enforced_the_key_is_mentioned() {
    let machine = Machine::without_driver();
    machine.write(&format!("lib/modules/{KERNEL}/updates/neuron_nds.ko"), "");
    machine.write(
        "sys/kernel/security/lockdown",
        "none [integrity] confidentiality\n",
    );
    assert_says(&machine, 10, &["only signed modules", "Secure Boot"]);
}

#[test]
fn a_module_in_the_trees_of_other_kernels_only_is_11_and_names_them() {
    let machine = Machine::without_driver();
    machine.write("lib/modules/7.2.1/updates/neuron_nds.ko", "");
    machine.write("lib/modules/7.3.1/extra/neuron_nds.ko.zst", "");
    assert_says(
        &machine,
        11,
        &["built for 7.2.1, 7.3.1", KERNEL, "dkms autoinstall"],
    );
}

#[test]
fn a_file_that_says_it_is_for_another_kernel_is_11_wherever_it_is() {
    let machine = Machine::without_driver();
    let file = "\0license=GPL\0vermagic=7.2.1-other SMP mod_unload \0";
    machine.write(&format!("lib/modules/{KERNEL}/updates/neuron_nds.ko"), file);
    assert_says(&machine, 11, &["is built for 7.2.1-other, but", KERNEL]);
}

#[test]
fn a_missing_node_is_12_and_containers_are_mentioned() {
    let machine = Machine::healthy();
    fs::remove_file(machine.dev().join("neuron_nds0")).expect("node");
    assert_says(
        &machine,
        12,
        &["/dev/neuron_nds0 is missing", "--device /dev/neuron_nds0"],
    );
}

#[test]
fn a_file_in_the_place_of_a_node_is_12() {
    let machine = Machine::healthy();
    fs::remove_file(machine.dev().join("neuron_nds0")).expect("node");
    machine.write("dev/neuron_nds0", "");
    assert_says(&machine, 12, &["is no device", "rm /dev/neuron_nds0"]);
}

#[test]
fn a_driver_without_any_device_is_12() {
    let machine = Machine::healthy();
    fs::remove_dir_all(machine.0.path().join("sys/class/misc")).expect("class");
    assert_says(&machine, 12, &["no device of it", "dmesg"]);
}

/// Runs the tool as a user whom a folder of mode 700 keeps out, also if this test runs as root.
fn as_nobody(tool: &Path) -> Command {
    let mut command = Command::new(tool);
    if rustix::process::geteuid().is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

#[test]
fn a_node_that_may_not_be_opened_is_13() {
    let machine = Machine::healthy();
    // where the user can run it, whatever the build folder's mode is
    let tool = machine.0.path().join("nds");
    // by another process: a test that forks meanwhile would keep this one's file open for writing, and it could not run
    let mut copy = Command::new("cp");
    let copied = copy.arg(env!("CARGO_BIN_EXE_nds")).arg(&tool).status();
    assert!(copied.expect("cp runs").success());
    let mode = |mode| fs::set_permissions(machine.dev(), fs::Permissions::from_mode(mode));
    mode(0).expect("closed");
    let (status, said) = answer(&machine.doctor(&mut as_nobody(&tool)));
    mode(0o755).expect("open");
    assert_eq!(status, 13, "{said}");
    assert!(said.contains("you may not open /dev/neuron_nds0"), "{said}");
    assert!(said.contains("sudo"), "{said}");
}

#[test]
fn both_drivers_are_14() {
    let machine = Machine::healthy();
    machine.load("neuron", "2.24.7");
    assert_says(&machine, 14, &["both loaded", "modprobe -r neuron,"]);
}

#[test]
fn a_policy_that_admits_nobody_else_is_15_unless_the_user_has_the_capability() {
    let machine = Machine::healthy();
    machine.write(
        "sys/module/neuron_nds/parameters/attach_policy",
        "perfmon\n",
    );
    assert_says(&machine, 15, &["CAP_PERFMON", "setcap"]);
    machine.capabilities(PERFMON);
    assert_says(
        &machine,
        0,
        &["attach_policy=perfmon: you can read all processes"],
    );
}

#[test]
fn a_configured_policy_that_is_unknown_is_15_also_before_the_module_is_loaded() {
    let machine = Machine::without_driver();
    machine.write(
        "etc/modprobe.d/neuron-nds.conf",
        "options neuron_nds attach_policy=all\n",
    );
    let (status, said) = machine.examine();
    assert_eq!(status, 10, "the absent module is more fundamental");
    assert!(
        said.contains("attach_policy=all, with which neuron_nds does not load"),
        "{said}"
    );
    let machine = Machine::healthy();
    machine.write(
        "etc/modprobe.d/neuron-nds.conf",
        "options neuron_nds attach_policy=all\n",
    );
    assert_says(&machine, 15, &["uid, any, perfmon"]);
}

#[test]
fn a_configured_policy_that_is_not_the_loaded_one_is_15() {
    let machine = Machine::healthy();
    machine.write(
        "etc/modprobe.d/neuron-nds.conf",
        "options neuron_nds attach_policy=any\n",
    );
    assert_says(
        &machine,
        15,
        &[
            "attach_policy=any, but neuron_nds was loaded with uid",
            "modprobe -r",
        ],
    );
}

#[test]
fn a_module_older_than_the_tool_is_16() {
    let machine = Machine::healthy();
    machine.write("sys/module/neuron_nds/version", "0.0.9\n");
    assert_says(&machine, 16, &["version 0.0.9, older than this tool"]);
    fs::remove_file(machine.0.path().join("sys/module/neuron_nds/version")).expect("version");
    assert_says(&machine, 16, &["version unknown"]);
}

#[test]
fn the_most_fundamental_of_several_problems_is_the_exit_status() {
    let machine = Machine::healthy();
    machine.write("sys/module/neuron_nds/version", "0.0.9\n");
    fs::remove_file(machine.dev().join("neuron_nds0")).expect("node");
    assert_says(&machine, 12, &["is missing", "older than this tool"]);
}

#[test]
fn for_people_each_problem_has_its_remedy_below_it() {
    let machine = Machine::without_driver();
    let output = nds()
        .args(["doctor", "--root"])
        .arg(machine.0.path())
        .output()
        .expect("nds runs");
    assert_eq!(output.status.code(), Some(10));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let lines: Vec<_> = text.lines().collect();
    assert!(
        lines[0].starts_with("PROBLEM  no driver is loaded"),
        "{text}"
    );
    assert!(
        lines[1].starts_with("    fix  install the package"),
        "{text}"
    );
}
