// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counters through the typed API.

use nds::layout::{nc_word, nd_word, SlabRead};
use nds::{Access, Core, NcCounter, NdCounter, Producer};

use crate::support::{list, number, vectors, TestSlab};

fn producer(slab: &TestSlab) -> Producer {
    Producer::new(slab.mapping(Access::ReadWrite)).expect("writable")
}

#[test]
fn every_counter_has_a_word_of_its_own() {
    let slab = TestSlab::new();
    let producer = producer(&slab);
    let mut value = 0;
    for core in Core::all() {
        for counter in NcCounter::all() {
            value += 1;
            producer.set_nc(core, counter, value);
        }
    }
    for counter in NdCounter::all() {
        value += 1;
        producer.set_nd(counter, value);
    }
    let mut expected = 1..;
    for core in Core::all() {
        for counter in NcCounter::all() {
            assert_eq!(Some(producer.nc(core, counter)), expected.next());
            assert_eq!(
                producer.nc(core, counter),
                slab.load(nc_word(core, counter))
            );
        }
    }
    for counter in NdCounter::all() {
        assert_eq!(Some(producer.nd(counter)), expected.next());
        assert_eq!(producer.nd(counter), slab.load(nd_word(counter)));
    }
}

#[test]
fn counting_wraps_in_both_directions() {
    let slab = TestSlab::new();
    let producer = producer(&slab);
    let (core, counter) = nds::nc_index(4, 22).expect("valid");
    producer.sub_nc(core, counter, 1);
    assert_eq!(producer.nc(core, counter), u64::MAX);
    producer.add_nc(core, counter, 2);
    assert_eq!(producer.nc(core, counter), 1);
    let counter = nds::nd_index(30).expect("valid");
    producer.sub_nd(counter, 3);
    producer.add_nd(counter, 1);
    assert_eq!(producer.nd(counter), u64::MAX - 1);
}

/// The operations of the golden slab, in order, each with the value it must leave.
#[test]
fn the_golden_operations_leave_the_golden_values() {
    let slab = TestSlab::new();
    let producer = producer(&slab);
    for step in list(&vectors("slab")["counter_ops"]) {
        let (index, operand) = (number(&step["index"]) as u32, number(&step["operand"]));
        let result = if step["scope"] == "nd" {
            let counter = nds::nd_index(index).expect("valid");
            match step["op"].as_str() {
                Some("add") => producer.add_nd(counter, operand),
                Some("sub") => producer.sub_nd(counter, operand),
                Some("or") => producer.or_nd(counter, operand),
                _ => producer.set_nd(counter, operand),
            }
            producer.nd(counter)
        } else {
            let core = number(&step["core"]) as i32;
            let (core, counter) = nds::nc_index(core, index).expect("valid");
            match step["op"].as_str() {
                Some("add") => producer.add_nc(core, counter, operand),
                Some("sub") => producer.sub_nc(core, counter, operand),
                _ => producer.set_nc(core, counter, operand),
            }
            producer.nc(core, counter)
        };
        assert_eq!(result, number(&step["result"]), "{step}");
    }
}

#[test]
fn the_golden_invalid_indices_are_refused() {
    for row in list(vectors("nd_invalid")) {
        assert!(
            nds::nd_index(number(&row["index"]) as u32).is_err(),
            "{row}"
        );
    }
    for row in list(vectors("nc_invalid")) {
        let core = row["core"].as_i64().expect("a number") as i32;
        assert!(
            nds::nc_index(core, number(&row["counter"]) as u32).is_err(),
            "{row}"
        );
    }
}
