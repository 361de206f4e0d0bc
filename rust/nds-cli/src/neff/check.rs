// SPDX-License-Identifier: MIT OR Apache-2.0
//! `nds neff check`: does this runtime take these files?

use std::io::Write;
use std::path::Path;

use neff_features::container::read_start_of;
use serde::Serialize;

use super::args::Check;
use super::runtime::{Judgement, Objection, Runtime};
use super::{complain, shown, Status};
use crate::failure::Failure;

const ADVICE: &str =
    "hint: install a newer runtime, or compile with a compiler that is old enough for this one";

#[derive(Debug, Serialize)]
struct View {
    file: String,
    runtime: String,
    verdict: &'static str,
    remark: Option<&'static str>,
    reasons: Vec<ReasonView>,
    error: Option<String>,
}

#[derive(Debug, Serialize)]
struct ReasonView {
    reason: &'static str,
    offset: usize,
    expected: String,
    found: String,
    unknown_bits: Vec<u8>,
    labels: Vec<String>,
}

pub(crate) fn run(args: &Check, out: &mut impl Write, status: &mut Status) -> Result<(), Failure> {
    let judged: Vec<_> = args
        .files
        .iter()
        .map(|file| (file, judge(file, args.runtime)))
        .collect();
    judged
        .iter()
        .for_each(|(_, judgement)| status.raise(weight(judgement)));
    if args.json {
        let views: Vec<_> = judged
            .into_iter()
            .map(|(file, judgement)| view(file, args.runtime, judgement))
            .collect();
        serde_json::to_writer_pretty(&mut *out, &views)?;
        return Ok(writeln!(out)?);
    }
    for (file, judgement) in &judged {
        write_judgement(file, args.runtime, judgement, out)?;
    }
    if *status == Status::Bad {
        writeln!(out, "{ADVICE}")?;
    }
    Ok(())
}

/// Reads the header only.
fn judge(file: &Path, runtime: Runtime) -> Judgement {
    match read_start_of(file) {
        Ok(start) => match runtime.judge(&start) {
            Judgement::Unreadable(why) => {
                Judgement::Unreadable(format!("{}: {why}", file.display()))
            }
            judgement => judgement,
        },
        Err(error) => Judgement::Unreadable(error.to_string()),
    }
}

fn weight(judgement: &Judgement) -> Status {
    match judgement {
        Judgement::Accepted(_) => Status::Good,
        Judgement::Rejected(_) => Status::Bad,
        Judgement::Unreadable(_) => Status::Unreadable,
    }
}

fn write_judgement(
    file: &Path,
    runtime: Runtime,
    judgement: &Judgement,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let name = shown::line(&file.display().to_string());
    match judgement {
        Judgement::Accepted(remark) => {
            let remark = remark
                .map(|remark| format!(" ({remark})"))
                .unwrap_or_default();
            writeln!(out, "{name}: accepted by {runtime}{remark}")?;
        }
        Judgement::Rejected(objections) => {
            writeln!(out, "{name}: rejected by {runtime}")?;
            for objection in objections {
                writeln!(out, "{name}: {objection}")?;
            }
        }
        Judgement::Unreadable(why) => complain(why),
    }
    Ok(())
}

fn view(file: &Path, runtime: Runtime, judgement: Judgement) -> View {
    let (verdict, remark, reasons, error) = match judgement {
        Judgement::Accepted(remark) => ("accept", remark, Vec::new(), None),
        Judgement::Rejected(objections) => ("reject", None, objections, None),
        Judgement::Unreadable(why) => ("unreadable", None, Vec::new(), Some(why)),
    };
    View {
        file: file.display().to_string(),
        runtime: runtime.to_string(),
        verdict,
        remark,
        reasons: reasons.into_iter().map(reason_view).collect(),
        error,
    }
}

fn reason_view(objection: Objection) -> ReasonView {
    ReasonView {
        reason: objection.code,
        offset: objection.offset,
        expected: objection.expected,
        found: objection.found,
        unknown_bits: objection.bits.bits().collect(),
        labels: objection
            .bits
            .labels()
            .map(|label| label.to_string())
            .collect(),
    }
}
