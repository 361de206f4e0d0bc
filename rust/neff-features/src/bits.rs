// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bit table: number, name, what sets a bit, what it asks of the runtime (section 4).
//!
//! Bit numbers are append-only: never move, reuse or renumber one. Rows stand in assembly order,
//! which is neither bit order nor ordinal order throughout. Set operations on masks are in
//! [`mask`](crate::mask), the spellings that a `def.json` may use in [`names`](crate::names).

use core::fmt;

use crate::attributes::ModuleAttribute as Attr;

/// A collective carries a group offset.
pub const COLLECTIVE_HAS_OFFSET: u8 = 1;
/// A custom operator was lowered.
pub const CUSTOM_OPS: u8 = 2;
/// Multi-channel collective coalescing ran.
pub const COALESCED_CCOPS: u8 = 3;
/// The module switches queue-set instances.
pub const QUEUE_SET_INSTANCES: u8 = 4;
/// The module contains a call instruction.
pub const HAS_FUNCTIONS: u8 = 5;
/// Activation tables are dynamic.
pub const DYNAMIC_PWP: u8 = 6;
/// Indirect copies wait on a 32-bit semaphore value.
pub const INDIRECT_MEMCPY_32B_SEM_WAIT: u8 = 7;
/// Indirect copies check index bounds.
pub const INDIRECT_MEMCPY_BOUND_CHECK: u8 = 8;
/// DMA descriptors have three or four dimensions.
pub const DMA_DESC_HIGHER_DIM: u8 = 9;
/// The package holds more than one NeuronCore of a virtual core.
pub const VNC: u8 = 10;
/// DVE performance mode.
pub const DVE_PERF_MODE: u8 = 11;
/// Dynamic DMA.
pub const DGE: u8 = 12;
/// Reciprocal square root on the pool engine.
pub const POOL_RSQRT: u8 = 13;
/// An instruction updates a semaphore of another core.
pub const REMOTE_SEM: u8 = 14;
/// Dynamic DMA with a fused cast.
pub const DGE_CAST: u8 = 15;
/// Dynamic DMA in its vector form.
pub const VECTOR_DGE: u8 = 16;
/// Indirect save with accumulation.
pub const EMBEDDING_STRIDE32: u8 = 17;
/// A queue switch that does not rearm.
pub const SQI_NO_REARM: u8 = 20;
/// The hardware path of dynamic DMA.
pub const HARDWARE_DGE: u8 = 21;
/// Partial collectives between state buffers.
pub const PARTIAL_SB2SB_CCOP: u8 = 22;
/// Companion bit of the fourth generation.
pub const ARCH_ABOVE_39: u8 = 24;
/// 64-bit address assignment.
pub const LARGE_TENSOR_SUPPORT: u8 = 25;

/// What makes the packager set a bit (section 7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The module has an entry for this attribute.
    Attribute(Attr),
    /// The package is built for more than one NeuronCore.
    Vnc,
    /// The architecture is above the second generation and DVE performance mode is not disabled.
    DvePerfMode,
    /// A scan of the instructions found a remote update.
    RemoteSem,
    /// The architecture is of the fourth generation or above.
    ArchAbove39,
}

/// One row of the bit table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeatureBit {
    /// The bit's number in the mask.
    pub bit: u8,
    /// What sets it.
    pub source: Source,
    /// The name pushed to `def.json`; `None` for header-only bits.
    pub def_json_name: Option<&'static str>,
    /// When the compiler sets it.
    pub set_when: &'static str,
    /// What the runtime has to do; `None` where nothing is published.
    pub effect: Option<&'static str>,
}

impl FeatureBit {
    /// The row of bit `bit`, if it is assigned.
    pub fn find(bit: u8) -> Option<&'static Self> {
        ASSEMBLY_ORDER.iter().find(|row| row.bit == bit)
    }

    /// The attribute whose presence sets this bit, if it is one.
    pub const fn attribute(&self) -> Option<Attr> {
        match self.source {
            Source::Attribute(attribute) => Some(attribute),
            _ => None,
        }
    }

    /// The `def.json` name, else the attribute's name, else a label of our own in angle brackets.
    pub fn label(&self) -> &'static str {
        let own = match self.source {
            Source::Attribute(attribute) => attribute.name(),
            Source::DvePerfMode => "<dve_perf_mode>",
            Source::ArchAbove39 => "<arch_gt_39>",
            Source::Vnc => "<vnc>",
            Source::RemoteSem => "<remote_sem>",
        };
        self.def_json_name.unwrap_or(own)
    }
}

/// A printable label for any bit number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    /// The label of an assigned bit.
    Assigned(&'static str),
    /// A bit that is assigned to nothing.
    Unassigned(u8),
}

impl Label {
    /// The label of bit `bit`.
    pub fn of(bit: u8) -> Self {
        FeatureBit::find(bit).map_or(Self::Unassigned(bit), |row| Self::Assigned(row.label()))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Assigned(label) => f.write_str(label),
            Self::Unassigned(bit) => write!(f, "<unassigned_{bit}>"),
        }
    }
}

