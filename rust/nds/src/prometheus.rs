// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Prometheus text of several devices together.
//!
//! The text of one device is made by `nds-core`. One after another, two of them would say each metric twice, which the
//! format does not allow: here the samples of a metric come together below one head.

use std::collections::HashMap;

use crate::Report;

/// How the lines before a metric's samples begin, the first and the second.
const HELP: &[u8] = b"# HELP ";
const TYPE: &[u8] = b"# TYPE ";

/// The reports as one Prometheus text (exposition format 0.0.4).
///
/// Of one report it is [`Report::prometheus_text`]. Of several, each metric has the samples of the
/// reports in their order; metrics that the first report does not have come after those that it has.
#[must_use]
pub fn prometheus_text<'a>(reports: impl IntoIterator<Item = &'a Report>) -> Vec<u8> {
    let texts: Vec<_> = reports.into_iter().map(Report::prometheus_text).collect();
    let mut metrics = Metrics::default();
    for text in &texts {
        metrics.add(text);
    }
    metrics.lines.concat().concat()
}

/// The lines of each metric.
#[derive(Default)]
struct Metrics<'a> {
    lines: Vec<Vec<&'a [u8]>>,
    /// Where in `lines` the metric with this first line is.
    places: HashMap<&'a [u8], usize>,
}

impl<'a> Metrics<'a> {
    fn add(&mut self, text: &'a [u8]) {
        let mut place = 0;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            if line.starts_with(HELP) {
                place = self.place(line);
            } else if !(line.starts_with(TYPE) && self.lines[place].len() > 1) {
                self.lines[place].push(line);
            }
        }
    }

    /// Where the metric with this first line is, from now on.
    fn place(&mut self, help: &'a [u8]) -> usize {
        *self.places.entry(help).or_insert_with(|| {
            self.lines.push(vec![help]);
            self.lines.len() - 1
        })
    }
}
