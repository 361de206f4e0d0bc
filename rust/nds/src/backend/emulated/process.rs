// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pretended processes: numbers that several identities can have one after another.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use nds_core::{Caller, Owner};

use super::file::EmulatedFile;
use super::EmulatedDevice;
use crate::backend::Access;
use crate::Device;

/// What makes a process one process, whatever its number.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    id: u64,
    pid: i32,
    alive: Arc<AtomicBool>,
}

impl Identity {
    /// The number.
    pub(super) fn pid(&self) -> i32 {
        self.pid
    }

    fn exit(&self) {
        self.alive.store(false, Ordering::Release);
    }
}

impl Owner for Identity {
    type Id = u64;

    fn id(&self) -> u64 {
        self.id
    }

    fn is_alive(&self) -> bool {
        self.alive.load(Ordering::Acquire)
    }
}

impl Caller for Identity {
    type Owner = Self;

    fn id(&self) -> u64 {
        self.id
    }

    fn reference(&self) -> Self {
        self.clone()
    }

    fn is_described_by(&self, _owner: &Self) -> bool {
        true
    }

    /// All pretended processes have the same user.
    fn may_attach(&self, _owner: &Self) -> bool {
        true
    }
}

/// The processes that a device has met, living ones only.
#[derive(Debug)]
pub(super) struct Processes {
    living: Vec<Identity>,
    next_id: u64,
}

impl Processes {
    pub(super) const fn new() -> Self {
        Self {
            living: Vec::new(),
            next_id: 0,
        }
    }

    /// The living process of this number, begun if there is none.
    pub(super) fn living(&mut self, pid: i32) -> Identity {
        if let Some(identity) = self.find(pid) {
            return identity.clone();
        }
        let identity = Identity {
            id: self.next_id,
            pid,
            alive: Arc::new(AtomicBool::new(true)),
        };
        self.next_id += 1;
        self.living.push(identity.clone());
        identity
    }

    /// The living process of this number.
    pub(super) fn find(&mut self, pid: i32) -> Option<&Identity> {
        self.living.retain(Owner::is_alive);
        self.living.iter().find(|identity| identity.pid == pid)
    }
}

/// A process as an emulated device sees it.
#[derive(Clone, Debug)]
pub struct EmulatedProcess {
    device: EmulatedDevice,
    identity: Identity,
}

impl EmulatedProcess {
    pub(super) fn new(device: EmulatedDevice, identity: Identity) -> Self {
        Self { device, identity }
    }

    /// Its number.
    #[must_use]
    pub fn pid(&self) -> i32 {
        self.identity.pid()
    }

    /// Opens the device as this process, for reading and writing.
    #[must_use]
    pub fn open(&self) -> Device {
        self.open_with(Access::ReadWrite)
    }

    /// Opens the device as this process, for reading only.
    #[must_use]
    pub fn open_for_reading(&self) -> Device {
        self.open_with(Access::ReadOnly)
    }

    fn open_with(&self, access: Access) -> Device {
        Device::new(Arc::new(EmulatedFile::new(
            &self.device,
            self.identity.clone(),
            access,
        )))
    }

    /// Ends the process although its files may still be open, as when it is killed while a child
    /// keeps them. The device notices at its next acquire, attach or report.
    pub fn exit(self) {
        self.identity.exit();
    }
}
