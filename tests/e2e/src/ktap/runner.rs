// SPDX-License-Identifier: MIT OR Apache-2.0

//! Runs tests and prints KTAP version 1.
//!
//! Each test runs in a session of its own, forked from here, on a freshly
//! loaded module. Whatever it leaves is killed, the module must then unload,
//! and the kernel must not have complained: all three are part of passing.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{poll, PollFd, PollFlags, PollTimeout};
use nix::sys::prctl::set_child_subreaper;
use nix::sys::signal::{killpg, Signal};
use nix::sys::wait::{waitpid, WaitPidFlag, WaitStatus};
use nix::unistd::{pipe, Pid};

use super::kernel_log::KernelLog;
use super::{Suite, Test, SKIPPED, SUMMARY};
use crate::sys::{module, process};

/// Longest report of one test that is kept.
const REPORT_BYTES: usize = 64 * 1024;

/// A test that takes longer says so.
const WORTH_TELLING: Duration = Duration::from_secs(3);

/// How a test ended.
enum Outcome {
    Passed(String),
    Skipped(String),
    Failed(String),
}

/// Prints the full names of the tests that `filter` selects.
pub(crate) fn list(suites: &[Suite], filter: &str) {
    for suite in suites {
        for test in selected(suite, filter) {
            println!("{}.{}", suite.name, test.name);
        }
    }
}

/// Runs the tests that `filter` selects. Returns whether all passed and there
/// was at least one.
pub(crate) fn run(suites: &[Suite], filter: &str) -> bool {
    set_child_subreaper(true).expect("orphans of a test come to the runner");
    let chosen: Vec<_> = suites
        .iter()
        .map(|suite| (suite.name, selected(suite, filter).collect::<Vec<_>>()))
        .filter(|(_, tests)| !tests.is_empty())
        .collect();
    println!("KTAP version 1\n1..{}", chosen.len());
    let mut all_passed = !chosen.is_empty();
    for (index, (name, tests)) in chosen.iter().enumerate() {
        let passed = run_suite(name, tests);
        all_passed &= passed;
        println!("{} {} {name}", verdict(passed), index + 1);
    }
    all_passed
}

fn selected<'a>(suite: &'a Suite, filter: &'a str) -> impl Iterator<Item = &'a Test> {
    let matches = move |test: &&Test| format!("{}.{}", suite.name, test.name).contains(filter);
    suite.tests.iter().filter(matches)
}

fn verdict(passed: bool) -> &'static str {
    if passed {
        "ok"
    } else {
        "not ok"
    }
}

fn run_suite(name: &str, tests: &[&Test]) -> bool {
    println!(
        "    KTAP version 1\n    # Subtest: {name}\n    1..{}",
        tests.len()
    );
    let mut all_passed = true;
    for (index, test) in tests.iter().enumerate() {
        let start = Instant::now();
        let (outcome, report) = run_test(test);
        let took = start.elapsed();
        if took > WORTH_TELLING {
            println!("    # {} took {:.1} s", test.name, took.as_secs_f32());
        }
        for line in report.lines() {
            println!("    # {line}");
        }
        let number = index + 1;
        match outcome {
            Outcome::Passed(summary) => println!("    ok {number} {}{summary}", test.name),
            Outcome::Skipped(reason) => println!("    ok {number} {} # SKIP {reason}", test.name),
            Outcome::Failed(reason) => {
                all_passed = false;
                println!("    # {reason}\n    not ok {number} {}", test.name);
            }
        }
        let _ = std::io::stdout().flush();
    }
    all_passed
}

/// Runs one test with all that surrounds it. Returns what the test printed, too.
fn run_test(test: &Test) -> (Outcome, String) {
    let mut log = match KernelLog::from_now() {
        Ok(log) => log,
        Err(error) => {
            return (
                Outcome::Failed(format!("/dev/kmsg: {error}")),
                String::new(),
            )
        }
    };
    if let Err(errno) = module::unload_if_loaded().and_then(|()| module::load(module::DEFAULT)) {
        return (
            Outcome::Failed(format!("loading the module: {errno}")),
            String::new(),
        );
    }
    let (outcome, report) = run_alone(test);
    let outcome = match (outcome, unload(), log.complaints()) {
        (failed @ Outcome::Failed(_), ..) => failed,
        (_, Err(errno), _) => {
            Outcome::Failed(format!("the module does not unload afterwards: {errno}"))
        }
        (_, _, lines) if !lines.is_empty() => {
            Outcome::Failed(format!("kernel: {}", lines.join("\n    # kernel: ")))
        }
        (other, ..) => other,
    };
    (outcome, report)
}

