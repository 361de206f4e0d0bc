// SPDX-License-Identifier: GPL-2.0
//! What the rows of the golden vectors are made of, and how tests walk them.
//!
//! Owns the types of `vectors`. An assertion in a loop would not say which row it failed on, so [`every`] does.

use core::fmt::{self, Debug, Formatter};

use kernel::prelude::*;

use crate::layout::{
    abi::USAGE_CATEGORIES,
    nc_word, nd_word,
    record::{model, padded},
    Core, MemoryUsage, Model, NcCounter, NdCounter, ProcessInfo, ProcessInfoExt, Version,
    WordIndex,
};
use crate::vectors::IMAGES;

/// Whether there are rows and all of them hold. Logs the first that does not.
pub(crate) fn every<T: Debug>(rows: &[T], holds: impl Fn(&T) -> bool) -> bool {
    let wrong = rows.iter().find(|row| !holds(row));
    if let Some(row) = wrong {
        pr_err!("this row does not hold: {row:?}\n");
    }
    wrong.is_none() && !rows.is_empty()
}

/// The kind of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    ProcessInfo,
    ProcessInfoExt,
    Model,
}

impl Kind {
    /// Bytes of a record.
    pub(crate) const fn len(self) -> usize {
        match self {
            Self::ProcessInfo => 64,
            Self::ProcessInfoExt => 260,
            Self::Model => model::LEN,
        }
    }
}

/// What a reader says of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Valid,
    Torn,
    Unpublished,
}

/// The bytes of a record.
pub(crate) struct Image {
    pub(crate) id: &'static str,
    pub(crate) kind: Kind,
    pub(crate) verdict: Verdict,
    /// Which image it differs little from; zeros otherwise.
    pub(crate) base: Option<usize>,
    /// Where and how it differs.
    pub(crate) parts: &'static [(usize, &'static [u8])],
}

impl Debug for Image {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

impl Image {
    /// The first `N` bytes of the image, or all of them and zeros.
    pub(crate) fn sized<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        if let Some(base) = self.base.and_then(|base| IMAGES.get(base)) {
            base.put_parts(&mut bytes);
        }
        self.put_parts(&mut bytes);
        bytes
    }

    /// Calls `look` with the image.
    pub(crate) fn with<R>(&self, look: impl FnOnce(&[u8]) -> R) -> R {
        let bytes = self.sized::<{ model::LEN }>();
        look(bytes.get(..self.kind.len()).unwrap_or(&bytes))
    }

    fn put_parts(&self, bytes: &mut [u8]) {
        for (start, part) in self.parts {
            let place = bytes.iter_mut().skip(*start);
            place.zip(*part).for_each(|(to, from)| *to = *from);
        }
    }
}

/// The fields of a record.
#[derive(Debug)]
pub(crate) enum Fields {
    ProcessInfo {
        framework_type: i8,
        tag: &'static [u8],
        /// Of framework, adaptation layer and runtime.
        versions: [Version; 3],
    },
    ProcessInfoExt {
        tag: &'static [u8],
    },
    Model {
        /// Of the model and of its node.
        ids: (u32, u32),
        name: &'static [u8],
        uuid: [u8; 16],
        /// Of the NeuronCore and of the subgraph.
        indices: (u8, u8),
        /// Location, category, bytes, allocations.
        usage: &'static [(usize, usize, u64, u32)],
    },
}

impl Fields {
    /// Calls `look` with the image that the fields are encoded to.
    pub(crate) fn with_encoded<R>(&self, look: impl FnOnce(&[u8]) -> R) -> R {
        match self {
            Self::ProcessInfo { .. } => look(&self.process_info().encode()),
            Self::ProcessInfoExt { tag } => look(&ProcessInfoExt { tag: padded(tag) }.encode()),
            Self::Model { .. } => look(&self.model().encode()),
        }
    }

    /// Whether a reader finds these fields in an image.
    pub(crate) fn are_in(&self, image: &Image) -> bool {
        match self {
            Self::ProcessInfo { .. } => ProcessInfo::decode(&image.sized()) == self.process_info(),
            Self::ProcessInfoExt { tag } => {
                ProcessInfoExt::decode(&image.sized()).tag == padded(tag)
            }
            Self::Model { .. } => Model::decode(&image.sized()) == self.model(),
        }
    }

    /// As the layout has them; all zero if they are of another kind.
    fn process_info(&self) -> ProcessInfo {
        let Self::ProcessInfo {
            framework_type,
            tag,
            versions,
        } = self
        else {
            return ProcessInfo::decode(&[0; 64]);
        };
        let [framework_version, fal_version, runtime_version] = *versions;
        ProcessInfo {
            framework_type: *framework_type,
            tag: padded(tag),
            framework_version,
            fal_version,
            runtime_version,
        }
    }

    fn model(&self) -> Model {
        let Self::Model {
            ids,
            name,
            uuid,
            indices,
            usage,
        } = self
        else {
            return Model::decode(&[0; model::LEN]);
        };
        Model {
            model_id: ids.0,
            model_node_id: ids.1,
            name: padded(name),
            uuid: *uuid,
            nc_index: indices.0,
            sg_index: indices.1,
            host_usage: usage_at(usage, 0),
            device_usage: usage_at(usage, 1),
        }
    }
}

fn usage_at(
    usage: &[(usize, usize, u64, u32)],
    location: usize,
) -> [MemoryUsage; USAGE_CATEGORIES] {
    core::array::from_fn(|category| {
        let cell = usage
            .iter()
            .find(|cell| (cell.0, cell.1) == (location, category));
        cell.map_or(MemoryUsage::default(), |cell| MemoryUsage {
            total_size: cell.2,
            chunk_count: cell.3,
        })
    })
}

/// A published record.
#[derive(Debug)]
pub(crate) struct Record {
    /// Which image.
    pub(crate) image: usize,
    /// Of a model.
    pub(crate) slot: u32,
    /// From the slab base.
    pub(crate) offset: usize,
    pub(crate) hash: u32,
    pub(crate) fields: Fields,
}

/// The shape of a C struct.
#[derive(Debug)]
pub(crate) struct Struct {
    pub(crate) name: &'static str,
    pub(crate) size: usize,
    pub(crate) align: usize,
    /// Of its fields in their order.
    pub(crate) offsets: &'static [usize],
}

/// What is done to a counter.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Set,
    Add,
    Sub,
    Or,
}

/// A counter of the device, or of a core.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Counter {
    Nd(u32),
    Nc(u32, u32),
}

impl Counter {
    /// Its word, if there is such a counter.
    pub(crate) fn word(self) -> Option<WordIndex> {
        Some(match self {
            Self::Nd(counter) => nd_word(NdCounter::new(counter)?),
            Self::Nc(core, counter) => nc_word(Core::new(core)?, NcCounter::new(counter)?),
        })
    }
}
