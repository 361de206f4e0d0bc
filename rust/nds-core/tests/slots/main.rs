// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules of slots, as a specification: single rules one by one, then random histories and all short histories
//! against a naive model.
//!
//! Owns no test: each module is one subject.

// What the rules run on here.
mod device;
mod process;
mod world;

// Single rules.
mod acquire;
mod end;
mod fault;
mod holders;
mod map;
mod names;
mod pages;
mod reap;
mod statistics;
mod undo;

// Histories against the naive model.
mod compare;
mod exhaustive;
mod history;
mod model;
mod random;
mod state;
