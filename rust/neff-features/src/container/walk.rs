// SPDX-License-Identifier: MIT OR Apache-2.0
//! The walk through the tar archive, entry by entry (section 13).
//!
//! Owns the order of the checks on an entry and the rule that a repeated name replaces the earlier
//! one. Fields of a header block are `tar_block`'s subject, extension records `pax`'s, names
//! `member`'s and JSON `sidecar`'s.

use std::collections::BTreeMap;
use std::io::{Read, Seek};
use std::string::{String, ToString};
use std::sync::Arc;
use std::vec;
use std::vec::Vec;

use super::fault::{Fault, Offset, Stop};
use super::member::{is_dropped, is_unsafe, Role};
use super::notes::Notes;
use super::pax::{are_well_formed, Pending};
use super::payload::Payload;
use super::sidecar::{self, Failure, Wanted};
use super::tar_block::{decimal_size, Kind, TarBlock, BLOCK_SIZE};
use super::{MAX_EXTENSION, MAX_JSON_MEMBER};
use crate::finding::{Code, FatalCode, Place, What};
use crate::text::Escaped;

/// The regular members of an archive.
#[derive(Default)]
pub(super) struct Archive {
    /// Names by first position.
    pub(super) order: Vec<Arc<str>>,
    /// The last entry of each name.
    pub(super) members: BTreeMap<Arc<str>, Member>,
}

/// The last entry of a name.
pub(super) struct Member {
    /// Where its header block is.
    pub(super) offset: Offset,
    /// What was read of it.
    pub(super) content: Content,
}

/// What was read of a member.
pub(super) enum Content {
    /// Nothing: it is of no interest.
    Unread,
    /// A JSON object, and what was wanted of it.
    Json(Role, Wanted),
    /// Not a JSON object; the parser's words.
    Invalid(Role, String),
}

/// Walks the archive from its start to its end.
pub(super) fn walk<R: Read + Seek>(
    payload: &mut Payload<R>,
    notes: &mut Notes,
) -> Result<Archive, Stop> {
    let mut walk = Walk {
        payload,
        notes,
        archive: Archive::default(),
        pending: Pending::default(),
        is_first: true,
    };
    while walk.step()? {}
    Ok(walk.archive)
}

struct Walk<'a, R> {
    payload: &'a mut Payload<R>,
    notes: &'a mut Notes,
    archive: Archive,
    pending: Pending,
    is_first: bool,
}

/// An ordinary entry, after extension headers are taken into account.
struct Entry {
    offset: Offset,
    kind: Kind,
    raw_name: Vec<u8>,
    size: u64,
}

impl Entry {
    fn is_directory(&self) -> bool {
        self.kind == Kind::Directory || self.kind == Kind::Regular && self.raw_name.ends_with(b"/")
    }

    fn is_regular(&self) -> bool {
        matches!(self.kind, Kind::Regular | Kind::Contiguous) && !self.is_directory()
    }
}

