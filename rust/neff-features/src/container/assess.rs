// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the members say together, and whether they agree with the header (sections 12 and 13).
//!
//! Owns the step from members to cores and architecture; the consistency rules are
//! [`names`](crate::names)'s.

use std::collections::{BTreeMap, BTreeSet};
use std::string::String;
use std::sync::Arc;
use std::vec::Vec;

use super::fault::Offset;
use super::member::{Role, TOP_LEVEL_DEF};
use super::notes::Notes;
use super::report::{Conclusions, Core};
use super::sidecar::Wanted;
use super::walk::{Archive, Content, Member};
use crate::arch::KelfTarget;
use crate::finding::{Code, Finding, Place, What};
use crate::header::{runtime, Header, HEADER_SIZE};
use crate::names::{check, CoreNames, Declared, Listed};

/// Where findings about the archive as a whole are.
const PAYLOAD_START: Offset = Offset::File(HEADER_SIZE as u64);

/// Draws the conclusions of section 13 after the walk.
pub(super) fn assess(archive: Archive, header: &Header, notes: &mut Notes) -> Conclusions {
    check_manifest(&archive, notes);
    let arch = arch_level(&archive, notes);
    let definitions = definitions(&archive);
    report_invalid(&definitions, notes);
    let cores = named_cores(&definitions);
    let declared = Declared {
        mask: header.mask(),
        schema_min: header.schema_min(),
        vnc_size: header.vnc_size(),
        arch,
    };
    let all_readable = cores.len() == definitions.len();
    let places = Places {
        header,
        members: &archive.members,
    };
    check(&declared, &cores, all_readable, |finding| {
        places.raise(finding, notes)
    });
    let cores = definitions.iter().map(|(path, member)| Core {
        path: (*path).clone(),
        features: strings(member),
    });
    Conclusions {
        cores: cores.collect(),
        arch,
        members: archive.order,
    }
}

/// There is a manifest, and it is JSON.
fn check_manifest(archive: &Archive, notes: &mut Notes) {
    let manifests = members_of(archive, Role::Manifest);
    if manifests.is_empty() {
        notes.raise(
            Code::NeffJsonMissing,
            Place::Archive,
            What::Nothing,
            PAYLOAD_START,
        );
    }
    report_invalid(&manifests, notes);
}

/// The level on which all kelf members agree.
fn arch_level(archive: &Archive, notes: &mut Notes) -> Option<i32> {
    let kelfs = members_of(archive, Role::Kelf);
    report_invalid(&kelfs, notes);
    let mut levels = BTreeSet::new();
    for (path, member) in kelfs {
        let Content::Json(_, wanted) = &member.content else {
            continue;
        };
        let target = match wanted {
            Wanted::Text(target) => Some(target.as_str()),
            _ => None,
        };
        match target.map(KelfTarget::parse) {
            Some(known @ (KelfTarget::Arch(_) | KelfTarget::Any)) => {
                levels.insert(known.arch_level());
            }
            Some(KelfTarget::Unknown) | None => {
                let what = target.map_or(What::Nothing, What::Text);
                notes.raise_in(Code::KelfTargetUnknown, path, what, member.offset);
            }
        }
    }
    levels.pop_first().flatten().filter(|_| levels.is_empty())
}

type Members<'a> = Vec<(&'a Arc<str>, &'a Member)>;

fn members_of(archive: &Archive, role: Role) -> Members<'_> {
    let has_role = |member: &Member| match member.content {
        Content::Json(own, _) | Content::Invalid(own, _) => own == role,
        Content::Unread => false,
    };
    archive
        .members
        .iter()
        .filter(|(_, member)| has_role(member))
        .collect()
}

/// The cores' definitions; the one at the top level only when there is no other.
fn definitions(archive: &Archive) -> Members<'_> {
    let mut all = members_of(archive, Role::Def);
    if all.len() > 1 {
        all.retain(|(path, _)| path.as_ref() != TOP_LEVEL_DEF);
    }
    all
}

fn report_invalid(members: &Members<'_>, notes: &mut Notes) {
    for (path, member) in members {
        if let Content::Invalid(_, words) = &member.content {
            notes.raise_json(path, member.offset, words.clone());
        }
    }
}

/// The readable definitions, as the consistency rules want them.
fn named_cores<'a>(definitions: &Members<'a>) -> Vec<CoreNames<'a, String>> {
    let core = |&(path, member): &(&'a Arc<str>, &'a Member)| match &member.content {
        Content::Json(_, wanted) => Some(CoreNames {
            path,
            listed: listed(wanted),
        }),
        _ => None,
    };
    definitions.iter().filter_map(core).collect()
}

fn listed(wanted: &Wanted) -> Listed<'_, String> {
    match wanted {
        Wanted::Missing => Listed::KeyMissing,
        Wanted::Array(elements) => Listed::Array(elements),
        Wanted::Text(_) | Wanted::Other | Wanted::TooLarge => Listed::NotArray,
    }
}

/// The strings a definition lists.
fn strings(member: &Member) -> Vec<String> {
    match &member.content {
        Content::Json(_, Wanted::Array(elements)) => elements.iter().flatten().cloned().collect(),
        _ => Vec::new(),
    }
}

/// Gives findings of the consistency rules their place in the file.
struct Places<'a> {
    header: &'a Header,
    members: &'a BTreeMap<Arc<str>, Member>,
}

impl Places<'_> {
    fn raise(&self, finding: Finding<'_>, notes: &mut Notes) {
        let Finding { code, place, what } = finding;
        match place {
            Place::Member(path) => {
                if let Some((path, member)) = self.members.get_key_value(path) {
                    notes.raise_in(code, path, what, member.offset);
                }
            }
            Place::Header => notes.raise(code, Place::Header, what, self.header_offset(code)),
            Place::Archive => notes.raise(code, Place::Archive, what, PAYLOAD_START),
            Place::File => notes.raise(code, Place::File, what, PAYLOAD_START),
            Place::Payload => notes.raise(code, Place::Payload, what, PAYLOAD_START),
        }
    }

    /// The field a finding about the header is about.
    fn header_offset(&self, code: Code) -> Offset {
        let layout = self.header.layout();
        let offset = match code {
            Code::SchemaTooLow | Code::SchemaUnknown | Code::SchemaWithoutFeatures => {
                layout.schema_offset()
            }
            Code::VncSizeMismatch => runtime::offset::VNC_SIZE,
            _ => layout.mask_offset(),
        };
        Offset::File(offset as u64)
    }
}
