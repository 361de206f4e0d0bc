// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text from files, made fit for a terminal.

/// The text with every character escaped that would move the cursor, change colours or turn the
/// direction of the line.
pub(crate) fn line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || is_directional(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Marks, embeddings, overrides and isolates of bidirectional text.
fn is_directional(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_steers_a_terminal_passes() {
        assert_eq!(
            line("a\u{1b}[2Jb\n\u{9b}\u{202e}"),
            r"a\u{1b}[2Jb\u{a}\u{9b}\u{202e}"
        );
        assert_eq!(line("caf\u{e9} sg00/def.json"), "caf\u{e9} sg00/def.json");
    }
}