/// Unloads; a file that a killed process held may take a moment to go.
fn unload() -> Result<(), Errno> {
    let deadline = Instant::now() + Duration::from_secs(2);
    loop {
        match module::unload_if_loaded() {
            Err(Errno::EBUSY | Errno::EAGAIN) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(10));
            }
            other => return other,
        }
    }
}

fn run_alone(test: &Test) -> (Outcome, String) {
    let (reader, writer) = pipe().expect("a pipe");
    let _ = std::io::stdout().flush();
    let child = process::spawn(|| {
        enter(&writer);
        (test.body)();
    });
    drop(writer);
    let (report, in_time) = collect(child, reader, test.limit);
    // The test may have left processes; it may also still hang.
    let status = if in_time {
        Some(waitpid(child, None))
    } else {
        None
    };
    let _ = killpg(child, Signal::SIGKILL);
    reap();
    (judge(status, &report, test.limit), report)
}

/// Makes the child a session of its own that prints into the runner's pipe.
fn enter(writer: &OwnedFd) {
    nix::unistd::setsid().expect("a session");
    set_child_subreaper(true).expect("orphans come to the test");
    nix::unistd::dup2_stdout(writer).expect("standard output");
    nix::unistd::dup2_stderr(writer).expect("standard error");
}

/// Reads what the test prints until it ended or the time is over. Returns
/// whether it ended; processes that it left may still hold the pipe.
fn collect(child: Pid, reader: OwnedFd, limit: Duration) -> (String, bool) {
    let deadline = Instant::now() + limit;
    let ended = process::handle(child).expect("a handle of a child");
    let mut file = File::from(reader);
    let mut report = Vec::new();
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX);
        let mut wanted =
            [&file.as_fd(), &ended.as_fd()].map(|fd| PollFd::new(*fd, PollFlags::POLLIN));
        let count = poll(&mut wanted, timeout).unwrap_or(0);
        let [printed, over] = wanted.map(|fd| fd.any().unwrap_or(false));
        if count == 0 || !printed {
            return (text(&report), over);
        }
        let mut chunk = [0; 4096];
        let length = file.read(&mut chunk).unwrap_or(0);
        report.extend_from_slice(&chunk[..length]);
        report.truncate(REPORT_BYTES);
        if length == 0 {
            return (text(&report), true);
        }
    }
}

fn text(report: &[u8]) -> String {
    String::from_utf8_lossy(report).into_owned()
}

/// Waits for everything that came to the runner.
fn reap() {
    let deadline = Instant::now() + Duration::from_secs(5);
    while Instant::now() < deadline {
        match waitpid(None::<Pid>, Some(WaitPidFlag::WNOHANG)) {
            Err(_) => return,
            Ok(WaitStatus::StillAlive) => std::thread::sleep(Duration::from_millis(1)),
            Ok(_) => {}
        }
    }
}

fn judge(status: Option<nix::Result<WaitStatus>>, report: &str, limit: Duration) -> Outcome {
    match status {
        Some(Ok(WaitStatus::Exited(_, 0))) => Outcome::Passed(summary(report)),
        Some(Ok(WaitStatus::Exited(_, SKIPPED))) => Outcome::Skipped(last_line(report)),
        Some(Ok(WaitStatus::Exited(_, process::FAILED))) => {
            Outcome::Failed("the rule does not hold".into())
        }
        Some(other) => Outcome::Failed(format!("the test ended as {other:?}")),
        None => Outcome::Failed(format!("still running after {} s", limit.as_secs())),
    }
}

fn summary(report: &str) -> String {
    let found = report.lines().find_map(|line| line.strip_prefix(SUMMARY));
    found.map_or_else(String::new, |text| format!(" # {text}"))
}

fn last_line(report: &str) -> String {
    report.lines().last().unwrap_or_default().to_owned()
}
