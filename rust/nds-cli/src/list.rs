// SPDX-License-Identifier: MIT OR Apache-2.0
//! `nds list`: the processes that publish.

use std::io::Write;
use std::time::Duration;

use nds::{Core, Device, Error, Occupancy};
use serde::Serialize;

use crate::args::List;
use crate::choose;
use crate::describe::text;
use crate::failure::Failure;
use crate::table::{render, Column};

/// One process on one device. What the stock driver does not tell is `None`.
#[derive(Debug, Serialize)]
struct Row {
    device: String,
    pid: Option<i32>,
    slot: Option<u16>,
    uid: Option<u32>,
    age_seconds: Option<f64>,
    cores: Option<Vec<u32>>,
    stale_uses: Option<u64>,
    /// `None` if there is no valid record, or if the process may not be looked at.
    tag: Option<String>,
}

pub(crate) fn run(args: &List, out: &mut impl Write) -> Result<(), Failure> {
    let mut rows = Vec::new();
    for device in choose::to_read(&args.devices)? {
        rows.extend(list(&device)?);
    }
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &rows)?;
        return Ok(writeln!(out)?);
    }
    write!(out, "{}", table(&rows))?;
    Ok(())
}

fn list(device: &Device) -> Result<Vec<Row>, Error> {
    match device.report() {
        Ok(report) => Ok(report
            .occupancies()
            .map(|row| reported(device, &row))
            .collect()),
        Err(Error::Unsupported { .. }) => Ok(device
            .producers()?
            .into_iter()
            .map(|pid| probed(device, pid))
            .collect()),
        Err(error) => Err(error),
    }
}

fn reported(device: &Device, occupancy: &Occupancy) -> Row {
    let active = Core::all().filter(|core| occupancy.core_mask >> core.get() & 1 == 1);
    Row {
        device: device.name(),
        pid: occupancy.pid,
        slot: Some(occupancy.slot),
        uid: Some(occupancy.uid),
        age_seconds: Some(occupancy.age.as_secs_f64()),
        cores: Some(active.map(Core::get).collect()),
        stale_uses: Some(occupancy.stale_uses),
        tag: occupancy.pid.and_then(|pid| tag(device, pid)),
    }
}

fn probed(device: &Device, pid: i32) -> Row {
    Row {
        device: device.name(),
        pid: Some(pid),
        slot: None,
        uid: None,
        age_seconds: None,
        cores: None,
        stale_uses: None,
        tag: tag(device, pid),
    }
}

fn tag(device: &Device, pid: i32) -> Option<String> {
    Some(text(
        device.reader(pid).ok()?.process_info().ok()?.tag_text(),
    ))
}

fn table(rows: &[Row]) -> String {
    let columns = [
        Column::Text("DEVICE"),
        Column::Number("SLOT"),
        Column::Number("PID"),
        Column::Number("UID"),
        Column::Number("AGE"),
        Column::Text("CORES"),
        Column::Text("TAG"),
    ];
    render(&columns, &rows.iter().map(cells).collect::<Vec<_>>(), 0)
}

fn cells(row: &Row) -> Vec<String> {
    vec![
        row.device.clone(),
        or_dash(row.slot),
        or_dash(row.pid),
        or_dash(row.uid),
        or_dash(row.age_seconds.map(age)),
        or_dash(row.cores.as_ref().map(|cores| core_list(cores))),
        or_dash(row.tag.clone()),
    ]
}

fn or_dash(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

/// Whole seconds, as in `1h 2m 3s`.
fn age(seconds: f64) -> String {
    humantime::format_duration(Duration::from_secs(seconds as u64)).to_string()
}

/// Consecutive numbers as ranges; `-` if there is none.
fn core_list(cores: &[u32]) -> String {
    let runs = cores.chunk_by(|a, b| a + 1 == *b);
    let parts: Vec<_> = runs
        .map(|run| match run {
            [one] => one.to_string(),
            [first, .., last] => format!("{first}-{last}"),
            [] => String::new(),
        })
        .collect();
    if parts.is_empty() {
        "-".to_owned()
    } else {
        parts.join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_cores_are_a_range() {
        assert_eq!(core_list(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
        assert_eq!(core_list(&[]), "-");
    }

    #[test]
    fn what_a_driver_does_not_tell_is_a_dash() {
        let row = Row {
            device: "/dev/neuron0".to_owned(),
            pid: Some(7),
            slot: None,
            uid: None,
            age_seconds: None,
            cores: None,
            stale_uses: None,
            tag: Some("job".to_owned()),
        };
        let table = table(&[row]);
        let cells: Vec<_> = table
            .lines()
            .nth(1)
            .expect("a row")
            .split_whitespace()
            .collect();
        assert_eq!(cells, ["/dev/neuron0", "-", "7", "-", "-", "-", "job"]);
    }
}
