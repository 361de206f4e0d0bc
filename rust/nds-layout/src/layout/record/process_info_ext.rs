// SPDX-License-Identifier: MIT OR Apache-2.0
//! The extended process-info record, 260 bytes (layout reference section 6.3).

use super::bytes::{put, take, trimmed};
use crate::layout::abi::{ProcessInfoExtRecord, EXT_TAG_LEN};
use crate::layout::hash::seal;
use core::mem::{offset_of, size_of};

/// Bytes of the record. Not a multiple of 8.
pub const LEN: usize = size_of::<ProcessInfoExtRecord>();

const TAG: usize = offset_of!(ProcessInfoExtRecord, info.tag);

/// A longer tag of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessInfoExt {
    /// Tag, NUL-padded; not necessarily UTF-8 or NUL-terminated.
    pub tag: [u8; EXT_TAG_LEN],
}

impl ProcessInfoExt {
    /// The record image, with its hash.
    pub fn encode(&self) -> [u8; LEN] {
        let mut image = [0; LEN];
        put(&mut image, TAG, &self.tag);
        seal(&mut image);
        image
    }

    /// Reads an image.
    pub fn decode(image: &[u8; LEN]) -> Self {
        Self {
            tag: take(image, TAG),
        }
    }

    /// The tag up to its first NUL.
    pub fn tag_text(&self) -> &[u8] {
        trimmed(&self.tag)
    }
}

const _: () = assert!(LEN == 260 && TAG == 4);
