// SPDX-License-Identifier: MIT OR Apache-2.0
//! One producer for each device and process, however often it is opened.
//!
//! Two instances over one slab would have two locks, and closing one would release and zero the
//! slab under the other (libnds reference section 6.1).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::backend::{Backend, DeviceKey};
use crate::mapping::{current_pid, SlabMapping};
use crate::producer::Inner;
use crate::Result;

/// A device and the process that produces on it; a forked child is another process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    device: DeviceKey,
    process: i32,
}

/// The producers that were opened. Held while one is opened or ended, so that a slab which is about
/// to be released is not taken for a free one. Dead entries are swept when a producer is opened.
static OPEN: Mutex<Vec<(Key, Weak<Inner>)>> = Mutex::new(Vec::new());

fn open_producers() -> MutexGuard<'static, Vec<(Key, Weak<Inner>)>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The producer of this process on a device, opened if need be.
pub(crate) fn shared(backend: &Arc<dyn Backend>) -> Result<Arc<Inner>> {
    let key = Key {
        device: backend.key(),
        process: current_pid(),
    };
    let mut open = open_producers();
    open.retain(|(_, producer)| producer.strong_count() > 0);
    let found = open.iter().find(|(candidate, _)| *candidate == key);
    if let Some(inner) = found.and_then(|(_, producer)| producer.upgrade()) {
        return Ok(inner);
    }
    let inner = Arc::new(Inner::new(SlabMapping::own(backend)?, Some(key.clone()))?);
    open.push((key, Arc::downgrade(&inner)));
    Ok(inner)
}

/// Ends the mapping of a producer that nobody has any more.
pub(crate) fn end(key: Option<&Key>, mut mapping: SlabMapping) {
    let Some(key) = key.filter(|_| !mapping.is_inherited()) else {
        return;
    };
    let open = open_producers();
    // Opened again while this thread waited for the lock: the slab is that producer's now.
    if open
        .iter()
        .any(|(other, producer)| other == key && producer.strong_count() > 0)
    {
        mapping.leave_slab();
    }
    drop(mapping);
    drop(open);
}
