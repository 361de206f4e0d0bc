// SPDX-License-Identifier: MIT OR Apache-2.0
//! The compiler's module attributes and the rule "engaged, not true" (sections 5 and 6).
//!
//! Owns the enumeration, its spellings and the set of attributes a module has. Which attribute
//! sets which bit is in [`bits`](crate::bits).

macro_rules! module_attributes {
    ($($(#[$doc:meta])* $variant:ident = $ordinal:literal, $name:literal;)*) => {
        /// A module attribute; the discriminant is the compiler's ordinal.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum ModuleAttribute {
            $($(#[$doc])* $variant = $ordinal,)*
        }

        impl ModuleAttribute {
            /// Every attribute, by ordinal.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The spelling of the compiler's enumeration.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

module_attributes! {
    /// Bookkeeping of the pass manager, not a feature.
    PreviousPass = 0, "previous_pass";
    /// Bookkeeping of the pass manager, not a feature.
    PassSequenceNumber = 1, "pass_sequence_number";
    /// Written to `def.json` without the leading `neff_`.
    CollectiveHasOffset = 2, "neff_collective_has_offset";
    /// Custom operators.
    CustomOps = 3, "neff_feature_custom_ops";
    /// Coalesced collectives.
    CoalescedCcops = 4, "neff_coalesced_ccops";
    /// Queue-set instances.
    QueueSetInstances = 5, "neff_queue_set_instances";
    /// Function calls.
    HasFunctions = 6, "neff_has_functions";
    /// Dynamic activation tables.
    DynamicPwp = 7, "neff_feature_dynamic_pwp";
    /// 32-bit semaphore waits of indirect copies.
    IndirectMemcpy32bSemWait = 8, "neff_feature_indirect_memcpy_32b_sem_wait";
    /// Bound checks of indirect copies.
    IndirectMemcpyBoundCheck = 9, "neff_feature_indirect_memcpy_bound_check";
    /// Higher-dimensional DMA descriptors.
    DmaDescHigherDim = 10, "neff_feature_DMA_desc_higher_dim";
    /// Dynamic DMA.
    Dge = 11, "neff_feature_DGE";
    /// Reciprocal square root on the pool engine.
    PoolRsqrt = 12, "neff_feature_POOL_RSQRT";
    /// Dynamic DMA with a fused cast.
    DgeCast = 13, "neff_feature_DGE_cast";
    /// Dynamic DMA, vector form.
    VectorDge = 14, "neff_feature_vector_DGE";
    /// Indirect save with accumulation.
    EmbeddingStride32 = 15, "neff_feature_embedding_stride32";
    /// The core a module is compiled for, not a feature.
    NeuronCoreId = 16, "neuron_core_id";
    /// Dynamic DMA, hardware path.
    HardwareDge = 17, "neff_feature_hardware_DGE";
    /// Loop placement, not a feature.
    LoopsOnChip = 18, "loops_on_chip";
    /// Loop placement, not a feature.
    LoopsInBackend = 19, "loops_in_backend";
    /// Queue switches without rearming.
    SqiNoRearm = 20, "neff_feature_SQI_no_rearm";
    /// Partial collectives between state buffers.
    PartialSb2sbCcop = 21, "neff_feature_partial_sb2sb_ccop";
    /// 64-bit address assignment.
    LargeTensorSupport = 22, "neff_feature_large_tensor_support";
}

const _: () = assert!(ModuleAttribute::ALL.len() == 23);

impl ModuleAttribute {
    /// The attribute with this ordinal.
    pub fn from_ordinal(ordinal: u8) -> Option<Self> {
        Self::ALL.get(usize::from(ordinal)).copied()
    }

    /// The attribute with this spelling.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|attribute| attribute.name() == name)
    }

    /// The compiler's ordinal.
    pub const fn ordinal(self) -> u8 {
        self as u8
    }
}

/// The value stored for an attribute: six arms, in the compiler's order.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value<'a> {
    /// The only arm the compiler is known to store, and then always `true`.
    Bool(bool),
    /// A signed number.
    I64(i64),
    /// An unsigned number.
    U64(u64),
    /// Text.
    String(&'a str),
    /// A list; its elements do not matter here.
    List,
    /// A map; its entries do not matter here.
    Map,
}

/// The attributes a module has an entry for.
///
/// An attribute is present exactly when the module has an entry for it, whatever value the entry
/// holds: `false`, `0` and the empty string count (decision X8). Absence is the only "off".
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct AttributeSet {
    engaged: u32,
    not_true: u32,
}

impl AttributeSet {
    /// No entry at all.
    pub const EMPTY: Self = Self {
        engaged: 0,
        not_true: 0,
    };

    /// Records an entry; a later entry for the same attribute replaces the earlier one.
    pub fn insert(&mut self, attribute: ModuleAttribute, value: Value<'_>) {
        let bit = 1 << attribute.ordinal();
        self.engaged |= bit;
        self.not_true = match value {
            Value::Bool(true) => self.not_true & !bit,
            _ => self.not_true | bit,
        };
    }

    /// Whether the attribute is engaged.
    pub const fn contains(&self, attribute: ModuleAttribute) -> bool {
        self.engaged & (1 << attribute.ordinal()) != 0
    }

    /// The engaged attributes whose stored value is not `true`: they count, but somebody who wrote
    /// `false` will not expect it. For linters.
    pub fn engaged_but_not_true(&self) -> impl Iterator<Item = ModuleAttribute> + '_ {
        let odd = |attribute: &ModuleAttribute| self.not_true & (1 << attribute.ordinal()) != 0;
        ModuleAttribute::ALL.iter().copied().filter(odd)
    }
}

impl<'a> Extend<(ModuleAttribute, Value<'a>)> for AttributeSet {
    fn extend<I: IntoIterator<Item = (ModuleAttribute, Value<'a>)>>(&mut self, entries: I) {
        for (attribute, value) in entries {
            self.insert(attribute, value);
        }
    }
}

impl<'a> FromIterator<(ModuleAttribute, Value<'a>)> for AttributeSet {
    fn from_iter<I: IntoIterator<Item = (ModuleAttribute, Value<'a>)>>(entries: I) -> Self {
        let mut set = Self::EMPTY;
        set.extend(entries);
        set
    }
}
