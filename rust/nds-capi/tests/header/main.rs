// SPDX-License-Identifier: MIT OR Apache-2.0
//! `nds.h` against the functions and structs of this crate: what Rust knows is written as C and compiled with it.

mod in_c;

use std::fs;
use std::mem::{align_of, offset_of, size_of};
use std::path::{Path, PathBuf};

use in_c::{compile, functions, in_c};
use nds_capi::{counters, helpers, lifecycle, models, object, process, Device, Instance};
use nds_layout::abi::{
    MemUsageInfo, ModelNodeInfo, ModelNodeMemUsageInfo, ProcessInfo, ProcessInfoExt, VersionInfo,
    USAGE_CATEGORIES, USAGE_LOCATIONS,
};
use nds_layout::record::model::CATEGORY_NAMES;
use nds_layout::Feature;

/// What the library imports; nothing here is called.
#[no_mangle]
extern "C" fn ndl_nds_open() -> i32 {
    -1
}

/// As above.
#[no_mangle]
extern "C" fn ndl_nds_close() -> i32 {
    -1
}

in_c!(
    Device => "ndl_device_t",
    Instance => "nds_instance_t",
    ModelNodeInfo => "nds_model_node_info_t",
    ModelNodeMemUsageInfo => "nds_model_node_mem_usage_info_t",
    ProcessInfo => "nds_process_info_t",
    ProcessInfoExt => "nds_process_info_ext_t",
);

fn functions() -> Vec<(&'static str, String)> {
    functions![
        lifecycle::nds_open(_, _, _);
        lifecycle::nds_close(_);
        lifecycle::nds_get_ptr(_);
        lifecycle::nds_is_read_only(_);
        lifecycle::nds_commit_header(_);
        lifecycle::nds_check_header(_);
        counters::nds_increment_nc_counter(_, _, _, _);
        counters::nds_decrement_nc_counter(_, _, _, _);
        counters::nds_get_nc_counter(_, _, _, _);
        counters::nds_set_nc_counter(_, _, _, _);
        counters::nds_increment_nd_counter(_, _, _);
        counters::nds_decrement_nd_counter(_, _, _);
        counters::nds_or_nd_counter(_, _, _);
        counters::nds_get_nd_counter(_, _, _);
        counters::nds_set_nd_counter(_, _, _);
        helpers::nds_hash(_, _);
        helpers::nds_get_empty_map_slot(_);
        helpers::nds_mark_map_slot(_, _, _);
        models::nds_obj_handle_to_model_node_info(_);
        models::nds_obj_handle_to_model_node_mem_usage(_);
        models::nds_read_all_model_nodes(_, _, _);
        models::nds_commit_model_node_info(_, _);
        models::nds_delete_model_node_info(_, _);
        models::nds_read_model_node_info_data(_, _);
        models::nds_get_empty_model_slot(_);
        models::nds_mark_model_slot(_, _, _);
        object::nds_obj_new(_, _);
        object::nds_obj_commit(_);
        object::nds_obj_delete(_);
        object::nds_commit_generic_obj(_, _);
        object::nds_read_generic_obj(_, _);
        object::nds_obj_handle_check_type(_, _);
        process::nds_obj_handle_to_process_info(_);
        process::nds_obj_handle_to_process_info_ext(_);
        process::nds_read_process_info(_);
        process::nds_read_process_info_ext(_);
    ]
}

fn assertion(c: impl AsRef<str>, value: impl TryInto<i64>) -> String {
    let value = value.try_into().unwrap_or(-1);
    format!("_Static_assert({} == {value}, \"\");\n", c.as_ref())
}

/// Size and alignment of a struct, place and size of its fields.
macro_rules! layout {
    ($rust:ty, $c:literal: $($field:ident)*) => {{
        fn size_of_field<T>(_: impl Fn(&$rust) -> &T) -> usize {
            size_of::<T>()
        }
        [
            assertion(concat!("sizeof(", $c, ")"), size_of::<$rust>()),
            assertion(concat!("_Alignof(", $c, ")"), align_of::<$rust>()),
            $(
                assertion(
                    concat!("offsetof(", $c, ", ", stringify!($field), ")"),
                    offset_of!($rust, $field),
                ),
                assertion(
                    concat!("sizeof(((", $c, " *)0)->", stringify!($field), ")"),
                    size_of_field(|whole| &whole.$field),
                ),
            )*
        ]
        .concat()
    }};
}

