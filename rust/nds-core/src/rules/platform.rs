// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the decisions need from their surroundings: three traits, implemented once per body.
//!
//! Owns no decision. The kernel module, the emulated device and the tests each implement these and hold the lock.

use super::cookie::Cookie;
use super::pages::PageSet;
use super::slot::Slot;
use crate::layout::slab::SlabRead;

/// A counted reference to a thread group, with the credentials under which it acquired its slab.
pub trait Owner {
    /// What two references to one thread group have in common and others never have, while a reference is held.
    type Id: Copy + PartialEq;

    /// Its identity.
    fn id(&self) -> Self::Id;

    /// Whether a thread of the group still lives. Once false, it stays false.
    fn is_alive(&self) -> bool;
}

/// The process that makes a request.
pub trait Caller {
    /// The kind of reference that an occupancy keeps.
    type Owner: Owner;

    /// The identity of the caller's thread group.
    fn id(&self) -> <Self::Owner as Owner>::Id;

    /// A counted reference to the caller, with its present credentials.
    fn reference(&self) -> Self::Owner;

    /// Replaces a reference to the caller by one with its present credentials.
    fn renew(&self, owner: &mut Self::Owner) {
        *owner = self.reference();
    }

    /// Whether the credentials in a reference to the caller are still its present ones.
    fn is_described_by(&self, owner: &Self::Owner) -> bool;

    /// Whether the attach policy lets the caller see that owner's slab.
    fn may_attach(&self, owner: &Self::Owner) -> bool;
}

/// The pages and mappings of one device.
pub trait Platform {
    /// Access to the words of one slab.
    type Slab: SlabRead;

    /// The slab of a slot.
    fn slab(&self, slot: Slot) -> &Self::Slab;

    /// Takes away every mapping that was made with this cookie. When it returns nobody reaches the pages through one,
    /// and every later touch of one is a fault.
    fn revoke(&mut self, cookie: Cookie);

    /// Takes the counters of a slab over, which nobody can reach any more, before it is zeroed: hands it to
    /// [`Telemetry::retire`](super::telemetry::Telemetry::retire).
    fn retire(&mut self, slot: Slot);

    /// Zeroes these pages of a slab, which nobody can reach.
    fn zero(&mut self, slot: Slot, pages: PageSet);
}
