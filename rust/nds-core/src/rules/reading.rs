// SPDX-License-Identifier: MIT OR Apache-2.0
//! A sequence of reads of a report's text, as through a file: at any offsets, in pieces of any size.
//!
//! Owns where in the text the reader is. The text is made in [`super::prometheus`]; copying it to the reader is the
//! body's: it asks for a [piece](Reading::fill), and says how much of it was [taken](Reading::take).

use super::prometheus::TextCursor;
use super::report::Snapshot;

/// Bytes that are made and thrown away at a time on the way to an offset.
const SKIP: usize = 256;

/// Where a reader is in the text of one report.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading {
    cursor: TextCursor,
    /// Offset in the text at which the cursor is.
    position: u64,
    /// Where the cursor was before the last piece, and how long that is.
    before: TextCursor,
    piece: usize,
}

impl Reading {
    /// At the start.
    pub const fn new() -> Self {
        Self {
            cursor: TextCursor::new(),
            position: 0,
            before: TextCursor::new(),
            piece: 0,
        }
    }

    /// Moves to an offset in the text. Says whether the text goes that far.
    pub fn seek(&mut self, snapshot: &Snapshot, position: u64) -> bool {
        if position < self.position {
            *self = Self::new();
        }
        let wanted = position.wrapping_sub(self.position);
        self.skip(snapshot, wanted);
        self.position == position
    }

    /// Makes the next bytes of the text; fewer than there is room for at its end only. Stays where it is until they are
    /// taken.
    pub fn fill(&mut self, snapshot: &Snapshot, room: &mut [u8]) -> usize {
        self.before = self.cursor;
        self.piece = self.cursor.fill(snapshot, room);
        self.piece
    }

    /// The reader has taken the first `taken` bytes of what [`Self::fill`] made.
    pub fn take(&mut self, snapshot: &Snapshot, taken: usize) {
        if taken >= self.piece {
            self.position = self.position.wrapping_add(self.piece as u64);
        } else {
            self.cursor = self.before;
            self.skip(snapshot, taken as u64);
        }
        self.piece = 0;
    }

    /// Whether there is nothing after this place.
    pub fn at_end(&self, snapshot: &Snapshot) -> bool {
        let mut next = self.cursor;
        next.fill(snapshot, &mut [0]) == 0
    }

    /// Moves on, to the end of the text at most.
    fn skip(&mut self, snapshot: &Snapshot, bytes: u64) {
        let mut skipped = [0; SKIP];
        let mut left = bytes;
        while left > 0 {
            let wanted = usize::try_from(left).unwrap_or(SKIP).min(SKIP);
            let (room, _) = skipped.split_at_mut(wanted);
            let made = self.cursor.fill(snapshot, room);
            self.position = self.position.wrapping_add(made as u64);
            left = left.wrapping_sub(made as u64);
            if made < wanted {
                return;
            }
        }
    }
}
