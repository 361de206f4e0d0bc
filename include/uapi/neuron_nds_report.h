/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR MIT */
/*
 * Neuron DataStore (NDS): the report of a device, an ioctl of this module's own.
 *
 * The caller sets @size to the bytes it has room for. The kernel fills in as much as both know, and sets @size to that;
 * bytes after it stay as they were. Fields never move. New ones are added at the end, and NEURON_NDS_REPORT_VERSION
 * rises with each; so older and newer callers work with older and newer modules.
 *
 * Errors: EFAULT, ENOMEM, EINVAL for a @size below 8 or a file that is open for writing only.
 */
#ifndef _UAPI_NEURON_NDS_REPORT_H
#define _UAPI_NEURON_NDS_REPORT_H

#include <linux/ioctl.h>
#include <linux/types.h>

#include "neuron_nds.h"

#define NEURON_NDS_REPORT_VERSION 1

#define NEURON_NDS_SLOT_COUNT 16
#define NEURON_NDS_REFUSAL_ROOM 16
#define NEURON_NDS_COMPONENT_COUNT 3
#define NEURON_NDS_VERSIONS_KEPT 8

/* Why requests were refused: index into neuron_nds_statistics.refusals. */
enum neuron_nds_refusal {
	NEURON_NDS_REFUSAL_NO_SLOT,
	NEURON_NDS_REFUSAL_NO_SUCH_OWNER,
	NEURON_NDS_REFUSAL_POLICY,
	NEURON_NDS_REFUSAL_NOT_WRITABLE,
	NEURON_NDS_REFUSAL_BAD_COOKIE,
	NEURON_NDS_REFUSAL_BAD_LENGTH,
	NEURON_NDS_REFUSAL_PRIVATE_WRITABLE,
	NEURON_NDS_REFUSAL_BAD_WORD,
	NEURON_NDS_REFUSAL_BAD_POINTER
};

/**
 * struct neuron_nds_statistics - what the device did since it was loaded
 * @acquires: occupancies that began
 * @attaches: successful look-ups of another process's slab
 * @releases: occupancies that their owner released
 * @closes: occupancies that ended with their last holding file
 * @reaps: occupancies that ended because their owner was found dead
 * @stale_uses: faults and mappings with the cookie of an ended occupancy
 * @bytes_zeroed: bytes of slabs that had to be zeroed
 * @refusals: refused requests, by enum neuron_nds_refusal
 */
struct neuron_nds_statistics {
	__u64 acquires;
	__u64 attaches;
	__u64 releases;
	__u64 closes;
	__u64 reaps;
	__u64 stale_uses;
	__u64 bytes_zeroed;
	__u64 reserved;
	__u64 refusals[NEURON_NDS_REFUSAL_ROOM];
};

/**
 * struct neuron_nds_occupancy - one use of a slot by one process
 * @generation: which use of the slot; 0: free, or not for the caller to see
 * @age_ns: nanoseconds since it began
 * @stale_uses: uses of this slot's earlier occupancies after they had ended
 * @pid: the process, in the caller's pid namespace
 * @uid: its effective user, in the caller's user namespace
 * @cores: bit n: a counter of core n is not 0
 * @slot: the number of the slot
 */
struct neuron_nds_occupancy {
	__u64 generation;
	__u64 age_ns;
	__u64 stale_uses;
	__s32 pid;
	__u32 uid;
	__u16 cores;
	__u16 slot;
	__u32 reserved;
};

/* A packed version and how many occupancies had it; 0 and 0: none. */
struct neuron_nds_version {
	__u64 word;
	__u64 count;
};

/**
 * struct neuron_nds_report - everything a device adds up, ended occupancies included
 * @size: in: bytes the caller has room for; out: bytes that were filled in
 * @version: edition of the structure that the module has
 * @device: number of the device
 * @cores: bit n: the device has core n
 * @occupied: slots that are occupied, those not shown in @occupancies included
 * @statistics: what the device did
 * @occupancies: by slot; only those that the caller may attach to
 * @nd: totals of the per-device counters; 0 for versions and for an identifier that is not known
 * @versions: of the runtime, the framework, the framework adaptation layer
 * @nc: totals of the counters of each core
 */
struct neuron_nds_report {
	__u32 size;
	__u32 version;
	__u32 device;
	__u16 cores;
	__u16 reserved;
	__u32 occupied;
	__u32 reserved_too;
	struct neuron_nds_statistics statistics;
	struct neuron_nds_occupancy occupancies[NEURON_NDS_SLOT_COUNT];
	__u64 nd[NDS_ND_COUNTER_COUNT];
	struct neuron_nds_version versions[NEURON_NDS_COMPONENT_COUNT][NEURON_NDS_VERSIONS_KEPT];
	__u64 nc[NDS_CORE_COUNT][NDS_TOTAL_NC_COUNTER_COUNT];
};

/* The part of the report that every edition has; the size in the word is its size. */
struct neuron_nds_report_head {
	__u32 size;
	__u32 version;
};

#define NEURON_NDS_IOCTL_OWN_TYPE 0xd5
#define NEURON_NDS_IOCTL_REPORT \
	_IOWR(NEURON_NDS_IOCTL_OWN_TYPE, 1, struct neuron_nds_report_head)

#endif /* _UAPI_NEURON_NDS_REPORT_H */
