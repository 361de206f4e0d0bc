// SPDX-License-Identifier: GPL-2.0
//! One device: its slabs, its slots and its open files under one mutex.
//!
//! Owns the lock and gives the rules their platform. It translates; every decision is in `rules`.
//!
//! Lock order: `mmap_lock` or VMA lock, then this mutex, then the `i_mmap` lock (in revocation). User memory is never
//! touched under the mutex.

use kernel::{
    bindings,
    list::{List, ListArc},
    new_mutex,
    prelude::*,
    sync::{Arc, Mutex},
};

use crate::{
    file::{unmap_everywhere, FilesKey, OpenFile},
    layout::{raw_slab::ReadOnlySlab, region::SLAB_SIZE},
    metrics::set_constants,
    owner::{Current, OwnerRef, PidRef, ProcessId},
    rules::{
        Acquired, AttachPolicy, Cookie, CoreMask, Datastore, Fault, FileRights, MapRequest,
        Message, PageSet, Platform, Refusal, Role, Slot, Target, Telemetry,
    },
    slab::Slabs,
};

/// What the mutex protects.
pub(crate) struct State {
    store: Datastore<OwnerRef>,
    telemetry: KVBox<Telemetry>,
    last_post: Message,
    files: List<OpenFile>,
    key: FilesKey,
}

impl State {
    fn new(cores: CoreMask) -> Result<Self> {
        let mut telemetry = KVBox::<Telemetry>::zeroed(GFP_KERNEL)?;
        telemetry.set_cores(cores);
        set_constants(&mut telemetry);
        Ok(Self {
            store: Datastore::new(),
            telemetry,
            last_post: Message::new(),
            files: List::new(),
            // SAFETY: Each device calls this once, and the key never leaves its mutex.
            key: unsafe { FilesKey::new() },
        })
    }
}

/// A device without its node: everything that open files and mappings use. They keep it alive.
#[pin_data]
pub(crate) struct Device {
    /// Its number, from 0.
    pub(crate) index: u32,
    policy: AttachPolicy,
    slabs: Slabs,
    #[pin]
    state: Mutex<State>,
}

/// The rules' view of the device, for the time of one locked call.
pub(crate) struct Pages<'a> {
    pub(crate) slabs: &'a Slabs,
    files: &'a List<OpenFile>,
    pub(crate) telemetry: &'a mut Telemetry,
}

impl Platform for Pages<'_> {
    type Slab = ReadOnlySlab;

    fn slab(&self, slot: Slot) -> &ReadOnlySlab {
        self.slabs.words(slot)
    }

    fn revoke(&mut self, cookie: Cookie) {
        unmap_everywhere(self.files, cookie.slot, cookie.offset(), SLAB_SIZE);
    }

    fn retire(&mut self, slot: Slot) {
        self.telemetry.retire(slot, self.slabs.words(slot));
    }

    fn zero(&mut self, slot: Slot, pages: PageSet) {
        self.slabs.zero(slot, pages);
    }
}

/// Everything behind a device's lock, for the time of one call.
pub(crate) struct Locked<'a> {
    pub(crate) store: &'a mut Datastore<OwnerRef>,
    pub(crate) pages: Pages<'a>,
    pub(crate) last_post: &'a mut Message,
    key: &'a mut FilesKey,
}

/// Now, in nanoseconds since boot.
pub(crate) fn now() -> u64 {
    // SAFETY: Can be called in any context once time is kept, which is long before modules load.
    (unsafe { bindings::ktime_get() }) as u64
}

impl Device {
    /// Allocates a device's slabs and slots.
    pub(crate) fn new(index: u32, policy: AttachPolicy, cores: CoreMask) -> Result<Arc<Self>> {
        let slabs = Slabs::new()?;
        let state = State::new(cores)?;
        Arc::pin_init(
            pin_init!(Self {
                index,
                policy,
                slabs,
                state <- new_mutex!(state),
            }),
            GFP_KERNEL,
        )
    }

