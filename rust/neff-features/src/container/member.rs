// SPDX-License-Identifier: MIT OR Apache-2.0
//! Member names: printing, safety, and which members are read (sections 2 and 13).
//!
//! A name is only ever compared and printed here. That it is called unsafe matters to those who
//! extract the archive with something else.

/// Why a member's content is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// `neff.json` or `kelp.json`: the graph manifest.
    Manifest,
    /// `kelf-*.json`: names the target.
    Kelf,
    /// `sgNN/def.json` at any depth, or `def.json` at the top: lists the features.
    Def,
    /// `info.json`: not read, but held to the size limit of those that are.
    Info,
}

/// What loaders drop, wherever it is.
const DROPPED_SUFFIX: &str = "wavegraph-bin.json";
/// A definition at the top level, which counts only when there is no other.
pub(super) const TOP_LEVEL_DEF: &str = "def.json";

/// Whether loaders drop the member.
pub(super) fn is_dropped(name: &str) -> bool {
    name.ends_with(DROPPED_SUFFIX)
}

/// Whether the name is unfit to be a path below some folder.
pub(super) fn is_unsafe(raw: &[u8]) -> bool {
    let Ok(name) = core::str::from_utf8(raw) else {
        return true;
    };
    let has_drive = matches!(raw, [letter, b':', ..] if letter.is_ascii_alphabetic());
    name.is_empty()
        || name.starts_with('/')
        || name.contains(|c: char| c == '\\' || c.is_ascii_control())
        || has_drive
        || name.split('/').any(|component| component == "..")
}

impl Role {
    /// The role of the member with this name, if its content is of interest.
    pub(super) fn of(name: &str) -> Option<Self> {
        match name {
            "neff.json" | "kelp.json" => Some(Self::Manifest),
            "info.json" => Some(Self::Info),
            TOP_LEVEL_DEF => Some(Self::Def),
            _ if is_core_def(name) => Some(Self::Def),
            _ if is_kelf(name) => Some(Self::Kelf),
            _ => None,
        }
    }
}

/// `(^|/)sg[0-9]+/def\.json$`
fn is_core_def(name: &str) -> bool {
    let folder = name
        .strip_suffix("/def.json")
        .and_then(|path| path.rsplit('/').next());
    let number = folder.and_then(|folder| folder.strip_prefix("sg"));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// `^kelf-[0-9A-Za-z]+\.json$`
fn is_kelf(name: &str) -> bool {
    let label = name
        .strip_prefix("kelf-")
        .and_then(|rest| rest.strip_suffix(".json"));
    label.is_some_and(|label| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric()))
}
