// SPDX-License-Identifier: MIT OR Apache-2.0

//! The order in which slots are handed out: never-used ones first, from the
//! lowest; then the one that was given back longest ago.

use nix::errno::Errno;

use crate::ktap::{self, Suite};
use crate::sys::abi::{Cookie, SLOTS};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Result};

pub(super) const SUITE: Suite = Suite {
    name: "abi.slots",
    tests: ktap::tests![
        fresh_slots_come_first_then_the_oldest,
        a_lone_producer_walks_around_the_table,
        acquiring_again_does_not_age_a_slot,
        a_death_ages_a_slot_like_a_release,
        no_two_owners_share_a_slot,
    ],
};

/// A process with one open file of device 0.
struct Producer {
    actor: Actor,
    device: Device,
}

impl Producer {
    fn new() -> Self {
        let actor = Actor::spawn();
        let device = actor.call(|| Device::open().unwrap());
        Self { actor, device }
    }

    fn acquire(&self) -> Result<usize> {
        let device = self.device;
        self.actor.call(move || device.acquire(0)).map(Cookie::slot)
    }

    fn release(&self) {
        let device = self.device;
        self.actor.call(move || device.release(0)).unwrap();
    }
}

fn fresh_slots_come_first_then_the_oldest() {
    let producers: Vec<_> = (0..SLOTS + 3).map(|_| Producer::new()).collect();
    for (slot, producer) in producers.iter().enumerate().take(3) {
        assert_eq!(producer.acquire(), Ok(slot));
    }
    producers[1].release();
    producers[0].release();
    for (slot, producer) in (3..SLOTS).zip(&producers[3..]) {
        assert_eq!(producer.acquire(), Ok(slot));
    }
    assert_eq!(producers[SLOTS].acquire(), Ok(1));
    assert_eq!(producers[SLOTS + 1].acquire(), Ok(0));
    assert_eq!(producers[SLOTS + 2].acquire(), Err(Errno::ENOMEM));
}

fn a_lone_producer_walks_around_the_table() {
    let producer = Producer::new();
    for turn in 0..3 * SLOTS {
        assert_eq!(producer.acquire(), Ok(turn % SLOTS));
        producer.release();
    }
}

fn acquiring_again_does_not_age_a_slot() {
    let (quiet, eager) = (Producer::new(), Producer::new());
    assert_eq!(quiet.acquire(), Ok(0));
    assert_eq!(eager.acquire(), Ok(1));
    quiet.release();
    for _ in 0..5 {
        assert_eq!(eager.acquire(), Ok(1));
    }
    eager.release();
    for slot in (2..SLOTS).chain([0, 1]) {
        assert_eq!(quiet.acquire(), Ok(slot));
        quiet.release();
    }
}

fn a_death_ages_a_slot_like_a_release() {
    let producers: Vec<_> = (0..SLOTS).map(|_| Producer::new()).collect();
    for (slot, producer) in producers.iter().enumerate() {
        assert_eq!(producer.acquire(), Ok(slot));
    }
    let mut producers: Vec<_> = producers.into_iter().map(Some).collect();
    let order = [7, 2, 15, 0];
    for slot in order {
        producers[slot] = None;
    }
    let heirs: Vec<_> = order.iter().map(|_| Producer::new()).collect();
    for (slot, heir) in order.into_iter().zip(&heirs) {
        assert_eq!(heir.acquire(), Ok(slot));
    }
}

fn no_two_owners_share_a_slot() {
    let producers: Vec<_> = (0..SLOTS).map(|_| Producer::new()).collect();
    let pending: Vec<_> = producers
        .iter()
        .map(|producer| {
            let device = producer.device;
            producer.actor.start(move || device.acquire(0))
        })
        .collect();
    let mut slots: Vec<_> = pending
        .into_iter()
        .map(|call| call.wait().unwrap().slot())
        .collect();
    slots.sort_unstable();
    assert_eq!(slots, (0..SLOTS).collect::<Vec<_>>());
}
