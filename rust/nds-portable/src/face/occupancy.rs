// SPDX-License-Identifier: MIT OR Apache-2.0
//! Acquiring, and the ends of occupancies in halves.
//!
//! A function that says that an occupancy is ending is followed, before the lock is given back, by
//! [`nds_core_to_revoke`], the unmapping, and [`nds_core_finish`].

use core::mem::MaybeUninit;

use super::device::Core;
use super::owner::{Identity, Known, Request};
use super::{refused, slot};
use crate::rules::{Acquired, Ending, FileRights, Owner, PageSet, Target};

/// u64 words of [`Acquisition`] besides the offset.
pub const ACQUIRED_WORDS: usize = 5;

const _: () = assert!(super::fits::<Acquired, [u64; ACQUIRED_WORDS]>());

/// `struct nds_acquired`.
#[repr(C)]
pub struct Acquisition {
    /// What to give to `mmap`.
    pub offset: u64,
    /// What undoing it takes.
    acquired: MaybeUninit<Acquired>,
}

/// `struct nds_ended`: what C has to do for an occupancy that has ended, before the slot is used again.
#[repr(C)]
#[derive(Debug)]
pub struct Ended {
    /// The owner's counted references, to be put.
    pub owner: Identity,
    /// Pages of the slab to zero, page n in bit n.
    pub pages: u64,
    /// The slot.
    pub slot: u32,
}

/// Initialises the rights of a file that is being opened.
#[no_mangle]
pub extern "C" fn nds_core_file_init(file: &mut MaybeUninit<FileRights>) {
    file.write(FileRights::new());
}

/// The caller's own slab, if it holds one through this file already: its offset, else 0.
#[no_mangle]
pub extern "C" fn nds_core_reacquire(core: &mut Core, file: &FileRights, caller: &Identity) -> u64 {
    let cookie = core.store.reacquire(&Known(caller), file);
    cookie.map_or(0, |cookie| cookie.offset())
}

/// Whether C has to reap before it asks for anything else of this request.
#[no_mangle]
pub extern "C" fn nds_core_reaps_first(core: &mut Core, request: &Request) -> bool {
    let target = request.target();
    core.store
        .reaps_first(request.caller.id(), target, request.writable)
}

/// Whose slab is asked for, if it is that of another process that has one. C then decides `allowed` as
/// [`nds_core_needs_perfmon`] says.
#[no_mangle]
pub extern "C" fn nds_core_asked(core: &Core, request: &Request, owner: &mut Identity) -> bool {
    let Target::Process(id) = request.target() else {
        return false;
    };
    let table = core.store.table();
    let mut owners = table
        .used()
        .iter()
        .filter_map(|slot| Some(table.get(slot)?.1.owner));
    match owners.find(|known| known.id() == id && id != request.caller.id()) {
        Some(found) => {
            *owner = found;
            true
        }
        None => false,
    }
}

/// Whether the caller needs CAP_PERFMON in the user namespace of an owner to see it.
#[no_mangle]
pub extern "C" fn nds_core_needs_perfmon(
    core: &Core,
    owner: &Identity,
    caller: &Identity,
    same_user: bool,
) -> bool {
    owner.id() != caller.id() && core.policy.needs_perfmon(same_user)
}

/// Acquires a slab: 0, or a negative errno.
#[no_mangle]
pub extern "C" fn nds_core_acquire(
    core: &mut Core,
    file: &mut FileRights,
    request: &Request,
    out: &mut MaybeUninit<Acquisition>,
) -> i32 {
    let result =
        core.store
            .acquire_reaped(request, file, request.target(), request.writable, || {
                request.now
            });
    match result {
        Ok(acquired) => {
            out.write(Acquisition {
                offset: acquired.cookie.offset(),
                acquired: MaybeUninit::new(acquired),
            });
            0
        }
        Err(reason) => refused(reason),
    }
}

/// Takes an acquire back of which the caller could not be told. Says whether an occupancy is ending.
///
/// # Safety
///
/// `acquisition` was written by a successful [`nds_core_acquire`].
#[no_mangle]
pub unsafe extern "C" fn nds_core_undo(
    core: &mut Core,
    file: &mut FileRights,
    acquisition: &Acquisition,
) -> bool {
    // SAFETY: By the caller's promise.
    let acquired = unsafe { acquisition.acquired.assume_init() };
    let ending = core.store.begin_undo(file, acquired);
    begin(core, ending)
}

/// Releases the caller's slab, if it is the one that is named. Says whether an occupancy is ending.
#[no_mangle]
pub extern "C" fn nds_core_release(core: &mut Core, request: &Request) -> bool {
    let ending = core
        .store
        .begin_release(request.caller.id(), request.target());
    begin(core, ending)
}

/// A file that is gone no longer holds the occupancy of a slot. Says whether that is ending.
#[no_mangle]
pub extern "C" fn nds_core_close(core: &mut Core, file: &mut FileRights, number: u32) -> bool {
    let ending = slot(number).and_then(|slot| core.store.begin_close(file, slot));
    begin(core, ending)
}

/// The owner of the occupancy of a slot, if it has one.
#[no_mangle]
pub extern "C" fn nds_core_owner(core: &Core, number: u32, owner: &mut Identity) -> bool {
    let found = slot(number).and_then(|slot| core.store.table().get(slot));
    if let Some((_, occupancy)) = found {
        *owner = occupancy.owner;
    }
    found.is_some()
}

/// The owner of the occupancy of a slot is gone. Says whether the occupancy is ending.
#[no_mangle]
pub extern "C" fn nds_core_reap(core: &mut Core, number: u32) -> bool {
    let ending = slot(number).and_then(|slot| core.store.begin_reap(slot, |_| true));
    begin(core, ending)
}

fn begin(core: &mut Core, ending: Option<Ending<Identity>>) -> bool {
    core.ending = ending;
    core.ending.is_some()
}

/// The offset and the slot of the slab whose mappings have to go, if it ever had one.
#[no_mangle]
pub extern "C" fn nds_core_to_revoke(core: &Core, offset: &mut u64, slot: &mut u32) -> bool {
    let cookie = core.ending.as_ref().and_then(Ending::to_revoke);
    if let Some(cookie) = cookie {
        *offset = cookie.offset();
        *slot = cookie.slot.index() as u32;
    }
    cookie.is_some()
}

/// The second half of an end, once no mapping is left.
#[no_mangle]
pub extern "C" fn nds_core_finish(core: &mut Core, ended: &mut Ended) {
    let Some(ending) = core.ending.take() else {
        return;
    };
    core.pages.to_zero = PageSet::EMPTY;
    ended.slot = ending.slot().index() as u32;
    ended.owner = core.store.finish(&mut core.pages, ending);
    ended.pages = core.pages.to_zero.bits();
}
