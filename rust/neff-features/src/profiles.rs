// SPDX-License-Identifier: MIT OR Apache-2.0
//! The runtimes whose supported masks are known (section 11.3).
//!
//! Owns the table and the look-up by version; the tests themselves are [`gate`](mod@crate::gate) and
//! [`libnrt`].

use crate::gate::Capability;
use crate::libnrt;
use crate::mask::FeatureMask;

/// Which test a profile stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The generic gate.
    Generic,
    /// The examined header gate of libnrt.
    Libnrt,
}

/// A runtime with a known mask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Profile {
    /// Name of the profile.
    pub name: &'static str,
    /// Library version, where it is known.
    pub version: Option<&'static str>,
    /// What it takes.
    pub capability: Capability,
    /// The mask as the loader prints it; older loaders include bit 63.
    pub printed: FeatureMask,
    /// Which test it applies.
    pub rule: Rule,
    /// Where the numbers come from.
    pub basis: &'static str,
}

/// Bit 63, which older loaders print as supported because they never test it.
const NEVER_TESTED: FeatureMask = FeatureMask::of(63);

/// Every known runtime.
pub const PROFILES: [Profile; 3] = [
    Profile {
        name: "libnrt-2.31.24",
        version: Some("2.31.24.0"),
        capability: Capability {
            supported: libnrt::SUPPORTED,
            max_schema: libnrt::MAX_MAJOR,
        },
        printed: libnrt::SUPPORTED,
        rule: Rule::Libnrt,
        basis: "disassembly notes of that library",
    },
    reported("public-0xff", 0xff, "public reports of January 2024"),
    reported(
        "public-0x1f",
        0x1f,
        "public report of December 2024, container of SDK 2.17",
    ),
];

const fn reported(name: &'static str, supported: u64, basis: &'static str) -> Profile {
    let supported = FeatureMask::new(supported);
    Profile {
        name,
        version: None,
        capability: Capability {
            supported,
            max_schema: 2,
        },
        printed: supported.union(NEVER_TESTED),
        rule: Rule::Generic,
        basis,
    }
}

impl Profile {
    /// The profile with this name, or whose library version this is. A version may leave out
    /// trailing components (`2.31`) as long as one profile matches.
    pub fn find(name: &str) -> Option<&'static Self> {
        if let Some(profile) = PROFILES.iter().find(|profile| profile.name == name) {
            return Some(profile);
        }
        let mut matching = PROFILES.iter().filter(|profile| profile.has_version(name));
        matching.next().filter(|_| matching.next().is_none())
    }

    /// Whether `version` is a prefix of the profile's version, component by component.
    fn has_version(&self, version: &str) -> bool {
        let Some(full) = self.version else {
            return false;
        };
        let rest = full.strip_prefix(version);
        version.contains('.') && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}
