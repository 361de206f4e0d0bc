//! End-to-end tests of the loaded module.
fn main() {}
