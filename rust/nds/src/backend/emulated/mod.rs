// SPDX-License-Identifier: MIT OR Apache-2.0
//! The emulated device: the rules of `nds-core` over memory of this process.
//!
//! | Module | Subject |
//! |---|---|
//! | [`process`] | pretended processes |
//! | [`memory`] | the slabs, their mappings and what they add up to |
//! | [`file`] | an open file: requests to the rules |

mod file;
mod memory;
mod process;

pub use process::EmulatedProcess;

use std::fmt;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use nds_core::Datastore;

use crate::mapping::current_pid;
use crate::{Device, Result};
use memory::Memory;
use process::{Identity, Processes};

/// A Neuron device inside this process, without a kernel module and without root.
///
/// It gives the answers of the module, since both run the same rules: 16 slabs, one for each
/// process, mappings that lose the slab when its occupancy ends, totals that keep the counts. To
/// try out more than one process, [`process`](Self::process) pretends others.
///
/// The device lasts as long as the value, its clones, and everything opened through it. A forked
/// child does not inherit it.
#[derive(Clone)]
pub struct EmulatedDevice {
    shared: Arc<Shared>,
}

struct Shared {
    number: u64,
    started: Instant,
    state: Mutex<State>,
}

/// Everything under the device's lock.
struct State {
    rules: Datastore<Identity>,
    memory: Memory,
    processes: Processes,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The clock of the rules, in nanoseconds.
    fn now(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}

impl EmulatedDevice {
    /// A device with 16 free slabs.
    ///
    /// # Errors
    ///
    /// [`Error::System`](crate::Error::System) if there is no memory for them.
    pub fn new() -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let state = State {
            rules: Datastore::new(),
            memory: Memory::new(&name(number))?,
            processes: Processes::new(),
        };
        let shared = Shared {
            number,
            started: Instant::now(),
            state: Mutex::new(state),
        };
        Ok(Self {
            shared: Arc::new(shared),
        })
    }

    /// Opens the device as the process that this is.
    #[must_use]
    pub fn open(&self) -> Device {
        self.process(current_pid()).open()
    }

    /// The process with this pid; pretended, unless it is the pid of this process.
    ///
    /// As long as it has not [exited](EmulatedProcess::exit), the same number is the same process.
    #[must_use]
    pub fn process(&self, pid: i32) -> EmulatedProcess {
        let identity = self.shared.lock().processes.living(pid);
        EmulatedProcess::new(self.clone(), identity)
    }

    /// The memory file of the device, for another process to look into: slab n is at 256 KiB times
    /// n, see [`SlabMapping::of_file`](crate::SlabMapping::of_file).
    ///
    /// # Errors
    ///
    /// [`Error::System`](crate::Error::System) if there is no file descriptor left.
    pub fn memory_file(&self) -> Result<OwnedFd> {
        self.shared.lock().memory.file()
    }
}

fn name(number: u64) -> String {
    format!("emulated{number}")
}

impl fmt::Debug for EmulatedDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EmulatedDevice")
            .field(&self.shared.number)
            .finish()
    }
}
