// SPDX-License-Identifier: MIT OR Apache-2.0

//! Counts that all processes of a part add to.

use nix::libc;

use crate::ktap;
use crate::sys::abi::PAGE;
use crate::sys::map::Map;

/// Named counters in memory that later children share.
#[derive(Clone, Copy)]
pub(super) struct Tally {
    memory: Map,
    names: &'static [&'static str],
}

impl Tally {
    /// All counters at zero. One more than the names counts failures.
    pub(super) fn new(names: &'static [&'static str]) -> Self {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let memory = Map::shared_anonymous(PAGE, protection).expect("a shared page");
        Self { memory, names }
    }

    fn index(self, name: &str) -> usize {
        let found = self.names.iter().position(|known| *known == name);
        found.unwrap_or_else(|| panic!("nothing counts {name:?}"))
    }

    /// Adds to a counter.
    pub(super) fn add(self, name: &str, count: u64) {
        self.memory.add(self.index(name), count);
    }

    /// A counter's value.
    pub(super) fn get(self, name: &str) -> u64 {
        self.memory.load(self.index(name))
    }

    /// Makes every later panic of this process and its children count.
    pub(super) fn count_panics(self) {
        let failures = self.names.len();
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            self.memory.add(failures, 1);
            usual(panic);
        }));
    }

    /// Panics in all processes so far.
    pub(super) fn failures(self) -> u64 {
        self.memory.load(self.names.len())
    }

    /// Puts all counts behind the part's result.
    pub(super) fn report(self) {
        let counts: Vec<_> = self
            .names
            .iter()
            .map(|name| format!("{} {name}", self.get(name)))
            .collect();
        ktap::summary(&counts.join(", "));
    }
}
