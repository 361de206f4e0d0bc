// SPDX-License-Identifier: MIT OR Apache-2.0
//! The JSON members: one top-level key of each, streamed (section 2).
//!
//! Owns what is taken from a member. Everything else in it is checked for grammar and dropped, so a
//! member costs memory only for its feature names.

use core::fmt;
use std::borrow::ToOwned;
use std::io::{self, Read};
use std::string::{String, ToString};
use std::vec::Vec;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::guard::{Guard, Refusal};
use super::member::Role;

/// Elements of `neff_features` that are kept; eleven can be right.
const MAX_ELEMENTS: usize = 1024;
/// Bytes of `neff_features` that are kept.
const MAX_TEXT: usize = 256 << 10;
/// A UTF-8 byte order mark, which a member may start with.
const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

/// The one value that is taken from a member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    /// The key is not there.
    Missing,
    /// A string.
    Text(String),
    /// An array; `None` for elements that are not strings.
    Array(Vec<Option<String>>),
    /// Anything else.
    Other,
    /// An array with more text than is kept.
    TooLarge,
}

/// Why nothing was taken from a member.
#[derive(Debug)]
pub(super) enum Failure {
    /// It is not a JSON object; the parser's words.
    Invalid(String),
    /// It needs more memory than is allowed.
    TooLarge,
    /// Reading failed.
    Io(io::Error),
}

/// Reads a whole member and takes the value its role asks for.
pub(super) fn read(role: Role, reader: impl Read) -> Result<Wanted, Failure> {
    let key = match role {
        Role::Def => "neff_features",
        Role::Kelf => "target",
        Role::Manifest | Role::Info => "",
    };
    match read_object(key, reader)? {
        Wanted::TooLarge => Err(Failure::TooLarge),
        wanted => Ok(wanted),
    }
}

fn read_object(key: &str, mut reader: impl Read) -> Result<Wanted, Failure> {
    let start = read_start(&mut reader).map_err(Failure::Io)?;
    let text = start.strip_prefix(&BYTE_ORDER_MARK).unwrap_or(&start);
    let buffered = io::BufReader::new(Guard::new(text.chain(reader)));
    let mut parser = serde_json::Deserializer::from_reader(buffered);
    let wanted = parser
        .deserialize_map(Object { key })
        .and_then(|wanted| parser.end().map(|()| wanted));
    wanted.map_err(Failure::from)
}

/// As many bytes as a byte order mark has, or fewer.
fn read_start(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(BYTE_ORDER_MARK.len());
    reader
        .take(BYTE_ORDER_MARK.len() as u64)
        .read_to_end(&mut start)?;
    Ok(start)
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        if !error.is_io() {
            return Self::Invalid(error.to_string());
        }
        let error = io::Error::from(error);
        match error
            .get_ref()
            .and_then(|inner| inner.downcast_ref::<Refusal>())
        {
            Some(Refusal::StringTooLong) => Self::TooLarge,
            Some(refusal) => Self::Invalid(refusal.to_string()),
            None => Self::Io(error),
        }
    }
}

/// The member itself: an object with a key of interest.
struct Object<'a> {
    key: &'a str,
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = Wanted;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Wanted, A::Error> {
        let mut wanted = Wanted::Missing;
        while let Some(is_wanted) = map.next_key_seed(Key(self.key))? {
            if is_wanted {
                wanted = map.next_value_seed(Value::Whole)?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(wanted)
    }
}

/// A key: is it this one?
struct Key<'a>(&'a str);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<bool, E> {
        Ok(key == self.0)
    }
}

/// The value of interest, or an element of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Whole,
    Element,
}

impl<'de> DeserializeSeed<'de> for Value {
    type Value = Wanted;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Wanted, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value {
    type Value = Wanted;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Wanted, E> {
        Ok(Wanted::Other)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Wanted, E> {
        Ok(Wanted::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Wanted, E> {
        Ok(Wanted::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Wanted, E> {
        Ok(Wanted::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Wanted, E> {
        Ok(Wanted::Other)
    }

    fn visit_str<E>(self, text: &str) -> Result<Wanted, E> {
        match text.len() <= MAX_TEXT {
            true => Ok(Wanted::Text(text.to_owned())),
            false => Ok(Wanted::TooLarge),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Wanted, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Wanted::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Wanted, A::Error> {
        if self == Self::Element {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(Wanted::Other);
        }
        let mut elements = Elements::default();
        while let Some(element) = seq.next_element_seed(Self::Element)? {
            elements.add(element);
        }
        Ok(elements.finish())
    }
}

/// The array so far.
#[derive(Default)]
struct Elements {
    kept: Vec<Option<String>>,
    text: usize,
    overflow: bool,
}

impl Elements {
    fn add(&mut self, element: Wanted) {
        self.overflow |= element == Wanted::TooLarge;
        let element = match element {
            Wanted::Text(text) => Some(text),
            _ => None,
        };
        self.text += element.as_ref().map_or(0, String::len);
        self.overflow |= self.text > MAX_TEXT || self.kept.len() == MAX_ELEMENTS;
        if !self.overflow {
            self.kept.push(element);
        }
    }

    fn finish(self) -> Wanted {
        match self.overflow {
            true => Wanted::TooLarge,
            false => Wanted::Array(self.kept),
        }
    }
}
