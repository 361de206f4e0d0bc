// SPDX-License-Identifier: MIT OR Apache-2.0

//! Who is told what: totals are for everybody who may open the device, rows for
//! those who may attach, and processes are named as their reader names them.

use crate::ktap::{self, Suite};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Session};
use crate::sys::identity::{self, CAP_PERFMON};
use crate::sys::module;
use crate::sys::process::own_pid;
use crate::sys::report::{nc_word, Report};
use crate::sys::scrape::Scrape;

pub(super) const SUITE: Suite = Suite {
    name: "report.visibility",
    tests: ktap::tests![
        totals_are_for_everybody,
        rows_are_for_those_who_may_attach,
        every_policy_decides_rows_as_it_decides_attaching,
        an_owner_sees_its_own_row,
        the_text_hides_what_the_ioctl_hides,
        a_containers_list_names_its_own_processes,
        a_container_attaches_to_what_it_lists,
        the_host_sees_containers_by_its_own_numbers,
        users_are_named_as_the_reader_names_them,
    ],
};

const ALICE: u32 = 1000;
const BOB: u32 = 2000;

/// The numbers of the processes in the report that `who` gets.
fn listed(who: &Actor) -> Vec<i32> {
    let (pids, count) = who.call(|| {
        let rows = Report::now().rows();
        let mut pids = [0; 16];
        pids.iter_mut()
            .zip(&rows)
            .for_each(|(pid, row)| *pid = row.pid);
        (pids, rows.len())
    });
    pids[..count].to_vec()
}

fn owner(user: u32) -> Actor {
    let owner = Actor::spawn_user(user);
    let slab = owner.produce();
    owner.call(move || slab.map.store(nc_word(0, 1), 5));
    owner
}

fn totals_are_for_everybody() {
    let _alice = owner(ALICE);
    let totals = Actor::spawn_user(BOB).call(|| {
        let report = Report::now();
        (report.nc(0, 1), report.occupied())
    });
    assert_eq!(totals, (5, 1));
}

fn rows_are_for_those_who_may_attach() {
    let (alice, bob) = (owner(ALICE), owner(BOB));
    assert_eq!(listed(&Actor::spawn_user(ALICE)), [alice.pid()]);
    assert_eq!(listed(&Actor::spawn_user(BOB)), [bob.pid()]);
    assert!(listed(&Actor::spawn_user(3000)).is_empty());
    assert_eq!(listed(&Actor::spawn()), [alice.pid(), bob.pid()]);
    let monitor = Actor::spawn_after(|| identity::become_user_with(3000, CAP_PERFMON));
    assert_eq!(listed(&monitor), [alice.pid(), bob.pid()]);
}

fn every_policy_decides_rows_as_it_decides_attaching() {
    for policy in ["uid", "any", "perfmon"] {
        module::reload(&format!("attach_policy={policy}"));
        let owners = [owner(ALICE), owner(BOB)];
        for reader in [
            Actor::spawn(),
            Actor::spawn_user(ALICE),
            Actor::spawn_user(3000),
        ] {
            let rows = listed(&reader);
            for owner in &owners {
                let attached = reader.try_attach(owner).is_ok();
                assert_eq!(rows.contains(&owner.pid()), attached, "{policy}");
            }
        }
    }
}

fn an_owner_sees_its_own_row() {
    for policy in ["uid", "any", "perfmon"] {
        module::reload(&format!("attach_policy={policy}"));
        let alice = owner(ALICE);
        assert_eq!(listed(&alice), [alice.pid()], "{policy}");
    }
}

fn the_text_hides_what_the_ioctl_hides() {
    let _alice = owner(ALICE);
    let lines = |who: Actor| {
        who.call(|| {
            let text = std::fs::read_to_string(module::node(0)).unwrap();
            Scrape::parse(&text).of("neuron_nds_occupancy_info").count()
        })
    };
    assert_eq!(lines(Actor::spawn_user(BOB)), 0);
    assert_eq!(lines(Actor::spawn_user(ALICE)), 1);
}

/// Process 1 of a new pid namespace.
fn container() -> Actor {
    Actor::spawn_after(identity::enter_pid_namespace)
}

fn a_containers_list_names_its_own_processes() {
    let outside = Actor::spawn();
    outside.produce();
    let first = container();
    let second = first.fork();
    first.produce();
    second.produce();
    let inside = [first.call(own_pid), second.call(own_pid)];
    assert_eq!(listed(&second), inside);
    let stranger = container();
    assert!(
        listed(&stranger).is_empty(),
        "another container sees none of them"
    );
}

fn a_container_attaches_to_what_it_lists() {
    let reader = container();
    let owners = [reader.fork(), reader.fork()];
    for (index, owner) in owners.iter().enumerate() {
        let slab = owner.produce();
        owner.call(move || slab.map.store(1, index as u64 + 100));
    }
    let seen = reader.call(|| {
        let rows = Report::now().rows();
        assert_eq!(rows.len(), 2);
        [0, 1].map(|index| Session::attach(rows[index].pid).unwrap().map.load(1))
    });
    assert_eq!(seen, [100, 101]);
}

fn the_host_sees_containers_by_its_own_numbers() {
    let inside = container();
    let child = inside.fork();
    inside.produce();
    child.produce();
    assert_eq!(listed(&Actor::spawn()), [inside.pid(), child.pid()]);
}

fn users_are_named_as_the_reader_names_them() {
    let reader = Actor::spawn_after(|| {
        identity::become_user(ALICE);
        identity::enter_user_namespace();
    });
    let inside = reader.fork();
    inside.produce();
    let uid = reader.call(|| Report::now().rows()[0].uid);
    assert_eq!(uid, 0, "the container's root");
    assert_eq!(Report::now().rows()[0].uid, ALICE, "its user outside");
    let found = Actor::spawn_user(ALICE);
    let pid = inside.pid();
    assert!(found
        .call(move || Device::open().unwrap().acquire(pid))
        .is_ok());
}
