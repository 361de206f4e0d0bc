// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two ioctls that acquire and release a slab (datastore reference section 5).
//!
//! Owns: command words and the argument's layout. Does not own: who may call, or what a call does.

use core::mem::{align_of, offset_of, size_of};

/// Argument of both ioctls (`struct neuron_ioctl_nds`), 24 bytes.
///
/// Its padding belongs to the caller: acquire returns it as it was sent, so kernels handle the argument as bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NeuronIoctlNds {
    /// Process whose slab is meant; 0 for the caller's own.
    pub pid: i32,
    /// Out (acquire): offset to pass to mmap.
    pub mmap_offset: u64,
    /// Out (acquire): slab size in bytes.
    pub size: u32,
}

/// Bytes of the argument.
pub const ARGUMENT_SIZE: usize = size_of::<NeuronIoctlNds>();
/// Where the argument holds the pid, an i32.
pub const PID_OFFSET: usize = offset_of!(NeuronIoctlNds, pid);
/// Where the argument holds the mmap offset, a u64.
pub const MMAP_OFFSET_OFFSET: usize = offset_of!(NeuronIoctlNds, mmap_offset);
/// Where the argument holds the slab size, a u32.
pub const SIZE_OFFSET: usize = offset_of!(NeuronIoctlNds, size);

/// Type field of both command words.
const TYPE: u32 = b'N' as u32;
/// Direction field "read", as in Linux's `_IOC_READ`.
const DIRECTION_READ: u32 = 2;
/// Size field of both command words: that of a pointer, not that of the argument.
const SIZE: u32 = size_of::<*const NeuronIoctlNds>() as u32;

/// Puts a command word together, as Linux's `_IOR` does.
const fn command(number: u32) -> u32 {
    DIRECTION_READ << 30 | SIZE << 16 | TYPE << 8 | number
}

/// Acquires the caller's own slab, or attaches to another process's.
pub const ACQUIRE: u32 = command(71);
/// Releases the caller's own slab.
pub const RELEASE: u32 = command(72);

const _: () = {
    assert!(ACQUIRE == 0x8008_4e47 && RELEASE == 0x8008_4e48);
    assert!(ARGUMENT_SIZE == 24 && align_of::<NeuronIoctlNds>() == 8);
    assert!(PID_OFFSET == 0 && MMAP_OFFSET_OFFSET == 8 && SIZE_OFFSET == 16);
};
