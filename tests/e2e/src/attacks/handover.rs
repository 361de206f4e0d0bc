// SPDX-License-Identifier: MIT OR Apache-2.0

//! H1, H3, H30 at speed: one slot handed to and fro thousands of times between
//! two owners, each of which scribbles through all its old mappings all the
//! while, under the eyes of a reader that keeps its old mappings too.
//!
//! Every word of a slab is either zero or [`mark`] of the occupancy's cookie and
//! the word's number, so any word from elsewhere is found by whoever sees it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use nix::libc;

use crate::ktap::{self, Suite};
use crate::sys::abi::{Cookie, PAGE, SLOTS};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::map::Map;
use crate::sys::process::own_pid;

pub(super) const SUITE: Suite = Suite {
    name: "attacks.handover",
    tests: ktap::tests![
        h01_stale_mapping_never_shows_next_owner within 300,
        h30_words_written_during_release_are_gone_for_the_next within 120,
    ],
};

/// Hand-overs of the functional run; the lab does as many as its time allows.
const HAND_OVERS: u64 = 2000;
/// Old mappings that an owner scribbles through, and a reader looks at.
const KEPT: usize = 4;
/// Words from one that a scribbler writes to the next; it leaves none out in the long run.
const STRIDE: usize = 37;
/// What scribblers write: no occupancy's mark.
const POISON: u64 = 0xDEAD_DEAD_DEAD_DEAD;

/// The word that the owner of `cookie` writes at `word`. Never zero or poison.
pub(crate) fn mark(cookie: Cookie, word: usize) -> u64 {
    cookie.0 << 16 | 1 << 15 | (word as u64 & 0x7FFF)
}

/// What the processes share: whose turn it is and how far they are.
#[derive(Clone, Copy)]
struct Board(Map);

impl Board {
    const TURN: usize = 0;
    const OWNER: usize = 1;
    const SPIED: usize = 2;
    const LIMIT: usize = 3;
    const STOP: usize = 4;

    fn new(limit: u64) -> Self {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let board = Self(Map::shared_anonymous(PAGE, protection).expect("a shared page"));
        board.0.store(Self::LIMIT, limit);
        board
    }

    fn turn(self) -> u64 {
        self.0.load(Self::TURN)
    }

    /// No further turn begins.
    fn is_over(self) -> bool {
        self.turn() >= self.0.load(Self::LIMIT) || self.0.load(Self::STOP) != 0
    }

    fn await_turn(self, number: u64) {
        while self.turn() % 2 != number && !self.is_over() {
            thread::yield_now();
        }
    }
}

/// What a hand-over attack did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally {
    pub(crate) hand_overs: u64,
    pub(crate) words_spied: u64,
}

/// Hands one slot over until there were `limit` turns or `finished` says so.
pub(crate) fn hand_over(limit: u64, finished: impl Fn() -> bool) -> Tally {
    let board = Board::new(limit);
    // All other slots stay taken, so both owners get the same one in turn.
    let parked: Vec<_> = (1..SLOTS).map(|_| Actor::spawn()).collect();
    for actor in &parked {
        actor.produce();
    }
    let (owners, spy) = ([Actor::spawn(), Actor::spawn()], Actor::spawn());
    let [first, second] = owners.each_ref();
    let turns = [
        first.start(move || own_in_turns(board, 0)),
        second.start(move || own_in_turns(board, 1)),
    ];
    let watching = spy.start(move || spy_on_turns(board));
    while !board.is_over() {
        if finished() || turns.iter().any(|owner| owner.is_done()) {
            board.0.store(Board::STOP, 1);
        }
        thread::sleep(std::time::Duration::from_millis(20));
    }
    turns.into_iter().for_each(|owner| owner.wait());
    watching.wait();
    Tally {
        hand_overs: board.turn(),
        words_spied: board.0.load(Board::SPIED),
    }
}

