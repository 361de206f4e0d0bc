// SPDX-License-Identifier: MIT OR Apache-2.0

//! Who the calling process is: user, capabilities, namespaces. Each function
//! changes the caller for good and is meant for the start of an actor.

use std::fs;

use nix::errno::Errno;
use nix::libc;
use nix::sched::{unshare, CloneFlags};
use nix::sys::wait::{waitpid, WaitStatus};
use nix::unistd::{setgroups, setresgid, setresuid, Gid, Uid};

use super::process;

/// Number of CAP_PERFMON.
pub(crate) const CAP_PERFMON: u32 = 38;

/// Becomes an ordinary user: no capability is left.
pub(crate) fn become_user(id: u32) {
    let (uid, gid) = (Uid::from_raw(id), Gid::from_raw(id));
    setgroups(&[]).expect("drop groups");
    setresgid(gid, gid, gid).expect("change group");
    setresuid(uid, uid, uid).expect("change user");
    make_dumpable();
}

/// Becomes an ordinary user who keeps exactly one capability.
pub(crate) fn become_user_with(id: u32, capability: u32) {
    prctl(libc::PR_SET_KEEPCAPS, 1);
    become_user(id);
    set_capabilities(1 << capability);
}

/// Changes only the effective user.
pub(crate) fn become_effective_user(real: u32, effective: u32) {
    let [real, effective] = [real, effective].map(Uid::from_raw);
    setresuid(real, effective, real).expect("change user");
}

/// Leaves for a new user namespace whose root is the caller. The map of users
/// is written by the caller's own right, for itself alone.
pub(crate) fn enter_user_namespace() {
    let outside = nix::unistd::geteuid();
    unshare(CloneFlags::CLONE_NEWUSER).expect("a user namespace");
    fs::write("/proc/self/uid_map", format!("0 {outside} 1")).expect("map the user");
}

/// Leaves for a new user namespace; somebody else writes its map.
pub(crate) fn enter_unmapped_user_namespace() {
    unshare(CloneFlags::CLONE_NEWUSER).expect("a user namespace");
}

/// Leaves for new pid and mount namespaces with a `/proc` of their own. The
/// caller is replaced by a child, which is process 1 there.
pub(crate) fn enter_pid_namespace() {
    unshare(CloneFlags::CLONE_NEWPID | CloneFlags::CLONE_NEWNS).expect("new namespaces");
    let first = process::spawn_or_continue();
    if let Some(first) = first {
        // The namespace ends with its process 1, and so do we.
        let status = match waitpid(first, None) {
            Ok(WaitStatus::Exited(_, status)) => status,
            _ => process::FAILED,
        };
        process::exit(status);
    }
    mount_proc();
}

fn mount_proc() {
    use nix::mount::{mount, MsFlags};
    let nothing = None::<&str>;
    mount(
        nothing,
        "/",
        nothing,
        MsFlags::MS_REC | MsFlags::MS_PRIVATE,
        nothing,
    )
    .expect("private mounts");
    mount(
        Some("proc"),
        "/proc",
        Some("proc"),
        MsFlags::empty(),
        nothing,
    )
    .expect("a new /proc");
}

/// A process that changed user hides its `/proc` files from itself otherwise.
fn make_dumpable() {
    prctl(libc::PR_SET_DUMPABLE, 1);
}

fn prctl(option: i32, value: libc::c_ulong) {
    // SAFETY: the options used here take a number and no pointer.
    Errno::result(unsafe { libc::prctl(option, value, 0, 0, 0) }).expect("prctl");
}

/// Sets permitted and effective capabilities through the version 3 interface.
fn set_capabilities(mask: u64) {
    const VERSION_3: u32 = 0x2008_0522;
    let header = [VERSION_3, 0];
    let (low, high) = (mask as u32, (mask >> 32) as u32);
    let sets = [low, low, 0, high, high, 0];
    // SAFETY: header and sets have the layout of version 3 and live over the call.
    Errno::result(unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), sets.as_ptr()) })
        .expect("capset");
}
