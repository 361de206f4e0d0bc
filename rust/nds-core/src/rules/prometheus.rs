// SPDX-License-Identifier: MIT OR Apache-2.0
//! A report as Prometheus text (exposition format 0.0.4), in pieces of any size.
//!
//! Owns where a reader is in the text. What the lines are is in `prometheus_families` and
//! `prometheus_samples`. The text is made line by line from the snapshot, so it needs no buffer of its own and
//! is the same whatever the sizes of the pieces.

use super::prometheus_families::Family;
use super::report::Snapshot;
use super::text::Text;

/// Bytes of the longest line, its end included.
pub const LINE_MAX: usize = 256;

/// One line of the text.
pub(super) type Line = Text<LINE_MAX>;

/// Lines of a family before its samples: `# HELP` and `# TYPE`.
const HEAD_LINES: usize = 2;

/// A place in the text of a report.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextCursor {
    family: usize,
    /// Which line of the family, those without text included.
    line: usize,
    /// Bytes of the line that were handed out.
    column: usize,
}

impl TextCursor {
    /// The start of the text.
    pub const fn new() -> Self {
        Self {
            family: 0,
            line: 0,
            column: 0,
        }
    }

    /// Writes the next bytes of the text and gives their number: less than `out` has room for only at the end of the
    /// text, and 0 after it. The snapshot must be the same for the whole text.
    pub fn fill(&mut self, snapshot: &Snapshot, out: &mut [u8]) -> usize {
        let mut line = Line::new();
        let mut written = 0_usize;
        while let Some(room) = out.get_mut(written..).filter(|room| !room.is_empty()) {
            if !self.next_line(snapshot, &mut line) {
                break;
            }
            let rest = line.as_bytes().get(self.column..).unwrap_or_default();
            room.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
            let copied = rest.len().min(room.len());
            written = written.wrapping_add(copied);
            if copied == rest.len() {
                self.line = self.line.wrapping_add(1);
                self.column = 0;
            } else {
                self.column = self.column.wrapping_add(copied);
            }
        }
        written
    }

    /// Writes the line at the cursor, which moves on to the next one that has text. Says whether there is one.
    fn next_line(&mut self, snapshot: &Snapshot, line: &mut Line) -> bool {
        while let Some(family) = Family::nth(self.family) {
            let lines = HEAD_LINES.wrapping_add(family.keys());
            if self.line >= lines || (self.line == 0 && !family.has_samples(snapshot)) {
                self.family = self.family.wrapping_add(1);
                self.line = 0;
                continue;
            }
            line.clear();
            self.render(family, snapshot, line);
            if !line.as_bytes().is_empty() {
                return true;
            }
            self.line = self.line.wrapping_add(1);
        }
        false
    }

    fn render(&self, family: Family, snapshot: &Snapshot, line: &mut Line) {
        match self.line.checked_sub(HEAD_LINES) {
            Some(key) => family.write_sample(snapshot, key, line),
            None if self.line == 0 => family.write_help(line),
            None => family.write_type(line),
        }
    }
}