impl<R: Read + Seek> Walk<'_, R> {
    /// Takes one header block and what belongs to it; `false` at the end of the archive.
    fn step(&mut self) -> Result<bool, Stop> {
        let offset = self.payload.offset();
        let Some(block) = self.block(offset)? else {
            return Ok(false);
        };
        self.is_first = false;
        match block.kind() {
            Kind::PaxNext | Kind::PaxGlobal | Kind::GnuName | Kind::GnuLink => {
                self.extension(&block, offset)?
            }
            _ => {
                let entry = self.entry(&block, offset)?;
                self.take(&entry)?;
            }
        }
        if self.notes.is_exhausted() {
            return Err(Fault::new(FatalCode::LimitExceeded, offset).into());
        }
        Ok(true)
    }

    /// The next header block; `None` at the end, with or without a zero block.
    fn block(&mut self, offset: Offset) -> Result<Option<TarBlock>, Stop> {
        let mut bytes = [0; BLOCK_SIZE];
        match self.payload.read_full(&mut bytes)? {
            BLOCK_SIZE => {}
            0 if !self.is_first => {
                self.notes
                    .raise(Code::TarNoEnd, Place::Payload, What::Nothing, offset);
                return Ok(None);
            }
            length => {
                let fault = Fault::new(self.unless_first(FatalCode::TarTruncated), offset);
                return Err(fault.found(std::format!("{length} bytes")).into());
            }
        }
        let Some(block) = TarBlock::new(&bytes) else {
            return Ok(None);
        };
        match block.checksum_matches() {
            true => Ok(Some(block)),
            false => Err(Fault::new(self.unless_first(FatalCode::TarBadChecksum), offset).into()),
        }
    }

    /// A first block that is no header means that the payload is no archive.
    fn unless_first(&self, code: FatalCode) -> FatalCode {
        match self.is_first {
            true => FatalCode::PayloadNotArchive,
            false => code,
        }
    }

    /// Reads an extension header into `pending`.
    fn extension(&mut self, block: &TarBlock, offset: Offset) -> Result<(), Stop> {
        let bad = || Fault::new(FatalCode::TarBadExtension, offset);
        let size = block
            .size()
            .ok_or(Fault::new(FatalCode::TarBadSize, offset))?;
        if size > MAX_EXTENSION {
            return Err(bad().found(std::format!("{size} bytes")).into());
        }
        let mut body = vec![0; size as usize];
        let length = self.payload.read_full(&mut body)? as u64;
        self.finish_data(offset, size, length)?;
        match block.kind() {
            Kind::PaxNext => self.pending.add_records(&body).ok_or_else(bad)?,
            Kind::PaxGlobal if !are_well_formed(&body) => return Err(bad().into()),
            Kind::GnuName => self.pending.add_gnu_name(&body),
            _ => {}
        }
        Ok(())
    }

    fn entry(&mut self, block: &TarBlock, offset: Offset) -> Result<Entry, Fault> {
        let pending = core::mem::take(&mut self.pending);
        let declared = block.size();
        let size = match pending.size {
            Some(text) => declared.and_then(|_| decimal_size(&text)),
            None => declared,
        };
        let size = size.ok_or(Fault::new(FatalCode::TarBadSize, offset))?;
        let mut raw_name = pending.path.unwrap_or_else(|| block.name());
        if raw_name.starts_with(b"./") {
            raw_name.drain(..2);
        }
        Ok(Entry {
            offset,
            kind: block.kind(),
            raw_name,
            size,
        })
    }

    /// Reads or skips the entry's data, then judges it.
    fn take(&mut self, entry: &Entry) -> Result<(), Stop> {
        let name = Escaped(&entry.raw_name).to_string();
        let is_bad = !entry.is_directory() && is_unsafe(&entry.raw_name);
        let role = Role::of(&name).filter(|_| entry.is_regular() && !is_bad);
        let content = self.data(entry, role, &name)?;
        if entry.is_directory() {
            return Ok(());
        }
        let path: Arc<str> = name.into();
        if is_bad {
            self.object(Code::UnsafeMemberName, &path, What::Nothing, entry.offset);
        } else if let Kind::Special(flag) = entry.kind {
            let flag = Escaped(&[flag]).to_string();
            self.object(Code::SpecialMember, &path, What::Text(&flag), entry.offset);
        } else if !is_dropped(&path) {
            self.keep(
                path,
                Member {
                    offset: entry.offset,
                    content,
                },
            );
        }
        Ok(())
    }

    /// A finding about an entry that is not kept, so that its name is paid for here.
    fn object(&mut self, code: Code, path: &Arc<str>, what: What<'_>, offset: Offset) {
        if self.notes.afford(path) {
            self.notes.raise_in(code, path, what, offset);
        }
    }

    /// Reads the data of a member with a role, skips any other, and the padding after it.
    fn data(&mut self, entry: &Entry, role: Option<Role>, name: &str) -> Result<Content, Stop> {
        let mut left = entry.size;
        let mut content = Content::Unread;
        if let Some(role) = role {
            if entry.size > MAX_JSON_MEMBER {
                let fault = Fault::new(FatalCode::MemberTooLarge, entry.offset);
                return Err(fault
                    .found(std::format!("{} bytes in {name}", entry.size))
                    .into());
            }
            let mut data = self.payload.take(entry.size);
            let read = sidecar::read(role, &mut data);
            left = data.limit();
            content = self.content(entry, role, read)?;
        }
        let skipped = self.payload.skip(left)?;
        self.finish_data(entry.offset, entry.size, entry.size - left + skipped)?;
        Ok(content)
    }

    fn content(
        &self,
        entry: &Entry,
        role: Role,
        read: Result<Wanted, Failure>,
    ) -> Result<Content, Stop> {
        match read {
            Ok(wanted) => Ok(Content::Json(role, wanted)),
            Err(Failure::Invalid(words)) => Ok(Content::Invalid(role, words)),
            Err(Failure::TooLarge) => {
                Err(Fault::new(FatalCode::LimitExceeded, entry.offset).into())
            }
            Err(Failure::Io(error)) => Err(self.payload.stop(error)),
        }
    }

    /// Checks that the data was all there, and skips its padding, of which some may be missing.
    fn finish_data(&mut self, offset: Offset, size: u64, length: u64) -> Result<(), Stop> {
        if length < size {
            let fault = Fault::new(FatalCode::TarTruncated, offset);
            return Err(fault.found(std::format!("{length} of {size} bytes")).into());
        }
        let padding = size.wrapping_neg() % BLOCK_SIZE as u64;
        self.payload.skip(padding)?;
        Ok(())
    }

    fn keep(&mut self, path: Arc<str>, member: Member) {
        if !self.afford(&path, &member.content) {
            return;
        }
        let offset = member.offset;
        match self.archive.members.insert(path.clone(), member) {
            Some(_) => self
                .notes
                .raise_in(Code::DuplicateMember, &path, What::Nothing, offset),
            None => self.archive.order.push(path),
        }
    }

    /// Pays for a name and for what was read of the member.
    fn afford(&mut self, path: &str, content: &Content) -> bool {
        let content_fits = match content {
            Content::Json(_, Wanted::Array(elements)) => elements
                .iter()
                .all(|element| self.notes.afford(element.as_deref().unwrap_or(""))),
            Content::Json(_, Wanted::Text(text)) | Content::Invalid(_, text) => {
                self.notes.afford(text)
            }
            _ => true,
        };
        content_fits && self.notes.afford(path)
    }
}