/// One owner: takes the slab in its turns, and scribbles through what it had.
fn own_in_turns(board: Board, number: u64) {
    let scribbler = Scribbler::start();
    let device = Device::open().unwrap();
    loop {
        board.await_turn(number);
        if board.is_over() {
            break;
        }
        let cookie = device.acquire(0).unwrap();
        let map = device.map(cookie).unwrap();
        assert_eq!(
            map.nonzero(),
            None,
            "turn {}: the slab is not zero",
            board.turn()
        );
        board.0.store(Board::OWNER, own_pid() as u64);
        map.fill(|word| mark(cookie, word));
        let strange = map.differs(|word| mark(cookie, word));
        assert_eq!(
            strange,
            None,
            "turn {}: a word of somebody else",
            board.turn()
        );
        device.release(0).unwrap();
        scribbler.take(map);
        board.0.add(Board::TURN, 1);
    }
    scribbler.stop();
}

/// A thread that writes poison through stale mappings without a pause.
struct Scribbler {
    maps: Arc<Mutex<VecDeque<Map>>>,
    stop: Arc<AtomicBool>,
    thread: thread::JoinHandle<()>,
}

impl Scribbler {
    fn start() -> Self {
        let maps = Arc::new(Mutex::new(VecDeque::new()));
        let stop = Arc::new(AtomicBool::new(false));
        let (shared_maps, shared_stop) = (Arc::clone(&maps), Arc::clone(&stop));
        let thread = thread::spawn(move || {
            let mut first = 0;
            while !shared_stop.load(Ordering::Relaxed) {
                // The lock is held while writing, so no map is unmapped meanwhile.
                let maps: std::sync::MutexGuard<'_, VecDeque<Map>> = shared_maps.lock().unwrap();
                for map in maps.iter() {
                    scribble(*map, first);
                }
                drop(maps);
                first = (first + 1) % STRIDE;
                thread::yield_now();
            }
        });
        Self { maps, stop, thread }
    }

    /// Adds a mapping that just went stale; the oldest one is unmapped.
    fn take(&self, map: Map) {
        let mut maps = self.maps.lock().unwrap();
        maps.push_back(map);
        if maps.len() > KEPT {
            maps.pop_front().map(Map::unmap).unwrap().unwrap();
        }
    }

    fn stop(self) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap();
    }
}

/// Poisons some words of every page, other ones for every `first`.
fn scribble(map: Map, first: usize) {
    for word in (first..map.words()).step_by(STRIDE) {
        map.store(word, POISON);
    }
}

/// The reader: attaches to whoever owns now and looks at all it ever mapped.
fn spy_on_turns(board: Board) {
    let mut views = VecDeque::new();
    while !board.is_over() {
        let owner = board.0.load(Board::OWNER) as i32;
        // The owner's turn may be over at any point of this: then there is nothing to see.
        if let Some(view) = (owner != 0).then(|| Session::attach(owner).ok()).flatten() {
            views.push_back(view);
        }
        for view in &views {
            let strange = view
                .map
                .find(|word, value| value == 0 || value == mark(view.cookie, word));
            assert_eq!(
                strange, None,
                "a reader of {:?} sees another occupancy",
                view.cookie
            );
            board.0.add(Board::SPIED, view.map.words() as u64);
        }
        if views.len() > KEPT {
            let oldest: Session = views.pop_front().expect("a view");
            oldest.map.unmap().unwrap();
            oldest.device.close().unwrap();
        }
    }
}

fn h01_stale_mapping_never_shows_next_owner() {
    let Tally {
        hand_overs,
        words_spied,
    } = hand_over(HAND_OVERS, || false);
    ktap::summary(&format!(
        "{hand_overs} hand-overs, {words_spied} words spied"
    ));
    assert!(hand_overs >= HAND_OVERS);
    assert!(words_spied > 0, "the reader never saw a slab");
}

fn h30_words_written_during_release_are_gone_for_the_next() {
    let device = Device::open().unwrap();
    for _ in 0..150 {
        let map = device.map(device.acquire(0).unwrap()).unwrap();
        assert_eq!(map.nonzero(), None);
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let writer = scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    map.pages(0, 17).fill_with(POISON);
                }
            });
            while map.load(0) == 0 {
                thread::yield_now();
            }
            device.release(0).unwrap();
            let next = device.map(device.acquire(0).unwrap()).unwrap();
            assert_eq!(next.nonzero(), None);
            stop.store(true, Ordering::Relaxed);
            writer.join().unwrap();
            assert_eq!(next.nonzero(), None);
            next.unmap().unwrap();
        });
        map.unmap().unwrap();
        device.release(0).unwrap();
    }
}
