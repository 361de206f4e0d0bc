// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tool as a program: exit statuses, messages, closed pipes. No test needs a device.

use std::fs;
use std::net::TcpListener;
use std::process::{Command, Output, Stdio};

fn nds(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nds"));
    command
        .args(arguments)
        .env_remove("NDS_DEVICE")
        .env_remove("NEURON_PROCESS_TAG");
    command
}

fn run(arguments: &[&str]) -> Output {
    nds(arguments).output().expect("the tool runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// Runs a command that must fail with status 1, print nothing, and say why.
fn fails(arguments: &[&str], message: &str, hint: Option<&str>) {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    let stderr = text(&output.stderr);
    assert!(
        stderr.starts_with(&format!("nds: {message}")),
        "{arguments:?}: {stderr}"
    );
    assert_eq!(stderr.contains("hint: "), hint.is_some(), "{stderr}");
    assert!(stderr.contains(hint.unwrap_or_default()), "{stderr}");
}

#[test]
fn a_missing_device_is_named_with_what_can_be_done() {
    let hint = Some("`nds list` shows the devices");
    for command in ["produce", "show", "list", "totals", "serve", "demo"] {
        fails(
            &[command, "--device", "/dev/missing"],
            "cannot open /dev/missing: No such file",
            hint,
        );
    }
}

#[test]
fn an_index_without_a_device_is_named_with_what_can_be_done() {
    let message = "no Neuron device found: neither /dev/neuron_nds63 nor /dev/neuron63 exists";
    fails(&["show", "-d", "63"], message, Some("nds demo"));
}

#[test]
fn a_file_that_is_no_device_is_refused() {
    fails(
        &["list", "-d", "/etc/passwd"],
        "/etc/passwd is not a character device",
        None,
    );
    fails(
        &["show", "-d", "/dev/null"],
        "/dev/null does not support the acquire request",
        None,
    );
    fails(
        &["produce", "-d", "/dev/null"],
        "/dev/null does not support the acquire request",
        None,
    );
    fails(
        &["totals", "-d", "/dev/null"],
        "/dev/null does not support the report request",
        Some("only the neuron_nds module keeps totals"),
    );
}

#[test]
fn an_address_that_is_taken_is_refused() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("its address").to_string();
    fails(
        &["serve", "--demo", "--listen", &address],
        "cannot listen at 127.0.0.1:",
        None,
    );
}

#[test]
fn the_environment_names_the_device() {
    let output = nds(&["list"])
        .env("NDS_DEVICE", "/dev/missing")
        .output()
        .expect("the tool runs");
    assert!(text(&output.stderr).contains("/dev/missing"));
}

#[test]
fn wrong_usage_has_a_status_of_its_own() {
    for arguments in [
        &["unknown"] as &[&str],
        &[],
        &["produce", "--cores", "16"],
        &["produce", "--models", "65"],
        &["produce", "--duration", "soon"],
        &["show", "--pid", "0"],
        &["serve", "--listen", "9637"],
        &["show", "--pid", "1", "--all"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn the_demonstration_works_on_any_machine_and_its_sums_agree() {
    let output = run(&[
        "demo",
        "--duration",
        "200ms",
        "--cores",
        "0,5",
        "--models",
        "3",
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let stdout = text(&output.stdout);
    for part in [
        "made-up-3.neff",
        "CORE 5",
        "RUNTIME_VERSION",
        "is gone",
        "(producers now: 0)",
    ] {
        assert!(stdout.contains(part), "{part} is not in {stdout}");
    }
}

/// Reads so many records from a producer process and returns the outcome.
fn stress(reads: u64) -> serde_json::Value {
    let output = run(&["stress", "--json", "--reads", &reads.to_string()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn a_million_records_are_read_and_none_is_torn() {
    let outcome = stress(1_000_000);
    assert!(outcome["accepted"].as_u64() >= Some(1_000_000), "{outcome}");
    assert!(
        outcome["changes"].as_u64() > Some(100),
        "the producer must have worked: {outcome}"
    );
}

#[test]
fn a_producer_killed_at_any_moment_leaves_whole_records_and_at_most_one_that_is_not() {
    for death in 0..20 {
        let outcome = stress(1 + 37 * death);
        let left = outcome["after_the_kill"].as_str().expect("text");
        assert!(
            ["0", "1"]
                .iter()
                .any(|n| left.ends_with(&format!(", {n} cannot be read"))),
            "{left}"
        );
    }
}

#[test]
fn a_closed_output_is_no_failure_and_no_message() {
    let mut child = nds(&["demo", "--duration", "100ms"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("its end");
    assert!(output.status.success());
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn every_command_has_help_with_examples_in_the_first() {
    let output = run(&["--help"]);
    assert!(output.status.success());
    for part in [
        "Examples:",
        "nds demo",
        "Exit status: 0 success, 1 failure, 2 wrong usage.",
    ] {
        assert!(text(&output.stdout).contains(part), "{part}");
    }
    for command in ["produce", "show", "list", "totals", "serve", "demo"] {
        let output = run(&[command, "--help"]);
        assert!(
            output.status.success() && text(&output.stdout).contains("--device"),
            "{command}"
        );
    }
}

#[test]
fn completions_and_man_pages_can_be_generated() {
    for shell in ["bash", "zsh", "fish"] {
        let output = run(&["generate", "completions", shell]);
        assert!(
            output.status.success() && text(&output.stdout).contains("totals"),
            "{shell}"
        );
    }
    let directory = tempfile::tempdir().expect("a scratch directory");
    let path = directory.path().to_str().expect("UTF-8");
    assert!(run(&["generate", "man", path]).status.success());
    for page in ["nds.1", "nds-show.1", "nds-produce.1"] {
        let page = fs::read_to_string(directory.path().join(page)).expect("a page");
        assert!(page.contains(".SH NAME"));
    }
}
