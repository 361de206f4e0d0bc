// SPDX-License-Identifier: MIT OR Apache-2.0
//! The static tables and the rendering of masks.

use neff_features::arch::{ArchLevel, KelfTarget, ARCH_LEVELS};
use neff_features::bits::{Label, Source, ASSEMBLY_ORDER};
use neff_features::names::Spelling;
use neff_features::profiles::{Profile, PROFILES};
use neff_features::{libnrt, Code, FeatureMask, ModuleAttribute};
use serde_json::Value;

use crate::{array, bit_numbers, cases, document, mask, number, text, texts};

fn source_name(source: Source) -> &'static str {
    match source {
        Source::Attribute(_) => "attribute",
        Source::Vnc => "vnc",
        Source::DvePerfMode => "dve",
        Source::RemoteSem => "remote_sem",
        Source::ArchAbove39 => "arch39",
    }
}

#[test]
fn constants_have_their_golden_values() {
    let constants = &document()["constants"];
    assert_eq!(
        number(&constants["header_size"]),
        neff_features::header::HEADER_SIZE as u64
    );
    assert_eq!(mask(&constants["assigned_mask"]), FeatureMask::ASSIGNED);
    assert_eq!(mask(&constants["named_mask"]), FeatureMask::NAMED);
    assert_eq!(
        mask(&constants["header_only_mask"]),
        FeatureMask::HEADER_ONLY
    );
    assert_eq!(
        number(&constants["assigned_count"]),
        FeatureMask::ASSIGNED.bits().count() as u64
    );
    assert_eq!(
        number(&constants["named_count"]),
        FeatureMask::NAMED.names().count() as u64
    );
    assert_eq!(mask(&constants["libnrt_trap_mask"]), libnrt::TRAP);
    assert_eq!(mask(&constants["libnrt_supported_mask"]), libnrt::SUPPORTED);
    assert_eq!(number(&constants["libnrt_max_major"]), libnrt::MAX_MAJOR);
    assert_eq!(
        number(&constants["initial_schema"]),
        neff_features::assemble::INITIAL_SCHEMA
    );
    assert_eq!(
        number(&constants["raised_schema"]),
        neff_features::assemble::RAISED_SCHEMA
    );
    assert_eq!(
        number(&constants["nrt_invalid"]),
        u64::from(libnrt::Refusal::ShortHeader.status())
    );
    let unsupported = libnrt::Refusal::SchemaTooNew.status();
    assert_eq!(
        number(&constants["nrt_unsupported_neff_version"]),
        u64::from(unsupported)
    );
    let gaps: Vec<u8> = libnrt::SUPPORTED.unassigned().bits().collect();
    assert_eq!(bit_numbers(&constants["gap_bits_in_loader_window"]), gaps);
}

#[test]
fn every_bit_has_its_row_in_assembly_order() {
    let rows = cases("bits");
    assert_eq!(rows.len(), ASSEMBLY_ORDER.len());
    for (row, golden) in ASSEMBLY_ORDER.iter().zip(rows) {
        assert_eq!(u64::from(row.bit), number(&golden["bit"]));
        assert_eq!(FeatureMask::of(row.bit), mask(&golden["mask"]));
        assert_eq!(source_name(row.source), text(&golden["source"]));
        assert_eq!(
            row.attribute().map(|a| u64::from(a.ordinal())),
            golden["ordinal"].as_u64()
        );
        assert_eq!(
            row.attribute().map(|a| a.name()),
            golden["attribute"].as_str()
        );
        assert_eq!(row.def_json_name, golden["def_json_name"].as_str());
        assert_eq!(row.label(), text(&golden["label"]));
    }
}

#[test]
fn every_module_attribute_has_its_ordinal_name_and_bit() {
    let rows = cases("module_attributes");
    assert_eq!(rows.len(), ModuleAttribute::ALL.len());
    for golden in rows {
        let ordinal = u8::try_from(number(&golden["ordinal"])).expect("ordinal");
        let attribute = ModuleAttribute::from_ordinal(ordinal).expect("known ordinal");
        assert_eq!(attribute.name(), text(&golden["name"]));
        assert_eq!(
            ModuleAttribute::from_name(attribute.name()),
            Some(attribute)
        );
        let row = ASSEMBLY_ORDER
            .iter()
            .find(|row| row.attribute() == Some(attribute));
        assert_eq!(row.map(|row| u64::from(row.bit)), golden["bit"].as_u64());
        assert_eq!(row.is_some(), golden["feature"].as_bool().expect("flag"));
    }
    assert_eq!(ModuleAttribute::from_ordinal(rows.len() as u8), None);
    assert_eq!(ModuleAttribute::from_name("neff_feature_time_travel"), None);
}

