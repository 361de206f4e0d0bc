// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line of `nds neff`: what can be said, and nothing about what it does.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use neff_features::container::{Limits, Options};
use neff_features::header::ReadAs;

use super::runtime::Runtime;

const INSPECT_STATUS: &str = "\
Exit status: 0 nothing found, or only information; 1 a warning or an error; 2 a file could not be read.";

const CHECK_STATUS: &str = "\
Examples:
  nds neff check model.neff --runtime 2.31.24
  nds neff check model.neff --runtime 0x80000000000000ff     as the loader prints it

Exit status: 0 accepted, 1 rejected, 2 a file could not be read.";

const EXPLAIN_STATUS: &str = "\
Examples:
  nds neff explain 0x100
  nds neff explain 'NEFF version: 2.0, features: 0x100 are not supported. Currently supporting: 0xff'
  dmesg | nds neff explain -

Exit status: 0 explained, 2 nothing to explain.";

#[derive(Debug, Subcommand)]
pub(crate) enum Neff {
    /// Show what files need: header, features, names of each core, disagreements.
    #[command(after_help = INSPECT_STATUS)]
    Inspect(Inspect),
    /// Say whether a runtime takes a file, and why not.
    #[command(after_help = CHECK_STATUS)]
    Check(Check),
    /// Explain a feature mask, or a loader's message about one.
    #[command(after_help = EXPLAIN_STATUS)]
    Explain(Explain),
    /// List the features that are known.
    Features(Features),
}

#[derive(Args, Debug)]
pub(crate) struct Inspect {
    /// Files, and directories to search for *.neff.
    #[arg(required = true, value_name = "FILE|DIR")]
    pub(crate) paths: Vec<PathBuf>,
    /// Print one line for each file.
    #[arg(long, short, conflicts_with = "json")]
    pub(crate) summary: bool,
    /// Print JSON.
    #[arg(long, short)]
    pub(crate) json: bool,
    /// Whether to compute the digest, which needs the whole file; auto: up to 64 MiB.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Verify::Auto)]
    pub(crate) verify: Verify,
    /// How to interpret the header.
    #[arg(long, value_enum, default_value_t = Layout::Auto)]
    pub(crate) layout: Layout,
    /// Bytes a compressed file may unpack to.
    #[arg(long, value_name = "BYTES", default_value_t = Limits::DEFAULT.max_inflated)]
    pub(crate) max_unpacked: u64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Verify {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Layout {
    Auto,
    Runtime,
    Page,
}

impl Inspect {
    /// The options of the inspection.
    pub(crate) fn options(&self) -> Options {
        let verify_up_to = match self.verify {
            Verify::Auto => Limits::DEFAULT.verify_up_to,
            Verify::Always => u64::MAX,
            Verify::Never => 0,
        };
        let read_as = match self.layout {
            Layout::Auto => ReadAs::Auto,
            Layout::Runtime => ReadAs::Runtime,
            Layout::Page => ReadAs::Page,
        };
        let limits = Limits {
            verify_up_to,
            max_inflated: self.max_unpacked,
            ..Limits::DEFAULT
        };
        Options { read_as, limits }
    }
}

#[derive(Args, Debug)]
pub(crate) struct Check {
    /// Files to judge.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The runtime: a known version, or the mask that its loader prints.
    #[arg(long, short, value_name = "VERSION|MASK")]
    pub(crate) runtime: Runtime,
    /// Print JSON.
    #[arg(long, short)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Explain {
    /// A mask, or text with loader messages; - reads standard input. A number without 0x is decimal.
    #[arg(required = true, value_name = "MASK|TEXT", allow_hyphen_values = true)]
    pub(crate) text: Vec<String>,
    /// Print JSON.
    #[arg(long, short)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Features {
    /// Print JSON.
    #[arg(long, short)]
    pub(crate) json: bool,
}
