// SPDX-License-Identifier: MIT OR Apache-2.0
//! The findings so far, and the memory that names and findings may take.
//!
//! Owns the limit: what a file makes an inspection keep is paid for here, at a flat price for the
//! containers around each piece of text. Once the limit is reached nothing more is kept.

use std::string::{String, ToString};
use std::sync::Arc;
use std::vec::Vec;

use super::fault::Offset;
use super::report::{Finding, OwnedPlace};
use crate::finding::{Code, Place, What};

/// What keeping one piece of text costs besides its bytes: list slots, map nodes, counters.
const OVERHEAD: u64 = 192;

/// Findings and budget.
pub(super) struct Notes {
    findings: Vec<Finding>,
    left: u64,
    exhausted: bool,
}

impl Notes {
    pub(super) const fn new(max_kept: u64) -> Self {
        Self {
            findings: Vec::new(),
            left: max_kept,
            exhausted: false,
        }
    }

    /// Pays for keeping `text`; `false`, for good, when the limit is reached.
    pub(super) fn afford(&mut self, text: &str) -> bool {
        let price = OVERHEAD.saturating_add(text.len() as u64);
        match self.left.checked_sub(price) {
            Some(left) if !self.exhausted => self.left = left,
            _ => self.exhausted = true,
        }
        !self.exhausted
    }

    /// Whether something could not be kept.
    pub(super) const fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// A finding about a part of the file that is not a member.
    pub(super) fn raise(
        &mut self,
        code: Code,
        place: Place<'static>,
        what: What<'_>,
        offset: Offset,
    ) {
        self.add(code, place.into(), what, offset, None);
    }

    /// A finding about a member, whose name is paid for already.
    pub(super) fn raise_in(&mut self, code: Code, path: &Arc<str>, what: What<'_>, offset: Offset) {
        self.add(code, OwnedPlace::Member(path.clone()), what, offset, None);
    }

    /// A member that is not the JSON it should be, with the parser's words.
    pub(super) fn raise_json(&mut self, path: &Arc<str>, offset: Offset, detail: String) {
        let place = OwnedPlace::Member(path.clone());
        self.add(
            Code::JsonInvalid,
            place,
            What::Nothing,
            offset,
            Some(detail),
        );
    }

    fn add(
        &mut self,
        code: Code,
        place: OwnedPlace,
        what: What<'_>,
        offset: Offset,
        detail: Option<String>,
    ) {
        let what = match what {
            What::Nothing => None,
            what => Some(what.to_string()),
        };
        if self.afford(what.as_deref().or(detail.as_deref()).unwrap_or("")) {
            self.findings.push(Finding {
                code,
                place,
                what,
                offset,
                detail,
            });
        }
    }

    /// Where to [`rewind`](Self::rewind) to.
    pub(super) fn mark(&self) -> usize {
        self.findings.len()
    }

    /// Forgets the findings since `mark`.
    pub(super) fn rewind(&mut self, mark: usize) {
        self.findings.truncate(mark);
    }

    /// The findings, sorted.
    pub(super) fn into_findings(mut self) -> Vec<Finding> {
        self.findings
            .sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        self.findings
    }
}
