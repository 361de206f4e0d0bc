// SPDX-License-Identifier: MIT OR Apache-2.0
//! The 1024-byte header: which layout it has, and what mask and schema it declares (section 3).
//!
//! Owns the choice between the two layouts and what they have in common. The fields are in
//! [`runtime`] (what loaders read; with the `dual` mirror, what this crate writes by default) and
//! [`page`] (the published page taken literally). The payload is
//! [`container`](crate::container)'s subject.

mod block;
mod digest;
pub mod page;
pub mod runtime;

use core::fmt;

use crate::finding::FatalCode;
use crate::mask::FeatureMask;
use crate::text::Escaped;

pub use block::{Block, HEADER_SIZE};
pub use digest::{Digest, HashTail};
pub use page::PageHeader;
pub use runtime::RuntimeHeader;

/// How to interpret a header.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ReadAs {
    /// By the u64 at +16: a loadable file never has 0 there, the `page` layout always has.
    #[default]
    Auto,
    /// As the `runtime` layout, whatever it looks like.
    Runtime,
    /// As the `page` layout, whatever it looks like.
    Page,
}

/// The layout a header was read in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Mask at +544, schema at +24.
    Runtime,
    /// Mask at +192, schema at +200.
    Page,
}

/// A decoded header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Header {
    /// What loaders read.
    Runtime(RuntimeHeader),
    /// The published page taken literally.
    Page(PageHeader),
}

impl Header {
    /// Decodes the first 1024 bytes of `start`; bytes after them are payload.
    ///
    /// # Errors
    ///
    /// `start` is shorter than a header.
    pub fn read(start: &[u8], read_as: ReadAs) -> Result<Self, ShortHeader> {
        let block: &Block = start.first_chunk().ok_or(ShortHeader {
            length: start.len(),
        })?;
        let runtime = RuntimeHeader::from_block(block);
        let is_page = match read_as {
            ReadAs::Auto => runtime.data_size == 0,
            ReadAs::Runtime => false,
            ReadAs::Page => true,
        };
        Ok(match is_page {
            true => Self::Page(PageHeader::from_block(block)),
            false => Self::Runtime(runtime),
        })
    }

    /// Encodes the header.
    pub fn write(&self) -> Block {
        match self {
            Self::Runtime(header) => header.write(),
            Self::Page(header) => header.write(),
        }
    }

    /// The layout this header has.
    pub const fn layout(&self) -> Layout {
        match self {
            Self::Runtime(_) => Layout::Runtime,
            Self::Page(_) => Layout::Page,
        }
    }

    /// The feature mask.
    pub const fn mask(&self) -> FeatureMask {
        match self {
            Self::Runtime(header) => header.feature_bits,
            Self::Page(header) => header.feature_flags,
        }
    }

    /// The minimum schema; the major version in the `runtime` layout.
    pub const fn schema_min(&self) -> u64 {
        match self {
            Self::Runtime(header) => header.version_major,
            Self::Page(header) => header.schema_min as u64,
        }
    }

    /// The packaging (format) version.
    pub const fn pkg_version(&self) -> u64 {
        match self {
            Self::Runtime(header) => header.digest.pkg_version(),
            Self::Page(header) => header.version,
        }
    }

    /// The declared size of the header.
    pub const fn header_size(&self) -> u64 {
        match self {
            Self::Runtime(header) => header.header_size,
            Self::Page(header) => header.header_size,
        }
    }

    /// The file's identifier, sixteen bytes of an RFC 4122 UUID.
    pub const fn uuid(&self) -> [u8; 16] {
        match self {
            Self::Runtime(header) => header.uuid,
            Self::Page(header) => header.uuid,
        }
    }

    /// The model's name.
    pub fn name(&self) -> Escaped<'_> {
        match self {
            Self::Runtime(header) => Escaped::field(&header.name),
            Self::Page(header) => Escaped::field(&header.filename),
        }
    }

    /// The number of cores fused into a virtual core; not in the `page` layout.
    pub const fn vnc_size(&self) -> Option<u32> {
        match self {
            Self::Runtime(header) => Some(header.vnc_size),
            Self::Page(_) => None,
        }
    }

    /// The first reason to stop at this header (section 3.4), with the offset of the field and its value.
    pub const fn fault(&self) -> Option<(FatalCode, usize, u64)> {
        let (version, size) = (self.pkg_version(), self.header_size());
        if !matches!(version, 1 | 2) {
            return Some((
                FatalCode::BadPkgVersion,
                runtime::offset::PKG_VERSION,
                version,
            ));
        }
        if size != HEADER_SIZE as u64 {
            return Some((FatalCode::BadHeaderSize, runtime::offset::HEADER_SIZE, size));
        }
        None
    }
}

impl Layout {
    /// The name tools print.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Runtime => "runtime",
            Self::Page => "page",
        }
    }

    /// Where the mask is.
    pub const fn mask_offset(self) -> usize {
        match self {
            Self::Runtime => runtime::offset::FEATURE_BITS,
            Self::Page => page::offset::FEATURE_FLAGS,
        }
    }

    /// Where the schema is.
    pub const fn schema_offset(self) -> usize {
        match self {
            Self::Runtime => runtime::offset::VERSION_MAJOR,
            Self::Page => page::offset::SCHEMA_MIN,
        }
    }
}

/// Fewer bytes than a header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShortHeader {
    /// Bytes there are.
    pub length: usize,
}

impl fmt::Display for ShortHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = FatalCode::ShortHeader;
        write!(
            f,
            "{}: expected {}, found {} bytes",
            code.as_str(),
            code.expected(),
            self.length
        )
    }
}

impl core::error::Error for ShortHeader {}
