// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random histories, long and with every kind of step: the rules and the naive model never part.

use nds_core::pages::SLAB_PAGES;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::history::{Access, History, Step, Via};
use super::model::SLOTS;
use super::process::PRIVILEGED;

const PEOPLE: usize = 6;
const FILES: usize = 4;

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![2 => file_step(), 6 => acquiring(), 8 => mapping(), 2 => ending()]
}

fn file_step() -> impl Strategy<Value = Step> {
    let opening = (0..FILES, prop::bool::weighted(0.8));
    prop_oneof![
        4 => opening.prop_map(|(file, writable)| Step::Open { file, writable }),
        1 => (0..FILES).prop_map(Step::Close),
    ]
}

fn acquiring() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => any_via().prop_map(Step::Acquire),
        3 => (any_via(), 0..PEOPLE).prop_map(|(via, target)| Step::Attach(via, target)),
        2 => any_via().prop_map(Step::Begin),
        1 => (any_via(), 0..PEOPLE).prop_map(|(via, target)| Step::BeginAttach(via, target)),
        1 => Just(Step::Undo),
        1 => (0..PEOPLE, any_user()).prop_map(|(who, user)| Step::BecomeUser { who, user }),
    ]
}

fn mapping() -> impl Strategy<Value = Step> {
    let touching = (0usize..6, 0..SLAB_PAGES, any::<bool>());
    prop_oneof![
        6 => (0usize..4, any_access()).prop_map(|(back, access)| Step::Map(back, access)),
        1 => (any_via(), 0usize..4, any_access())
            .prop_map(|(via, back, access)| Step::Guess(via, back, access)),
        8 => touching.prop_map(|(back, page, write)| Step::Touch { back, page, write }),
        3 => (0usize..6).prop_map(Step::Unmap),
    ]
}

fn ending() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..PEOPLE).prop_map(Step::Release),
        1 => (0..PEOPLE, 0..PEOPLE).prop_map(|(who, target)| Step::ReleaseOf(who, target)),
        2 => (0..PEOPLE).prop_map(Step::Exit),
        1 => Just(Step::Reap),
    ]
}

fn any_via() -> impl Strategy<Value = Via> {
    (0..PEOPLE, 0..FILES).prop_map(|(who, file)| Via { who, file })
}

fn any_access() -> impl Strategy<Value = Access> {
    let flags = (prop::bool::weighted(0.1), prop::bool::weighted(0.8));
    flags.prop_map(|(private, may_write)| Access { private, may_write })
}

fn any_user() -> impl Strategy<Value = u32> {
    prop_oneof![Just(PRIVILEGED), Just(1000), Just(1001)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_history_has_the_answers_of_the_naive_model(steps in prop::collection::vec(any_step(), 1..200)) {
        let mut history = History::new(PEOPLE, FILES);
        for step in steps {
            history.step(step);
            history.compare();
        }
        history.ends_clean();
    }
}

/// The weights above are worth something only if histories get far: slots used again, mappings gone stale, dead
/// owners reaped, a device filled up.
#[test]
fn random_histories_reach_every_kind_of_event() {
    let mut runner = TestRunner::deterministic();
    let steps = prop::collection::vec(any_step(), 4000);
    let steps = steps.new_tree(&mut runner).expect("steps").current();
    let mut history = History::new(PEOPLE, FILES);
    steps.into_iter().for_each(|step| history.step(step));
    history.compare();
    let counted = history.world.store.statistics();
    let ends = [counted.releases, counted.closes, counted.reaps];
    let others = [counted.attaches, counted.stale_uses, counted.bytes_zeroed];
    assert!(counted.acquires > 8 * SLOTS as u64, "{counted:?}");
    assert!(
        ends.into_iter().chain(others).all(|count| count > 20),
        "{counted:?}"
    );
}
