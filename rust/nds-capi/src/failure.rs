// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can go wrong, and the numbers that C callers get for it (libnds reference section 5).

use std::ffi::c_int;

/// Success.
pub(crate) const OK: c_int = 0;
/// No slab is mapped.
const NO_MAPPING: c_int = -1;
/// No free model slot. Positive in the original, so callers must test for non-zero.
const NO_SLOT: c_int = libc::ENOSPC;
/// A handle of another type. Positive in the original.
pub(crate) const TYPE_MISMATCH: c_int = libc::EINVAL;

/// Why a call did not do what it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The instance has no mapping.
    NoMapping,
    /// The instance is a reader.
    ReadOnly,
    /// NULL, an index out of range, or a handle of no known type.
    InvalidArgument,
    /// The mapping cannot hold a slab.
    UnusableMapping,
    /// The header was not right at either of two looks.
    BadHeader,
    /// A reader of the own process would take the slab from this process's producer.
    OwnProducer,
    /// No memory.
    NoMemory,
    /// All model slots are taken.
    NoSlot,
    /// What NDL returned, which is not 0.
    Ndl(c_int),
}

impl Failure {
    /// The code that all functions but the counters return.
    const fn code(self) -> c_int {
        match self {
            Self::NoMapping => NO_MAPPING,
            Self::ReadOnly
            | Self::InvalidArgument
            | Self::UnusableMapping
            | Self::BadHeader
            | Self::OwnProducer => -libc::EINVAL,
            Self::NoMemory => -libc::ENOMEM,
            Self::NoSlot => NO_SLOT,
            Self::Ndl(code) => code,
        }
    }

    /// The code that counter functions return: they have another one for readers.
    const fn counter_code(self) -> c_int {
        match self {
            Self::ReadOnly => -libc::EPERM,
            other => other.code(),
        }
    }
}

/// The return value of a function that is not a counter function.
pub(crate) fn code(result: Result<(), Failure>) -> c_int {
    result.map_or_else(Failure::code, |()| OK)
}

/// The return value of a counter function.
pub(crate) fn counter_code(result: Result<(), Failure>) -> c_int {
    result.map_or_else(Failure::counter_code, |()| OK)
}

const _: () = {
    assert!(NO_SLOT == 28 && TYPE_MISMATCH == 22);
    assert!(Failure::ReadOnly.code() == -22 && Failure::ReadOnly.counter_code() == -1);
    assert!(Failure::NoMemory.code() == -12);
};
