// SPDX-License-Identifier: MIT OR Apache-2.0

//! Making processes and seeing them end.
//!
//! A forked child runs one closure and exits; it never returns into the code of
//! its parent. Processes that answer calls are the business of [`super::actor`].

use std::os::fd::{FromRawFd, OwnedFd};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::libc;
use nix::sys::signal::{kill, Signal};
use nix::sys::wait::{waitid, waitpid, Id, WaitPidFlag, WaitStatus};
use nix::unistd::{fork, ForkResult, Pid};

use super::device::Result;

/// Exit status of a child whose closure panicked.
pub(crate) const FAILED: i32 = 101;

/// Forks; the child runs `body` and exits with 0, or with [`FAILED`] if it panicked.
pub(crate) fn spawn(body: impl FnOnce()) -> Pid {
    match spawn_or_continue() {
        Some(child) => child,
        None => run_and_exit(body),
    }
}

/// Forks as such: `None` is returned in the child.
pub(crate) fn spawn_or_continue() -> Option<Pid> {
    // SAFETY: the test processes fork before they make threads, or the child
    // uses only what a forked child of threads may use (glibc keeps its
    // allocator usable across fork).
    match unsafe { fork() }.expect("fork") {
        ForkResult::Parent { child } => Some(child),
        ForkResult::Child => None,
    }
}

/// As [`spawn`], but the child gets exactly this process number.
pub(crate) fn spawn_with_pid(pid: i32, body: impl FnOnce()) -> Result<Pid> {
    let wanted = [pid];
    let mut arguments = libc::clone_args {
        exit_signal: libc::SIGCHLD as u64,
        set_tid: wanted.as_ptr() as u64,
        set_tid_size: 1,
        // SAFETY: all-zero is a valid value of this struct of integers.
        ..unsafe { std::mem::zeroed() }
    };
    let size = size_of::<libc::clone_args>();
    // SAFETY: without CLONE_VM this is a fork; the child has its own copy of memory.
    match Errno::result(unsafe { libc::syscall(libc::SYS_clone3, &raw mut arguments, size) })? {
        0 => run_and_exit(body),
        child => Ok(Pid::from_raw(child as i32)),
    }
}

fn run_and_exit(body: impl FnOnce()) -> ! {
    let status = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(()) => 0,
        Err(_) => FAILED,
    };
    exit(status)
}

/// Ends this process at once, without running anything of its parent's.
pub(crate) fn exit(status: i32) -> ! {
    // SAFETY: `_exit` has no preconditions.
    unsafe { libc::_exit(status) }
}

/// A descriptor of a process, readable once it ended.
pub(crate) fn handle(pid: Pid) -> Result<OwnedFd> {
    // SAFETY: takes two numbers; a descriptor that it returns is ours alone.
    unsafe {
        let fd = Errno::result(libc::syscall(libc::SYS_pidfd_open, pid.as_raw(), 0))?;
        Ok(OwnedFd::from_raw_fd(fd as i32))
    }
}

/// Runs `body` in a child and panics if it failed.
pub(crate) fn in_child(body: impl FnOnce()) {
    expect_success(spawn(body));
}

/// Waits for a child and panics unless it exited with 0.
pub(crate) fn expect_success(child: Pid) {
    match waitpid(child, None).expect("the child can be waited for") {
        WaitStatus::Exited(_, 0) => {}
        other => panic!("child ended as {other:?}"),
    }
}

/// Kills a process and waits until its number is free again.
pub(crate) fn kill_and_wait(pid: Pid) {
    let _ = kill(pid, Signal::SIGKILL);
    wait_until_gone(pid);
}

/// Waits until no process, not even an unreaped one, has this number.
pub(crate) fn wait_until_gone(pid: Pid) {
    if waitpid(pid, None).is_ok() {
        return;
    }
    // Not our child, or not yet: an orphan becomes ours when its parent ends.
    eventually("the process is gone", || {
        waitpid(pid, Some(WaitPidFlag::WNOHANG))
            .is_ok_and(|status| status != WaitStatus::StillAlive)
            || kill(pid, None) == Err(Errno::ESRCH)
    });
}

/// Waits until a child ended, and leaves it to be collected later.
pub(crate) fn wait_until_zombie(child: Pid) {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
    waitid(Id::Pid(child), flags).expect("the child can be waited for");
}

/// Waits for a condition that must come true within ten seconds.
pub(crate) fn eventually(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !condition() {
        assert!(Instant::now() < deadline, "not within ten seconds: {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Puts this process before, or back among, the others in the queue for a processor.
pub(crate) fn set_urgent(urgent: bool) {
    let nice = if urgent { -20 } else { 0 };
    // SAFETY: takes numbers only.
    let set = unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, nice) };
    Errno::result(set).expect("set the priority");
}

/// The number of this process in its own pid namespace.
pub(crate) fn own_pid() -> i32 {
    std::process::id() as i32
}
