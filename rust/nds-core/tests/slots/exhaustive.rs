// SPDX-License-Identifier: MIT OR Apache-2.0
//! All short histories of two processes and two files on a device with one or two slots left: the rules and the naive
//! model never part.
//!
//! Histories that lead to the same state have the same futures, so each state is continued once, from the shortest
//! history that leads to it.

use std::collections::HashSet;

use super::history::{Access, History, Step, Via};
use super::model::SLOTS;
use super::state::{State, ACTORS};

/// Files of the actors: as many as there are of them, since a state treats both alike.
const FILES: usize = ACTORS;

const SHARED_WRITABLE: Access = Access {
    private: false,
    may_write: true,
};

/// Every step that an actor can take.
fn steps() -> Vec<Step> {
    let mut steps = vec![Step::Undo, Step::Reap, Step::Unmap(0)];
    for file in 0..FILES {
        steps.extend([true, false].map(|writable| Step::Open { file, writable }));
        steps.push(Step::Close(file));
        steps.extend((0..ACTORS).flat_map(|who| calls(Via { who, file })));
    }
    for who in 0..ACTORS {
        steps.extend([Step::Release(who), Step::Exit(who)]);
    }
    for back in 0..2 {
        steps.push(Step::Map(back, SHARED_WRITABLE));
        steps.push(touch(back));
    }
    steps
}

fn touch(back: usize) -> Step {
    let (page, write) = (0, true);
    Step::Touch { back, page, write }
}

fn calls(via: Via) -> Vec<Step> {
    let mut calls = vec![Step::Acquire(via), Step::Begin(via)];
    calls.push(Step::Guess(via, 0, SHARED_WRITABLE));
    calls.extend((0..ACTORS).map(|target| Step::Attach(via, target)));
    calls.push(Step::BeginAttach(via, ACTORS - 1 - via.who));
    calls
}

/// A device with so many slots left, and open files. Others keep the other slots, through a file of their own.
fn crowded(slots_left: usize) -> History {
    let crowd = SLOTS - slots_left;
    let mut history = History::new(ACTORS + crowd, FILES + 1);
    history.world.unchecked = true;
    for file in 0..=FILES {
        let writable = true;
        history.step(Step::Open { file, writable });
    }
    for who in ACTORS..ACTORS + crowd {
        history.step(Step::Acquire(Via { who, file: FILES }));
    }
    history
}

/// Takes again a way that was explored before, and one step more.
fn replay(slots_left: usize, path: &[Step], last: Step) -> History {
    let mut history = crowded(slots_left);
    path.iter().for_each(|&step| history.step(step));
    history.world.unchecked = false;
    history.step(last);
    history.compare();
    history
}

/// Where explorations start: nothing acquired; an owner that has written; a reader beside it; both with mappings of an
/// ended occupancy; a next owner beside them, of the same slot where only one is left.
fn starts() -> [Vec<Step>; 5] {
    let (first, second) = (Via { who: 0, file: 0 }, Via { who: 1, file: 1 });
    let map_and_touch = [Step::Map(0, SHARED_WRITABLE), touch(0)];
    let owned = [&[Step::Acquire(first)][..], &map_and_touch].concat();
    let read = [&owned[..], &[Step::Attach(second, 0)], &map_and_touch].concat();
    let ended = [&read[..], &[Step::Release(0)]].concat();
    let next = [&ended[..], &[Step::Acquire(second)], &map_and_touch].concat();
    [Vec::new(), owned, read, ended, next]
}

/// Takes every step from every state that is less than `depth` steps away from a start. How many states there are.
fn explore(slots_left: usize, depth: usize) -> usize {
    let steps = steps();
    let mut seen = HashSet::new();
    let mut frontier = Vec::from(starts());
    for _ in 0..depth {
        let mut next = Vec::new();
        for path in &frontier {
            for &step in &steps {
                let history = replay(slots_left, path, step);
                if seen.insert(State::of(&history)) {
                    next.push([&path[..], &[step]].concat());
                }
            }
        }
        frontier = next;
    }
    seen.len()
}

/// How many steps away from the starts. `NDS_EXHAUSTIVE_DEPTH` can say more: each step more has seven times the states.
fn depth() -> usize {
    let asked = std::env::var("NDS_EXHAUSTIVE_DEPTH");
    asked.map_or(3, |depth| depth.parse().expect("a number of steps"))
}

#[test]
fn short_histories_with_one_slot_left_have_the_answers_of_the_naive_model() {
    let states = explore(1, depth());
    assert!(states > 3_000, "{states} states");
}

#[test]
fn short_histories_with_two_slots_left_have_the_answers_of_the_naive_model() {
    let states = explore(2, depth());
    assert!(states > 7_000, "{states} states");
}
