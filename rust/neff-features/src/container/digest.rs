// SPDX-License-Identifier: MIT OR Apache-2.0
//! Computing the payload's digest.
//!
//! The digest covers the payload as stored. It has no key: it detects damage, not tampering.

use std::io::{self, Read, Seek};
use std::vec;

use md5::Md5;
use sha2::Sha256;

use super::fault::Stop;
use super::report::DigestState;
use super::stored::Stored;
use crate::header::Digest;

/// Bytes hashed at a time.
const STEP: usize = 64 << 10;

/// Compares the whole payload with `declared` and rewinds it.
pub(super) fn verify<R: Read + Seek>(
    declared: &Digest,
    stored: &mut Stored<R>,
) -> Result<DigestState, Stop> {
    let matches = match declared {
        Digest::Sha256(declared) => hash::<Sha256, R>(stored).map(|hash| hash[..] == declared[..]),
        Digest::Md5(declared, _) => hash::<Md5, R>(stored).map(|hash| hash[..] == declared[..]),
        Digest::Unknown { .. } => return Ok(DigestState::None),
    };
    let matches = matches.and_then(|matches| stored.rewind().map(|()| matches));
    match matches {
        Ok(true) => Ok(DigestState::Ok),
        Ok(false) => Ok(DigestState::Mismatch),
        Err(error) => Err(Stop::from_io(error, stored.position())),
    }
}

fn hash<D: sha2::Digest, R: Read>(stored: &mut Stored<R>) -> io::Result<sha2::digest::Output<D>> {
    let mut hasher = D::new();
    let mut step = vec![0; STEP];
    loop {
        match stored.read(&mut step)? {
            0 => return Ok(hasher.finalize()),
            count => hasher.update(&step[..count]),
        }
    }
}
