/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR MIT */
/*
 * Neuron DataStore (NDS): the ABI between the kernel module and userspace.
 *
 * Two ioctls hand out a slab of shared memory, mmap() maps it. The macros below say where everything lies in a slab;
 * the enumerations name its counters. All integers are little-endian, natural alignment, 64-bit systems only.
 * Offsets and sizes are bytes.
 */
#ifndef _UAPI_NEURON_NDS_H
#define _UAPI_NEURON_NDS_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* ---- ioctls ------------------------------------------------------------------------------------------------- */

/**
 * struct neuron_ioctl_nds - argument of both ioctls
 * @pid: process whose slab is meant, 0 for the caller's own
 * @mmap_offset: out (acquire): offset to pass to mmap()
 * @size: out (acquire): slab size in bytes
 *
 * 24 bytes. The four bytes after @pid and after @size are padding: returned by acquire as they were sent.
 */
struct neuron_ioctl_nds {
	__s32 pid;
	__u64 mmap_offset;
	__u32 size;
};

#define NEURON_NDS_IOCTL_TYPE 'N'
#define NEURON_NDS_IOCTL_ACQUIRE_NR 71
#define NEURON_NDS_IOCTL_RELEASE_NR 72

/* The size field of both words is that of a pointer, not that of the struct: established ABI. */
#define NEURON_NDS_IOCTL_ACQUIRE \
	_IOR(NEURON_NDS_IOCTL_TYPE, NEURON_NDS_IOCTL_ACQUIRE_NR, struct neuron_ioctl_nds *)
#define NEURON_NDS_IOCTL_RELEASE \
	_IOR(NEURON_NDS_IOCTL_TYPE, NEURON_NDS_IOCTL_RELEASE_NR, struct neuron_ioctl_nds *)

/* ---- counts ------------------------------------------------------------------------------------------------- */

#define NDS_WORD_SIZE 8

/* Counters of a device, original and extended counters of a NeuronCore. */
#define NDS_ND_COUNTER_COUNT 31
#define NDS_NC_COUNTER_COUNT 31
#define NDS_EXT_NC_COUNTER_COUNT 64
#define NDS_TOTAL_NC_COUNTER_COUNT (NDS_NC_COUNTER_COUNT + NDS_EXT_NC_COUNTER_COUNT)

/* Cores with split counters (base and ext band), cores of the data band. */
#define NDS_BASE_CORE_COUNT 4
#define NDS_EXTRA_CORE_COUNT 12
#define NDS_CORE_COUNT (NDS_BASE_CORE_COUNT + NDS_EXTRA_CORE_COUNT)

/* Words of a core in the data band: its counters and one dead word, which is never written. */
#define NDS_EXT_DATA_CORE_WORDS (NDS_TOTAL_NC_COUNTER_COUNT + 1)

#define NDS_MODEL_SLOT_COUNT 64

/* ---- records: field offsets from the start of the record ----------------------------------------------------- */

/* Every record starts with the FNV-1a-32 of the whole record, computed with these four bytes zero. */
#define NDS_RECORD_HASH 0
#define NDS_RECORD_HASH_SIZE 4

/* A version triple: u8 major, u8 minor, two hole bytes, u32 build. */
#define NDS_VERSION_MAJOR 0
#define NDS_VERSION_MINOR 1
#define NDS_VERSION_BUILD 4
#define NDS_VERSION_SIZE (NDS_VERSION_BUILD + 4)

/* Process info. The tag follows the i8 directly; three hole bytes precede the first version. */
#define NDS_TAG_SIZE 32
#define NDS_PROCESS_INFO_FRAMEWORK_TYPE (NDS_RECORD_HASH + NDS_RECORD_HASH_SIZE)
#define NDS_PROCESS_INFO_TAG (NDS_PROCESS_INFO_FRAMEWORK_TYPE + 1)
#define NDS_PROCESS_INFO_FRAMEWORK_VERSION (NDS_PROCESS_INFO_TAG + NDS_TAG_SIZE + 3)
#define NDS_PROCESS_INFO_FAL_VERSION (NDS_PROCESS_INFO_FRAMEWORK_VERSION + NDS_VERSION_SIZE)
#define NDS_PROCESS_INFO_RUNTIME_VERSION (NDS_PROCESS_INFO_FAL_VERSION + NDS_VERSION_SIZE)
#define NDS_PROCESS_INFO_SIZE (NDS_PROCESS_INFO_RUNTIME_VERSION + NDS_VERSION_SIZE)

