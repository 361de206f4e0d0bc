// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ending in order when the user interrupts: the slab is given back, the last line is printed.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};

use crate::failure::Failure;

/// Moves the cursor home and clears what is below it.
const CLEAR: &str = "\x1b[H\x1b[J";

/// Time between two looks at whether to end, while waiting.
const MOMENT: Duration = Duration::from_millis(50);

/// Whether an interrupt or a termination has come.
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on, both only set this.
    pub(crate) fn catch() -> Result<Self, Failure> {
        let flag = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&flag)).map_err(|source| {
                Failure::System {
                    what: "cannot catch signals",
                    source,
                }
            })?;
        }
        Ok(Self(flag))
    }

    /// Whether it has come.
    pub(crate) fn has_come(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Waits so long, or until it comes.
    fn wait(&self, duration: Duration) {
        let end = Instant::now() + duration;
        while Instant::now() < end && !self.has_come() {
            std::thread::sleep(MOMENT.min(duration));
        }
    }
}

/// How often something is shown again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Repeat {
    pub(crate) interval: Duration,
    /// `None`: until interrupted.
    pub(crate) rounds: Option<u32>,
    /// Whether each round replaces the one before, where the output is a terminal.
    pub(crate) replaces: bool,
}

impl Repeat {
    /// Shows something in each round, until it is interrupted or the rounds are over.
    pub(crate) fn show<W: Write>(
        self,
        out: &mut W,
        mut show: impl FnMut(&mut W) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let interrupt = Interrupt::catch()?;
        let clears = self.replaces && io::stdout().is_terminal();
        let mut round = 0;
        while !interrupt.has_come() && self.rounds.is_none_or(|rounds| round < rounds) {
            if round > 0 {
                interrupt.wait(self.interval);
            }
            if clears {
                out.write_all(CLEAR.as_bytes())?;
            }
            show(out)?;
            out.flush()?;
            round = round.saturating_add(1);
        }
        Ok(())
    }
}
