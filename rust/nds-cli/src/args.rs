// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line: what can be said, and nothing about what it does.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use nds::{Core, ModelSlot};

use crate::doctor::Doctor;
use crate::neff::Neff;
use crate::serve::Serve;

const EXAMPLES: &str = "\
Examples:
  nds demo                         try everything without a module and without root
  nds produce --duration 1m        publish a made-up inference workload
  nds list                         who publishes on which device
  nds show --pid 4711              what process 4711 publishes
  nds show --json | jq .           the same of all processes, for programs
  nds top                          what each process does a second
  nds totals --device /dev/neuron_nds0
  nds serve --listen 127.0.0.1:9637
  nds neff check model.neff --runtime 2.31.24
  nds doctor                       what is wrong with this machine

Exit status: 0 success, 1 failure, 2 wrong usage.";

/// Publish, show and sum what inference processes report through a Neuron device.
#[derive(Debug, Parser)]
#[command(name = "nds", version, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Publish a made-up inference workload.
    Produce(Produce),
    /// Show what processes publish: identity, counters, models.
    Show(Show),
    /// List the processes that publish.
    List(List),
    /// Show what each process does a second, until interrupted.
    Top(Top),
    /// Show what a device adds up over all its producers, past and present.
    Totals(Totals),
    /// Serve the totals to Prometheus over HTTP.
    Serve(Serve),
    /// Show a producer, a reader and the sums of a device at work.
    Demo(Demo),
    /// Say what keeps the datastore from working on this machine, and what to do about it.
    Doctor(Doctor),
    /// Show what compiled models need, and whether a runtime takes them.
    #[command(subcommand)]
    Neff(Neff),
    /// Check that no torn record is ever accepted, while a producer publishes without a pause.
    Stress(Stress),
    /// Write shell completions to standard output, or man pages to a directory.
    #[command(hide = true, subcommand)]
    Generate(Generate),
}

/// Which device to use.
#[derive(Args, Debug)]
pub(crate) struct OneDevice {
    /// Device: a path or an index [default: the first of /dev/neuron_nds* and /dev/neuron*].
    #[arg(long, short, value_name = "DEVICE", env = "NDS_DEVICE")]
    pub(crate) device: Option<String>,
}

/// Which devices to use.
#[derive(Args, Debug)]
pub(crate) struct Devices {
    /// Device: a path or an index; may be repeated [default: all of /dev/neuron_nds*, else all of
    /// /dev/neuron*].
    #[arg(long = "device", short, value_name = "DEVICE", env = "NDS_DEVICE")]
    pub(crate) devices: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct Produce {
    #[command(flatten)]
    pub(crate) device: OneDevice,
    #[command(flatten)]
    pub(crate) workload: WorkloadArgs,
    /// How long to publish, such as 10s or 1m 30s [default: until interrupted].
    #[arg(long, short = 't', value_parser = humantime::parse_duration)]
    pub(crate) duration: Option<Duration>,
    /// Print JSON, one document a line.
    #[arg(long, short)]
    pub(crate) json: bool,
}

/// What the workload looks like.
#[derive(Args, Clone, Debug)]
pub(crate) struct WorkloadArgs {
    /// Inferences a second on each core.
    #[arg(long, short, default_value_t = 100, value_parser = clap::value_parser!(u32).range(..=10_000_000))]
    pub(crate) rate: u32,
    /// Models to load.
    #[arg(long, short, default_value_t = 2,
          value_parser = clap::value_parser!(u16).range(..=ModelSlot::COUNT as i64))]
    pub(crate) models: u16,
    /// NeuronCores to use, such as 0-3 or 0,2,5.
    #[arg(long, short, default_value = "0-1")]
    pub(crate) cores: CoreList,
    /// Tag of the process [default: the pid].
    #[arg(long, env = "NEURON_PROCESS_TAG")]
    pub(crate) tag: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) devices: Devices,
    /// Show this process only; may be repeated.
    #[arg(long, short, value_name = "PID", value_parser = clap::value_parser!(i32).range(1..))]
    pub(crate) pid: Vec<i32>,
    /// Show all processes, which is the default.
    #[arg(long, short, conflicts_with = "pid")]
    pub(crate) all: bool,
    /// Show counters that are 0, too.
    #[arg(long, short)]
    pub(crate) zeros: bool,
    /// Print JSON; with --watch, one document a line.
    #[arg(long, short)]
    pub(crate) json: bool,
    /// Show again after each interval, until interrupted.
    #[arg(long, short, value_name = "INTERVAL", num_args = 0..=1, require_equals = true,
          default_missing_value = "1s", value_parser = humantime::parse_duration)]
    pub(crate) watch: Option<Duration>,
}