    /// Runs `action` under the lock.
    #[inline]
    pub(crate) fn locked<R>(&self, action: impl FnOnce(Locked<'_>) -> R) -> R {
        let mut guard = self.state.lock();
        let state = &mut *guard;
        action(Locked {
            store: &mut state.store,
            pages: Pages {
                slabs: &self.slabs,
                files: &state.files,
                telemetry: &mut state.telemetry,
            },
            last_post: &mut state.last_post,
            key: &mut state.key,
        })
    }

    /// Runs `action` with the rules, their platform and the rights of `file`, under the lock.
    #[inline]
    fn with<R>(
        &self,
        file: &OpenFile,
        action: impl FnOnce(&mut Datastore<OwnerRef>, &mut Pages<'_>, &mut FileRights) -> R,
    ) -> R {
        self.locked(|mut locked| action(locked.store, &mut locked.pages, file.rights(locked.key)))
    }

    /// The current task, under this device's policy.
    pub(crate) fn caller(&self) -> Current {
        Current::new(self.policy)
    }

    /// Takes a file that was just opened into the list.
    pub(crate) fn add_file(&self, file: ListArc<OpenFile>) {
        self.state.lock().files.push_back(file);
    }

    /// A file is gone: it holds nothing any more.
    pub(crate) fn remove_file(&self, file: &OpenFile) {
        self.with(file, |store, pages, rights| store.file_gone(pages, rights));
        // SAFETY: A file is only ever put into the list of its own device.
        let removed = unsafe { self.state.lock().files.remove(file) };
        drop(removed);
    }

    /// Ends the occupancies of owners that are gone.
    pub(crate) fn reap(&self) {
        self.locked(|mut locked| locked.store.reap(&mut locked.pages));
    }

    /// The caller's own slab, if it holds one through this file already.
    #[inline]
    pub(crate) fn reacquire(&self, file: &OpenFile) -> Option<Cookie> {
        let caller = self.caller();
        let mut guard = self.state.lock();
        let state = &mut *guard;
        let rights = file.rights(&mut state.key);
        state.store.reacquire(&caller, rights)
    }

    /// Acquires the caller's own slab (`pid` 0) or that of another process.
    #[inline]
    pub(crate) fn acquire(
        &self,
        file: &OpenFile,
        pid: i32,
        writable: bool,
    ) -> Result<Acquired, Refusal> {
        let named = Named::new(pid);
        self.with(file, |store, pages, rights| {
            store.acquire(pages, &self.caller(), rights, named.target(), writable, now)
        })
    }

    /// Takes back an acquire of which the caller could not be told.
    pub(crate) fn undo(&self, file: &OpenFile, acquired: Acquired) {
        self.with(file, |store, pages, rights| {
            store.undo(pages, rights, acquired)
        });
    }

    /// Releases the caller's slab, if it is the one that is named.
    pub(crate) fn release(&self, file: &OpenFile, pid: i32) {
        let named = Named::new(pid);
        self.with(file, |store, pages, _| {
            store.release(pages, &self.caller(), named.target())
        });
    }

    /// Decides a mapping.
    pub(crate) fn map(
        &self,
        file: &OpenFile,
        request: MapRequest,
    ) -> Result<(Cookie, Role), Refusal> {
        self.with(file, |store, _, rights| {
            let (cookie, role) = store.map(&self.caller(), rights, request)?;
            file.note_mapping(cookie.slot);
            Ok((cookie, role))
        })
    }

    /// Decides a touch of a mapping, and puts the pages of a current one in place with `insert(first page, frames)`, a
    /// run at a time. Both happen under the lock, so that no page goes in after its occupancy has ended.
    pub(crate) fn fault(
        &self,
        cookie: Cookie,
        page: usize,
        within: PageSet,
        may_write: bool,
        mut insert: impl FnMut(usize, &[c_ulong]),
    ) -> Fault {
        let mut guard = self.state.lock();
        let decision = guard.store.fault(cookie, page, within, may_write);
        if let Fault::Slab(pages) = decision {
            for (first, count) in pages.runs() {
                insert(first, self.slabs.frames(cookie.slot, first, count));
            }
        }
        decision
    }

    /// What a file has acquired at this moment.
    pub(crate) fn rights_of(&self, file: &OpenFile) -> FileRights {
        self.with(file, |store, _, rights| store.live_rights(rights))
    }

    /// Counts a request that was refused before it reached the rules.
    pub(crate) fn refuse(&self, reason: Refusal) -> Refusal {
        self.state.lock().store.refuse(reason)
    }
}

/// The process that a `pid` argument names. Holds the reference while its identity is compared.
enum Named {
    Caller,
    Process(PidRef),
    Nobody,
}

impl Named {
    #[inline]
    fn new(pid: i32) -> Self {
        match pid {
            0 => Self::Caller,
            ..0 => Self::Nobody,
            1.. => PidRef::find(pid).map_or(Self::Nobody, Self::Process),
        }
    }

    fn target(&self) -> Target<ProcessId> {
        match self {
            Self::Caller => Target::Caller,
            Self::Process(pid) => Target::Process(pid.id()),
            Self::Nobody => Target::Nobody,
        }
    }
}