/// Every assigned bit, in the order in which the packager decides on them.
pub const ASSEMBLY_ORDER: [FeatureBit; 22] = [
    named(
        COLLECTIVE_HAS_OFFSET,
        Source::Attribute(Attr::CollectiveHasOffset),
        "collective_has_offset",
        "a collective send, receive or compute has a group offset",
        "collective engine applies per-operation offsets",
    ),
    named(
        CUSTOM_OPS,
        Source::Attribute(Attr::CustomOps),
        "neff_feature_custom_ops",
        "a custom operator was lowered; its library travels in the file",
        "provision the GPSIMD engine and load the microcode library",
    ),
    named(
        COALESCED_CCOPS,
        Source::Attribute(Attr::CoalescedCcops),
        "neff_coalesced_ccops",
        "multi-channel collective coalescing ran",
        "expect coalesced descriptors",
    ),
    named(
        QUEUE_SET_INSTANCES,
        Source::Attribute(Attr::QueueSetInstances),
        "neff_queue_set_instances",
        "any queue-instance switch",
        "allocate the declared queue-set instances",
    ),
    named(
        HAS_FUNCTIONS,
        Source::Attribute(Attr::HasFunctions),
        "neff_has_functions",
        "a call instruction",
        "build a function dispatch table",
    ),
    named(
        DYNAMIC_PWP,
        Source::Attribute(Attr::DynamicPwp),
        "neff_feature_dynamic_pwp",
        "activation tables are dynamic",
        "load the tables at run time",
    ),
    named(
        INDIRECT_MEMCPY_32B_SEM_WAIT,
        Source::Attribute(Attr::IndirectMemcpy32bSemWait),
        "neff_feature_indirect_memcpy_32b_sem_wait",
        "an indirect load or save",
        "wait on a 32-bit semaphore value",
    ),
    named(
        INDIRECT_MEMCPY_BOUND_CHECK,
        Source::Attribute(Attr::IndirectMemcpyBoundCheck),
        "neff_feature_indirect_memcpy_bound_check",
        "an indirect load or save, or a stream transpose",
        "DMA checks index bounds",
    ),
    named(
        DMA_DESC_HIGHER_DIM,
        Source::Attribute(Attr::DmaDescHigherDim),
        "neff_feature_DMA_desc_higher_dim",
        "descriptor generation used three or four dimensions",
        "decoder takes the higher-dimension form",
    ),
    named(
        VNC,
        Source::Vnc,
        "neff_feature_vnc",
        "more than one NeuronCore in the package",
        "instantiate that many virtual cores",
    ),
    header_only(
        DVE_PERF_MODE,
        Source::DvePerfMode,
        "third generation or above, DVE performance mode not disabled",
    ),
    with_effect(
        header_only(DGE, Source::Attribute(Attr::Dge), "any dynamic DMA"),
        "descriptor generation engine",
    ),
    header_only(
        POOL_RSQRT,
        Source::Attribute(Attr::PoolRsqrt),
        "not published",
    ),
    header_only(
        EMBEDDING_STRIDE32,
        Source::Attribute(Attr::EmbeddingStride32),
        "an indirect save with accumulation",
    ),
    named(
        REMOTE_SEM,
        Source::RemoteSem,
        "neff_feature_remote_sem",
        "a DMA block with synchronisation notifies another core",
        "remote semaphore path",
    ),
    header_only(
        DGE_CAST,
        Source::Attribute(Attr::DgeCast),
        "dynamic DMA with a fused cast",
    ),
    header_only(
        VECTOR_DGE,
        Source::Attribute(Attr::VectorDge),
        "dynamic DMA, destination-reduce form not used",
    ),
    header_only(
        HARDWARE_DGE,
        Source::Attribute(Attr::HardwareDge),
        "hardware path of dynamic DMA",
    ),
    header_only(
        SQI_NO_REARM,
        Source::Attribute(Attr::SqiNoRearm),
        "some queue switches",
    ),
    with_effect(
        header_only(
            PARTIAL_SB2SB_CCOP,
            Source::Attribute(Attr::PartialSb2sbCcop),
            "not published",
        ),
        "partial collectives from state buffer to state buffer",
    ),
    header_only(
        LARGE_TENSOR_SUPPORT,
        Source::Attribute(Attr::LargeTensorSupport),
        "64-bit address assignment",
    ),
    header_only(
        ARCH_ABOVE_39,
        Source::ArchAbove39,
        "fourth generation or above",
    ),
];

const fn named(
    bit: u8,
    source: Source,
    name: &'static str,
    set_when: &'static str,
    effect: &'static str,
) -> FeatureBit {
    FeatureBit {
        bit,
        source,
        def_json_name: Some(name),
        set_when,
        effect: Some(effect),
    }
}

const fn header_only(bit: u8, source: Source, set_when: &'static str) -> FeatureBit {
    FeatureBit {
        bit,
        source,
        def_json_name: None,
        set_when,
        effect: None,
    }
}

const fn with_effect(row: FeatureBit, effect: &'static str) -> FeatureBit {
    FeatureBit {
        effect: Some(effect),
        ..row
    }
}