/* Extended process info. */
#define NDS_EXT_TAG_SIZE 256
#define NDS_PROCESS_INFO_EXT_TAG (NDS_RECORD_HASH + NDS_RECORD_HASH_SIZE)
#define NDS_PROCESS_INFO_EXT_SIZE (NDS_PROCESS_INFO_EXT_TAG + NDS_EXT_TAG_SIZE)

/* A memory usage cell: u64 total size, u32 chunk count, four hole bytes. */
#define NDS_MEM_USAGE_TOTAL_SIZE 0
#define NDS_MEM_USAGE_CHUNK_COUNT (NDS_MEM_USAGE_TOTAL_SIZE + 8)
#define NDS_MEM_USAGE_SIZE (NDS_MEM_USAGE_CHUNK_COUNT + 8)

/* Model. Two hole bytes precede the usage cells [location][category]; location 0 is the host, 1 the device. */
#define NDS_MODEL_NAME_SIZE 256
#define NDS_UUID_SIZE 16
#define NDS_MEM_USAGE_LOCATIONS 2
#define NDS_MEM_USAGE_CATEGORIES 12
#define NDS_MODEL_ID (NDS_RECORD_HASH + NDS_RECORD_HASH_SIZE)
#define NDS_MODEL_NODE_ID (NDS_MODEL_ID + 4)
#define NDS_MODEL_NAME (NDS_MODEL_NODE_ID + 4)
#define NDS_MODEL_UUID (NDS_MODEL_NAME + NDS_MODEL_NAME_SIZE)
#define NDS_MODEL_NC_INDEX (NDS_MODEL_UUID + NDS_UUID_SIZE)
#define NDS_MODEL_SG_INDEX (NDS_MODEL_NC_INDEX + 1)
#define NDS_MODEL_MEM_USAGE (NDS_MODEL_SG_INDEX + 1 + 2)
#define NDS_MODEL_SIZE \
	(NDS_MODEL_MEM_USAGE + NDS_MEM_USAGE_LOCATIONS * NDS_MEM_USAGE_CATEGORIES * NDS_MEM_USAGE_SIZE)

/* ---- regions: offsets from the slab base --------------------------------------------------------------------- */

/* Header: one u64, the characters "nds" and NUL below the layout version. */
#define NDS_HEADER_START 0
#define NDS_HEADER_SIZE 8
#define NDS_HEADER_SIGNATURE 0x0073646e
#define NDS_HEADER_VERSION 100000
#define NDS_HEADER_WORD (((__u64)NDS_HEADER_VERSION << 32) | NDS_HEADER_SIGNATURE)

#define NDS_ND_COUNTERS_START (NDS_HEADER_START + NDS_HEADER_SIZE)
#define NDS_ND_COUNTERS_SIZE (NDS_ND_COUNTER_COUNT * NDS_WORD_SIZE)

/* Base band: original counters of cores 0-3. */
#define NDS_NC_COUNTERS_START (NDS_ND_COUNTERS_START + NDS_ND_COUNTERS_SIZE)
#define NDS_NC_COUNTERS_SIZE (NDS_BASE_CORE_COUNT * NDS_NC_COUNTER_COUNT * NDS_WORD_SIZE)

#define NDS_PROCESS_INFO_START (NDS_NC_COUNTERS_START + NDS_NC_COUNTERS_SIZE)

/* Bit n set: model slot n is taken. */
#define NDS_MODEL_BITMAP_START (NDS_PROCESS_INFO_START + NDS_PROCESS_INFO_SIZE)
#define NDS_MODEL_BITMAP_SIZE NDS_WORD_SIZE

#define NDS_MODEL_RECORDS_START (NDS_MODEL_BITMAP_START + NDS_MODEL_BITMAP_SIZE)
#define NDS_MODEL_RECORDS_SIZE (NDS_MODEL_SLOT_COUNT * NDS_MODEL_SIZE)

#define NDS_PROCESS_INFO_EXT_START (NDS_MODEL_RECORDS_START + NDS_MODEL_RECORDS_SIZE)

/*
 * The gap where older producers kept their EXT section: never written, never interpreted. Its end follows from the
 * older geometry (65 extended counters a core); nothing else does.
 */
