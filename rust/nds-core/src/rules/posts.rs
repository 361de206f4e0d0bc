// SPDX-License-Identifier: MIT OR Apache-2.0
//! The periodic post: a message of records about what changed (metrics reference sections 4.2 to 4.7 and 6).
//!
//! Owns what a message contains. The rows are in [`super::posts_table`], what waits for delivery in
//! `posts_pending`, the bytes in [`super::message`]. The sender calls [`Posts::observe`] for each occupancy,
//! then [`Posts::tick`], and says by [`Posts::delivered`] or [`Posts::not_delivered`] what became of the message.
//!
//! Unlike in the C driver, nothing is dropped before it was delivered, whatever the order of ends and ticks; a record
//! that did not fit comes first next time; a falling counter takes nothing from others; a process without an identifier
//! does not hide that of another. Otherwise the messages are the same.

use core::num::NonZeroU8;

use super::block::{HeadRow, NdRow, HEAD};
use super::message::{Full, Message};
use super::posts_pending::Pending;
use super::posts_table::{Constant, Parity, Row, Source, VersionIds, DEVICE_ROWS, ROWS};
use super::slot::{Slot, SLOTS};
use super::text::Text;
use super::totals::combine;
use super::versions::Usage;
use crate::layout::{Kind, NdCounter, PackedVersion};

/// Bytes of the longest constant, as in the C driver.
pub const CONSTANT_MAX: usize = 63;

/// Room for any value: a constant, a version, or a number.
type Value = Text<CONSTANT_MAX>;

/// Why an occupancy is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// A tick is due.
    Tick,
    /// It has ended.
    End,
}

/// The posts of one device.
#[derive(Clone, Debug)]
pub struct Posts {
    instance_id: Value,
    driver_version: Value,
    /// Of the next tick.
    parity: Parity,
    /// The row that the next message of each parity begins with.
    first_row: [usize; 2],
    /// The counters of each slot's occupancy when they were last looked at; 0 for a free slot.
    seen: [HeadRow; SLOTS],
    pending: Pending,
    /// The newest values that were not 0, of the identifiers that are posted.
    identifiers: NdRow,
}

impl Posts {
    /// Nothing counted, and the next tick is tick 0.
    pub const fn new() -> Self {
        Self {
            instance_id: Value::new(),
            driver_version: Value::new(),
            parity: Parity::Even,
            first_row: [0; 2],
            seen: [[0; HEAD]; SLOTS],
            pending: Pending::new(),
            identifiers: [0; NdCounter::COUNT],
        }
    }

    /// Sets a constant, of which at most [`CONSTANT_MAX`] bytes are kept. One that is never set, or empty, is not
    /// posted.
    pub fn set_constant(&mut self, constant: Constant, text: &[u8]) {
        let mut value = Value::new();
        value.push(text.get(..CONSTANT_MAX).unwrap_or(text));
        match constant {
            Constant::InstanceId => self.instance_id = value,
            Constant::DriverVersion => self.driver_version = value,
        }
    }

    /// Looks at an occupancy: `counters` are its first counters, each added up over the cores of the device.
    ///
    /// Counters are taken over on every occasion, the rest when a tick sends it or when it is the last chance.
    pub fn observe(&mut self, slot: Slot, device: &NdRow, counters: &HeadRow, occasion: Occasion) {
        let Some(seen) = self.seen.get_mut(slot.index()) else {
            return;
        };
        self.pending.add_growth(seen, counters);
        *seen = match occasion {
            Occasion::Tick => *counters,
            Occasion::End => [0; HEAD],
        };
        let parity = self.parity;
        for row in &DEVICE_ROWS {
            if row.due.on(parity) || occasion == Occasion::End {
                self.observe_device(row.source, device);
            }
        }
    }

    fn observe_device(&mut self, source: Source, device: &NdRow) {
        match source {
            Source::Versions(counter, _) => {
                self.pending.note_version(counter, word(device, counter))
            }
            Source::Features(_) => self
                .pending
                .note_features(word(device, NdCounter::FEATURE_BITMAP)),
            Source::Decimal(counter, _) | Source::Hexadecimal(counter, _) => {
                if let Some(newest) = self.identifiers.get_mut(counter.index()) {
                    *newest = combine(Kind::Identifier, *newest, word(device, counter));
                }
            }
            Source::Constant(..) | Source::Growth(..) => {}
        }
    }

