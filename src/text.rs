// SPDX-License-Identifier: GPL-2.0
//! Reading the device file: the Prometheus text of one report, in pieces of any size.
//!
//! Owns which report a sequence of reads sees. The text itself is made in `rules`.

use kernel::{iov::IovIterDest, prelude::*};

use crate::{
    datastore::Device,
    rules::{prometheus::TextCursor, Snapshot},
};

/// Bytes that are made at a time, on the stack.
const PIECE: usize = 512;

/// A sequence of reads through one file.
pub(crate) struct Reading {
    snapshot: KVBox<Snapshot>,
    cursor: TextCursor,
    /// Offset in the text at which the cursor is.
    position: i64,
}

impl Reading {
    fn new(device: &Device) -> Result<Self> {
        Ok(Self {
            snapshot: device.report()?,
            cursor: TextCursor::new(),
            position: 0,
        })
    }

    /// Moves the cursor to an offset in the text, from its start if that lies behind it.
    fn seek(&mut self, position: i64) {
        if position < self.position {
            self.cursor = TextCursor::new();
            self.position = 0;
        }
        let mut skipped = [0; PIECE];
        while self.position < position {
            let wanted = usize::try_from(position - self.position)
                .unwrap_or(PIECE)
                .min(PIECE);
            let (piece, _) = skipped.split_at_mut(wanted);
            let got = self.cursor.fill(&self.snapshot, piece);
            self.position += got as i64;
            if got < wanted {
                return;
            }
        }
    }

    /// Gives the next bytes of the text to the reader: all that fit, fewer at the end of the text or where the reader's
    /// memory ends.
    fn copy_to(&mut self, out: &mut IovIterDest<'_>) -> usize {
        let mut given = 0;
        let mut piece = [0; PIECE];
        while !out.is_empty() {
            let before = self.cursor;
            let (room, _) = piece.split_at_mut(out.len().min(PIECE));
            let made = self.cursor.fill(&self.snapshot, room);
            let copied = out.copy_to_iter(room.get(..made).unwrap_or_default());
            if copied < made {
                self.cursor = before;
                let (taken, _) = room.split_at_mut(copied);
                self.cursor.fill(&self.snapshot, taken);
            }
            given += copied;
            self.position += copied as i64;
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
    current.seek(*position);
    let wanted_more = current.position == *position;
    let given = if wanted_more { current.copy_to(out) } else { 0 };
    if given == 0 && wanted_more && !out.is_empty() && !current.at_end() {
        return Err(EFAULT);
    }
    *position += given as i64;
    Ok(given)
}

impl Reading {
    fn at_end(&self) -> bool {
        let mut next = self.cursor;
        next.fill(&self.snapshot, &mut [0]) == 0
    }
}
