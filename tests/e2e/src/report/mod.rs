// SPDX-License-Identifier: MIT OR Apache-2.0

//! Device totals: what the report ioctl, the text of the device file, debugfs
//! and fdinfo say, who is told what, and that no count is ever lost.

pub(crate) mod conservation;
mod interface;
mod json;
mod kinds;
mod surfaces;
mod text;
mod visibility;

use crate::ktap::Suite;

pub(crate) fn suites() -> Vec<Suite> {
    vec![
        interface::SUITE,
        kinds::SUITE,
        text::SUITE,
        surfaces::SUITE,
        json::SUITE,
        visibility::SUITE,
        conservation::SUITE,
    ]
}
