// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory from the C allocator: zeroed, and freed with `free` by whoever has it at the end.
//!
//! Rust's own allocations abort when there is no memory, and the arrays of `nds_read_all_model_nodes` are freed by C.

use std::mem;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// Alignment of everything that `calloc` returns, on the 64-bit targets of this library.
const MALLOC_ALIGN: usize = 16;

/// Types of which a value may consist of zero bytes.
///
/// # Safety
///
/// All bytes zero is a valid value of the type.
pub(crate) unsafe trait ZeroValid {}

// SAFETY: bytes have no invalid values.
unsafe impl<const N: usize> ZeroValid for [u8; N] {}
// SAFETY: as above.
unsafe impl<const N: usize, const M: usize> ZeroValid for [[u8; N]; M] {}
// SAFETY: NULL is a valid raw pointer.
unsafe impl<T, const N: usize> ZeroValid for [*mut T; N] {}

/// An owned value in C memory.
///
/// # Invariants
///
/// The pointer comes from `calloc` with the size of `T`, the value in it is valid, and nothing else uses it.
pub(crate) struct Allocation<T>(NonNull<T>);

impl<T: ZeroValid> Allocation<T> {
    /// A value of zero bytes; `None` if there is no memory.
    pub(crate) fn zeroed() -> Option<Self> {
        // INVARIANT: fresh, and valid by the promise of `ZeroValid`.
        zeroed_memory().map(Self)
    }
}

/// Zeroed memory for a `T`.
fn zeroed_memory<T>() -> Option<NonNull<T>> {
    const { assert!(mem::align_of::<T>() <= MALLOC_ALIGN) };
    // SAFETY: `calloc` has no precondition.
    let memory = unsafe { libc::calloc(1, mem::size_of::<T>()) };
    NonNull::new(memory.cast())
}

impl<T> Allocation<T> {
    /// A copy of `value`, at the place that it will keep; `None` if there is no memory.
    pub(crate) fn holding(value: T) -> Option<Self> {
        let memory = zeroed_memory()?;
        // SAFETY: fresh memory of the size and alignment of `T`.
        unsafe { memory.write(value) };
        // INVARIANT: fresh, and valid now.
        Some(Self(memory))
    }

    /// Takes the value over from a pointer that [`into_raw`](Self::into_raw) gave away.
    ///
    /// # Safety
    ///
    /// `value` comes from [`into_raw`](Self::into_raw) of the same type, and is not used in another way any more.
    pub(crate) unsafe fn from_raw(value: NonNull<T>) -> Self {
        // INVARIANT: promised by the caller.
        Self(value)
    }

    /// Gives the value away. Whoever has the pointer may end it with `free`.
    pub(crate) fn into_raw(self) -> *mut T {
        let value = self.0.as_ptr();
        mem::forget(self);
        value
    }
}

impl<T> Deref for Allocation<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: valid and ours alone by the invariants.
        unsafe { self.0.as_ref() }
    }
}

impl<T> DerefMut for Allocation<T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: valid and ours alone by the invariants.
        unsafe { self.0.as_mut() }
    }
}

impl<T> Drop for Allocation<T> {
    fn drop(&mut self) {
        // SAFETY: valid and ours alone by the invariants, and gone after this.
        unsafe { self.0.drop_in_place() };
        // SAFETY: from `calloc` by the invariants.
        unsafe { libc::free(self.0.as_ptr().cast()) };
    }
}
