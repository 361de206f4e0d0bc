// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory functions that compiled code may call, so that the object needs none of the kernel's.
//!
//! `scripts/portable-core` makes their names local to the object.

use core::ffi::c_int;

/// Bytes of what is copied or set at a time.
#[cfg(target_arch = "x86_64")]
const WORD: usize = 8;

/// A word in which every byte is 1.
#[cfg(target_arch = "x86_64")]
const EVERY_BYTE: u64 = u64::MAX / 0xff;

/// Copies bytes.
///
/// # Safety
///
/// As C's `memcpy`.
#[no_mangle]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    // SAFETY: By the caller's promise both ranges are valid, and they do not overlap.
    unsafe { copy_up(to, from, count) };
    to
}

/// Copies bytes between ranges that may overlap.
///
/// # Safety
///
/// As C's `memmove`.
#[no_mangle]
unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    if to.cast_const() <= from || to.addr().wrapping_sub(from.addr()) >= count {
        // SAFETY: By the caller's promise both ranges are valid; going up, no byte is overwritten before it is read.
        unsafe { copy_up(to, from, count) };
        return to;
    }
    for index in (0..count).rev() {
        // SAFETY: As above; going down, no byte is overwritten before it is read.
        unsafe { to.add(index).write_volatile(from.add(index).read()) };
    }
    to
}

/// Sets bytes.
///
/// # Safety
///
/// As C's `memset`.
#[no_mangle]
unsafe extern "C" fn memset(to: *mut u8, value: c_int, count: usize) -> *mut u8 {
    // SAFETY: By the caller's promise the range is valid.
    unsafe { set(to, value as u8, count) };
    to
}

/// Compares bytes.
///
/// # Safety
///
/// As C's `memcmp`.
#[no_mangle]
unsafe extern "C" fn memcmp(left: *const u8, right: *const u8, count: usize) -> c_int {
    for index in 0..count {
        // SAFETY: By the caller's promise both ranges are valid.
        let (left, right) = unsafe {
            (
                left.add(index).read_volatile(),
                right.add(index).read_volatile(),
            )
        };
        if left != right {
            return c_int::from(left) - c_int::from(right);
        }
    }
    0
}

/// Says whether bytes differ.
///
/// # Safety
///
/// As C's `bcmp`.
#[no_mangle]
unsafe extern "C" fn bcmp(left: *const u8, right: *const u8, count: usize) -> c_int {
    // SAFETY: By the caller's promise.
    unsafe { memcmp(left, right, count) }
}

/// Copies bytes from the first to the last.
///
/// # Safety
///
/// Both ranges are valid, and the target does not begin within the source.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn copy_up(to: *mut u8, from: *const u8, count: usize) {
    // SAFETY: By the caller's promise; the direction flag is clear by the calling convention.
    unsafe {
        core::arch::asm!(
            "rep movsq",
            "mov ecx, {rest:e}",
            "rep movsb",
            rest = in(reg) count % WORD,
            inout("rdi") to => _,
            inout("rsi") from => _,
            inout("rcx") count / WORD => _,
            options(nostack, preserves_flags)
        );
    }
}

/// Sets bytes.
///
/// # Safety
///
/// The range is valid.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn set(to: *mut u8, value: u8, count: usize) {
    // SAFETY: By the caller's promise; the direction flag is clear by the calling convention.
    unsafe {
        core::arch::asm!(
            "rep stosq",
            "mov ecx, {rest:e}",
            "rep stosb",
            rest = in(reg) count % WORD,
            inout("rdi") to => _,
            in("rax") u64::from(value) * EVERY_BYTE,
            inout("rcx") count / WORD => _,
            options(nostack, preserves_flags)
        );
    }
}

/// Copies bytes from the first to the last.
///
/// # Safety
///
/// Both ranges are valid, and the target does not begin within the source.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
unsafe fn copy_up(to: *mut u8, from: *const u8, count: usize) {
    for index in 0..count {
        // SAFETY: By the caller's promise. Volatile, so that the loop does not become a call of `memcpy` itself.
        unsafe { to.add(index).write_volatile(from.add(index).read()) };
    }
}

/// Sets bytes.
///
/// # Safety
///
/// The range is valid.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
unsafe fn set(to: *mut u8, value: u8, count: usize) {
    for index in 0..count {
        // SAFETY: By the caller's promise. Volatile, so that the loop does not become a call of `memset` itself.
        unsafe { to.add(index).write_volatile(value) };
    }
}
