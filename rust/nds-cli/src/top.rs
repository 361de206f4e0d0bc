// SPDX-License-Identifier: MIT OR Apache-2.0
//! `nds top`: what each process does a second.

use std::io::Write;
use std::time::Instant;

use indicatif::HumanBytes;
use nds::{Core, Device, NcCounter, NdCounter, SlabSnapshot};
use serde::Serialize;

use crate::args::Top;
use crate::choose;
use crate::describe::text;
use crate::failure::Failure;
use crate::interrupt::Repeat;
use crate::table::{render, Column};

/// What the runtime counts for an execution that did not succeed (libnds reference section 7). Of the
/// error classes, in which failures are counted in addition, only that of hardware errors is one.
const FAILURES: [NcCounter; 21] = [
    NcCounter::INFER_COMPLETED_WITH_ERR,
    NcCounter::INFER_COMPLETED_WITH_NUM_ERR,
    NcCounter::INFER_TIMED_OUT,
    NcCounter::INFER_INCORRECT_INPUT,
    NcCounter::INFER_FAILED_TO_QUEUE,
    NcCounter::GENERIC_FAIL,
    NcCounter::ERR_RESOURCE,
    NcCounter::ERR_RESOURCE_NC,
    NcCounter::ERR_INVALID,
    NcCounter::ERR_UNSUPPORTED_NEFF_VERSION,
    NcCounter::OOB,
    NcCounter::HW_ERR_COLLECTIVES,
    NcCounter::HW_ERR_HBM_UE,
    NcCounter::HW_ERR_NC_UE,
    NcCounter::HW_ERR_DMA_ABORT,
    NcCounter::ERR_SW_NQ_OVERFLOW,
    NcCounter::ERR_SW_SEMAPHORE_ERROR,
    NcCounter::ERR_SW_EVENT_ERROR,
    NcCounter::ERR_SW_PSUM_COLLISION,
    NcCounter::ERR_SW_SEQUENCER_FATAL,
    NcCounter::ERR_HW,
];

const DEVICE_MEMORY: [NcCounter; 5] = [
    NcCounter::MEM_USAGE_CODE_DEVICE,
    NcCounter::MEM_USAGE_TENSORS_DEVICE,
    NcCounter::MEM_USAGE_CONSTANTS_DEVICE,
    NcCounter::MEM_USAGE_SCRATCHPAD_DEVICE,
    NcCounter::MEM_USAGE_MISC_DEVICE,
];

const HOST_MEMORY: [NdCounter; 5] = [
    NdCounter::MEM_USAGE_CODE_HOST,
    NdCounter::MEM_USAGE_TENSORS_HOST,
    NdCounter::MEM_USAGE_CONSTANTS_HOST,
    NdCounter::MEM_USAGE_SCRATCHPAD_HOST,
    NdCounter::MEM_USAGE_MISC_HOST,
];

/// One process on one device, at one look.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    device: String,
    pid: i32,
    tag: String,
    cores: usize,
    models: usize,
    host_bytes: u64,
    device_bytes: u64,
    completed: u64,
    failed: u64,
    /// `None` at the first look at a process.
    completed_per_second: Option<f64>,
    failed_per_second: Option<f64>,
    #[serde(skip)]
    at: Instant,
}

pub(crate) fn run(args: &Top, out: &mut impl Write) -> Result<(), Failure> {
    let devices = choose::to_read(&args.devices)?;
    let repeat = Repeat {
        interval: args.interval,
        rounds: args.count,
        replaces: !args.json,
    };
    let mut rows = Vec::new();
    repeat.show(out, |out| {
        rows = look(&devices, &rows)?;
        if args.json {
            serde_json::to_writer(&mut *out, &rows)?;
            return Ok(writeln!(out)?);
        }
        Ok(write!(out, "{}", table(&rows))?)
    })
}

/// Looks at all processes. Those that have just come or gone, or may not be looked at, are left out.
fn look(devices: &[Device], before: &[Row]) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for device in devices {
        for pid in device.producers()? {
            let Ok(snapshot) = device.reader(pid).and_then(|reader| reader.snapshot()) else {
                continue;
            };
            let row = Row::new(device.name(), pid, &snapshot, Instant::now());
            let known = before
                .iter()
                .find(|known| known.pid == pid && known.device == row.device);
            rows.push(match known {
                Some(known) => row.since(known),
                None => row,
            });
        }
    }
    Ok(rows)
}

impl Row {
    pub(crate) fn new(device: String, pid: i32, snapshot: &SlabSnapshot, at: Instant) -> Self {
        let tag = snapshot
            .process_info()
            .map_or_else(|_| String::new(), |info| text(info.tag_text()));
        Self {
            device,
            pid,
            tag,
            cores: snapshot.active_cores().count(),
            models: snapshot.models().len(),
            host_bytes: sum(HOST_MEMORY.iter().map(|counter| snapshot.nd(*counter))),
            device_bytes: over_cores(snapshot, &DEVICE_MEMORY),
            completed: over_cores(snapshot, &[NcCounter::INFER_COMPLETED]),
            failed: over_cores(snapshot, &FAILURES),
            completed_per_second: None,
            failed_per_second: None,
            at,
        }
    }

    /// With the rates since an earlier look. If a count has fallen, it is of another process.
    pub(crate) fn since(self, before: &Self) -> Self {
        let seconds = self.at.duration_since(before.at).as_secs_f64();
        let rate = |now: u64, before| Some(now.checked_sub(before)? as f64 / seconds);
        Self {
            completed_per_second: rate(self.completed, before.completed),
            failed_per_second: rate(self.failed, before.failed),
            ..self
        }
    }
}

fn over_cores(snapshot: &SlabSnapshot, counters: &[NcCounter]) -> u64 {
    sum(Core::all().flat_map(|core| {
        counters
            .iter()
            .map(move |counter| snapshot.nc(core, *counter))
    }))
}

/// Counters are another process's numbers: their sum may be too large, and then wraps as they do.
fn sum(values: impl Iterator<Item = u64>) -> u64 {
    values.fold(0, u64::wrapping_add)
}

pub(crate) fn table(rows: &[Row]) -> String {
    let columns = [
        Column::Text("DEVICE"),
        Column::Number("PID"),
        Column::Number("CORES"),
        Column::Number("MODELS"),
        Column::Number("HOST MEM"),
        Column::Number("DEVICE MEM"),
        Column::Number("DONE/S"),
        Column::Number("FAILED/S"),
        Column::Text("TAG"),
    ];
    render(&columns, &rows.iter().map(cells).collect::<Vec<_>>(), 0)
}

fn cells(row: &Row) -> Vec<String> {
    let rate = |rate: Option<f64>| rate.map_or_else(|| "-".to_owned(), |rate| format!("{rate:.1}"));
    vec![
        row.device.clone(),
        row.pid.to_string(),
        row.cores.to_string(),
        row.models.to_string(),
        HumanBytes(row.host_bytes).to_string(),
        HumanBytes(row.device_bytes).to_string(),
        rate(row.completed_per_second),
        rate(row.failed_per_second),
        row.tag.clone(),
    ]
}
