// SPDX-License-Identifier: MIT OR Apache-2.0

//! A Prometheus server inside the virtual machine that scrapes the loaded module through `nds serve`.
//!
//! Needs the programs `nds` and `prometheus` on the path, so it is a run of its own.

#[path = "../../../rust/nds-cli/tests/prometheus/programs.rs"]
mod programs;

use std::fs;
use std::path::Path;

use nds::NcCounter;
use programs::Server;

use crate::ktap::{self, Suite};
use crate::sys::actor::Actor;
use crate::sys::report::{nc_word, Report, CORES};

pub(crate) const SUITE: Suite = Suite {
    name: "scrape",
    tests: ktap::tests![a_prometheus_server_sees_the_sums_of_the_present_and_the_past within 300],
};

const DIRECTORY: &str = "/tmp/prometheus";
const INFERENCES: usize = NcCounter::INFERENCE_COUNT.index();
/// The family of that counter.
const FAMILY: &str = "neuron_nds_inference_count_total";

/// Processes of which each adds a different amount on every core; gives the sum.
fn produce(owners: &[Actor]) -> u64 {
    let mut sum = 0;
    for (index, owner) in owners.iter().enumerate() {
        let slab = owner.produce();
        let amount = move |core: usize| (index as u64 + 1) * 1_000_003 + core as u64;
        owner.call(move || {
            (0..CORES).for_each(|core| slab.map.add(nc_word(core, INFERENCES), amount(core)));
        });
        sum += (0..CORES).map(amount).sum::<u64>();
    }
    sum
}

fn a_prometheus_server_sees_the_sums_of_the_present_and_the_past() {
    let mut owners: Vec<_> = (0..6).map(|_| Actor::spawn()).collect();
    let sum = produce(&owners);
    owners.pop().expect("six owners").exit();
    owners.pop().expect("five owners").kill();

    fs::create_dir_all(DIRECTORY).expect("a folder");
    let exporter = Server::exporter("nds", &[]);
    let prometheus = Server::prometheus(Path::new(DIRECTORY), exporter.address);
    let scraped = prometheus.query_scraped(&format!("sum({FAMILY})"));
    assert_eq!(scraped, sum);
    assert_eq!(
        prometheus.query_scraped("sum(neuron_nds_slots_occupied)"),
        owners.len() as u64
    );
    let reported: u64 = (0..CORES)
        .map(|core| Report::now().nc(core, INFERENCES))
        .sum();
    assert_eq!(reported, sum);
    ktap::summary(&format!("{FAMILY} is {scraped}"));
}
