// SPDX-License-Identifier: MIT OR Apache-2.0
//! Handles, and what every object behind one starts with: type tag, instance, published record.

use std::ffi::{c_int, c_void};
use std::mem::{offset_of, size_of};

use crate::failure::Failure;
use crate::instance::Instance;

/// What C callers hold: the address of an object.
pub type Handle = *mut c_void;

/// The types of objects; the value is the tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    Model = 0,
    ProcessInfo = 1,
    ProcessInfoExt = 2,
}

impl Kind {
    /// The type with this tag.
    pub(crate) const fn from_tag(tag: c_int) -> Result<Self, Failure> {
        match tag {
            0 => Ok(Self::Model),
            1 => Ok(Self::ProcessInfo),
            2 => Ok(Self::ProcessInfoExt),
            _ => Err(Failure::InvalidArgument),
        }
    }
}

/// What every object starts with.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    tag: u8,
    instance: *mut Instance,
    /// The published record; NULL before the first commit or read.
    record: *mut c_void,
}

impl Head {
    /// The head of an object that has not been published.
    pub(crate) const fn new(kind: Kind, instance: *mut Instance) -> Self {
        Self {
            tag: kind as u8,
            instance,
            record: std::ptr::null_mut(),
        }
    }

    /// A copy of the head of an object.
    ///
    /// # Safety
    ///
    /// `handle` is NULL or a living handle.
    pub(crate) unsafe fn of(handle: Handle) -> Result<Self, Failure> {
        if handle.is_null() {
            return Err(Failure::InvalidArgument);
        }
        // SAFETY: every object starts with a head.
        Ok(unsafe { handle.cast::<Self>().read() })
    }

    /// Whether the object has this type tag.
    pub(crate) fn has_tag(self, tag: c_int) -> bool {
        c_int::from(self.tag) == tag
    }

    /// The type of the object.
    pub(crate) fn kind(self) -> Result<Kind, Failure> {
        Kind::from_tag(self.tag.into())
    }

    /// The instance that the object was made for.
    ///
    /// # Safety
    ///
    /// It is still open, and stays so while the result is used.
    pub(crate) unsafe fn instance<'a>(self) -> Result<&'a Instance, Failure> {
        // SAFETY: the caller's promise.
        unsafe { Instance::at(self.instance) }.ok_or(Failure::InvalidArgument)
    }

    /// Whether the object has a published record.
    pub(crate) const fn has_record(self) -> bool {
        !self.record.is_null()
    }

    /// The same head with another published record.
    pub(crate) const fn with_record(self, record: *mut c_void) -> Self {
        Self { record, ..self }
    }
}

const _: () = {
    assert!(offset_of!(Head, tag) == 0);
    assert!(offset_of!(Head, instance) == 8);
    assert!(offset_of!(Head, record) == 16);
    assert!(size_of::<Head>() == 24);
};
