// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers from outside (C callers, command lines) to checked indices, with an error that says why.

use nds_layout::{Core, NcCounter, NdCounter};

/// A core or counter number that no slab has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} {number}: the last one is {}", count - 1)]
pub struct InvalidIndex {
    what: &'static str,
    number: i64,
    count: usize,
}

/// Checks a NeuronCore, 0..16, and one of its counters, 0..95.
///
/// # Errors
///
/// [`InvalidIndex`] for the first number that is out of range; negative cores are.
#[inline]
pub fn nc_index(core: i32, counter: u32) -> Result<(Core, NcCounter), InvalidIndex> {
    let core = Core::from_i32(core).ok_or(InvalidIndex {
        what: "NeuronCore",
        number: core.into(),
        count: Core::COUNT,
    })?;
    let counter = NcCounter::new(counter).ok_or(InvalidIndex {
        what: "NeuronCore counter",
        number: counter.into(),
        count: NcCounter::COUNT,
    })?;
    Ok((core, counter))
}

/// Checks a per-device counter, 0..31.
///
/// # Errors
///
/// [`InvalidIndex`].
#[inline]
pub fn nd_index(counter: u32) -> Result<NdCounter, InvalidIndex> {
    NdCounter::new(counter).ok_or(InvalidIndex {
        what: "per-device counter",
        number: counter.into(),
        count: NdCounter::COUNT,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_numbers_are_valid_and_the_next_are_not() {
        assert!(nc_index(15, 94).is_ok() && nd_index(30).is_ok());
        for (core, counter) in [
            (16, 0),
            (-1, 0),
            (i32::MIN, 0),
            (0, 95),
            (15, 95),
            (0, u32::MAX),
        ] {
            assert!(nc_index(core, counter).is_err(), "({core}, {counter})");
        }
        assert!(nd_index(31).is_err() && nd_index(u32::MAX).is_err());
    }

    #[test]
    fn the_error_names_the_number_and_the_range() {
        let error = nc_index(-1, 95).expect_err("both are wrong");
        assert_eq!(
            error.to_string(),
            "there is no NeuronCore -1: the last one is 15"
        );
    }
}
