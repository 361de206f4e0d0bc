// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state of one device, and its periodic tick.

use core::mem::MaybeUninit;
use core::ptr::NonNull;

use super::owner::Identity;
use super::slot;
use crate::layout::raw_slab::ReadOnlySlab;
use crate::layout::region::SLAB_SIZE;
use crate::rules::{
    AttachPolicy, CoreMask, Datastore, Ending, Message, PageSet, Platform, Refusal, Slot,
    Telemetry, SLOTS,
};

/// `struct nds_core`: the rules' state of one device. C allocates it, and looks at none of it.
pub struct Core {
    pub(super) store: Datastore<Identity>,
    pub(super) pages: Pages,
    pub(super) policy: AttachPolicy,
    /// The occupancy that is ending, between its two halves.
    pub(super) ending: Option<Ending<Identity>>,
    last_post: Message,
}

/// The slabs and what they add up to. What has to be zeroed is left to C.
pub(super) struct Pages {
    slabs: [ReadOnlySlab; SLOTS],
    pub(super) telemetry: Telemetry,
    pub(super) to_zero: PageSet,
}

impl Platform for Pages {
    type Slab = ReadOnlySlab;

    fn slab(&self, slot: Slot) -> &ReadOnlySlab {
        &self.slabs[slot.index()]
    }

    /// C unmaps before it asks for the second half of an end.
    fn revoke(&mut self, _: crate::rules::Cookie) {}

    fn retire(&mut self, slot: Slot) {
        self.telemetry.retire(slot, &self.slabs[slot.index()]);
    }

    fn zero(&mut self, _: Slot, pages: PageSet) {
        self.to_zero = pages;
    }
}

/// Bytes of a [`Core`].
#[no_mangle]
pub extern "C" fn nds_core_size() -> usize {
    size_of::<Core>()
}

/// The number of an attach policy; negative if there is none of that name.
///
/// # Safety
///
/// `name` has `length` bytes.
#[no_mangle]
pub unsafe extern "C" fn nds_core_policy(name: *const u8, length: usize) -> i32 {
    // SAFETY: By the caller's promise.
    match AttachPolicy::from_name(unsafe { bytes(name, length) }) {
        Some(policy) => policy as i32,
        None => -1,
    }
}

const POLICIES: [AttachPolicy; 3] = [AttachPolicy::Uid, AttachPolicy::Any, AttachPolicy::Perfmon];

/// Initialises a core in zeroed memory. False, and nothing is initialised, if the slabs or the policy are none.
///
/// # Safety
///
/// `slabs` is the page-aligned memory of all slabs, one after the other, which stays for as long as the core is used,
/// and of which nobody makes a plain reference. The memory of `core` is zeroed.
#[no_mangle]
pub unsafe extern "C" fn nds_core_init(
    core: &mut MaybeUninit<Core>,
    slabs: *mut u8,
    cores: u16,
    policy: i32,
) -> bool {
    let policy = POLICIES.into_iter().find(|known| *known as i32 == policy);
    let Some(policy) = policy else {
        return false;
    };
    let core = core.as_mut_ptr();
    for number in 0..SLOTS {
        let memory = NonNull::new(slabs.wrapping_add(number * SLAB_SIZE));
        // SAFETY: By the caller's promise, there is a slab for each slot.
        let slab = memory.and_then(|memory| unsafe { ReadOnlySlab::read_only(memory, SLAB_SIZE) });
        let Some(slab) = slab.filter(|_| !slabs.is_null()) else {
            return false;
        };
        // SAFETY: `core` is valid for writes, and `number` below SLOTS.
        unsafe {
            (&raw mut (*core).pages.slabs)
                .cast::<ReadOnlySlab>()
                .add(number)
                .write(slab);
        }
    }
    // SAFETY: `core` is valid for writes. All zero bytes are a valid start of the telemetry, and an empty set of pages.
    unsafe {
        (&raw mut (*core).store).write(Datastore::new());
        (&raw mut (*core).policy).write(policy);
        (&raw mut (*core).ending).write(None);
        (&raw mut (*core).last_post).write(Message::new());
        (*core)
            .pages
            .telemetry
            .set_cores(CoreMask::from_bits(cores));
    }
    true
}

/// Sets what every post says. A null asset tag is one that the board does not have.
///
/// # Safety
///
/// Both texts have that many bytes.
#[no_mangle]
pub unsafe extern "C" fn nds_core_set_constants(
    core: &mut Core,
    tag: *const u8,
    tag_length: usize,
    version: *const u8,
    version_length: usize,
) {
    // SAFETY: By the caller's promise.
    let (text, version) = unsafe { (bytes(tag, tag_length), bytes(version, version_length)) };
    let tag = (!tag.is_null()).then_some(text);
    core.pages.telemetry.set_constants(tag, version);
}

/// The bytes of a text; none if it is null.
///
/// # Safety
///
/// `text` is null, or has `length` bytes that do not change while the result is used.
unsafe fn bytes<'a>(text: *const u8, length: usize) -> &'a [u8] {
    if text.is_null() {
        return &[];
    }
    // SAFETY: By the caller's promise.
    unsafe { core::slice::from_raw_parts(text, length) }
}

/// Counts a request that was refused before it reached the rules: what C returns, a negative errno. `reason` is one of
/// `enum nds_refusal`.
#[no_mangle]
pub extern "C" fn nds_core_refuse(core: &mut Core, reason: u32) -> i32 {
    let reason = Refusal::ALL.get(reason as usize).copied();
    super::refused(core.store.refuse(reason.unwrap_or(Refusal::BadWord)))
}

/// A part of a tick: looks at the occupancy of a slot, if it has one.
#[no_mangle]
pub extern "C" fn nds_core_observe(core: &mut Core, number: u32) {
    if let Some(slot) = slot(number).filter(|slot| core.store.table().get(*slot).is_some()) {
        let Pages {
            slabs, telemetry, ..
        } = &mut core.pages;
        telemetry.observe(slot, &slabs[slot.index()]);
    }
}

/// The last part of a tick: posts what changed. There is no firmware to send to: the message counts as delivered when
/// it is kept for debugfs.
#[no_mangle]
pub extern "C" fn nds_core_post(core: &mut Core) {
    let posts = core.pages.telemetry.posts();
    core.last_post = posts.tick();
    posts.delivered();
}

/// The message of the last tick.
#[no_mangle]
pub extern "C" fn nds_core_last_post(core: &Core, message: &mut MaybeUninit<Message>) {
    message.write(core.last_post);
}
