// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes as C names them: owners of occupancies, and the process that makes a request.

use core::cell::Cell;
use core::ptr;

use crate::rules::{Caller, Owner, Target};

/// A `struct pid` of the kernel: compared by address, never followed.
#[repr(C)]
pub struct Pid {
    _opaque: [u8; 0],
}

/// A `struct cred` of the kernel: compared by address, never followed.
#[repr(C)]
pub struct Cred {
    _opaque: [u8; 0],
}

/// `struct nds_identity`: a thread group and its credentials. Whether the references are counted is said where it is
/// used; those of the owner of an occupancy are.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    /// The thread group.
    pub tgid: *const Pid,
    /// Its effective credentials.
    pub cred: *const Cred,
}

impl Identity {
    /// Nobody: both pointers are null.
    pub const NONE: Self = Self {
        tgid: ptr::null(),
        cred: ptr::null(),
    };
}

/// The address of a `struct pid`, of which somebody holds a counted reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessId(*const Pid);

impl Owner for Identity {
    type Id = ProcessId;

    fn id(&self) -> ProcessId {
        ProcessId(self.tgid)
    }

    /// The glue asks the kernel, and says who is gone by [`nds_core_reap`](super::nds_core_reap).
    fn is_alive(&self) -> bool {
        true
    }
}

/// `struct nds_request`: who asks, and for whose slab.
#[repr(C)]
#[derive(Debug)]
pub struct Request {
    /// The caller, not counted.
    pub caller: Identity,
    /// Counted references to the caller for an occupancy to keep. Afterwards what C has to put: these if they were not
    /// taken, else those that they replaced.
    pub offered: Cell<Identity>,
    /// The process of the number `number`; null if there is none, or the number is not positive.
    pub named: *const Pid,
    /// The argument `pid`.
    pub number: i32,
    /// Whether the file was opened for writing.
    pub writable: bool,
    /// Whether the owner that [`nds_core_asked`](super::nds_core_asked) gave may be attached to.
    pub allowed: bool,
    /// Nanoseconds since boot.
    pub now: u64,
}

impl Request {
    pub(super) fn target(&self) -> Target<ProcessId> {
        match self.number {
            0 => Target::Caller,
            1.. if !self.named.is_null() => Target::Process(ProcessId(self.named)),
            _ => Target::Nobody,
        }
    }
}

impl Caller for Request {
    type Owner = Identity;

    fn id(&self) -> ProcessId {
        self.caller.id()
    }

    fn reference(&self) -> Identity {
        self.offered.replace(Identity::NONE)
    }

    fn renew(&self, owner: &mut Identity) {
        *owner = self.offered.replace(*owner);
    }

    fn is_described_by(&self, owner: &Identity) -> bool {
        ptr::eq(owner.cred, self.caller.cred)
    }

    fn may_attach(&self, _: &Identity) -> bool {
        self.allowed
    }
}

/// A caller that asks for nothing that needs references: to acquire again, and to map.
pub(super) struct Known<'a>(pub(super) &'a Identity);

impl Caller for Known<'_> {
    type Owner = Identity;

    fn id(&self) -> ProcessId {
        self.0.id()
    }

    /// Not asked for by what this caller does.
    fn reference(&self) -> Identity {
        Identity::NONE
    }

    fn is_described_by(&self, owner: &Identity) -> bool {
        ptr::eq(owner.cred, self.0.cred)
    }

    fn may_attach(&self, _: &Identity) -> bool {
        false
    }
}
