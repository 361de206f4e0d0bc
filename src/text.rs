// SPDX-License-Identifier: GPL-2.0
//! Reading the device file: the Prometheus text of one report, in pieces of any size.
//!
//! Owns which report a sequence of reads sees. The text, and the way about in it, is made in `rules`.

use kernel::{iov::IovIterDest, prelude::*};

use crate::{
    datastore::Device,
    rules::{self, Snapshot},
};

/// Bytes that are made at a time, on the stack.
const PIECE: usize = 512;

/// A sequence of reads through one file.
pub(crate) struct Reading {
    snapshot: KVBox<Snapshot>,
    place: rules::Reading,
}

impl Reading {
    fn new(device: &Device) -> Result<Self> {
        Ok(Self {
            snapshot: device.report()?,
            place: rules::Reading::new(),
        })
    }

    /// Gives the next bytes of the text to the reader: all that fit, fewer at the end of the text or where the reader's
    /// memory ends.
    fn copy_to(&mut self, out: &mut IovIterDest<'_>) -> usize {
        let mut given = 0;
        let mut piece = [0; PIECE];
        while !out.is_empty() {
            let (room, _) = piece.split_at_mut(out.len().min(PIECE));
            let made = self.place.fill(&self.snapshot, room);
            let copied = out.copy_to_iter(room.get(..made).unwrap_or_default());
            self.place.take(&self.snapshot, copied);
            given += copied;
            if copied < made || made == 0 {
                break;
            }
        }
        given
    }
}

/// Answers a read at `position`. A read at 0 starts a new report; others go on in the one that is open.
///
/// # Errors
///
/// `ENOMEM`; `EFAULT` if nothing could be copied to the reader.
pub(crate) fn read(
    reading: &mut Option<Reading>,
    device: &Device,
    position: &mut i64,
    out: &mut IovIterDest<'_>,
) -> Result<usize> {
    if out.is_empty() {
        return Ok(0);
    }
    if *position == 0 || reading.is_none() {
        *reading = Some(Reading::new(device)?);
    }
    let Some(current) = reading else {
        return Ok(0);
    };
    if !current.place.seek(&current.snapshot, *position as u64) {
        return Ok(0);
    }
    let given = current.copy_to(out);
    if given == 0 && !current.place.at_end(&current.snapshot) {
        return Err(EFAULT);
    }
    *position += given as i64;
    Ok(given)
}
