// SPDX-License-Identifier: MIT OR Apache-2.0
//! One feature bit, as a row and as JSON.

use neff_features::bits::{FeatureBit, Label};
use neff_features::FeatureMask;
use serde::Serialize;

use crate::table::{render, Column};

/// What is said where nothing is published.
const UNKNOWN: &str = "not published";

/// A bit and what is known about it.
#[derive(Debug, Serialize)]
pub(crate) struct FeatureView {
    bit: u8,
    mask: String,
    label: String,
    def_json_name: Option<&'static str>,
    attribute_ordinal: Option<u8>,
    set_when: Option<&'static str>,
    effect: Option<&'static str>,
}

impl FeatureView {
    pub(crate) fn of(bit: u8) -> Self {
        let row = FeatureBit::find(bit);
        let attribute = row.and_then(FeatureBit::attribute);
        Self {
            bit,
            mask: FeatureMask::of(bit).to_string(),
            label: Label::of(bit).to_string(),
            def_json_name: row.and_then(|row| row.def_json_name),
            attribute_ordinal: attribute.map(|attribute| attribute.ordinal()),
            set_when: row.map(|row| row.set_when),
            effect: row.and_then(|row| row.effect),
        }
    }

    /// Every bit of the mask, ascending.
    pub(crate) fn all(mask: FeatureMask) -> Vec<Self> {
        mask.bits().map(Self::of).collect()
    }
}

/// The bits of a mask and their meaning, one a line.
pub(crate) fn meaning_table(mask: FeatureMask, indent: usize) -> String {
    let columns = [
        Column::Number("BIT"),
        Column::Number("MASK"),
        Column::Text("FEATURE"),
        Column::Text("SET BY"),
        Column::Text("NEEDS"),
    ];
    let cells = |view: FeatureView| {
        let set_when = view.set_when.unwrap_or("no known compiler");
        let effect = view.effect.unwrap_or(UNKNOWN);
        vec![
            view.bit.to_string(),
            view.mask,
            view.label,
            set_when.into(),
            effect.into(),
        ]
    };
    let rows: Vec<_> = FeatureView::all(mask).into_iter().map(cells).collect();
    render(&columns, &rows, indent)
}

/// Everything about the assigned bits, one a line.
pub(crate) fn full_table() -> String {
    let columns = [
        Column::Number("BIT"),
        Column::Number("MASK"),
        Column::Text("FEATURE"),
        Column::Text("DEF.JSON"),
        Column::Number("ATTRIBUTE"),
        Column::Text("SET BY"),
        Column::Text("NEEDS"),
    ];
    let cells = |view: FeatureView| {
        let named = if view.def_json_name.is_some() {
            "yes"
        } else {
            "no"
        };
        let ordinal = view
            .attribute_ordinal
            .map_or("-".to_owned(), |ordinal| ordinal.to_string());
        let (set_when, effect) = (
            view.set_when.unwrap_or(UNKNOWN),
            view.effect.unwrap_or(UNKNOWN),
        );
        vec![
            view.bit.to_string(),
            view.mask,
            view.label,
            named.into(),
            ordinal,
            set_when.into(),
            effect.into(),
        ]
    };
    let rows: Vec<_> = FeatureView::all(FeatureMask::ASSIGNED)
        .into_iter()
        .map(cells)
        .collect();
    render(&columns, &rows, 0)
}
