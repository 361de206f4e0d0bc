// SPDX-License-Identifier: MIT OR Apache-2.0
//! The hash, and bitmaps of slots in a u64 (libnds reference section 6.3).

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

use nds_layout::hash::{fnv1a32_continue, FNV_BASIS};
use nds_layout::{bitmap, ModelSlot};

/// What C callers get instead of a slot when there is none.
const NO_SLOT: c_int = -1;

/// FNV-1a-32 of `len` bytes; NULL counts as no bytes.
#[no_mangle]
pub unsafe extern "C" fn nds_hash(ptr: *const c_void, len: usize) -> u32 {
    let bytes = ptr.cast::<u8>();
    let len = if bytes.is_null() { 0 } else { len };
    (0..len).fold(FNV_BASIS, |hash, at| {
        // SAFETY: `len` readable bytes, by the contract of the header. Volatile, so that each is read once even if
        // they lie in a slab.
        fnv1a32_continue(hash, &[unsafe { bytes.add(at).read_volatile() }])
    })
}

/// The lowest clear bit of `map`; -1 if all 64 are set.
#[no_mangle]
pub extern "C" fn nds_get_empty_map_slot(map: u64) -> c_int {
    bitmap::lowest_clear(map).map_or(NO_SLOT, c_slot)
}

/// Sets or clears one bit of `*map`; a bit that does not exist is ignored.
#[no_mangle]
pub unsafe extern "C" fn nds_mark_map_slot(map: *mut u64, slot: c_int, used: bool) {
    if map.is_null() {
        return;
    }
    if let Some(slot) = slot_from_c(slot) {
        // SAFETY: an aligned u64 by the contract of the header. Atomic, as it may be the bitmap of a slab.
        let map = unsafe { AtomicU64::from_ptr(map) };
        if used {
            map.fetch_or(bitmap::mark(0, slot, true), Ordering::Release);
        } else {
            map.fetch_and(bitmap::mark(u64::MAX, slot, false), Ordering::Release);
        }
    }
}

/// A slot number from C, if there is such a slot.
pub(crate) fn slot_from_c(slot: c_int) -> Option<ModelSlot> {
    u32::try_from(slot).ok().and_then(ModelSlot::new)
}

/// A slot number for C.
pub(crate) const fn c_slot(slot: ModelSlot) -> c_int {
    slot.get() as c_int
}
