// SPDX-License-Identifier: MIT OR Apache-2.0
//! The root of the object that the glue of the portable body is linked with: face, rules and layout in one.
//!
//! `scripts/portable-core` compiles it. It must not name anything outside itself but what every kernel has.
#![no_std]
#![allow(dead_code, unreachable_pub)]

pub mod face;
#[path = "../../nds-layout/src/layout/mod.rs"]
mod layout;
mod memory;
#[path = "../../nds-core/src/rules/mod.rs"]
mod rules;
