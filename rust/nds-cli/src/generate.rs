// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files for packagers, made from the command line's definition: shell completions, man pages.

use std::io::{self, Write};
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::{Cli, Generate};
use crate::failure::Failure;

pub(crate) fn run(what: &Generate, out: &mut impl Write) -> Result<(), Failure> {
    match what {
        Generate::Completions { shell } => completions(*shell, out),
        Generate::Man { directory } => man_pages(directory),
    }
}

/// Goes through memory, since the generator panics when its output fails.
fn completions(shell: Shell, out: &mut impl Write) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "nds", &mut script);
    Ok(out.write_all(&script)?)
}

fn man_pages(directory: &Path) -> Result<(), Failure> {
    let failed = |source: io::Error| Failure::System {
        what: "cannot write the man pages",
        source,
    };
    clap_mangen::generate_to(Cli::command(), directory).map_err(failed)
}