#define NDS_LEGACY_GAP_START (NDS_PROCESS_INFO_EXT_START + NDS_PROCESS_INFO_EXT_SIZE)
#define NDS_OLD_EXT_NC_COUNTER_COUNT 65
#define NDS_OLD_EXT_DATA_CORE_WORDS (NDS_NC_COUNTER_COUNT + NDS_OLD_EXT_NC_COUNTER_COUNT)
#define NDS_OLD_EXT_SIZE \
	((NDS_BASE_CORE_COUNT * NDS_OLD_EXT_NC_COUNTER_COUNT + NDS_EXTRA_CORE_COUNT * NDS_OLD_EXT_DATA_CORE_WORDS) * \
	 NDS_WORD_SIZE)
#define NDS_EXT_ALIGN 64
#define NDS_EXT_ALIGN_UP(offset) (((offset) + NDS_EXT_ALIGN - 1) / NDS_EXT_ALIGN * NDS_EXT_ALIGN)

/* Ext band: extended counters of cores 0-3. */
#define NDS_EXT_NC_COUNTERS_START NDS_EXT_ALIGN_UP(NDS_LEGACY_GAP_START + NDS_OLD_EXT_SIZE)
#define NDS_EXT_NC_COUNTERS_SIZE (NDS_BASE_CORE_COUNT * NDS_EXT_NC_COUNTER_COUNT * NDS_WORD_SIZE)
#define NDS_LEGACY_GAP_SIZE (NDS_EXT_NC_COUNTERS_START - NDS_LEGACY_GAP_START)

/* Data band: all counters of cores 4-15. */
#define NDS_EXT_NC_DATA_START NDS_EXT_ALIGN_UP(NDS_EXT_NC_COUNTERS_START + NDS_EXT_NC_COUNTERS_SIZE)
#define NDS_EXT_NC_DATA_SIZE (NDS_EXTRA_CORE_COUNT * NDS_EXT_DATA_CORE_WORDS * NDS_WORD_SIZE)

/* Bytes a mapping must have at least, and bytes of a slab. */
#define NDS_REQUIRED_SIZE (NDS_EXT_NC_DATA_START + NDS_EXT_NC_DATA_SIZE)
#define NDS_SLAB_SIZE 0x40000

/* ---- addresses ----------------------------------------------------------------------------------------------- */

/* Whether there is such a counter. Check before using the offset macros. */
#define NDS_ND_COUNTER_VALID(counter) ((__u32)(counter) < NDS_ND_COUNTER_COUNT)
#define NDS_NC_COUNTER_VALID(core, counter) \
	((__u32)(core) < NDS_CORE_COUNT && (__u32)(counter) < NDS_TOTAL_NC_COUNTER_COUNT)

/* Offset of a valid counter's u64. */
#define NDS_ND_COUNTER_OFFSET(counter) (NDS_ND_COUNTERS_START + (counter) * NDS_WORD_SIZE)
#define NDS_NC_COUNTER_OFFSET(core, counter) \
	((core) >= NDS_BASE_CORE_COUNT ? \
		 NDS_EXT_NC_DATA_START + \
			 (((core) - NDS_BASE_CORE_COUNT) * NDS_EXT_DATA_CORE_WORDS + (counter)) * NDS_WORD_SIZE : \
	 (counter) >= NDS_NC_COUNTER_COUNT ? \
		 NDS_EXT_NC_COUNTERS_START + \
			 ((core) * NDS_EXT_NC_COUNTER_COUNT + (counter) - NDS_NC_COUNTER_COUNT) * NDS_WORD_SIZE : \
		 NDS_NC_COUNTERS_START + ((core) * NDS_NC_COUNTER_COUNT + (counter)) * NDS_WORD_SIZE)

/* Offset of the record of a model slot, 0 to NDS_MODEL_SLOT_COUNT - 1. */
#define NDS_MODEL_OFFSET(slot) (NDS_MODEL_RECORDS_START + (slot) * NDS_MODEL_SIZE)

/* ---- counters ------------------------------------------------------------------------------------------------ */

/*
 * Counters of a device. Numbers from NDS_ND_COUNTER_FIRST_RESERVED on have no name yet. Positions are ABI: a new name
 * takes the first reserved place.
 */
