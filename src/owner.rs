// SPDX-License-Identifier: GPL-2.0
//! Processes: a counted reference to a thread group with its credentials, the caller, and the attach policy.
//!
//! Owns every contact with `struct pid` and `struct cred`. What follows from them is decided in `rules`.

use core::ptr::NonNull;

use kernel::{bindings, cred::Credential, prelude::*, sync::aref::ARef};

use crate::{
    ffi,
    rules::{self, AttachPolicy},
};

/// A counted reference to a `struct pid`.
///
/// # Invariants
///
/// `0` is a valid pointer, and this object owns one reference to it.
pub(crate) struct PidRef(NonNull<bindings::pid>);

// SAFETY: `struct pid` is reference counted atomically and may be used and put from any task.
unsafe impl Send for PidRef {}
// SAFETY: As above; nothing is changed through a shared reference.
unsafe impl Sync for PidRef {}

impl PidRef {
    /// The caller's thread group.
    pub(crate) fn current() -> Self {
        // SAFETY: The current task is valid. A task that runs a system call has a thread group, so this is not null.
        let pid = unsafe {
            bindings::get_task_pid(bindings::get_current(), bindings::pid_type_PIDTYPE_TGID)
        };
        // SAFETY: See above.
        // INVARIANT: `get_task_pid` gave us the reference.
        Self(unsafe { NonNull::new_unchecked(pid) })
    }

    /// The process or thread of that number in the caller's pid namespace.
    pub(crate) fn find(number: i32) -> Option<Self> {
        // SAFETY: Takes the locks it needs; any number is allowed.
        // INVARIANT: `find_get_pid` gave us the reference.
        NonNull::new(unsafe { bindings::find_get_pid(number) }).map(Self)
    }

    /// Its identity: equal for two references to the same process only.
    pub(crate) fn id(&self) -> ProcessId {
        ProcessId(self.0.as_ptr().addr())
    }

    fn is_alive(&self) -> bool {
        // SAFETY: By the type invariant the reference is counted.
        unsafe { ffi::nds_thread_group_lives(self.0.as_ptr()) }
    }

    /// Its number in the caller's pid namespace; 0 where it is not visible.
    pub(crate) fn visible_number(&self) -> i32 {
        // SAFETY: By the type invariant the pointer is valid.
        unsafe { bindings::pid_vnr(self.0.as_ptr()) }
    }
}

impl Drop for PidRef {
    fn drop(&mut self) {
        // SAFETY: By the type invariant we own a reference, and nobody uses it after this.
        unsafe { bindings::put_pid(self.0.as_ptr()) };
    }
}

/// The address of a `struct pid`: compared, never followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProcessId(usize);

/// The owner of an occupancy: its thread group and the credentials it acquired under.
pub(crate) struct OwnerRef {
    pid: PidRef,
    cred: ARef<Credential>,
}

impl OwnerRef {
    /// The thread group.
    pub(crate) fn pid(&self) -> &PidRef {
        &self.pid
    }

    /// The effective user, as the caller's user namespace names it.
    pub(crate) fn uid(&self) -> u32 {
        self.cred.euid().into_uid_in_current_ns()
    }

    fn caller_has_perfmon(&self) -> bool {
        // SAFETY: The credentials are counted and keep their user namespace.
        unsafe {
            bindings::ns_capable(
                (*self.cred.as_ptr()).user_ns,
                bindings::CAP_PERFMON as c_int,
            )
        }
    }
}

impl rules::Owner for OwnerRef {
    type Id = ProcessId;

    #[inline]
    fn id(&self) -> ProcessId {
        self.pid.id()
    }

    fn is_alive(&self) -> bool {
        self.pid.is_alive()
    }
}

/// The policy that the parameter `attach_policy` names.
///
/// # Errors
///
/// `EINVAL` if it names none.
pub(crate) fn policy_from_parameter() -> Result<AttachPolicy> {
    // SAFETY: The parameter points to a string that stays for the life of the module.
    let name = unsafe { CStr::from_char_ptr(ffi::nds_attach_policy) };
    AttachPolicy::from_name(name.to_bytes()).ok_or_else(|| {
        pr_err!("attach_policy must be uid, any or perfmon\n");
        EINVAL
    })
}

/// The task that makes a system call.
///
/// # Invariants
///
/// `identity` is that of the current task, which does not leave its system call while this object lives: so its thread
/// group and credentials stay valid.
pub(crate) struct Current {
    policy: AttachPolicy,
    identity: ffi::Identity,
}

impl Current {
    /// The current task under that policy.
    #[inline]
    pub(crate) fn new(policy: AttachPolicy) -> Self {
        // SAFETY: Can be called in any task's context.
        // INVARIANT: It is not `Send`, since the identity holds raw pointers.
        let identity = unsafe { ffi::nds_current() };
        Self { policy, identity }
    }

    fn cred(&self) -> &Credential {
        // SAFETY: By the type invariant the credentials are valid as long as `self` is.
        unsafe { Credential::from_ptr(self.identity.cred) }
    }
}

impl rules::Caller for Current {
    type Owner = OwnerRef;

    #[inline]
    fn id(&self) -> ProcessId {
        ProcessId(self.identity.tgid.addr())
    }

    fn reference(&self) -> OwnerRef {
        OwnerRef {
            pid: PidRef::current(),
            cred: self.cred().into(),
        }
    }

    #[inline]
    fn is_described_by(&self, owner: &OwnerRef) -> bool {
        core::ptr::eq(owner.cred.as_ptr(), self.identity.cred)
    }

    fn may_attach(&self, owner: &OwnerRef) -> bool {
        let same_user = owner.cred.euid() == self.cred().euid();
        !self.policy.needs_perfmon(same_user) || owner.caller_has_perfmon()
    }
}
