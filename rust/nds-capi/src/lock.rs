// SPDX-License-Identifier: MIT OR Apache-2.0
//! The mutex of a producer instance: a `pthread_mutex_t`, as callers of the original have it in their core dumps.

use std::cell::UnsafeCell;

/// A pthread mutex.
///
/// # Invariants
///
/// Does not move once it was locked.
#[repr(transparent)]
pub(crate) struct Lock(UnsafeCell<libc::pthread_mutex_t>);

/// The mutex is held until this is dropped.
pub(crate) struct Held<'a>(&'a Lock);

impl Lock {
    /// An unlocked mutex.
    pub(crate) const fn new() -> Self {
        Self(UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER))
    }

    /// Waits for the mutex.
    pub(crate) fn hold(&self) -> Held<'_> {
        // SAFETY: an initialised mutex, which by the invariant does not move. A default mutex has no error to return.
        unsafe { libc::pthread_mutex_lock(self.0.get()) };
        Held(self)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // SAFETY: this thread holds it.
        unsafe { libc::pthread_mutex_unlock(self.0 .0.get()) };
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // SAFETY: an initialised mutex; nobody holds it, as nobody has a reference to it any more.
        unsafe { libc::pthread_mutex_destroy(self.0.get()) };
    }
}
