// SPDX-License-Identifier: MIT OR Apache-2.0

//! The Prometheus text of a device file, taken apart (text format 0.0.4).

use std::collections::BTreeMap;

/// One sample: name, labels as they are written, value as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) labels: String,
    pub(crate) value: String,
}

impl Sample {
    /// The value of a label.
    pub(crate) fn label(&self, name: &str) -> Option<&str> {
        let start = self.labels.find(&format!("{name}=\""))? + name.len() + 2;
        self.labels[start..].split('"').next()
    }

    /// The value as a whole number.
    pub(crate) fn number(&self) -> u64 {
        self.value
            .parse()
            .unwrap_or_else(|_| panic!("no whole number: {self:?}"))
    }
}

/// A text with what its comment lines said.
#[derive(Default)]
pub(crate) struct Scrape {
    pub(crate) samples: Vec<Sample>,
    pub(crate) help: BTreeMap<String, String>,
    pub(crate) types: BTreeMap<String, String>,
}

impl Scrape {
    /// Reads a whole text; panics where it breaks a rule of the format.
    pub(crate) fn parse(text: &str) -> Self {
        assert!(text.ends_with('\n'), "the last line has no end");
        let mut scrape = Self::default();
        for line in text.lines() {
            scrape.line(line);
        }
        scrape
    }

    fn line(&mut self, line: &str) {
        if let Some(help) = line.strip_prefix("# HELP ") {
            let (name, text) = help.split_once(' ').expect("a help text");
            let before = self.help.insert(name.to_owned(), text.to_owned());
            assert_eq!(before, None, "{name} is described twice");
        } else if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').expect("a type");
            assert!(
                !self.samples.iter().any(|sample| sample.name == name),
                "{name}: samples before the type"
            );
            let before = self.types.insert(name.to_owned(), kind.to_owned());
            assert_eq!(before, None, "{name} has two types");
        } else {
            self.samples.push(sample(line));
        }
    }

    /// All samples of a name.
    pub(crate) fn of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Sample> {
        self.samples
            .iter()
            .filter(move |sample| sample.name == name)
    }

    /// The value of the one sample of a name.
    pub(crate) fn only(&self, name: &str) -> u64 {
        let found: Vec<_> = self.of(name).collect();
        assert_eq!(found.len(), 1, "{name}");
        found[0].number()
    }
}

fn sample(line: &str) -> Sample {
    let (series, value) = line
        .rsplit_once(' ')
        .unwrap_or_else(|| panic!("no sample: {line:?}"));
    let (name, labels) = series.split_once('{').unwrap_or((series, "}"));
    let labels = labels
        .strip_suffix('}')
        .unwrap_or_else(|| panic!("open labels: {line:?}"));
    value
        .parse::<f64>()
        .unwrap_or_else(|_| panic!("no value: {line:?}"));
    Sample {
        name: name.to_owned(),
        labels: labels.to_owned(),
        value: value.to_owned(),
    }
}
