// SPDX-License-Identifier: MIT OR Apache-2.0
//! `nds neff inspect`: go through the files, one report each.
//!
//! Owns the loop, the progress bar and the choice of the form; the forms are `report`'s.

use std::io::Write;
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};
use neff_features::container::{inspect_path, Outcome, Report};

use super::args::Inspect;
use super::files::Files;
use super::report::{summary_table, write_report, SummaryRow};
use super::view::FileView;
use super::{complain, shown, Status};
use crate::failure::Failure;

pub(crate) fn run(
    args: &Inspect,
    out: &mut impl Write,
    status: &mut Status,
) -> Result<(), Failure> {
    let files = Files::of(&args.paths);
    let mut session = Session {
        status,
        bar: progress(files.found.len()),
    };
    files.errors.iter().for_each(|error| session.fail(error));
    let options = args.options();
    let mut form = Form::new(args);
    for path in &files.found {
        session
            .bar
            .set_message(shown::line(&path.display().to_string()));
        let result = inspect_path(path, &options).map_err(|error| error.to_string());
        match &result {
            Ok(report) => session.status.raise(weight(report)),
            Err(error) => session.fail(error),
        }
        session.bar.suspend(|| form.add(path, result, out))?;
        session.bar.inc(1);
    }
    session.bar.finish_and_clear();
    form.finish(out)
}

/// Shown on a terminal when there is more than one file.
fn progress(files: usize) -> ProgressBar {
    if files < 2 {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {eta} {wide_msg}");
    ProgressBar::new(files as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

struct Session<'a> {
    status: &'a mut Status,
    bar: ProgressBar,
}

impl Session<'_> {
    /// Something could not be read.
    fn fail(&mut self, error: &str) {
        self.status.raise(Status::Unreadable);
        self.bar.suspend(|| complain(error));
    }
}

fn weight(report: &Report) -> Status {
    match report.outcome() {
        Outcome::Clean => Status::Good,
        Outcome::Findings => Status::Bad,
        Outcome::Fatal => Status::Unreadable,
    }
}

/// How the reports are written.
enum Form {
    /// A block for each file, at once.
    Blocks,
    /// One JSON array; whether an element is written already.
    Json(bool),
    /// One line for each file, at the end because of the columns' widths.
    Summary(Vec<SummaryRow>),
}

impl Form {
    fn new(args: &Inspect) -> Self {
        match (args.json, args.summary) {
            (true, _) => Self::Json(false),
            (false, true) => Self::Summary(Vec::new()),
            (false, false) => Self::Blocks,
        }
    }

    fn add(
        &mut self,
        path: &Path,
        result: Result<Report, String>,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        match self {
            Self::Blocks => result.map_or(Ok(()), |report| write_report(path, &report, out)),
            Self::Summary(rows) => {
                rows.push(SummaryRow::new(path, result.as_ref().ok()));
                Ok(())
            }
            Self::Json(is_started) => {
                out.write_all(if *is_started { b",\n" } else { b"[\n" })?;
                *is_started = true;
                Ok(serde_json::to_writer_pretty(
                    &mut *out,
                    &FileView::new(path, result),
                )?)
            }
        }
    }

    fn finish(self, out: &mut impl Write) -> Result<(), Failure> {
        match self {
            Self::Blocks => Ok(()),
            Self::Json(true) => Ok(writeln!(out, "\n]")?),
            Self::Json(false) => Ok(writeln!(out, "[]")?),
            Self::Summary(rows) => Ok(write!(out, "{}", summary_table(&rows))?),
        }
    }
}
