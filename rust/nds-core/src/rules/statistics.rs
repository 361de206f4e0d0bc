// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a device counts about itself, and the reasons for which it refuses a request.
//!
//! Owns the names, the counting, and which errno a refusal becomes.

/// Why a request was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Refusal {
    /// All slots of the device are occupied.
    NoSlot,
    /// The process that was named owns no slab.
    NoSuchOwner,
    /// The attach policy keeps this caller from that slab.
    Policy,
    /// Producing through a file that was not opened for writing.
    NotWritable,
    /// A cookie that is unknown, old, interior, or was never acquired through this file.
    BadCookie,
    /// A mapping whose length is not that of a slab.
    BadLength,
    /// A private mapping that could be written: its writes would reach nobody.
    PrivateWritable,
    /// An unknown ioctl command word, or any command on a write-only file.
    BadWord,
    /// A pointer that could not be read or written.
    BadPointer,
}

impl Refusal {
    /// How many reasons there are.
    pub const COUNT: usize = Self::ALL.len();

    /// Every reason, in the order in which [`Statistics::refusals`] counts them.
    pub const ALL: [Self; 9] = [
        Self::NoSlot,
        Self::NoSuchOwner,
        Self::Policy,
        Self::NotWritable,
        Self::BadCookie,
        Self::BadLength,
        Self::PrivateWritable,
        Self::BadWord,
        Self::BadPointer,
    ];

    /// A stable name for reports, in `snake_case`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoSlot => "no_slot",
            Self::NoSuchOwner => "no_such_owner",
            Self::Policy => "policy",
            Self::NotWritable => "not_writable",
            Self::BadCookie => "bad_cookie",
            Self::BadLength => "bad_length",
            Self::PrivateWritable => "private_writable",
            Self::BadWord => "bad_word",
            Self::BadPointer => "bad_pointer",
        }
    }

    /// The errno with which a system call is refused; its number is the same on all of Linux's architectures that the
    /// module is for. Facts: ABI reference, "ioctl".
    pub const fn errno(self) -> i32 {
        match self {
            Self::NoSlot => ENOMEM,
            Self::NoSuchOwner => ENOENT,
            Self::Policy | Self::NotWritable => EACCES,
            Self::BadPointer => EFAULT,
            Self::BadCookie | Self::BadLength | Self::PrivateWritable | Self::BadWord => EINVAL,
        }
    }
}

const ENOENT: i32 = 2;
const ENOMEM: i32 = 12;
const EACCES: i32 = 13;
const EFAULT: i32 = 14;
const EINVAL: i32 = 22;

/// Reasons that [`Statistics`] has room for. It is part of the report's ABI, so it cannot grow.
const REFUSALS_ROOM: usize = 16;

const _: () = assert!(Refusal::COUNT <= REFUSALS_ROOM);
const _: () = assert!(size_of::<Statistics>() == 192);

/// What a device did since it was loaded. All counts wrap modulo 2^64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Statistics {
    /// Occupancies that began.
    pub acquires: u64,
    /// Successful look-ups of another process's slab.
    pub attaches: u64,
    /// Occupancies that their owner released.
    pub releases: u64,
    /// Occupancies that ended because their last holding file went.
    pub closes: u64,
    /// Occupancies that ended because their owner was found dead.
    pub reaps: u64,
    /// Faults and mappings with the cookie of an occupancy that had ended.
    pub stale_uses: u64,
    /// Bytes of slabs that had to be zeroed.
    pub bytes_zeroed: u64,
    reserved: u64,
    /// Refused requests, by [`Refusal::ALL`]; the rest is room for reasons to come.
    pub refusals: [u64; REFUSALS_ROOM],
}

impl Statistics {
    /// All counts zero.
    pub const fn new() -> Self {
        Self {
            acquires: 0,
            attaches: 0,
            releases: 0,
            closes: 0,
            reaps: 0,
            stale_uses: 0,
            bytes_zeroed: 0,
            reserved: 0,
            refusals: [0; REFUSALS_ROOM],
        }
    }

    /// How many requests were refused for that reason.
    pub fn refused(&self, reason: Refusal) -> u64 {
        self.refusals.get(reason as usize).copied().unwrap_or(0)
    }

    /// Counts a refused request and hands the reason on.
    pub fn refuse(&mut self, reason: Refusal) -> Refusal {
        if let Some(count) = self.refusals.get_mut(reason as usize) {
            *count = count.wrapping_add(1);
        }
        reason
    }
}
