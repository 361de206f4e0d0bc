// SPDX-License-Identifier: MIT OR Apache-2.0
//! A reader in front of the JSON parser that keeps any member cheap to parse.
//!
//! Owns three limits the parser has no setting for: nesting (its own limit does not apply to
//! ignored values), the length of strings that the parser buffers, and valid UTF-8 in strings that
//! it skips. Grammar is the parser's subject: on text that is not JSON the counts here mean
//! nothing, and the parser refuses it.

use core::fmt;
use std::io::{self, Read};

/// Levels of arrays and objects a member may have.
const MAX_DEPTH: u32 = 128;
/// The levels on which strings are buffered: keys of the member, and elements of its arrays.
const BUFFERED_DEPTH: u32 = 2;
/// The longest string, in bytes, on those levels.
const MAX_STRING: u32 = 16 << 20;

/// Why the guard stopped the parser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    NotUtf8,
    TooDeep,
    StringTooLong,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8 => f.write_str("not UTF-8"),
            Self::TooDeep => write!(f, "nested deeper than {MAX_DEPTH} levels"),
            Self::StringTooLong => write!(f, "a string of more than {MAX_STRING} bytes"),
        }
    }
}

impl std::error::Error for Refusal {}

/// Passes bytes through until a limit is exceeded.
pub(super) struct Guard<R> {
    reader: R,
    depth: u32,
    string: Option<InString>,
    utf8: Utf8,
}

/// Inside a string.
#[derive(Clone, Copy, Default)]
struct InString {
    length: u32,
    escaped: bool,
}

impl<R: Read> Guard<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            depth: 0,
            string: None,
            utf8: Utf8::START,
        }
    }

    fn see(&mut self, byte: u8) -> Result<(), Refusal> {
        self.utf8 = self.utf8.after(byte).ok_or(Refusal::NotUtf8)?;
        match self.string {
            Some(string) => self.see_in_string(string, byte),
            None => self.see_outside(byte),
        }
    }

    fn see_in_string(&mut self, string: InString, byte: u8) -> Result<(), Refusal> {
        let ends = byte == b'"' && !string.escaped;
        let next = InString {
            length: string.length.saturating_add(1),
            escaped: byte == b'\\' && !string.escaped,
        };
        if self.depth <= BUFFERED_DEPTH && next.length > MAX_STRING {
            return Err(Refusal::StringTooLong);
        }
        self.string = (!ends).then_some(next);
        Ok(())
    }

    fn see_outside(&mut self, byte: u8) -> Result<(), Refusal> {
        match byte {
            b'"' => self.string = Some(InString::default()),
            b'[' | b'{' if self.depth == MAX_DEPTH => return Err(Refusal::TooDeep),
            b'[' | b'{' => self.depth += 1,
            b']' | b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        Ok(())
    }
}

impl<R: Read> Read for Guard<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(out)?;
        out[..count]
            .iter()
            .try_for_each(|&byte| self.see(byte))
            .map_err(io::Error::other)?;
        Ok(count)
    }
}

/// The continuation bytes that a UTF-8 sequence still needs, and the range of the next one.
#[derive(Clone, Copy)]
struct Utf8 {
    needed: u8,
    low: u8,
    high: u8,
}

impl Utf8 {
    const START: Self = Self::expecting(0);

    const fn expecting(needed: u8) -> Self {
        Self {
            needed,
            low: 0x80,
            high: 0xbf,
        }
    }

    /// The state after `byte`; `None` when it does not belong there.
    fn after(self, byte: u8) -> Option<Self> {
        if self.needed > 0 {
            let fits = (self.low..=self.high).contains(&byte);
            return fits.then_some(Self::expecting(self.needed - 1));
        }
        Some(match byte {
            0x00..=0x7f => Self::START,
            0xc2..=0xdf => Self::expecting(1),
            0xe0 => Self {
                low: 0xa0,
                ..Self::expecting(2)
            },
            0xed => Self {
                high: 0x9f,
                ..Self::expecting(2)
            },
            0xe1..=0xef => Self::expecting(2),
            0xf0 => Self {
                low: 0x90,
                ..Self::expecting(3)
            },
            0xf4 => Self {
                high: 0x8f,
                ..Self::expecting(3)
            },
            0xf1..=0xf3 => Self::expecting(3),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::String;
    use std::vec::Vec;

    fn refusal(text: &[u8]) -> Option<Refusal> {
        let error = Guard::new(text).read_to_end(&mut Vec::new()).err()?;
        error.downcast().ok()
    }

    #[test]
    fn text_is_utf8_for_the_guard_exactly_when_it_is_for_core() {
        let leads = [
            0x00, 0x7f, 0x80, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef,
        ];
        let edges = [0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff, 0x8f, 0x90, 0x9f, 0xa0];
        let bytes: Vec<u8> = leads.into_iter().chain(edges).collect();
        for &a in &bytes {
            for &b in &bytes {
                for &c in &bytes {
                    // Two ASCII bytes at the end complete no sequence and hide no open one.
                    let text = [a, b, c, b'.', b'.'];
                    let valid = core::str::from_utf8(&text).is_ok();
                    assert_eq!(
                        refusal(&text) == Some(Refusal::NotUtf8),
                        !valid,
                        "{text:x?}"
                    );
                }
            }
        }
    }

    #[test]
    fn nesting_is_counted_outside_strings_only() {
        let levels = MAX_DEPTH as usize;
        assert_eq!(refusal("[".repeat(levels).as_bytes()), None);
        assert_eq!(
            refusal("[{".repeat(levels).as_bytes()),
            Some(Refusal::TooDeep)
        );
        assert_eq!(refusal("[]".repeat(levels * 2).as_bytes()), None);
        let quoted = String::from("\"\\\"") + &"[".repeat(levels * 2) + "\"";
        assert_eq!(refusal(quoted.as_bytes()), None);
    }

    #[test]
    fn only_a_string_that_the_parser_would_buffer_has_a_limit() {
        let long = "x".repeat(MAX_STRING as usize + 1);
        let at_depth = |depth: usize| "[".repeat(depth) + "\"" + &long;
        assert_eq!(
            refusal(at_depth(2).as_bytes()),
            Some(Refusal::StringTooLong)
        );
        assert_eq!(refusal(at_depth(3).as_bytes()), None);
    }
}
