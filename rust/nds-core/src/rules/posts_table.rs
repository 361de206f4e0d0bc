// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of a post: what is sent under which id, and on which ticks (metrics reference section 5).
//!
//! Owns the table of the C driver 2.27, in its order, without the rows that need hardware or the unit of a counter
//! whose unit is disputed (id 90). When and how a row is written is decided in [`super::posts`].

use core::num::NonZeroU8;

use super::block::HEAD;
use crate::layout::{NcCounter, NdCounter};

/// On which ticks a row is due. Ticks alternate, so that one message need not hold everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Even ticks: 0, 2, 4, ...
    Even,
    /// Odd ticks.
    Odd,
    /// Every tick.
    Always,
}

/// Which of the two alternating ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parity {
    /// Tick 0, 2, 4, ...
    #[default]
    Even,
    /// Tick 1, 3, 5, ...
    Odd,
}

impl Parity {
    /// That of the next tick.
    pub const fn next(self) -> Self {
        match self {
            Self::Even => Self::Odd,
            Self::Odd => Self::Even,
        }
    }

    /// 0 or 1.
    pub const fn index(self) -> usize {
        match self {
            Self::Even => 0,
            Self::Odd => 1,
        }
    }
}

impl Due {
    /// Whether a row is due on such a tick.
    pub const fn on(self, parity: Parity) -> bool {
        match self {
            Self::Even => matches!(parity, Parity::Even),
            Self::Odd => matches!(parity, Parity::Odd),
            Self::Always => true,
        }
    }
}

/// A text that the platform sets once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// The instance id of the machine.
    InstanceId,
    /// The version of the module.
    DriverVersion,
}

/// The ids of one version of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VersionIds {
    /// That of `major.minor.build`.
    pub version: NonZeroU8,
    /// That of the one-digit type, for a component that has types.
    pub kind: Option<NonZeroU8>,
}

/// Where the value of a row comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A text of the platform.
    Constant(Constant, NonZeroU8),
    /// The two most used versions.
    Versions(NdCounter, [VersionIds; 2]),
    /// What a counter grew by since it was last delivered.
    Growth(NcCounter, NonZeroU8),
    /// The feature bits seen since they were last delivered.
    Features(NonZeroU8),
    /// The newest non-zero value of a counter, in decimal.
    Decimal(NdCounter, NonZeroU8),
    /// The same in hexadecimal.
    Hexadecimal(NdCounter, NonZeroU8),
}

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// On which ticks.
    pub due: Due,
    /// What.
    pub source: Source,
}

/// An id; the build fails for 0, which C sends for a row that means nothing.
const fn id(number: u8) -> NonZeroU8 {
    match NonZeroU8::new(number) {
        Some(id) => id,
        None => panic!("0 is not an id"),
    }
}

const fn constant(id_: u8, constant: Constant) -> Row {
    Row {
        due: Due::Always,
        source: Source::Constant(constant, id(id_)),
    }
}

/// A component without types has consecutive ids.
const fn versions(due: Due, counter: NdCounter, first: u8) -> Row {
    let ids = [
        VersionIds {
            version: id(first),
            kind: None,
        },
        VersionIds {
            version: id(first + 1),
            kind: None,
        },
    ];
    Row {
        due,
        source: Source::Versions(counter, ids),
    }
}

/// The ids of versions and types alternate.
const fn typed_versions(due: Due, counter: NdCounter, first: u8) -> Row {
    let ids = [
        VersionIds {
            version: id(first),
            kind: Some(id(first + 1)),
        },
        VersionIds {
            version: id(first + 2),
            kind: Some(id(first + 3)),
        },
    ];
    Row {
        due,
        source: Source::Versions(counter, ids),
    }
}

const fn even(id_: u8, counter: NcCounter) -> Row {
    Row {
        due: Due::Even,
        source: Source::Growth(counter, id(id_)),
    }
}

const fn odd(id_: u8, counter: NcCounter) -> Row {
    Row {
        due: Due::Odd,
        source: Source::Growth(counter, id(id_)),
    }
}

const fn odd_from(source: Source) -> Row {
    Row {
        due: Due::Odd,
        source,
    }
}

