// SPDX-License-Identifier: MIT OR Apache-2.0
//! The generic runtime gate: unknown bits and schema (section 11.1).
//!
//! No bit is exempt and the mask is always looked at. What one particular library does instead is
//! in [`libnrt`]; which masks are known is in [`profiles`](crate::profiles).

use core::fmt;

use crate::mask::FeatureMask;

/// What a runtime can take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capability {
    /// The feature bits it supports.
    pub supported: FeatureMask,
    /// The highest schema it reads.
    pub max_schema: u64,
}

/// The outcome of the gate: accepted, or every reason against it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The bits the runtime does not support.
    pub unsupported: FeatureMask,
    /// The schema and the highest readable one, when the schema is too new.
    pub schema: Option<(u64, u64)>,
}

/// One reason why a runtime refuses a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The mask has bits the runtime does not support; never empty.
    UnsupportedFeature(FeatureMask),
    /// The schema is above what the runtime reads.
    SchemaTooNew {
        /// The schema of the file.
        schema_min: u64,
        /// The highest schema the runtime reads.
        max_schema: u64,
    },
}

/// Tests mask and schema of a file against a runtime. All reasons are collected (decision X11).
pub fn gate(mask: FeatureMask, schema_min: u64, runtime: &Capability) -> Verdict {
    let too_new = schema_min > runtime.max_schema;
    Verdict {
        unsupported: mask.without(runtime.supported),
        schema: too_new.then_some((schema_min, runtime.max_schema)),
    }
}

impl Verdict {
    /// Whether nothing speaks against the file.
    pub const fn accepted(&self) -> bool {
        self.unsupported.is_empty() && self.schema.is_none()
    }

    /// The reasons: the mask first, then the schema.
    pub fn reasons(&self) -> impl Iterator<Item = Reason> {
        let bits =
            (!self.unsupported.is_empty()).then_some(Reason::UnsupportedFeature(self.unsupported));
        let schema = self
            .schema
            .map(|(schema_min, max_schema)| Reason::SchemaTooNew {
                schema_min,
                max_schema,
            });
        bits.into_iter().chain(schema)
    }
}

impl Reason {
    /// The code tools print.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::UnsupportedFeature(_) => "unsupported-feature",
            Self::SchemaTooNew { .. } => "schema-too-new",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnsupportedFeature(mask) => {
                write!(f, "{}: {mask}", self.code())?;
                mask.bits()
                    .zip(mask.labels())
                    .try_for_each(|(bit, label)| write!(f, ", bit {bit} {label}"))
            }
            Self::SchemaTooNew {
                schema_min,
                max_schema,
            } => {
                write!(
                    f,
                    "{}: expected at most {max_schema}, found {schema_min}",
                    self.code()
                )
            }
        }
    }
}