#[test]
fn an_alias_resolves_to_the_bit_of_its_name() {
    for (alias, name) in document()["name_aliases"].as_object().expect("map") {
        let name = Spelling::resolve(text(name)).expect("known name");
        assert_eq!(Spelling::resolve(alias), Some(Spelling::Alias(name.bit())));
    }
}

#[test]
fn severities_are_as_listed() {
    for (code, severity) in document()["severities"].as_object().expect("map") {
        let known = Code::ALL
            .iter()
            .find(|known| known.as_str() == code)
            .expect("known code");
        assert_eq!(known.severity().name(), text(severity), "{code}");
    }
}

#[test]
fn arch_levels_and_their_spellings_are_known() {
    let rows = cases("arch_levels");
    assert_eq!(rows.len(), ARCH_LEVELS.len());
    for golden in rows {
        let level = i32::try_from(number(&golden["level"])).expect("level");
        let row = ArchLevel::find(level).expect("known level");
        assert_eq!(u64::from(row.generation), number(&golden["generation"]));
        assert_eq!(row.marketed, text(&golden["marketed"]));
        assert_eq!(row.core, text(&golden["core"]));
        let aliases = texts(&golden["aliases"]);
        let names = [text(&golden["ir_name"]), text(&golden["runtime_name"])];
        for name in names.iter().chain(&aliases) {
            assert_eq!(ArchLevel::from_name(name), Some(row), "{name}");
        }
    }
    assert_eq!(ArchLevel::from_name("warp9"), None);
}

#[test]
fn kelf_targets_give_the_loaders_architecture_type() {
    for (target, arch_type) in document()["kelf_targets"].as_object().expect("map") {
        let expected = u8::try_from(number(arch_type)).expect("type");
        assert_eq!(
            KelfTarget::parse(target),
            KelfTarget::Arch(expected),
            "{target:?}"
        );
    }
    assert_eq!(KelfTarget::parse("*"), KelfTarget::Any);
    assert_eq!(KelfTarget::parse("warp9"), KelfTarget::Unknown);
}

#[test]
fn runtime_profiles_have_their_masks() {
    let rows = cases("runtime_profiles");
    assert_eq!(rows.len(), PROFILES.len());
    for golden in rows {
        let profile = Profile::find(text(&golden["name"])).expect("known profile");
        assert_eq!(profile.capability.supported, mask(&golden["supported"]));
        assert_eq!(profile.capability.max_schema, number(&golden["max_schema"]));
        let printed = golden.get("printed").unwrap_or(&golden["supported"]);
        assert_eq!(profile.printed, mask(printed));
    }
}

#[test]
fn a_profile_is_found_by_a_prefix_of_its_version_at_a_dot() {
    for version in ["2.31", "2.31.24", "2.31.24.0", "libnrt-2.31.24"] {
        assert_eq!(
            Profile::find(version).map(|p| p.name),
            Some("libnrt-2.31.24"),
            "{version}"
        );
    }
    for version in ["", "2", "2.3", "2.31.2", "2.31.24.0.1", "9.9"] {
        assert_eq!(Profile::find(version), None, "{version:?}");
    }
}

#[test]
fn a_mask_renders_as_bits_labels_and_names() {
    for case in cases("render_cases") {
        let needed = mask(&case["mask"]);
        assert_eq!(needed.to_string(), text(&case["mask"]));
        assert_eq!(
            needed.bits().collect::<Vec<_>>(),
            bit_numbers(&case["bits"])
        );
        let labels: Vec<String> = needed.labels().map(|label| label.to_string()).collect();
        assert_eq!(labels, texts(&case["labels"]));
        assert_eq!(needed.names().collect::<Vec<_>>(), texts(&case["named"]));
        assert_eq!(needed.unassigned(), mask(&case["unassigned_mask"]));
    }
}

#[test]
fn every_assigned_bit_has_a_label_of_its_own_and_every_other_bit_its_number() {
    let assigned: Vec<&Value> = array(&document()["bits"])
        .iter()
        .map(|row| &row["bit"])
        .collect();
    for bit in 0..64u8 {
        let label = Label::of(bit).to_string();
        let is_assigned = assigned.iter().any(|row| number(row) == u64::from(bit));
        assert_eq!(
            label == format!("<unassigned_{bit}>"),
            !is_assigned,
            "{label}"
        );
    }
}