enum nds_nd_counter {
	NDS_ND_COUNTER_RUNTIME_VERSION,
	NDS_ND_COUNTER_FRAMEWORK_VERSION,
	NDS_ND_COUNTER_FAL_VERSION,
	NDS_ND_COUNTER_FEATURE_BITMAP,
	NDS_ND_COUNTER_MIN_NEFF_VERSION,
	NDS_ND_COUNTER_MAX_NEFF_VERSION,
	NDS_ND_COUNTER_MEM_USAGE_CODE_HOST,
	NDS_ND_COUNTER_MEM_USAGE_TENSORS_HOST,
	NDS_ND_COUNTER_MEM_USAGE_CONSTANTS_HOST,
	NDS_ND_COUNTER_MEM_USAGE_SCRATCHPAD_HOST,
	NDS_ND_COUNTER_MEM_USAGE_MISC_HOST,
	NDS_ND_COUNTER_DYNAMIC_SYSFS_METRIC_BITMAP,
	NDS_ND_COUNTER_DEVICE_CLUSTER_ID,
	NDS_ND_COUNTER_AGG_NEFF_ID,
	NDS_ND_COUNTER_FIRST_RESERVED
};

/* Features in NDS_ND_COUNTER_FEATURE_BITMAP, as bit numbers. */
enum nds_feature {
	NDS_FEATURE_TEST,
	NDS_FEATURE_MULTICORE
};

/* Original counters of a NeuronCore: exactly NDS_NC_COUNTER_COUNT. */
enum nds_nc_counter {
	NDS_NC_COUNTER_TIME_IN_USE,
	NDS_NC_COUNTER_INFER_COMPLETED,
	NDS_NC_COUNTER_INFER_COMPLETED_WITH_ERR,
	NDS_NC_COUNTER_INFER_COMPLETED_WITH_NUM_ERR,
	NDS_NC_COUNTER_INFER_TIMED_OUT,
	NDS_NC_COUNTER_INFER_INCORRECT_INPUT,
	NDS_NC_COUNTER_INFER_FAILED_TO_QUEUE,
	NDS_NC_COUNTER_ERR_GENERIC,
	NDS_NC_COUNTER_ERR_NUMERICAL,
	NDS_NC_COUNTER_ERR_MODEL,
	NDS_NC_COUNTER_ERR_TRANSIENT,
	NDS_NC_COUNTER_ERR_HW,
	NDS_NC_COUNTER_ERR_RT,
	NDS_NC_COUNTER_LATENCY_DEVICE,
	NDS_NC_COUNTER_LATENCY_TOTAL,
	NDS_NC_COUNTER_NC_TIME,
	NDS_NC_COUNTER_GENERIC_FAIL,
	NDS_NC_COUNTER_ERR_RESOURCE,
	NDS_NC_COUNTER_ERR_RESOURCE_NC,
	NDS_NC_COUNTER_ERR_INVALID,
	NDS_NC_COUNTER_ERR_UNSUPPORTED_NEFF_VERSION,
	NDS_NC_COUNTER_CC_TIME,
	NDS_NC_COUNTER_MEM_USAGE_CODE_DEVICE,
	NDS_NC_COUNTER_MEM_USAGE_TENSORS_DEVICE,
	NDS_NC_COUNTER_MEM_USAGE_CONSTANTS_DEVICE,
	NDS_NC_COUNTER_MEM_USAGE_SCRATCHPAD_DEVICE,
	NDS_NC_COUNTER_MEM_USAGE_MISC_DEVICE,
	NDS_NC_COUNTER_MODEL_LOAD_COUNT,
	NDS_NC_COUNTER_INFERENCE_COUNT,
	NDS_NC_COUNTER_MAC_COUNT,
	NDS_NC_COUNTER_OOB
};

/* Extended counters of a NeuronCore. Numbers from NDS_EXT_NC_COUNTER_FIRST_RESERVED on have no name yet. */
enum nds_ext_nc_counter {
	NDS_EXT_NC_COUNTER_HW_ERR_COLLECTIVES = NDS_NC_COUNTER_COUNT,
	NDS_EXT_NC_COUNTER_HW_ERR_HBM_UE,
	NDS_EXT_NC_COUNTER_HW_ERR_NC_UE,
	NDS_EXT_NC_COUNTER_HW_ERR_DMA_ABORT,
	NDS_EXT_NC_COUNTER_ERR_SW_NQ_OVERFLOW,
	NDS_EXT_NC_COUNTER_ERR_SW_SEMAPHORE_ERROR,
	NDS_EXT_NC_COUNTER_ERR_SW_EVENT_ERROR,
	NDS_EXT_NC_COUNTER_ERR_SW_PSUM_COLLISION,
	NDS_EXT_NC_COUNTER_ERR_SW_SEQUENCER_FATAL,
	NDS_EXT_NC_COUNTER_HW_ERR_REPAIRABLE_HBM_UE,
	NDS_EXT_NC_COUNTER_FIRST_RESERVED
};

#endif /* _UAPI_NEURON_NDS_H */
