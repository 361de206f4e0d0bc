// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules of slots, as a specification: single rules one by one, then random histories and all short histories
//! against a naive model.
//!
//! Owns no test: each module is one subject. `process`, `device` and `world` are what the rules run on here.

mod device;
mod process;
mod world;

mod acquire;
mod compare;
mod end;

mod exhaustive;
mod fault;
mod history;
mod holders;
mod map;
mod model;
mod names;
mod pages;
mod random;
mod reap;
mod state;
mod statistics;
mod undo;
