// SPDX-License-Identifier: MIT OR Apache-2.0
//! What happens to the model records of a slab when an object is committed, deleted or read.
//!
//! Slots are chosen and records written under the instance's mutex. Two instances of one process may share a slab, so
//! each change of the bitmap is one atomic operation all the same.

use std::ffi::c_void;
use std::ptr::NonNull;

use nds::bulk::{read_slots, Method, ModelImage};
use nds_layout::publish::{erase, publish};
use nds_layout::record::model::LEN;
use nds_layout::{bitmap, place, retry, ModelSlot, RawSlab, ReadOnlySlab, WordIndex};

use crate::allocation::Allocation;
use crate::failure::Failure;
use crate::handle::{Handle, Head};
use crate::helpers::{c_slot, slot_from_c};
use crate::instance::{in_slab, Instance};
use crate::objects::ModelObject;
use crate::pause::pause;
use crate::payload::{self, Object};

/// Room for a handle of each slot.
pub(crate) type Handles = [Handle; ModelSlot::COUNT];

/// Publishes a model: in the slot that it has, or else in the lowest free one.
///
/// # Safety
///
/// `model` is a living object of `instance`, whose slab is `slab`.
pub(crate) unsafe fn commit(
    slab: &RawSlab,
    instance: &Instance,
    model: NonNull<ModelObject>,
) -> Result<(), Failure> {
    let mut image = [0; LEN];
    // SAFETY: the caller's promise.
    unsafe { payload::copy_out(model, &mut image) };
    let image = ModelObject::sealed(&image);

    let _turn = instance.take_turn();
    // SAFETY: the caller's promise.
    let slot = match unsafe { slot_of(model) } {
        Some(slot) => slot,
        None => bitmap::take_lowest(slab).ok_or(Failure::NoSlot)?,
    };
    publish(slab, place::model(slot), &image);
    // SAFETY: the caller's promise.
    unsafe { set_slot(model, slab.base(), slot, bitmap_at(slab.base())) };
    Ok(())
}

/// Erases the record of a model and frees its slot, if it has one.
///
/// # Safety
///
/// As for [`commit`].
pub(crate) unsafe fn withdraw(slab: &RawSlab, instance: &Instance, model: NonNull<ModelObject>) {
    // SAFETY: the caller's promise.
    let Some(slot) = (unsafe { slot_of(model) }) else {
        return;
    };
    {
        let _turn = instance.take_turn();
        erase(slab, place::model(slot));
        bitmap::free(slab, slot);
    }
    // SAFETY: the caller's promise.
    unsafe { payload::set_record(model, std::ptr::null_mut()) };
}

/// Whether a model was committed through this object, so that deleting the object deletes the model. A copy that was
/// read is only a copy.
///
/// # Safety
///
/// `model` is a living object.
pub(crate) unsafe fn is_committed(model: NonNull<ModelObject>) -> bool {
    // SAFETY: the caller's promise.
    unsafe { slot_of(model).is_some() && !(*model.as_ptr()).bitmap.is_null() }
}

/// Reads the record of one slot.
pub(crate) fn read_one(
    inst: *mut Instance,
    slab: &ReadOnlySlab,
    slot: ModelSlot,
) -> Option<Handle> {
    let image = retry::read(slab, place::model(slot), pause).ok()?;
    read_object(inst, slab, slot, &image)
}

/// Reads the records of all taken slots: a handle for each that is whole, in ascending order, and their number.
pub(crate) fn read_all(
    inst: *mut Instance,
    slab: &ReadOnlySlab,
) -> Result<(Allocation<Handles>, usize), Failure> {
    let mut all_slots = [const { ModelSlot::new(0).unwrap() }; ModelSlot::COUNT];
    let taken = bitmap::taken(bitmap::load(slab));
    let count = all_slots
        .iter_mut()
        .zip(taken)
        .fold(0, |count, (place, slot)| {
            *place = slot;
            count + 1
        });
    let slots = all_slots.get(..count).unwrap_or(&[]);

    let mut images =
        Allocation::<[ModelImage; ModelSlot::COUNT]>::zeroed().ok_or(Failure::NoMemory)?;
    let read = images.get_mut(..count).unwrap_or(&mut []);
    let failed = read_slots(slab, Method::best(), slots, read, pause);

    let whole = slots.iter().zip(read).enumerate();
    let whole = whole.filter_map(|(nth, record)| (failed >> nth & 1 == 0).then_some(record));
    make_handles(whole.map(|(slot, image)| read_object(inst, slab, *slot, image)))
}

/// Collects handles; if there is no memory for one of them, frees the others.
fn make_handles(
    objects: impl Iterator<Item = Option<Handle>>,
) -> Result<(Allocation<Handles>, usize), Failure> {
    let mut handles = Allocation::<Handles>::zeroed().ok_or(Failure::NoMemory)?;
    let filled = handles
        .iter_mut()
        .zip(objects)
        .try_fold(0, |count, (place, object)| {
            *place = object?;
            Some(count + 1)
        });
    let Some(count) = filled else {
        for object in *handles {
            // SAFETY: NULL, or an object just made that nobody else knows.
            unsafe { libc::free(object) };
        }
        return Err(Failure::NoMemory);
    };
    Ok((handles, count))
}

/// An object with the payload of a record; `None` without memory.
fn read_object(
    inst: *mut Instance,
    slab: &ReadOnlySlab,
    slot: ModelSlot,
    image: &ModelImage,
) -> Option<Handle> {
    let model = payload::new::<ModelObject, LEN>(inst)?;
    // SAFETY: just made.
    unsafe {
        payload::copy_in(model, image);
        set_slot(model, slab.base(), slot, std::ptr::null_mut());
    }
    Some(model.as_ptr().cast())
}

/// The slot of the record of a model, if it has one.
///
/// # Safety
///
/// `model` is a living object.
unsafe fn slot_of(model: NonNull<ModelObject>) -> Option<ModelSlot> {
    // SAFETY: the caller's promise.
    let (head, slot) = unsafe { (model.cast::<Head>().read(), (*model.as_ptr()).slot) };
    head.has_record().then(|| slot_from_c(slot))?
}

/// Notes where the record of a model is, and the bitmap in which it has taken its slot.
///
/// # Safety
///
/// `model` is a living object, and no other thread uses it.
unsafe fn set_slot(
    model: NonNull<ModelObject>,
    base: NonNull<u8>,
    slot: ModelSlot,
    bitmap: *mut c_void,
) {
    let record = in_slab(base, place::model(slot).byte_offset());
    // SAFETY: the caller's promise.
    unsafe {
        payload::set_record(model, record);
        (*model.as_ptr()).slot = c_slot(slot);
        (*model.as_ptr()).bitmap = bitmap;
    }
}

/// Address of the bitmap of the slab at `base`.
pub(crate) fn bitmap_at(base: NonNull<u8>) -> *mut c_void {
    in_slab(base, WordIndex::MODEL_BITMAP.byte_offset())
}
