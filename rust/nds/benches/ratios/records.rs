// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records against the plain FNV-1a loop, one and many.

use std::hint::black_box;

use nds::bulk::{read_models, Method, Models};
use nds::layout::hash::{self, FNV_BASIS, FNV_PRIME, HASH_LEN};
use nds::layout::place;
use nds::layout::record::model::LEN;
use nds::{EmulatedDevice, ModelHandle, ModelSlot, Producer, SlabSnapshot};

use crate::measure::{compare as measure, Comparison};

/// Bytes of the defined part of a slab.
const USED: usize = nds::layout::REQUIRED_SIZE;

/// A producer with all 64 models.
struct Full {
    producer: Producer,
    _models: Vec<ModelHandle>,
}

pub(crate) fn compare() -> Vec<Comparison> {
    let full = full_slab();
    vec![
        verify(),
        read_all(
            &full,
            Method::SCALAR,
            "read-all, scalar / copy + FNV-1a",
            SCALAR_LIMIT,
        ),
        read_all(
            &full,
            Method::best(),
            "read-all / copy + FNV-1a",
            best_limit(),
        ),
        snapshot(&full),
    ]
}

const SCALAR_LIMIT: f64 = 0.30;
const VECTOR_LIMIT: f64 = 0.20;

fn best_limit() -> f64 {
    if Method::best() == Method::SCALAR {
        SCALAR_LIMIT
    } else {
        VECTOR_LIMIT
    }
}

fn full_slab() -> Full {
    let device = EmulatedDevice::new().expect("memory");
    let producer = device.open().producer().expect("a free slab");
    let publish = |number| producer.publish_model(&model(number)).expect("a free slot");
    let models = (0..ModelSlot::COUNT as u8).map(publish).collect();
    Full {
        producer,
        _models: models,
    }
}

/// A record without zero bytes, on which no shortcut would help.
fn model(number: u8) -> nds::Model {
    let byte = number | 1;
    let word = u32::from_ne_bytes([byte; 4]);
    let usage = nds::MemoryUsage {
        total_size: u64::from_ne_bytes([byte; 8]),
        chunk_count: word,
    };
    nds::Model {
        model_id: word,
        model_node_id: word,
        name: [byte; 256],
        uuid: [byte; 16],
        nc_index: byte,
        sg_index: byte,
        host_usage: [usage; 12],
        device_usage: [usage; 12],
    }
}

/// The plain loop, over the image with its hash word as zeros.
fn plain_fnv(image: &[u8; LEN]) -> u32 {
    let zeros = [0; HASH_LEN];
    zeros
        .iter()
        .chain(&image[HASH_LEN..])
        .fold(FNV_BASIS, |state, byte| {
            (state ^ u32::from(*byte)).wrapping_mul(FNV_PRIME)
        })
}

fn verify() -> Comparison {
    let image = model(7).encode();
    measure(
        "verify one record / FNV-1a",
        1.05,
        |count| {
            for _ in 0..count {
                assert!(hash::verify(black_box(&image)).is_ok());
            }
        },
        |count| {
            for _ in 0..count {
                assert_eq!(plain_fnv(black_box(&image)), hash::stored_hash(&image));
            }
        },
    )
}

fn read_all(full: &Full, method: Method, name: &'static str, limit: f64) -> Comparison {
    let slab = full.producer.slab();
    let base = slab.base().as_ptr();
    let mut models = Models::new();
    measure(
        name,
        limit,
        |count| {
            for _ in 0..count {
                read_models(slab, method, |_| (), &mut models);
                assert_eq!(black_box(&models).len(), ModelSlot::COUNT);
            }
        },
        |count| (0..count).for_each(|_| one_by_one(base)),
    )
}

/// What libnds of old does for each model: copies it, hashes the copy, keeps it in a handle of its
/// own.
fn one_by_one(base: *const u8) {
    let mut handles = Vec::with_capacity(ModelSlot::COUNT);
    for slot in ModelSlot::all() {
        let mut image = [0; LEN];
        // SAFETY: the record lies in the slab, which stays mapped and is not written meanwhile.
        unsafe {
            let record = base.add(place::model(slot).byte_offset());
            std::ptr::copy_nonoverlapping(record, image.as_mut_ptr(), LEN);
        }
        assert_eq!(plain_fnv(&image), hash::stored_hash(&image));
        handles.push(Box::new(image));
    }
    black_box(handles);
}

fn snapshot(full: &Full) -> Comparison {
    let slab = full.producer.slab();
    let base = slab.base().as_ptr();
    let (mut snapshot, mut models) = (SlabSnapshot::new(), Models::new());
    let mut copy = vec![0_u8; USED];
    measure(
        "snapshot / memcpy + read-all",
        1.3,
        |count| {
            for _ in 0..count {
                snapshot.read(slab, Method::best(), |_| ());
                black_box(&snapshot);
            }
        },
        |count| {
            for _ in 0..count {
                // SAFETY: the slab has that many bytes, stays mapped and is not written meanwhile.
                unsafe { std::ptr::copy_nonoverlapping(base, copy.as_mut_ptr(), USED) };
                black_box(&copy);
                read_models(slab, Method::best(), |_| (), &mut models);
                black_box(&models);
            }
        },
    )
}
