// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line of `nds doctor`: what can be said, and nothing about what it does.

use std::path::PathBuf;

use clap::Args;

const STATUS: &str = "\
Exit status, that of the first which applies:
   0  nothing is wrong
   1  the answer could not be written
   2  wrong usage
  10  no driver is loaded
  11  the module is built for another kernel
  12  a device node is missing
  13  no permission for a device node
  14  both this module and the stock driver are loaded
  15  the attach policy is wrong, or not the configured one
  16  the loaded module is older than this tool";

/// What to examine, and how to print it.
#[derive(Args, Debug)]
#[command(after_help = STATUS)]
pub(crate) struct Doctor {
    /// Print JSON.
    #[arg(long, short)]
    pub(crate) json: bool,
    /// Examine the system below this directory instead of the running one.
    #[arg(long, hide = true, default_value = "/")]
    pub(crate) root: PathBuf,
}
