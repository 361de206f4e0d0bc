// SPDX-License-Identifier: MIT OR Apache-2.0
//! Payloads of objects into and out of record images.
//!
//! C callers change a payload through pointers that they keep, so it is never behind a Rust reference: its bytes are
//! copied, and the copy is worked on.

use std::ffi::c_void;
use std::ptr::{self, NonNull};

use nds_layout::RecordPlace;

use crate::allocation::{Allocation, ZeroValid};
use crate::handle::{Handle, Head, Kind};
use crate::instance::Instance;

/// A stretch of payload, in bytes.
pub(crate) struct Span {
    pub(crate) in_object: usize,
    pub(crate) in_record: usize,
    pub(crate) len: usize,
}

/// A type of object whose record has `N` bytes.
///
/// # Safety
///
/// The type is `repr(C)`, starts with a [`Head`], and contains the spans.
pub(crate) unsafe trait Object<const N: usize>: ZeroValid {
    /// The type, as the tag names it.
    const KIND: Kind;
    /// Where the payload is.
    const SPANS: &'static [Span];

    /// The image with the same fields, zeroed holes and the right hash.
    fn sealed(image: &[u8; N]) -> [u8; N];
}

/// A type of object of which a slab has one record.
pub(crate) trait SingleObject<const N: usize>: Object<N> {
    /// Where that record lies.
    const PLACE: RecordPlace<N>;
}

/// A new object with an empty payload; `None` if there is no memory.
pub(crate) fn new<O: Object<N>, const N: usize>(instance: *mut Instance) -> Option<NonNull<O>> {
    let object = NonNull::new(Allocation::<O>::zeroed()?.into_raw())?;
    // SAFETY: a fresh object, which starts with a head.
    unsafe { object.cast::<Head>().write(Head::new(O::KIND, instance)) };
    Some(object)
}

/// The object behind a handle; `None` if it is of another type.
///
/// # Safety
///
/// `handle` is NULL or a living handle.
pub(crate) unsafe fn object_at<O: Object<N>, const N: usize>(handle: Handle) -> Option<NonNull<O>> {
    // SAFETY: the caller's promise.
    let head = unsafe { Head::of(handle) }.ok()?;
    let object = NonNull::new(handle.cast())?;
    head.has_tag(O::KIND as i32).then_some(object)
}

/// Copies the payload of an object into an image.
///
/// # Safety
///
/// `object` is a living object, and no other thread uses it.
pub(crate) unsafe fn copy_out<O: Object<N>, const N: usize>(
    object: NonNull<O>,
    image: &mut [u8; N],
) {
    for span in O::SPANS {
        let to = image.iter_mut().skip(span.in_record).take(span.len);
        for (nth, byte) in to.enumerate() {
            // SAFETY: inside the span, which is inside the object.
            *byte = unsafe { object.cast::<u8>().add(span.in_object + nth).read() };
        }
    }
}

/// Copies the payload of an image into an object, holes as they are.
///
/// # Safety
///
/// As for [`copy_out`].
pub(crate) unsafe fn copy_in<O: Object<N>, const N: usize>(object: NonNull<O>, image: &[u8; N]) {
    for span in O::SPANS {
        let from = image.get(span.in_record..).unwrap_or(&[]);
        let len = span.len.min(from.len());
        // SAFETY: inside the span, which is inside the object; an image is never an object.
        unsafe {
            let to = object.cast::<u8>().add(span.in_object);
            ptr::copy_nonoverlapping(from.as_ptr(), to.as_ptr(), len);
        }
    }
}

/// Notes where the record of an object is published.
///
/// # Safety
///
/// As for [`copy_out`].
pub(crate) unsafe fn set_record<O: Object<N>, const N: usize>(
    object: NonNull<O>,
    record: *mut c_void,
) {
    let head = object.cast::<Head>();
    // SAFETY: every object starts with a head.
    unsafe { head.write(head.read().with_record(record)) };
}
