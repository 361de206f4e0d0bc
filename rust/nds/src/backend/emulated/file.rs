// SPDX-License-Identifier: MIT OR Apache-2.0
//! An open file of an emulated device: turns requests into questions to the rules, and refusals
//! into the errors that the module's errnos mean.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nds_core::pages::SLAB_PAGES;
use nds_core::{
    Caller, FileRights, MapRequest, PageSet, Part, Process, Refusal, Role, Snapshot, Target,
};
use nds_layout::SLAB_SIZE;
use rustix::io::Errno;

use super::process::Identity;
use super::{name, EmulatedDevice, Shared, State};
use crate::backend::{Access, Backend, DeviceKey, Handout, MappedRange, OWN_SLAB};
use crate::mapping::current_pid;
use crate::{Error, Report, Result};

pub(super) struct EmulatedFile {
    shared: Arc<Shared>,
    caller: Identity,
    access: Access,
    /// Process of the machine that has the device's memory.
    owner: i32,
    /// Locked only while the device is.
    rights: Mutex<FileRights>,
}

impl EmulatedFile {
    pub(super) fn new(device: &EmulatedDevice, caller: Identity, access: Access) -> Self {
        Self {
            shared: Arc::clone(&device.shared),
            caller,
            access,
            owner: current_pid(),
            rights: Mutex::new(FileRights::new()),
        }
    }

    /// The device and this file's rights, unless this is a forked child.
    fn lock(&self) -> Result<(MutexGuard<'_, State>, MutexGuard<'_, FileRights>)> {
        if current_pid() != self.owner {
            return Err(Error::Forked { owner: self.owner });
        }
        let state = self.shared.lock();
        Ok((
            state,
            self.rights.lock().unwrap_or_else(PoisonError::into_inner),
        ))
    }

    fn target(&self, state: &mut State, pid: i32) -> Target<u64> {
        if pid == OWN_SLAB {
            return Target::Caller;
        }
        let process = state.processes.find(pid);
        process.map_or(Target::Nobody, |process| {
            Target::Process(Caller::id(process))
        })
    }

    fn refused(&self, refusal: Refusal, pid: i32) -> Error {
        let device = self.name();
        match refusal {
            Refusal::NoSlot => Error::DeviceFull { device },
            Refusal::NoSuchOwner => Error::NoSuchProducer { device, pid },
            Refusal::Policy => Error::NotPermitted { device, pid },
            Refusal::NotWritable => Error::ReadOnlyDevice { device },
            _ => Error::System {
                device,
                request: "mmap",
                source: io::Error::from(Errno::INVAL),
            },
        }
    }
}

impl Backend for EmulatedFile {
    fn name(&self) -> String {
        name(self.shared.number)
    }

    fn key(&self) -> DeviceKey {
        DeviceKey::Emulated {
            device: self.shared.number,
            process: Caller::id(&self.caller),
        }
    }

    fn writable(&self) -> bool {
        self.access == Access::ReadWrite
    }

    fn acquire(&self, pid: i32) -> Result<Handout> {
        let (mut state, mut rights) = self.lock()?;
        let target = self.target(&mut state, pid);
        let State { rules, memory, .. } = &mut *state;
        let now = || self.shared.now();
        let acquired = rules.acquire(
            memory,
            &self.caller,
            &mut rights,
            target,
            self.writable(),
            now,
        );
        let acquired = acquired.map_err(|refusal| self.refused(refusal, pid))?;
        Ok(Handout {
            cookie: acquired.cookie.offset(),
            size: SLAB_SIZE,
        })
    }

    fn map(&self, handout: Handout, access: Access) -> Result<MappedRange> {
        let (mut state, rights) = self.lock()?;
        let State { rules, memory, .. } = &mut *state;
        let may_write = access == Access::ReadWrite;
        let (offset, length) = (handout.cookie, handout.size);
        let request = MapRequest {
            offset,
            length,
            private: false,
            may_write,
        };
        let mapped = rules.map(&self.caller, &rights, request);
        let (cookie, role) = mapped.map_err(|refusal| self.refused(refusal, OWN_SLAB))?;
        let access = if role == Role::Producer {
            access
        } else {
            Access::ReadOnly
        };
        // There are no faults to learn from which pages are touched: all may be.
        let all = PageSet::range(0, SLAB_PAGES);
        for page in 0..SLAB_PAGES {
            rules.fault(cookie, page, all, access == Access::ReadWrite);
        }
        memory.map(cookie, access)
    }

    unsafe fn unmap(&self, range: MappedRange) {
        // SAFETY: by the contract of this function nothing uses the range any more.
        unsafe { self.shared.lock().memory.unmap(range.base) };
    }

    fn release_own(&self) -> Result<()> {
        let (mut state, _rights) = self.lock()?;
        let State { rules, memory, .. } = &mut *state;
        rules.release(memory, &self.caller, Target::Caller);
        Ok(())
    }

    fn report(&self) -> Result<Report> {
        let (mut state, _rights) = self.lock()?;
        let State { rules, memory, .. } = &mut *state;
        rules.reap(memory);
        let now = self.shared.now();
        let uid = rustix::process::getuid().as_raw();
        let mut snapshot = Box::new(Snapshot::new());
        snapshot.set_device(u32::try_from(self.shared.number).unwrap_or(u32::MAX));
        for part in Part::all() {
            let describe = |_, owner: &Identity| {
                Some(Process {
                    pid: owner.pid(),
                    uid,
                })
            };
            rules.collect(
                memory.telemetry(),
                memory,
                part,
                now,
                describe,
                &mut snapshot,
            );
        }
        Ok(Report::new(snapshot))
    }
}

impl Drop for EmulatedFile {
    fn drop(&mut self) {
        if let Ok((mut state, mut rights)) = self.lock() {
            let State { rules, memory, .. } = &mut *state;
            rules.file_gone(memory, &mut rights);
        }
    }
}

impl fmt::Debug for EmulatedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmulatedFile")
            .field("device", &self.name())
            .field("process", &self.caller.pid())
            .finish_non_exhaustive()
    }
}