fn layouts() -> String {
    [
        layout!(MemUsageInfo, "nds_mem_usage_info_t": total_size chunk_count),
        layout!(
            ModelNodeInfo,
            "nds_model_node_info_t": model_id model_node_id name uuid nc_index sg_index
        ),
        layout!(ModelNodeMemUsageInfo, "nds_model_node_mem_usage_info_t": model_mem_usage),
        layout!(VersionInfo, "nds_version_info_t": major minor build),
        layout!(
            ProcessInfo,
            "nds_process_info_t": framework_type tag framework_version fal_version runtime_version
        ),
        layout!(ProcessInfoExt, "nds_process_info_ext_t": tag),
    ]
    .concat()
}

fn constants() -> String {
    let categories = CATEGORY_NAMES
        .iter()
        .enumerate()
        .map(|(place, name)| assertion(format!("NDS_DMA_MEM_USAGE_SLOT_{name}"), place));
    let numbers = [
        ("NDS_DMA_MEM_USAGE_SLOT_COUNT", USAGE_CATEGORIES),
        ("MODEL_MEM_USAGE_LOCATION_COUNT", USAGE_LOCATIONS),
        ("BIT_INDEX_TEST_FEATURE", Feature::Test as usize),
        ("BIT_INDEX_MULTICORE_FEATURE", Feature::Multicore as usize),
        ("BIT_INDEX_COUNT", 2),
        ("OBJECT_TYPE_MODEL_NODE_INFO", 0),
        ("OBJECT_TYPE_PROCESS_INFO", 1),
        ("OBJECT_TYPE_PROCESS_INFO_EXT", 2),
    ];
    let numbers = numbers.map(|(name, value)| assertion(name, value));
    categories.chain(numbers).collect()
}

fn crate_directory() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn include_directory() -> PathBuf {
    crate_directory().join("../../include")
}

#[test]
fn the_header_declares_the_functions_of_this_crate() {
    let declarations: String = functions().into_iter().map(|(_, text)| text).collect();
    let source = format!("#include <nds.h>\n#include \"internal.h\"\n{declarations}");
    compile("declarations.c", &source, "c11");
}

#[test]
fn a_wrong_declaration_would_be_noticed() {
    let right = "int nds_obj_commit(void * );";
    let source = |declaration: &str| format!("#include <nds.h>\n{declaration}\n");
    compile("right.c", &source(right), "c11");
    let wrong = right.replace("int", "uint32_t");
    let refused = std::panic::catch_unwind(|| compile("wrong.c", &source(&wrong), "c11"));
    assert!(refused.is_err());
}

#[test]
fn the_header_lays_out_its_structs_as_this_crate_does() {
    let source = format!("#include <nds.h>\n{}{}", layouts(), constants());
    compile("layouts.c", &source, "c11");
}

#[test]
fn the_header_suits_old_c_and_the_header_of_the_driver() {
    compile("c99.c", "#include <nds.h>\nint used;\n", "c99");
    compile(
        "driver.c",
        "#include <uapi/neuron_nds.h>\n#include <nds.h>\n#include <nds.h>\nint used;\n",
        "c11",
    );
}

#[test]
fn the_version_script_names_all_functions_and_tells_public_from_internal() {
    let map = fs::read_to_string(crate_directory().join("libnds.map")).expect("the version script");
    let header = fs::read_to_string(include_directory().join("nds.h")).expect("the header");
    let (public, internal) = map.split_once("NDS_INTERNAL_1.0").expect("two versions");
    assert_eq!((names(public).count(), names(internal).count()), (21, 15));

    let mut exported: Vec<&str> = names(&map).collect();
    let mut defined: Vec<&str> = functions().into_iter().map(|(name, _)| name).collect();
    exported.sort_unstable();
    defined.sort_unstable();
    assert_eq!(exported, defined);

    let declared = |name: &str| header.contains(&format!("{name}("));
    assert!(names(public).all(declared));
    assert!(!names(internal).any(declared));
}

/// The functions that a version script lists.
fn names(map: &str) -> impl Iterator<Item = &str> {
    map.lines()
        .filter_map(|line| line.trim().strip_suffix(';'))
        .filter(|name| name.starts_with("nds_"))
}
