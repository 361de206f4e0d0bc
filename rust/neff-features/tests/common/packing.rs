// SPDX-License-Identifier: MIT OR Apache-2.0
//! NEFF files around a payload, for tests.

use std::io::Write;

use flate2::write::GzEncoder;
use flate2::Compression;
use md5::{Digest as _, Md5};
use neff_features::header::RuntimeHeader;
use neff_features::FeatureMask;

pub(crate) fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(data).expect("in memory");
    encoder.finish().expect("in memory")
}

/// A file around this payload with the default (`dual`) header.
pub(crate) fn neff(mask: u64, schema: u64, payload: &[u8]) -> Vec<u8> {
    let size = payload.len() as u64;
    let md5 = Md5::digest(payload).into();
    let mut file = RuntimeHeader::new(FeatureMask::new(mask), schema, size, md5)
        .write()
        .to_vec();
    file.extend_from_slice(payload);
    file
}
