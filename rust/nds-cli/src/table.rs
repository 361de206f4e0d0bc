// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plain tables: columns of text, numbers to the right, no lines.

use comfy_table::{presets, Cell, CellAlignment, Row, Table};

/// A column's heading and how it is aligned.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Column<'a> {
    Text(&'a str),
    Number(&'a str),
}

impl Column<'_> {
    fn alignment(self) -> CellAlignment {
        match self {
            Self::Text(_) => CellAlignment::Left,
            Self::Number(_) => CellAlignment::Right,
        }
    }

    fn cell(self, content: &str) -> Cell {
        Cell::new(content).set_alignment(self.alignment())
    }

    fn heading(self) -> Cell {
        let (Self::Text(heading) | Self::Number(heading)) = self;
        self.cell(heading)
    }
}

/// The lines of a table, each without trailing blanks and with `indent` blanks before it.
pub(crate) fn render(columns: &[Column<'_>], rows: &[Vec<String>], indent: usize) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(columns.iter().map(|column| column.heading()));
    for row in rows {
        table.add_row(Row::from(
            columns
                .iter()
                .zip(row)
                .map(|(column, content)| column.cell(content))
                .collect::<Vec<_>>(),
        ));
    }
    let lines = table.lines().map(|line| {
        let line = line.trim_end();
        // The first column's padding is not wanted: the indent is the caller's.
        format!("{:indent$}{}\n", "", line.strip_prefix(' ').unwrap_or(line))
    });
    lines.collect()
}