    /// Makes the message of a tick, which may be empty. If nobody said what became of the last one, it was not
    /// delivered.
    pub fn tick(&mut self) -> Message {
        self.not_delivered();
        let parity = self.parity;
        self.parity = parity.next();
        let mut message = Message::new();
        let mut left_out = None;
        let first = self.first_row.get(parity.index()).copied().unwrap_or(0);
        let rows = (0..ROWS.len()).zip(&ROWS);
        for (number, row) in rows.clone().skip(first).chain(rows.take(first)) {
            if row.due.on(parity) && self.write(row, &mut message).is_err() {
                left_out = left_out.or(Some(number));
            }
        }
        if let Some(first) = self.first_row.get_mut(parity.index()) {
            *first = left_out.unwrap_or(0);
        }
        message
    }

    /// The message of the last tick was delivered.
    pub fn delivered(&mut self) {
        self.pending.delivered();
    }

    /// It was not: what it said is said again.
    pub fn not_delivered(&mut self) {
        self.pending.not_delivered();
    }

    fn write(&mut self, row: &Row, message: &mut Message) -> Result<(), Full> {
        match row.source {
            Source::Constant(Constant::InstanceId, id) => append(message, id, &self.instance_id),
            Source::Constant(Constant::DriverVersion, id) => {
                append(message, id, &self.driver_version)
            }
            Source::Versions(counter, ids) => self.write_versions(counter, ids, message),
            Source::Growth(counter, id) => {
                append(message, id, &decimal(self.pending.growth(counter)))?;
                self.pending.send_growth(counter);
                Ok(())
            }
            Source::Features(id) => {
                append(message, id, &decimal(self.pending.features()))?;
                self.pending.send_features();
                Ok(())
            }
            Source::Decimal(counter, id) => {
                append(message, id, &decimal(word(&self.identifiers, counter)))
            }
            Source::Hexadecimal(counter, id) => {
                append(message, id, &hexadecimal(word(&self.identifiers, counter)))
            }
        }
    }

    fn write_versions(
        &mut self,
        counter: NdCounter,
        ids: [VersionIds; 2],
        message: &mut Message,
    ) -> Result<(), Full> {
        for ids in ids {
            let Some(usage) = self.pending.take_version(counter) else {
                break;
            };
            if let Err(full) = message.append_all(|message| write_version(message, ids, usage)) {
                self.pending.keep_version(counter, usage);
                return Err(full);
            }
            self.pending.send_version(counter, usage);
        }
        Ok(())
    }
}

impl Default for Posts {
    fn default() -> Self {
        Self::new()
    }
}

fn word(device: &NdRow, counter: NdCounter) -> u64 {
    device.get(counter.index()).copied().unwrap_or(0)
}

/// Appends a record, unless there is nothing to say.
fn append(message: &mut Message, id: NonZeroU8, value: &Value) -> Result<(), Full> {
    match value.as_bytes() {
        [] => Ok(()),
        value => message.append(id, value),
    }
}

/// A number in decimal; nothing for 0.
fn decimal(number: u64) -> Value {
    let mut value = Value::new();
    if number != 0 {
        value.decimal(number);
    }
    value
}

/// A number in hexadecimal; nothing for 0.
fn hexadecimal(number: u64) -> Value {
    let mut value = Value::new();
    if number != 0 {
        value.hex(number);
    }
    value
}

/// Writes a version and its type, each only if it is set.
fn write_version(message: &mut Message, ids: VersionIds, usage: Usage) -> Result<(), Full> {
    let packed = PackedVersion::from_word(usage.word);
    let mut version = Value::new();
    if packed.version != Default::default() {
        let [major, minor] = [packed.version.major, packed.version.minor].map(u64::from);
        version.decimal(major).push(b".").decimal(minor).push(b".");
        // The C driver prints the build number as an `int`.
        version.signed(packed.version.build as i32);
    }
    append(message, ids.version, &version)?;
    match ids.kind {
        Some(id) => append(message, id, &decimal(packed.framework_type().into())),
        None => Ok(()),
    }
}
