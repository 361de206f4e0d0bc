// SPDX-License-Identifier: MIT OR Apache-2.0

//! The module's own ioctl, which reports totals and occupancies, read from its
//! bytes: every offset is written down here once more.

use super::abi::SLOTS;
use super::device::{Device, Result};

/// The command word of the report.
pub(crate) const REPORT: u32 = 0xC008_D501;
/// Bytes of a whole report.
pub(crate) const SIZE: usize = 13_648;
/// Bytes of its head, which the caller fills: room and edition.
pub(crate) const HEAD: usize = 8;
/// Counters of a core, and cores.
pub(crate) const COUNTERS: usize = 95;
pub(crate) const CORES: usize = 16;
/// Per-device counters.
pub(crate) const DEVICE_COUNTERS: usize = 31;

const DEVICE: usize = 8;
const CORE_MASK: usize = 12;
const OCCUPIED: usize = 16;
const STATISTICS: usize = 24;
const REFUSALS: usize = STATISTICS + 64;
const ROWS: usize = 216;
const ROW_BYTES: usize = 40;
const ND: usize = 856;
const VERSIONS: usize = 1104;
const VERSIONS_KEPT: usize = 8;
const NC: usize = 1488;

const _: () = assert!(
    ROWS + SLOTS * ROW_BYTES == ND
        && ND + DEVICE_COUNTERS * 8 == VERSIONS
        && VERSIONS + 3 * VERSIONS_KEPT * 16 == NC
        && NC + CORES * COUNTERS * 8 == SIZE
);

/// What a device counts about itself, by its place in the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Statistic {
    Acquires,
    Attaches,
    Releases,
    Closes,
    Reaps,
    StaleUses,
    BytesZeroed,
}

impl Statistic {
    /// All of them, with their names in debugfs.
    pub(crate) const ALL: [(Self, &'static str); 7] = [
        (Self::Acquires, "acquires"),
        (Self::Attaches, "attaches"),
        (Self::Releases, "releases"),
        (Self::Closes, "closes"),
        (Self::Reaps, "reaps"),
        (Self::StaleUses, "stale_uses"),
        (Self::BytesZeroed, "bytes_zeroed"),
    ];
}

/// Reasons for which requests are refused, by their place and with their names.
pub(crate) const REFUSALS_BY_NAME: [&str; 9] = [
    "no_slot",
    "no_such_owner",
    "policy",
    "not_writable",
    "bad_cookie",
    "bad_length",
    "private_writable",
    "bad_word",
    "bad_pointer",
];

/// A present occupancy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) generation: u64,
    pub(crate) age_ns: u64,
    pub(crate) stale_uses: u64,
    pub(crate) pid: i32,
    pub(crate) uid: u32,
    pub(crate) cores: u16,
    pub(crate) slot: u16,
}

/// The bytes of a report.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Report(Vec<u8>);

impl Report {
    /// Takes a whole report.
    pub(crate) fn take(device: Device) -> Result<Self> {
        Self::take_with_room(device, SIZE, SIZE)
    }

    /// Takes a report with a buffer of `buffer` bytes that is said to have `room`.
    pub(crate) fn take_with_room(device: Device, buffer: usize, room: usize) -> Result<Self> {
        let mut bytes = vec![0_u8; buffer.max(HEAD)];
        bytes[..4].copy_from_slice(&(room as u32).to_ne_bytes());
        device.ioctl(REPORT, bytes.as_mut_ptr().cast())?;
        Ok(Self(bytes))
    }

    /// The report that a fresh file of device 0 gives.
    pub(crate) fn now() -> Self {
        let device = Device::open().expect("the node opens");
        let report = Self::take(device).expect("a report");
        device.close().expect("close");
        report
    }

    /// All bytes of the buffer.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn field<const N: usize>(&self, offset: usize) -> [u8; N] {
        self.0[offset..offset + N].try_into().expect("N bytes")
    }

    fn u16(&self, offset: usize) -> u16 {
        u16::from_ne_bytes(self.field(offset))
    }

    fn u32(&self, offset: usize) -> u32 {
        u32::from_ne_bytes(self.field(offset))
    }

    fn u64(&self, offset: usize) -> u64 {
        u64::from_ne_bytes(self.field(offset))
    }

    /// Bytes that the module filled in.
    pub(crate) fn size(&self) -> usize {
        self.u32(0) as usize
    }

    /// Edition of the report.
    pub(crate) fn version(&self) -> u32 {
        self.u32(4)
    }

    /// Number of the device.
    pub(crate) fn device(&self) -> u32 {
        self.u32(DEVICE)
    }

    /// Mask of the cores that the device has.
    pub(crate) fn cores(&self) -> u16 {
        self.u16(CORE_MASK)
    }

    /// Occupied slots, hidden rows included.
    pub(crate) fn occupied(&self) -> u32 {
        self.u32(OCCUPIED)
    }

    /// One of the counts of the device.
    pub(crate) fn statistic(&self, which: Statistic) -> u64 {
        self.u64(STATISTICS + 8 * which as usize)
    }

    /// How often a request was refused for the reason of that name.
    pub(crate) fn refused(&self, reason: &str) -> u64 {
        let place = REFUSALS_BY_NAME.iter().position(|name| *name == reason);
        self.u64(REFUSALS + 8 * place.expect("a known reason"))
    }

    /// The occupancies that the caller may see.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let rows = (0..SLOTS).map(|slot| self.row_at(ROWS + slot * ROW_BYTES));
        rows.filter(|row| row.generation != 0).collect()
    }

    fn row_at(&self, offset: usize) -> Row {
        Row {
            generation: self.u64(offset),
            age_ns: self.u64(offset + 8),
            stale_uses: self.u64(offset + 16),
            pid: self.u32(offset + 24) as i32,
            uid: self.u32(offset + 28),
            cores: self.u16(offset + 32),
            slot: self.u16(offset + 34),
        }
    }

    /// The total of a per-device counter.
    pub(crate) fn nd(&self, counter: usize) -> u64 {
        assert!(counter < DEVICE_COUNTERS);
        self.u64(ND + 8 * counter)
    }

    /// The versions of a component and how often each was had.
    pub(crate) fn versions(&self, component: usize) -> Vec<(u64, u64)> {
        let start = VERSIONS + component * VERSIONS_KEPT * 16;
        let pairs = (0..VERSIONS_KEPT).map(|entry| start + entry * 16);
        pairs
            .map(|offset| (self.u64(offset), self.u64(offset + 8)))
            .filter(|pair| pair.1 != 0)
            .collect()
    }

    /// The total of a counter of a core.
    pub(crate) fn nc(&self, core: usize, counter: usize) -> u64 {
        assert!(core < CORES && counter < COUNTERS);
        self.u64(NC + 8 * (core * COUNTERS + counter))
    }
}

/// The word of a slab that holds a per-device counter (layout reference 5.1).
pub(crate) fn nd_word(counter: usize) -> usize {
    assert!(counter < DEVICE_COUNTERS);
    1 + counter
}

/// The word of a slab that holds a counter of a core (layout reference 5.3).
pub(crate) fn nc_word(core: usize, counter: usize) -> usize {
    assert!(core < CORES && counter < COUNTERS);
    match (core, counter) {
        (0..4, 0..31) => 32 + 31 * core + counter,
        (0..4, _) => 6992 + 64 * core + counter - 31,
        _ => 7248 + 96 * (core - 4) + counter,
    }
}

/// Counters of a core that hold a present amount; all others only grow.
pub(crate) fn is_gauge(counter: usize) -> bool {
    matches!(counter, 13..=15 | 21..=26)
}
