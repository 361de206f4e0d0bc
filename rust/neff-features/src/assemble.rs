// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mask, names and schema as the compiler's packager derives them (sections 7 to 9).
//!
//! Owns the decisions for one module and the merge of several into one header. The table that
//! drives it is [`bits`](crate::bits); writing the result is [`header`](crate::header)'s part.

use core::fmt;

use crate::arch::{LAST_WITHOUT_ARCH_BIT, LAST_WITHOUT_DVE_PERF_MODE};
use crate::attributes::AttributeSet;
use crate::bits::{Source, ASSEMBLY_ORDER};
use crate::mask::FeatureMask;

/// The schema a writer starts with.
pub const INITIAL_SCHEMA: u64 = 1;
/// The schema any feature raises a file to: loaders look at the mask only from here on.
pub const RAISED_SCHEMA: u64 = 2;

/// What the packager reads of one module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Module {
    /// The attributes the module has an entry for.
    pub attributes: AttributeSet,
    /// ArchLevel; compared signed.
    pub arch: i32,
    /// Whether DVE performance mode was disabled by option.
    pub dve_perf_mode_disabled: bool,
    /// Whether the instructions contain a remote update; see [`has_remote_update`].
    pub remote_update: bool,
}

/// What the remote-semaphore scan reads of one instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// Whether it is a DMA block.
    pub is_dma_block: bool,
    /// Whether it carries synchronisation information.
    pub has_sync_info: bool,
    /// Length of its remote-notification list; the identifiers in it do not matter.
    pub remote_notifications: usize,
}

impl Instruction {
    /// Whether it updates a semaphore of another core.
    pub const fn is_remote_update(&self) -> bool {
        self.is_dma_block && self.has_sync_info && self.remote_notifications != 0
    }
}

/// Whether any instruction is a remote update. Stops at the first.
pub fn has_remote_update(instructions: impl IntoIterator<Item = Instruction>) -> bool {
    instructions
        .into_iter()
        .any(|instruction| instruction.is_remote_update())
}

/// What the packager stores for one module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assembly {
    /// The mask this module needs.
    pub mask: FeatureMask,
    /// The writer's schema after this module.
    pub schema_min: u64,
}

impl Assembly {
    /// The `neff_features` array of this module's `def.json`: ascending bits, no duplicates.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.mask.names()
    }
}

/// Derives mask and schema of one module.
///
/// `vnc_nc_count` is the package's number of NeuronCores, compared unsigned; `writer_schema` the
/// schema before this module. Any feature raises the schema to 2, nothing lowers it (decision X9).
pub fn assemble(module: &Module, vnc_nc_count: u32, writer_schema: u64) -> Assembly {
    let is_set = |source: Source| match source {
        Source::Attribute(attribute) => module.attributes.contains(attribute),
        Source::Vnc => vnc_nc_count > 1,
        Source::DvePerfMode => {
            module.arch > LAST_WITHOUT_DVE_PERF_MODE && !module.dve_perf_mode_disabled
        }
        Source::RemoteSem => module.remote_update,
        Source::ArchAbove39 => module.arch > LAST_WITHOUT_ARCH_BIT,
    };
    let mask = ASSEMBLY_ORDER
        .iter()
        .filter(|row| is_set(row.source))
        .fold(FeatureMask::EMPTY, |mask, row| {
            mask.union(FeatureMask::of(row.bit))
        });
    let floor = if mask.is_empty() { 0 } else { RAISED_SCHEMA };
    Assembly {
        mask,
        schema_min: writer_schema.max(floor),
    }
}

/// How the masks of several modules become one header mask (decision X10).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Merge {
    /// Every feature of every module: the gate sees all that is needed.
    #[default]
    Union,
    /// The last module's mask only, as the compiler does.
    LastWins,
}

/// Assembles the modules of one package in order.
#[derive(Clone, Debug)]
pub struct Packager {
    vnc_nc_count: u32,
    merge: Merge,
    modules: usize,
    header: Assembly,
}

impl Packager {
    /// A packager for `vnc_nc_count` modules.
    pub fn new(vnc_nc_count: u32, merge: Merge) -> Self {
        let header = Assembly {
            mask: FeatureMask::EMPTY,
            schema_min: INITIAL_SCHEMA,
        };
        Self {
            vnc_nc_count,
            merge,
            modules: 0,
            header,
        }
    }

    /// Adds the next module and returns what belongs in its `def.json`.
    pub fn add(&mut self, module: &Module) -> Assembly {
        let assembly = assemble(module, self.vnc_nc_count, self.header.schema_min);
        let mask = match self.merge {
            Merge::Union => self.header.mask.union(assembly.mask),
            Merge::LastWins => assembly.mask,
        };
        self.header = Assembly {
            mask,
            schema_min: assembly.schema_min,
        };
        self.modules += 1;
        assembly
    }

    /// Mask and schema for the header.
    ///
    /// # Errors
    ///
    /// The number of modules is not `vnc_nc_count`.
    pub fn finish(self) -> Result<Assembly, ModuleCountMismatch> {
        if usize::try_from(self.vnc_nc_count) == Ok(self.modules) {
            return Ok(self.header);
        }
        Err(ModuleCountMismatch {
            modules: self.modules,
            vnc_nc_count: self.vnc_nc_count,
        })
    }
}

/// The package does not hold one module per NeuronCore.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ModuleCountMismatch {
    /// Modules that were added.
    pub modules: usize,
    /// Modules the package is built for.
    pub vnc_nc_count: u32,
}

impl ModuleCountMismatch {
    /// The code tools print.
    pub const CODE: &'static str = "module-count-mismatch";
}

impl fmt::Display for ModuleCountMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            modules,
            vnc_nc_count,
        } = self;
        write!(
            f,
            "{}: expected {vnc_nc_count} modules, found {modules}",
            Self::CODE
        )
    }
}

impl core::error::Error for ModuleCountMismatch {}
