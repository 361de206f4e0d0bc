// SPDX-License-Identifier: MIT OR Apache-2.0
//! The attach policies, and what a refusal returns.

use nds_core::{AttachPolicy, Refusal};

#[test]
fn a_policy_has_a_name() {
    assert_eq!(AttachPolicy::from_name(b"uid"), Some(AttachPolicy::Uid));
    assert_eq!(AttachPolicy::from_name(b"any"), Some(AttachPolicy::Any));
    assert_eq!(
        AttachPolicy::from_name(b"perfmon"),
        Some(AttachPolicy::Perfmon)
    );
    for other in [&b""[..], b"UID", b"uid ", b"root"] {
        assert_eq!(AttachPolicy::from_name(other), None);
    }
}

#[test]
fn only_a_policy_that_asks_for_it_needs_the_capability() {
    for same_user in [false, true] {
        assert!(!AttachPolicy::Any.needs_perfmon(same_user));
        assert!(AttachPolicy::Perfmon.needs_perfmon(same_user));
    }
    assert!(AttachPolicy::Uid.needs_perfmon(false));
    assert!(!AttachPolicy::Uid.needs_perfmon(true));
}

#[test]
fn every_refusal_has_the_errno_of_the_abi() {
    let errnos = Refusal::ALL.map(Refusal::errno);
    assert_eq!(errnos, [12, 2, 13, 13, 22, 22, 22, 22, 14]);
}
