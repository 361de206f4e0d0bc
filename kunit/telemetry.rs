// SPDX-License-Identifier: GPL-2.0
//! Totals, reports and posts: the checks that `nds-core` shares with this module, each as a KUnit test.
//!
//! Owns the memory that the checks borrow, since it is too large for a kernel stack.

use kernel::prelude::*;

use crate::checks::{self, world::World, Check};
use crate::rules::{Snapshot, Telemetry};

// SAFETY: Documented to start as all zero bytes.
unsafe impl Zeroable for Telemetry {}
// SAFETY: Documented to be an empty snapshot as all zero bytes.
unsafe impl Zeroable for Snapshot {}

/// Runs a check on a device of its own, and logs the rule that does not hold.
fn run(check: impl FnOnce(&mut World<'_>) -> Check) -> Result {
    let mut telemetry = KVBox::<Telemetry>::zeroed(GFP_KERNEL)?;
    let mut snapshot = KVBox::<Snapshot>::zeroed(GFP_KERNEL)?;
    let mut world = boxed(&mut telemetry, &mut snapshot)?;
    check(&mut world).map_err(|rule| {
        pr_err!("this does not hold: {rule}\n");
        EINVAL
    })
}

/// Not a part of [`run`], so that the device is on the stack only while it moves.
#[inline(never)]
fn boxed<'a>(telemetry: &'a mut Telemetry, snapshot: &'a mut Snapshot) -> Result<KBox<World<'a>>> {
    Ok(KBox::new(World::new(telemetry, snapshot), GFP_KERNEL)?)
}

macro_rules! make_tests {
    ($($module:ident { $($check:ident)* })*) => {
        #[kernel::macros::kunit_tests(nds_telemetry)]
        mod tests {
            use super::{checks, run};
            use kernel::error::Result;

            $($(
                #[test]
                fn $check() -> Result {
                    run(checks::$module::$check)
                }
            )*)*
        }
    };
}

checks::for_each_check!(make_tests);
