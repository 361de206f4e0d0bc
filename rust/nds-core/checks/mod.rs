// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rules of totals and posts, each as a function that checks it.
//!
//! One copy for two harnesses: cargo runs them through `tests/telemetry`, KUnit includes this directory by path and
//! runs them in a kernel. So they use `crate::layout` and `crate::rules`, need no `std` and no `alloc`, and borrow what is
//! too large for a kernel stack.

pub(crate) mod identity;
mod list;
pub(crate) mod posts;
pub(crate) mod posts_full;
pub(crate) mod reports;
pub(crate) mod totals;
pub(crate) mod world;

pub(crate) use list::for_each_check;

/// What a check found: the rule that does not hold, if any.
pub(crate) type Check = Result<(), &'static str>;

/// Fails with `rule` unless it holds.
pub(crate) fn require(holds: bool, rule: &'static str) -> Check {
    if holds {
        Ok(())
    } else {
        Err(rule)
    }
}
