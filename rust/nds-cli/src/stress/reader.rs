// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads until enough records were accepted, and looks whether each is of one publication.

use nds::{Error, Reader};
use serde::Serialize;

use super::records;
use crate::failure::Failure;

/// Reads of the short record for one of the long one, and of the long one for one of all models.
const SHORT_READS: usize = 8;
const LONG_READS: usize = 64;

/// What came of the attempts.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Tally {
    /// Records that verified.
    pub(super) accepted: u64,
    /// Reads that met a publication at both attempts.
    pub(super) refused: u64,
    /// Reads that gave another record than the one before.
    pub(super) changes: u64,
}

/// Reads until `reads` records were accepted.
pub(super) fn read(reader: &Reader, reads: u64) -> Result<Tally, Failure> {
    let (mut tally, mut last) = (Tally::default(), None);
    while tally.accepted < reads {
        for _ in 0..LONG_READS {
            for _ in 0..SHORT_READS {
                let number = read_process_info(reader, &mut tally)?;
                tally.changes += u64::from(number.is_some() && number != last);
                last = number.or(last);
            }
            read_process_info_ext(reader, &mut tally)?;
        }
        read_models(reader, &mut tally)?;
        // A producer that has gone would never be met again.
        reader.check_header()?;
    }
    Ok(tally)
}

/// Reads what a killed producer has left: records that are whole or refused, if anything at all.
pub(super) fn after_the_kill(reader: &Reader) -> Result<String, Failure> {
    if let Err(error) = reader.check_header() {
        return Ok(error.to_string());
    }
    let mut tally = Tally::default();
    read_process_info(reader, &mut tally)?;
    read_process_info_ext(reader, &mut tally)?;
    read_models(reader, &mut tally)?;
    let unreadable = tally.refused + reader.snapshot()?.unreadable_models() as u64;
    Ok(format!(
        "{} records are whole, {unreadable} cannot be read",
        tally.accepted
    ))
}

/// Reads the process record, if it can be, and returns its number.
fn read_process_info(reader: &Reader, tally: &mut Tally) -> Result<Option<u32>, Failure> {
    let info = accepted(reader.process_info(), tally)?;
    info.map(|info| records::number_of(&info).ok_or_else(torn))
        .transpose()
}

fn read_process_info_ext(reader: &Reader, tally: &mut Tally) -> Result<(), Failure> {
    let info = accepted(reader.process_info_ext(), tally)?;
    whole(info.is_none_or(|info| records::is_whole(&info)))
}

fn read_models(reader: &Reader, tally: &mut Tally) -> Result<(), Failure> {
    let models = reader.models()?;
    tally.accepted += models.len() as u64;
    let all_whole = models
        .iter()
        .all(|(_, model)| records::is_whole_model(&model));
    whole(all_whole)
}

fn whole(is_whole: bool) -> Result<(), Failure> {
    is_whole.then_some(()).ok_or_else(torn)
}

fn accepted<T>(result: Result<T, Error>, tally: &mut Tally) -> Result<Option<T>, Failure> {
    match result {
        Ok(record) => {
            tally.accepted += 1;
            Ok(Some(record))
        }
        Err(Error::Record(_)) => {
            tally.refused += 1;
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

fn torn() -> Failure {
    Failure::Disagreement("a record was accepted that is made of two".to_owned())
}
