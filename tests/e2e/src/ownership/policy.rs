// SPDX-License-Identifier: MIT OR Apache-2.0

//! Who may attach to whose slab: the module parameter `attach_policy`.

use nix::errno::Errno;

use crate::ktap::{self, Suite};
use crate::sys::actor::Actor;
use crate::sys::device::{Device, Result, Session};
use crate::sys::identity::{self, CAP_PERFMON};
use crate::sys::module;

pub(super) const SUITE: Suite = Suite {
    name: "ownership.policy",
    tests: ktap::tests![
        by_default_a_user_attaches_to_its_own_processes,
        by_default_another_user_is_refused,
        by_default_the_effective_user_counts,
        by_default_cap_perfmon_attaches_to_all,
        an_owner_is_who_it_was_when_it_last_acquired,
        a_refused_attach_gives_nothing,
        a_refused_reader_still_learns_of_no_slab,
        any_lets_everybody_attach,
        perfmon_refuses_even_the_same_user,
        every_user_may_produce,
        a_containers_root_has_no_say_over_the_host,
        a_containers_root_rules_its_container,
        a_containers_root_is_its_user_outside,
    ],
};

const ALICE: u32 = 1000;
const BOB: u32 = 2000;

fn attach(reader: &Actor, owner: &Actor) -> Result<()> {
    reader.try_attach(owner).map(drop_session)
}

fn drop_session(_: Session) {}

/// An actor of `user` that owns a slab.
fn owner(user: u32) -> Actor {
    let owner = Actor::spawn_user(user);
    owner.produce();
    owner
}

fn by_default_a_user_attaches_to_its_own_processes() {
    assert_eq!(attach(&Actor::spawn_user(ALICE), &owner(ALICE)), Ok(()));
}

fn by_default_another_user_is_refused() {
    assert_eq!(
        attach(&Actor::spawn_user(BOB), &owner(ALICE)),
        Err(Errno::EACCES)
    );
    let root = Actor::spawn();
    root.produce();
    assert_eq!(attach(&Actor::spawn_user(BOB), &root), Err(Errno::EACCES));
}

fn by_default_the_effective_user_counts() {
    let alice = owner(ALICE);
    let disguised = |real, effective| {
        Actor::spawn_after(move || identity::become_effective_user(real, effective))
    };
    assert_eq!(attach(&disguised(BOB, ALICE), &alice), Ok(()));
    assert_eq!(attach(&disguised(ALICE, BOB), &alice), Err(Errno::EACCES));
}

fn by_default_cap_perfmon_attaches_to_all() {
    let alice = owner(ALICE);
    assert_eq!(attach(&Actor::spawn(), &alice), Ok(()), "root");
    let monitor = Actor::spawn_after(|| identity::become_user_with(BOB, CAP_PERFMON));
    assert_eq!(attach(&monitor, &alice), Ok(()));
    let other_right = Actor::spawn_after(|| identity::become_user_with(BOB, 0));
    assert_eq!(attach(&other_right, &alice), Err(Errno::EACCES));
}

fn an_owner_is_who_it_was_when_it_last_acquired() {
    let owner = Actor::spawn_after(|| identity::become_effective_user(0, ALICE));
    let slab = owner.produce();
    let (alice, bob) = (Actor::spawn_user(ALICE), Actor::spawn_user(BOB));
    assert_eq!(attach(&bob, &owner), Err(Errno::EACCES));
    owner.call(|| {
        identity::become_effective_user(0, 0);
        identity::become_effective_user(0, BOB);
    });
    assert_eq!(
        attach(&alice, &owner),
        Ok(()),
        "it acquired as another user"
    );
    assert_eq!(attach(&bob, &owner), Err(Errno::EACCES));
    assert_eq!(owner.call(move || slab.device.acquire(0)), Ok(slab.cookie));
    assert_eq!(attach(&alice, &owner), Err(Errno::EACCES));
    assert_eq!(attach(&bob, &owner), Ok(()));
}