#[derive(Args, Debug)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) devices: Devices,
    /// Print JSON.
    #[arg(long, short)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Top {
    #[command(flatten)]
    pub(crate) devices: Devices,
    /// Time between two looks.
    #[arg(long, short, default_value = "2s", value_parser = humantime::parse_duration)]
    pub(crate) interval: Duration,
    /// Look so often, then end.
    #[arg(long, short = 'n')]
    pub(crate) count: Option<u32>,
    /// Print JSON, one document for each look.
    #[arg(long, short)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Totals {
    #[command(flatten)]
    pub(crate) devices: Devices,
    /// Show counters that are 0, too.
    #[arg(long, short)]
    pub(crate) zeros: bool,
    /// Print JSON.
    #[arg(long, short)]
    pub(crate) json: bool,
    /// Print the text that Prometheus scrapes.
    #[arg(long, conflicts_with_all = ["json", "zeros"])]
    pub(crate) prometheus: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Demo {
    /// Device: a path or an index [default: an emulated device inside this process].
    #[arg(long, short, value_name = "DEVICE", env = "NDS_DEVICE")]
    pub(crate) device: Option<String>,
    #[command(flatten)]
    pub(crate) workload: WorkloadArgs,
    /// How long the producer works before it is looked at.
    #[arg(long, short = 't', default_value = "1s", value_parser = humantime::parse_duration)]
    pub(crate) duration: Duration,
}

#[derive(Args, Debug)]
pub(crate) struct Stress {
    /// Device: a path or an index [default: an emulated device].
    #[arg(long, short, value_name = "DEVICE", env = "NDS_DEVICE")]
    pub(crate) device: Option<String>,
    /// Records to read.
    #[arg(long, short = 'n', default_value_t = 1_000_000)]
    pub(crate) reads: u64,
    /// Print JSON.
    #[arg(long, short)]
    pub(crate) json: bool,
    /// Be the producer.
    #[arg(long, hide = true)]
    pub(crate) publish: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Generate {
    /// Completions for a shell, to standard output.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// A man page for each command.
    Man {
        /// Directory, which must exist.
        directory: PathBuf,
    },
}

/// NeuronCores as ranges and single numbers, without repetition, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CoreList(pub(crate) Vec<Core>);

impl FromStr for CoreList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut cores = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (core(first)?, core(last)?);
            if first > last {
                return Err(format!("{part}: the first core comes after the last"));
            }
            cores.extend(Core::all().filter(|core| (first..=last).contains(core)));
        }
        cores.sort_unstable();
        cores.dedup();
        Ok(Self(cores))
    }
}

impl fmt::Display for CoreList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<_> = self.0.iter().map(|core| core.get().to_string()).collect();
        f.write_str(&numbers.join(","))
    }
}

fn core(text: &str) -> Result<Core, String> {
    let number = text
        .trim()
        .parse()
        .map_err(|_| format!("{text:?} is not a NeuronCore"))?;
    nds::nc_index(number, 0)
        .map(|(core, _)| core)
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    fn numbers(text: &str) -> Result<Vec<u32>, String> {
        text.parse::<CoreList>()
            .map(|list| list.0.into_iter().map(Core::get).collect())
    }

    #[test]
    fn cores_are_ranges_and_numbers_in_any_order() {
        assert_eq!(numbers("3,0-1, 3"), Ok(vec![0, 1, 3]));
        assert_eq!(numbers("0-15").map(|cores| cores.len()), Ok(16));
    }

    #[test]
    fn cores_that_do_not_exist_are_refused_with_a_reason() {
        assert_eq!(
            numbers("16"),
            Err("there is no NeuronCore 16: the last one is 15".to_owned())
        );
        assert_eq!(
            numbers("2-1"),
            Err("2-1: the first core comes after the last".to_owned())
        );
        assert_eq!(numbers("x"), Err("\"x\" is not a NeuronCore".to_owned()));
        assert!(numbers("").is_err() && numbers("1,").is_err() && numbers("-1").is_err());
    }
}
