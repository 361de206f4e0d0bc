// SPDX-License-Identifier: MIT OR Apache-2.0
//! The texts for people: what debugfs and fdinfo say, and the way about in a report's text.

use core::num::NonZeroU8;

use crate::rules::listing::{self, Line};
use crate::rules::message::VALUE_MAX;
use crate::rules::{FileRights, Message, Reading, Refusal, Snapshot};
use crate::support::with_dense_world;

/// All lines that `line` makes.
fn text(line: impl Fn(usize, &mut Line) -> bool) -> String {
    let mut text = String::new();
    for number in 0.. {
        let mut next = Line::new();
        if !line(number, &mut next) {
            break;
        }
        text.push_str(core::str::from_utf8(next.as_bytes()).unwrap());
    }
    text
}

#[test]
fn slots_has_a_head_also_when_nobody_is_there() {
    let snapshot = Snapshot::new();
    let nobody = text(|number, line| listing::slots(&snapshot, number, line));
    assert_eq!(nobody, "slot generation pid uid age_ms cores stale_uses\n");
}

#[test]
fn a_row_shows_cores_as_a_mask_of_four_digits() {
    with_dense_world(|world| {
        world.begin(41).unwrap();
        let snapshot = world.report().clone();
        let rows = text(|number, line| listing::slots(&snapshot, number, line));
        assert_eq!(rows.lines().nth(1), Some("0 1 41 0 0 0x0000 0"));
        assert_eq!(rows.lines().count(), 2);
    });
}

#[test]
fn statistics_names_every_count_and_every_refusal() {
    let snapshot = Snapshot::new();
    let lines = text(|number, line| listing::statistics(snapshot.statistics(), number, line));
    assert!(lines.starts_with("acquires 0\nattaches 0\nreleases 0\n"));
    assert_eq!(lines.lines().count(), 7 + Refusal::COUNT);
    for reason in Refusal::ALL {
        assert!(lines.contains(&format!("\nrefused_{} 0\n", reason.name())));
    }
}

#[test]
fn a_post_is_shown_in_hexadecimal_and_record_by_record() {
    let mut message = Message::new();
    message.append(NonZeroU8::MIN, b"1.2").unwrap();
    message
        .append(NonZeroU8::new(200).unwrap(), b"seven")
        .unwrap();
    let shown = text(|number, line| listing::last_post(&message, number, line));
    assert_eq!(shown, "0103312e32c805736576656e\n1:3:1.2\n200:5:seven\n");
}

#[test]
fn the_fullest_post_is_not_cut() {
    let mut message = Message::new();
    message.append(NonZeroU8::MAX, &[b'x'; VALUE_MAX]).unwrap();
    let shown = text(|number, line| listing::last_post(&message, number, line));
    assert_eq!(shown.lines().next().map(str::len), Some(256));
    assert_eq!(
        shown.lines().nth(1),
        Some(&*format!("255:126:{}", "x".repeat(VALUE_MAX)))
    );
}

#[test]
fn a_file_without_rights_is_only_that_of_its_device() {
    let rights = FileRights::new();
    let shown = text(|number, line| listing::file(63, &rights, number, line));
    assert_eq!(shown, "nds-device:\t63\n");
}

/// The rest of a report's text from an offset on, when every piece is taken in parts of at most `taken`.
fn read_from(snapshot: &Snapshot, reading: &mut Reading, offset: usize, taken: usize) -> Vec<u8> {
    let mut read = Vec::new();
    assert!(reading.seek(snapshot, offset as u64));
    while !reading.at_end(snapshot) {
        let mut piece = [0; 100];
        let made = reading.fill(snapshot, &mut piece).min(taken);
        read.extend_from_slice(&piece[..made]);
        reading.take(snapshot, made);
    }
    read
}

#[test]
fn a_reader_may_take_less_than_was_made_and_go_anywhere() {
    let snapshot = Snapshot::new();
    let mut reading = Reading::new();
    let whole = read_from(&snapshot, &mut reading, 0, 100);
    assert!(whole.len() > 300);
    for (offset, taken) in [(0, 1), (299, 7), (300, 100), (1, 99), (whole.len(), 1)] {
        assert_eq!(
            read_from(&snapshot, &mut reading, offset, taken),
            whole[offset..]
        );
    }
}

#[test]
fn there_is_nothing_behind_the_end_of_a_text() {
    let snapshot = Snapshot::new();
    let mut reading = Reading::new();
    assert!(!reading.seek(&snapshot, u64::MAX));
    assert_eq!(reading.fill(&snapshot, &mut [0; 10]), 0);
    assert!(reading.seek(&snapshot, 3));
}
