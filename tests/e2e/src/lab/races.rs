// SPDX-License-Identifier: MIT OR Apache-2.0

//! Many processes doing everything at once, some of them killed at any moment.
//!
//! Each process's choices follow from the seed; their interleaving does not.
//! Afterwards all slots are free, all pages zero, and nothing leaked.

use std::thread;
use std::time::{Duration, Instant};

use nix::libc;
use nix::sys::signal::{kill, Signal};
use nix::sys::wait::{waitpid, WaitPidFlag, WaitStatus};
use nix::unistd::Pid;

use super::tally::Tally;
use super::worker::{Ground, Worker, DEVICES};
use super::{leaks, random};
use crate::ktap::Suite;
use crate::sys::abi::PAGE;
use crate::sys::map::Map;
use crate::sys::passing::Lane;
use crate::sys::{identity, module, process};

pub(super) const SUITE: Suite = Suite {
    name: "lab.races",
    tests: &[super::part(
        "many_processes_at_random",
        many_processes_at_random,
    )],
};

/// Processes at any time; more than two devices have slots for.
const WORKERS: usize = 36;
/// Time between two kills.
const PAUSE: Duration = Duration::from_millis(15);

fn many_processes_at_random() {
    module::reload(&format!("devices={DEVICES} metrics_period_ms=5"));
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let ground = Ground {
        tally: Tally::new(&[
            "operations",
            "acquires",
            "attaches",
            "mappings",
            "releases",
            "words checked",
            "files passed",
            "children",
            "kills",
        ]),
        pids: Map::shared_anonymous(PAGE, protection).expect("a shared page"),
        workers: WORKERS,
        lane: Lane::new(),
        deadline: super::deadline(25),
    };
    ground.tally.count_panics();
    supervise(ground);
    ground.lane.close();
    assert_eq!(
        ground.tally.failures(),
        0,
        "a process found something wrong, see above"
    );
    leaks::assert_all_free_and_zero(DEVICES);
    leaks::end();
    ground.tally.report();
}

/// Keeps the number of processes up until the time is over.
fn supervise(ground: Ground) {
    // Who kills must not wait for those who are to be killed.
    process::set_urgent(true);
    let mut choices = random(0);
    let mut incarnation = 0;
    let mut start = |place: usize| {
        incarnation += 1;
        ground
            .pids
            .store(place, spawn(ground, place, incarnation).as_raw() as u64);
    };
    (0..WORKERS).for_each(&mut start);
    while Instant::now() < ground.deadline && ground.tally.failures() == 0 {
        thread::sleep(PAUSE);
        let place = choices.usize(0..WORKERS);
        let victim = Pid::from_raw(ground.pids.load(place) as i32);
        let _ = kill(victim, Signal::SIGKILL);
        ground.tally.add("kills", 1);
        judge(waitpid(victim, None));
        start(place);
    }
    for place in 0..WORKERS {
        let last = Pid::from_raw(ground.pids.load(place) as i32);
        if choices.bool() {
            let _ = kill(last, Signal::SIGKILL);
        }
        judge(waitpid(last, None));
    }
    reap_orphans();
}

fn spawn(ground: Ground, place: usize, incarnation: u64) -> Pid {
    process::spawn(move || {
        process::set_urgent(false);
        // Every fourth process is another user, whom the attach policy refuses.
        if place % 4 == 3 {
            identity::become_user(1000 + place as u32 % 8);
        }
        Worker::new(ground, random(incarnation)).run();
    })
}

fn judge(end: nix::Result<WaitStatus>) {
    match end {
        Ok(WaitStatus::Exited(_, 0) | WaitStatus::Signaled(_, Signal::SIGKILL, _)) => {}
        other => panic!("a process ended as {other:?}"),
    }
}

/// Children of killed processes come to us; they end by themselves.
fn reap_orphans() {
    process::eventually("all processes ended", || loop {
        match waitpid(None::<Pid>, Some(WaitPidFlag::WNOHANG)) {
            Err(_) => break true,
            Ok(WaitStatus::StillAlive) => break false,
            ended => judge(ended),
        }
    });
}
