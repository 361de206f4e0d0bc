// SPDX-License-Identifier: MIT OR Apache-2.0
//! `nds neff explain`: what a mask or a loader's message means.

use std::io::{self, Read, Write};

use neff_features::gate::gate;
use neff_features::log_line::{find, LogLine};
use neff_features::profiles::PROFILES;
use neff_features::FeatureMask;
use serde::Serialize;

use super::args::Explain;
use super::feature::{meaning_table, FeatureView};
use super::{complain, Status};
use crate::failure::Failure;

/// How much of standard input is searched, in bytes.
const MAX_INPUT: u64 = 64 << 20;

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum View {
    Mask {
        mask: String,
        features: Vec<FeatureView>,
        taken_by: Vec<&'static str>,
    },
    Messages(Vec<MessageView>),
}

#[derive(Debug, Serialize)]
struct MessageView {
    form: &'static str,
    version: String,
    #[serde(flatten)]
    content: MessageContent,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum MessageContent {
    Features {
        features: String,
        supported: String,
        missing: String,
        missing_features: Vec<FeatureView>,
    },
    Range {
        accepted_major_min: u64,
        accepted_major_max: u64,
    },
}

pub(crate) fn run(
    args: &Explain,
    out: &mut impl Write,
    status: &mut Status,
) -> Result<(), Failure> {
    let text = match args.text.as_slice() {
        [dash] if dash == "-" => read_input()?,
        words => words.join(" "),
    };
    if let Some(mask) = mask(&text) {
        return explain_mask(mask, args.json, out);
    }
    let messages: Vec<_> = find(&text).collect();
    if let (true, Some(mask)) = (messages.is_empty(), quoted_mask(&text)) {
        return explain_mask(mask, args.json, out);
    }
    if messages.is_empty() {
        status.raise(Status::Unreadable);
        complain("nothing to explain: expected a mask as in 0x100, or a loader's message about NEFF version and features");
    }
    explain_messages(&messages, args.json, out)
}

/// Standard input; bytes that are not text are no reason to give up on a log.
fn read_input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MAX_INPUT).read_to_end(&mut bytes);
    read.map_err(|source| Failure::System {
        what: "cannot read standard input",
        source,
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The text as one number, in hexadecimal with `0x` or decimal.
fn mask(text: &str) -> Option<FeatureMask> {
    let text = text.trim();
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.ok().map(FeatureMask::new)
}

/// The mask in a message of which only the beginning was quoted: `NEFF version: 2.0, features: 0x100`.
fn quoted_mask(text: &str) -> Option<FeatureMask> {
    let (_, rest) = text.split_once("features: 0x")?;
    let digits = rest
        .find(|c: char| !c.is_ascii_hexdigit())
        .unwrap_or(rest.len());
    let number = u64::from_str_radix(rest.get(..digits)?, 16).ok()?;
    Some(FeatureMask::new(number))
}

/// The known runtimes that support all of the mask.
fn taken_by(mask: FeatureMask) -> Vec<&'static str> {
    let takes = |profile: &&neff_features::profiles::Profile| {
        gate(mask, profile.capability.max_schema, &profile.capability).accepted()
    };
    PROFILES
        .iter()
        .filter(takes)
        .map(|profile| profile.name)
        .collect()
}

fn explain_mask(mask: FeatureMask, json: bool, out: &mut impl Write) -> Result<(), Failure> {
    let taken_by = taken_by(mask);
    if json {
        let view = View::Mask {
            mask: mask.to_string(),
            features: FeatureView::all(mask),
            taken_by,
        };
        return write_json(&view, out);
    }
    match mask.is_empty() {
        true => writeln!(out, "{mask}: no features")?,
        false => write!(out, "{mask}\n\n{}", meaning_table(mask, 2))?,
    }
    let names = if taken_by.is_empty() {
        "none".to_owned()
    } else {
        taken_by.join(", ")
    };
    Ok(writeln!(out, "\nsupported by the known runtimes: {names}")?)
}

fn explain_messages(messages: &[LogLine], json: bool, out: &mut impl Write) -> Result<(), Failure> {
    if json {
        return write_json(
            &View::Messages(messages.iter().map(message_view).collect()),
            out,
        );
    }
    for message in messages {
        write_message(message, out)?;
    }
    Ok(())
}

fn write_message(message: &LogLine, out: &mut impl Write) -> Result<(), Failure> {
    writeln!(out, "{message}")?;
    match message {
        LogLine::OutOfRange {
            version, max_major, ..
        } if version.major > *max_major => {
            writeln!(
                out,
                "  The file has a newer format than this runtime reads."
            )?;
        }
        LogLine::OutOfRange { .. } => {
            writeln!(
                out,
                "  The file has an older format than this runtime reads."
            )?;
        }
        LogLine::Unsupported { .. } if message.missing().is_empty() => {
            writeln!(
                out,
                "  Every printed feature is supported: the message contradicts itself."
            )?;
        }
        LogLine::Unsupported { .. } => {
            let missing = message.missing();
            writeln!(
                out,
                "  The runtime lacks {missing}:\n\n{}",
                meaning_table(missing, 2)
            )?;
            writeln!(
                out,
                "  The file is fine. Install a newer runtime, or compile with an older compiler."
            )?;
        }
    }
    Ok(())
}

fn message_view(message: &LogLine) -> MessageView {
    let content = match *message {
        LogLine::Unsupported {
            features,
            supported,
            ..
        } => MessageContent::Features {
            features: features.to_string(),
            supported: supported.to_string(),
            missing: message.missing().to_string(),
            missing_features: FeatureView::all(message.missing()),
        },
        LogLine::OutOfRange {
            min_major,
            max_major,
            ..
        } => MessageContent::Range {
            accepted_major_min: min_major,
            accepted_major_max: max_major,
        },
    };
    MessageView {
        form: message.form(),
        version: message.version().to_string(),
        content,
    }
}

fn write_json(view: &View, out: &mut impl Write) -> Result<(), Failure> {
    serde_json::to_writer_pretty(&mut *out, view)?;
    Ok(writeln!(out)?)
}