fn a_refused_attach_gives_nothing() {
    let alice = Actor::spawn_user(ALICE);
    let slab = alice.produce();
    let (pid, cookie) = (alice.pid(), slab.cookie);
    let bob = Actor::spawn_user(BOB);
    bob.call(move || {
        let device = Device::open().unwrap();
        assert_eq!(device.acquire(pid), Err(Errno::EACCES));
        assert_eq!(device.map_read(cookie), Err(Errno::EINVAL));
        device.release(pid).unwrap();
    });
    assert_eq!(alice.call(move || slab.device.acquire(0)), Ok(slab.cookie));
}

fn a_refused_reader_still_learns_of_no_slab() {
    let idle = Actor::spawn_user(ALICE);
    assert_eq!(attach(&Actor::spawn_user(BOB), &idle), Err(Errno::ENOENT));
}

fn any_lets_everybody_attach() {
    module::reload("attach_policy=any");
    assert_eq!(attach(&Actor::spawn_user(BOB), &owner(ALICE)), Ok(()));
    assert_eq!(attach(&Actor::spawn_user(ALICE), &owner(ALICE)), Ok(()));
}

fn perfmon_refuses_even_the_same_user() {
    module::reload("attach_policy=perfmon");
    let alice = owner(ALICE);
    assert_eq!(
        attach(&Actor::spawn_user(ALICE), &alice),
        Err(Errno::EACCES)
    );
    assert_eq!(attach(&Actor::spawn_user(BOB), &alice), Err(Errno::EACCES));
    let monitor = Actor::spawn_after(|| identity::become_user_with(BOB, CAP_PERFMON));
    assert_eq!(attach(&monitor, &alice), Ok(()));
    assert_eq!(attach(&Actor::spawn(), &alice), Ok(()), "root");
}

fn every_user_may_produce() {
    for policy in ["uid", "any", "perfmon"] {
        module::reload(&format!("attach_policy={policy}"));
        for user in [ALICE, BOB] {
            let slab = Actor::spawn_user(user).produce();
            assert_eq!(slab.cookie.0 % 4096, 0);
        }
    }
}

/// A process of `user` that is root of a user namespace of its own.
fn container_root(user: u32) -> Actor {
    Actor::spawn_after(move || {
        identity::become_user(user);
        identity::enter_user_namespace();
    })
}

fn a_containers_root_has_no_say_over_the_host() {
    let root = container_root(BOB);
    assert_eq!(root.call(|| nix::unistd::geteuid().as_raw()), 0);
    assert_eq!(attach(&root, &owner(ALICE)), Err(Errno::EACCES));
}

fn a_containers_root_is_its_user_outside() {
    assert_eq!(attach(&container_root(ALICE), &owner(ALICE)), Ok(()));
    let inside = container_root(ALICE);
    inside.produce();
    assert_eq!(attach(&Actor::spawn_user(ALICE), &inside), Ok(()));
    assert_eq!(attach(&Actor::spawn_user(BOB), &inside), Err(Errno::EACCES));
}

fn a_containers_root_rules_its_container() {
    let root = Actor::spawn_after(|| {
        identity::become_user(ALICE);
        identity::enter_unmapped_user_namespace();
    });
    let map = format!("0 {ALICE} 1\n1 {BOB} 1");
    std::fs::write(format!("/proc/{}/uid_map", root.pid()), map).expect("map two users");
    let guest = root.fork();
    guest
        .call(|| nix::unistd::setuid(1.into()))
        .expect("become the second user");
    guest.produce();
    root.produce();
    assert_eq!(
        attach(&root, &guest),
        Ok(()),
        "CAP_PERFMON in the owner's namespace"
    );
    assert_eq!(attach(&guest, &root), Err(Errno::EACCES));
    assert_eq!(
        attach(&Actor::spawn_user(BOB), &guest),
        Ok(()),
        "the same user outside"
    );
}
