// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes that live and die at the word of a test, and the files they open.
//!
//! Owns what the kernel would know about them: identity, user, whether a thread still lives. No rule is in here.

use std::cell::Cell;
use std::rc::Rc;

use nds_core::{Caller, FileRights, Owner};

/// The user that may attach to everybody's slab.
pub(crate) const PRIVILEGED: u32 = 0;

/// A thread group. Clones are the same one.
#[derive(Clone, Debug)]
pub(crate) struct Process(Rc<State>);

#[derive(Debug)]
struct State {
    identity: u64,
    user: Cell<u32>,
    alive: Cell<bool>,
}

impl Process {
    /// A live process of an ordinary user. No other has this identity, whatever number it may once reuse.
    pub(crate) fn new(identity: u64) -> Self {
        Self::of_user(identity, 1000)
    }

    /// A live process of that user.
    pub(crate) fn of_user(identity: u64, user: u32) -> Self {
        Self(Rc::new(State {
            identity,
            user: Cell::new(user),
            alive: Cell::new(true),
        }))
    }

    /// Runs on under other credentials, as after `setuid` or `exec` of a set-user-id program.
    pub(crate) fn becomes(&self, user: u32) {
        self.0.user.set(user);
    }

    /// Its last thread is gone.
    pub(crate) fn dies(&self) {
        self.0.alive.set(false);
    }

    /// Whether [`Self::dies`] has not happened yet.
    pub(crate) fn lives(&self) -> bool {
        self.0.alive.get()
    }

    /// Its present user.
    pub(crate) fn user(&self) -> u32 {
        self.0.user.get()
    }
}

/// A counted reference to a process and the user it was when the reference was made.
#[derive(Debug)]
pub(crate) struct Reference {
    process: Process,
    user: u32,
}

impl Owner for Reference {
    type Id = u64;

    fn id(&self) -> u64 {
        self.process.id()
    }

    fn is_alive(&self) -> bool {
        self.process.lives()
    }
}

impl Caller for Process {
    type Owner = Reference;

    fn id(&self) -> u64 {
        self.0.identity
    }

    fn reference(&self) -> Reference {
        Reference {
            process: self.clone(),
            user: self.user(),
        }
    }

    fn is_described_by(&self, owner: &Reference) -> bool {
        owner.user == self.user()
    }

    fn may_attach(&self, owner: &Reference) -> bool {
        may_attach(self.user(), owner.user)
    }
}

/// The attach policy of these tests: the same user, or a privileged one.
pub(crate) fn may_attach(reader: u32, owner: u32) -> bool {
    reader == owner || reader == PRIVILEGED
}

/// An open file. A dup, or the file that a child inherits, is the same one.
#[derive(Debug)]
pub(crate) struct File {
    /// What was acquired through it.
    pub(crate) rights: FileRights,
    /// Whether it was opened for writing.
    pub(crate) writable: bool,
}

impl File {
    /// Opened `O_RDWR`.
    pub(crate) fn read_write() -> Self {
        Self::opened(true)
    }

    /// Opened `O_RDONLY`.
    pub(crate) fn read_only() -> Self {
        Self::opened(false)
    }

    /// Opened for writing too, or only for reading.
    pub(crate) fn opened(writable: bool) -> Self {
        Self {
            rights: FileRights::new(),
            writable,
        }
    }
}