/// The rows, in the order in which a message is filled.
pub const ROWS: [Row; 34] = [
    constant(12, Constant::InstanceId),
    constant(13, Constant::DriverVersion),
    versions(Due::Always, NdCounter::RUNTIME_VERSION, 180),
    typed_versions(Due::Odd, NdCounter::FRAMEWORK_VERSION, 190),
    versions(Due::Odd, NdCounter::FAL_VERSION, 195),
    even(200, NcCounter::INFER_COMPLETED),
    even(201, NcCounter::GENERIC_FAIL),
    even(205, NcCounter::INFER_TIMED_OUT),
    even(212, NcCounter::INFER_INCORRECT_INPUT),
    even(215, NcCounter::ERR_NUMERICAL),
    even(216, NcCounter::ERR_MODEL),
    even(217, NcCounter::ERR_TRANSIENT),
    even(206, NcCounter::ERR_HW),
    even(218, NcCounter::ERR_RT),
    even(214, NcCounter::INFER_COMPLETED_WITH_ERR),
    even(213, NcCounter::INFER_COMPLETED_WITH_NUM_ERR),
    even(219, NcCounter::ERR_GENERIC),
    even(204, NcCounter::ERR_RESOURCE),
    even(208, NcCounter::ERR_RESOURCE_NC),
    even(207, NcCounter::INFER_FAILED_TO_QUEUE),
    even(202, NcCounter::ERR_INVALID),
    even(209, NcCounter::ERR_UNSUPPORTED_NEFF_VERSION),
    even(220, NcCounter::OOB),
    odd(221, NcCounter::HW_ERR_COLLECTIVES),
    odd(223, NcCounter::HW_ERR_NC_UE),
    odd(224, NcCounter::HW_ERR_DMA_ABORT),
    odd(253, NcCounter::ERR_SW_NQ_OVERFLOW),
    odd(225, NcCounter::ERR_SW_SEMAPHORE_ERROR),
    odd(226, NcCounter::ERR_SW_EVENT_ERROR),
    odd(227, NcCounter::ERR_SW_PSUM_COLLISION),
    odd(228, NcCounter::ERR_SW_SEQUENCER_FATAL),
    odd_from(Source::Features(id(250))),
    odd_from(Source::Decimal(NdCounter::DEVICE_CLUSTER_ID, id(252))),
    odd_from(Source::Hexadecimal(NdCounter::AGG_NEFF_ID, id(80))),
];

/// The rows whose source is a per-device counter.
pub const DEVICE_ROWS: [Row; 6] = {
    let mut sources = [ROWS[0]; 6];
    let mut found = 0;
    let mut row = 0;
    while row < ROWS.len() {
        if !matches!(ROWS[row].source, Source::Constant(..) | Source::Growth(..)) {
            sources[found] = ROWS[row];
            found += 1;
        }
        row += 1;
    }
    assert!(found == sources.len());
    sources
};

// Posts follow all of the first counters, those that are not posted too: they are contiguous, so that is cheaper than
// to pick.
const _: () = {
    let mut row = 0;
    while row < ROWS.len() {
        if let Source::Growth(counter, _) = ROWS[row].source {
            assert!(counter.index() < HEAD);
        }
        row += 1;
    }
};

/// What a record id means, for people; none for an id that is not posted.
pub fn describe(record: u8) -> Option<&'static str> {
    ROWS.iter().find(|row| row.has_id(record)).map(Row::name)
}

impl Row {
    fn has_id(&self, record: u8) -> bool {
        match self.source {
            Source::Versions(_, ids) => ids.iter().any(|ids| ids.has_id(record)),
            Source::Constant(_, id)
            | Source::Growth(_, id)
            | Source::Features(id)
            | Source::Decimal(_, id)
            | Source::Hexadecimal(_, id) => id.get() == record,
        }
    }

    fn name(&self) -> &'static str {
        match self.source {
            Source::Constant(Constant::InstanceId, _) => "INSTANCE_ID",
            Source::Constant(Constant::DriverVersion, _) => "DRIVER_VERSION",
            Source::Growth(counter, _) => counter.info().name,
            Source::Features(_) => NdCounter::FEATURE_BITMAP.info().name,
            Source::Versions(counter, _)
            | Source::Decimal(counter, _)
            | Source::Hexadecimal(counter, _) => counter.info().name,
        }
    }
}

impl VersionIds {
    fn has_id(&self, record: u8) -> bool {
        self.version.get() == record || self.kind.is_some_and(|id| id.get() == record)
    }
}
