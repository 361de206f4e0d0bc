// SPDX-License-Identifier: MIT OR Apache-2.0
//! The monitor's side: another process's slab, mapped without write permission.

use std::ops::Deref;

use crate::attempt;
use crate::mapping::SlabMapping;
use crate::view::{Pause, SlabView};
use crate::Result;

/// An attachment to the slab of one process.
///
/// Reads through [`SlabView`]; there is no operation that writes. Dropping it unmaps the slab and
/// changes nothing for its producer, also when that is the reader's own process.
#[derive(Debug)]
pub struct Reader {
    // Dropped before the mapping that it reads.
    view: SlabView,
    _mapping: SlabMapping,
}

impl Reader {
    /// Reads a mapped slab, of which the header must be right at one of two looks.
    ///
    /// # Errors
    ///
    /// [`Error::BadHeader`](crate::Error::BadHeader); the mapping is taken down.
    pub fn new(mapping: SlabMapping) -> Result<Self> {
        Self::with_pause(mapping, crate::pause::sleep)
    }

    /// As [`new`](Self::new), with another way to wait between two looks or attempts.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_pause(mapping: SlabMapping, pause: Pause) -> Result<Self> {
        // SAFETY: the view is dropped before the mapping, by the order of the fields.
        let slab = unsafe { mapping.readable_slab()? };
        let mut view = SlabView::new(slab, mapping.owner());
        view.set_pause(pause);
        attempt::check_header(view.slab(), pause)?;
        Ok(Self {
            view,
            _mapping: mapping,
        })
    }
}

impl Deref for Reader {
    type Target = SlabView;

    fn deref(&self) -> &SlabView {
        &self.view
    }
}
