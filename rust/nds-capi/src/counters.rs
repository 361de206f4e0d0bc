// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counters: one atomic operation on one u64 each (libnds reference section 6.2).
//!
//! Checks come in one order: mapping (-1), for mutators the gate (-1), then indices and pointers (-22). After an
//! error nothing is written, to the slab or to `*value`.

use std::ffi::c_int;
use std::ptr::NonNull;

use nds_layout::{
    nc_word, nd_word, Core, NcCounter, NdCounter, RawSlab, Slab, SlabRead, WordIndex,
};

use crate::failure::{counter_code, Failure};
use crate::instance::Instance;

/// Adds to a counter of a NeuronCore, modulo 2^64.
#[no_mangle]
pub unsafe extern "C" fn nds_increment_nc_counter(
    inst: *mut Instance,
    nc_index: c_int,
    counter_index: u32,
    increment: u64,
) -> c_int {
    let add = |slab: &RawSlab, word| slab.add(word, increment);
    // SAFETY: NULL or an open instance.
    unsafe { change(inst, || nc(nc_index, counter_index), add) }
}

/// Subtracts from a counter of a NeuronCore, modulo 2^64.
#[no_mangle]
pub unsafe extern "C" fn nds_decrement_nc_counter(
    inst: *mut Instance,
    nc_index: c_int,
    counter_index: u32,
    decrement: u64,
) -> c_int {
    let subtract = |slab: &RawSlab, word| slab.sub(word, decrement);
    // SAFETY: NULL or an open instance.
    unsafe { change(inst, || nc(nc_index, counter_index), subtract) }
}

/// Reads a counter of a NeuronCore into `*value`.
#[no_mangle]
pub unsafe extern "C" fn nds_get_nc_counter(
    inst: *mut Instance,
    nc_index: c_int,
    counter_index: u32,
    value: *mut u64,
) -> c_int {
    // SAFETY: NULL or an open instance; NULL or a place for a value.
    unsafe { get(inst, || nc(nc_index, counter_index), value) }
}

/// Sets a counter of a NeuronCore to `*value`.
#[no_mangle]
pub unsafe extern "C" fn nds_set_nc_counter(
    inst: *mut Instance,
    nc_index: c_int,
    counter_index: u32,
    value: *mut u64,
) -> c_int {
    // SAFETY: NULL or an open instance; NULL or a value.
    unsafe { set(inst, || nc(nc_index, counter_index), value) }
}

/// Adds to a per-device counter, modulo 2^64.
#[no_mangle]
pub unsafe extern "C" fn nds_increment_nd_counter(
    inst: *mut Instance,
    counter_index: u32,
    increment: u64,
) -> c_int {
    let add = |slab: &RawSlab, word| slab.add(word, increment);
    // SAFETY: NULL or an open instance.
    unsafe { change(inst, || nd(counter_index), add) }
}

/// Subtracts from a per-device counter, modulo 2^64.
#[no_mangle]
pub unsafe extern "C" fn nds_decrement_nd_counter(
    inst: *mut Instance,
    counter_index: u32,
    decrement: u64,
) -> c_int {
    let subtract = |slab: &RawSlab, word| slab.sub(word, decrement);
    // SAFETY: NULL or an open instance.
    unsafe { change(inst, || nd(counter_index), subtract) }
}

/// Sets one bit of a per-device counter: the bit number `bit_index`, 0 to 63.
#[no_mangle]
pub unsafe extern "C" fn nds_or_nd_counter(
    inst: *mut Instance,
    counter_index: u32,
    bit_index: u64,
) -> c_int {
    let mask = u32::try_from(bit_index)
        .ok()
        .and_then(|bit| 1_u64.checked_shl(bit));
    let set_bit = |slab: &RawSlab, word| slab.or(word, mask.unwrap_or(0));
    // SAFETY: NULL or an open instance.
    unsafe { change(inst, || mask.and(nd(counter_index)), set_bit) }
}

/// Reads a per-device counter into `*value`.
#[no_mangle]
pub unsafe extern "C" fn nds_get_nd_counter(
    inst: *mut Instance,
    counter_index: u32,
    value: *mut u64,
) -> c_int {
    // SAFETY: NULL or an open instance; NULL or a place for a value.
    unsafe { get(inst, || nd(counter_index), value) }
}

/// Sets a per-device counter to `*value`.
#[no_mangle]
pub unsafe extern "C" fn nds_set_nd_counter(
    inst: *mut Instance,
    counter_index: u32,
    value: *mut u64,
) -> c_int {
    // SAFETY: NULL or an open instance; NULL or a value.
    unsafe { set(inst, || nd(counter_index), value) }
}

/// The word of a counter of a NeuronCore, if there is such a counter.
#[inline(always)]
fn nc(core: c_int, counter: u32) -> Option<WordIndex> {
    Some(nc_word(Core::from_i32(core)?, NcCounter::new(counter)?))
}

/// The word of a per-device counter, if there is such a counter.
#[inline(always)]
fn nd(counter: u32) -> Option<WordIndex> {
    NdCounter::new(counter).map(nd_word)
}

/// Changes a counter.
///
/// # Safety
///
/// `inst` is NULL or an open instance.
#[inline(always)]
unsafe fn change<R>(
    inst: *mut Instance,
    word: impl FnOnce() -> Option<WordIndex>,
    operation: impl FnOnce(&RawSlab, WordIndex) -> R,
) -> c_int {
    // SAFETY: the caller's promise.
    let inst = unsafe { Instance::at(inst) }.ok_or(Failure::NoMapping);
    counter_code(inst.and_then(Instance::writable_slab).and_then(|slab| {
        operation(&slab, word().ok_or(Failure::InvalidArgument)?);
        Ok(())
    }))
}

/// Sets a counter.
///
/// # Safety
///
/// `inst` is NULL or an open instance, `value` is NULL or readable.
#[inline(always)]
unsafe fn set(
    inst: *mut Instance,
    word: impl FnOnce() -> Option<WordIndex>,
    value: *mut u64,
) -> c_int {
    let word = || NonNull::new(value).and_then(|_| word());
    // SAFETY: the caller's promise; the word is known only if `value` is not NULL.
    unsafe {
        change(inst, word, |slab: &RawSlab, word| {
            slab.store(word, value.read())
        })
    }
}

/// Reads a counter.
///
/// # Safety
///
/// `inst` is NULL or an open instance, `value` is NULL or writable.
#[inline(always)]
unsafe fn get(
    inst: *mut Instance,
    word: impl FnOnce() -> Option<WordIndex>,
    value: *mut u64,
) -> c_int {
    // SAFETY: the caller's promise.
    let inst = unsafe { Instance::at(inst) }.ok_or(Failure::NoMapping);
    counter_code(inst.and_then(Instance::slab).and_then(|slab| {
        let word = word().ok_or(Failure::InvalidArgument)?;
        let value = NonNull::new(value).ok_or(Failure::InvalidArgument)?;
        // SAFETY: the caller's promise.
        unsafe { value.write(slab.load(word)) };
        Ok(())
    }))
}
