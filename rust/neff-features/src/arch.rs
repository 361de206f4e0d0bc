// SPDX-License-Identifier: MIT OR Apache-2.0
//! Architecture levels and kelf targets (sections 11.5 and 14).
//!
//! Three scales exist: the compiler's ArchLevel (10, 20, 30, ...), the loader's architecture type
//! (2, 3, 4) and hardware identifiers. Feature bits compare with the ArchLevel; this module owns
//! the levels, their spellings and the step from a kelf target to a level.

/// The highest level that does not imply DVE performance mode (bit 11 is set above it).
pub const LAST_WITHOUT_DVE_PERF_MODE: i32 = 20;
/// The highest level without the fourth-generation bit (bit 24 is set above it).
pub const LAST_WITHOUT_ARCH_BIT: i32 = 39;

/// One architecture of the compiler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArchLevel {
    /// The compiler's number; signed in the compiler.
    pub level: i32,
    /// Hardware generation.
    pub generation: u8,
    /// Name in the compiler's IR.
    pub ir_name: &'static str,
    /// Codename in the runtime.
    pub runtime_name: &'static str,
    /// Marketed instance family.
    pub marketed: &'static str,
    /// NeuronCore version.
    pub core: &'static str,
    /// Other spellings the compiler takes.
    pub aliases: &'static [&'static str],
}

/// Every level, ascending.
pub const ARCH_LEVELS: [ArchLevel; 5] = [
    ArchLevel {
        level: 10,
        generation: 1,
        ir_name: "inferentia",
        runtime_name: "inferentia",
        marketed: "Inf1",
        core: "CoreV1",
        aliases: &["tonga", "inferentia", "inf1"],
    },
    ArchLevel {
        level: 20,
        generation: 2,
        ir_name: "sunda",
        runtime_name: "sunda",
        marketed: "Trn1",
        core: "CoreV2",
        aliases: &["sunda", "trainium", "trn1", "inf2"],
    },
    ArchLevel {
        level: 30,
        generation: 3,
        ir_name: "gen3",
        runtime_name: "cayman",
        marketed: "Trn2",
        core: "CoreV3",
        aliases: &["cayman", "gen3"],
    },
    ArchLevel {
        level: 40,
        generation: 4,
        ir_name: "core_v4",
        runtime_name: "mariana",
        marketed: "Trn3",
        core: "CoreV4",
        aliases: &["core_v4"],
    },
    ArchLevel {
        level: 50,
        generation: 5,
        ir_name: "core_v5",
        runtime_name: "core_v5",
        marketed: "Trn4",
        core: "CoreV5",
        aliases: &[],
    },
];

impl ArchLevel {
    /// The row with this level.
    pub fn find(level: i32) -> Option<&'static Self> {
        ARCH_LEVELS.iter().find(|row| row.level == level)
    }

    /// The row with this IR name, runtime codename or alias.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        ARCH_LEVELS.iter().find(|row| {
            row.ir_name == name || row.runtime_name == name || row.aliases.contains(&name)
        })
    }
}

/// What the `target` of a kelf member says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KelfTarget {
    /// One architecture, as the loader's architecture type.
    Arch(u8),
    /// `*`: whatever the instance is.
    Any,
    /// A string the loader does not know.
    Unknown,
}

impl KelfTarget {
    /// Reads a target string; the empty string means the second generation.
    pub fn parse(target: &str) -> Self {
        match target {
            "" | "sunda" | "v2" => Self::Arch(2),
            "cayman" | "v3" => Self::Arch(3),
            "mariana" | "v4" => Self::Arch(4),
            "*" => Self::Any,
            _ => Self::Unknown,
        }
    }

    /// The ArchLevel, where the target names one.
    pub fn arch_level(self) -> Option<i32> {
        match self {
            Self::Arch(arch_type) => Some(i32::from(arch_type) * 10),
            Self::Any | Self::Unknown => None,
        }
    }
}
