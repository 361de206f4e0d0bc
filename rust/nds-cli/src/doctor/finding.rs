// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an examination says: things that are right, and problems with what to do about them.
//!
//! Owns the exit statuses, which scripts rely on.

use serde::Serialize;

/// What can be wrong, most fundamental first. The number is the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Problem {
    /// Neither this module nor the stock driver is loaded.
    ModuleAbsent = 10,
    /// The module is there, but for another kernel than the running one.
    OtherKernel = 11,
    /// A device has no usable node in `/dev`.
    NodeMissing = 12,
    /// A node may not be opened.
    NoPermission = 13,
    /// This module and the stock driver are both loaded.
    BothDrivers = 14,
    /// The attach policy is invalid, not the configured one, or admits this user to nothing.
    AttachPolicy = 15,
    /// The loaded module is older than this tool.
    OldAbi = 16,
}

impl Problem {
    /// The exit status of a run that found this.
    pub(crate) fn status(self) -> u8 {
        self as u8
    }
}

/// One line of the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "result", rename_all = "kebab-case")]
pub(crate) enum Finding {
    /// Something that was looked at and is right.
    Good {
        /// In plain words.
        says: String,
    },
    /// Something that is wrong.
    Problem {
        /// Which kind, for programs.
        problem: Problem,
        /// In plain words.
        says: String,
        /// What to do about it.
        remedy: String,
    },
}

impl Finding {
    pub(crate) fn good(says: impl Into<String>) -> Self {
        Self::Good { says: says.into() }
    }

    pub(crate) fn problem(
        problem: Problem,
        says: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::Problem {
            problem,
            says: says.into(),
            remedy: remedy.into(),
        }
    }

    /// Which problem this is, if it is one.
    pub(crate) fn kind(&self) -> Option<Problem> {
        match self {
            Self::Good { .. } => None,
            Self::Problem { problem, .. } => Some(*problem),
        }
    }
}

/// The most fundamental problem, if there is any.
pub(crate) fn worst(findings: &[Finding]) -> Option<Problem> {
    findings.iter().filter_map(Finding::kind).min()
}
