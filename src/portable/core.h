/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The face of the Rust object: what rust/nds-portable/src/face defines, where each function is described. A test there
 * compares the numbers.
 *
 * A core, and the rights of files, are used under the device's lock only. A function that returns "ending" is followed
 * by nds_core_to_revoke() and nds_core_finish() before the lock is given back.
 */
#ifndef NEURON_NDS_CORE_H
#define NEURON_NDS_CORE_H

#include <linux/types.h>

#include "../helpers.h"

#define NDS_SLOTS 16
#define NDS_SLAB_PAGES 64
#define NDS_FILE_WORDS 48
#define NDS_READING_WORDS 9
#define NDS_MESSAGE_BYTES 129
#define NDS_ACQUIRED_WORDS 5
#define NDS_PIECE 512
#define NDS_LINE_MAX 264
#define NDS_PARTS 17
/* The part of a report that describes processes. */
#define NDS_PART_DEVICE 0

/* Reasons for which the glue refuses, by their numbers in the rules. */
enum nds_refusal {
	NDS_BAD_LENGTH = 5,
	NDS_BAD_WORD = 7,
	NDS_BAD_POINTER = 8,
};

struct nds_core;
struct nds_snapshot;

struct nds_request {
	struct nds_identity caller;
	/* Counted: may be taken, or replaced by what was kept until now. */
	struct nds_identity offered;
	struct pid *named;
	s32 number;
	bool writable;
	bool allowed;
	u64 now;
};

struct nds_acquired {
	u64 offset;
	u64 acquired[NDS_ACQUIRED_WORDS];
};

struct nds_ended {
	struct nds_identity owner;
	u64 pages;
	u32 slot;
};

struct nds_map {
	struct nds_identity caller;
	u64 first_page;
	size_t length;
	bool private;
	bool may_write;
	bool producer;
	u32 slot;
	u64 offset;
};

struct nds_touch {
	u64 offset;
	size_t page;
	size_t first;
	size_t count;
	bool may_write;
};

struct nds_process {
	s32 pid;
	u32 uid;
};

size_t nds_core_size(void);
s32 nds_core_policy(const char *name, size_t length);
bool nds_core_init(struct nds_core *core, void *slabs, u16 cores, s32 policy);
void nds_core_set_constants(struct nds_core *core, const char *tag, size_t tag_length,
			    const char *version, size_t version_length);
s32 nds_core_refuse(struct nds_core *core, u32 reason);
void nds_core_observe(struct nds_core *core, u32 slot);
void nds_core_post(struct nds_core *core);
void nds_core_last_post(const struct nds_core *core, u8 message[NDS_MESSAGE_BYTES]);

void nds_core_file_init(u64 file[NDS_FILE_WORDS]);
u64 nds_core_reacquire(struct nds_core *core, const u64 file[NDS_FILE_WORDS],
		       const struct nds_identity *caller);
bool nds_core_reaps_first(struct nds_core *core, const struct nds_request *request);
bool nds_core_asked(const struct nds_core *core, const struct nds_request *request,
		    struct nds_identity *owner);
bool nds_core_needs_perfmon(const struct nds_core *core, const struct nds_identity *owner,
			    const struct nds_identity *caller, bool same_user);
s32 nds_core_acquire(struct nds_core *core, u64 file[NDS_FILE_WORDS], struct nds_request *request,
		     struct nds_acquired *acquired);
bool nds_core_undo(struct nds_core *core, u64 file[NDS_FILE_WORDS],
		   const struct nds_acquired *acquired);
bool nds_core_release(struct nds_core *core, const struct nds_request *request);
bool nds_core_close(struct nds_core *core, u64 file[NDS_FILE_WORDS], u32 slot);
bool nds_core_owner(const struct nds_core *core, u32 slot, struct nds_identity *owner);
bool nds_core_reap(struct nds_core *core, u32 slot);
bool nds_core_to_revoke(const struct nds_core *core, u64 *offset, u32 *slot);
void nds_core_finish(struct nds_core *core, struct nds_ended *ended);

s32 nds_core_map(struct nds_core *core, const u64 file[NDS_FILE_WORDS], struct nds_map *map);
u64 nds_core_fault(struct nds_core *core, const struct nds_touch *touch);

size_t nds_core_snapshot_size(void);
void nds_core_snapshot_begin(struct nds_snapshot *snapshot, u32 device);
void nds_core_collect(const struct nds_core *core, u32 part, u64 now,
		      const struct nds_process seen[NDS_SLOTS], struct nds_snapshot *snapshot);
size_t nds_core_snapshot_limit(struct nds_snapshot *snapshot, size_t room);
bool nds_core_text_seek(u64 reading[NDS_READING_WORDS], const struct nds_snapshot *snapshot,
			u64 position);
size_t nds_core_text_fill(u64 reading[NDS_READING_WORDS], const struct nds_snapshot *snapshot,
			  u8 piece[NDS_PIECE], size_t wanted);
void nds_core_text_take(u64 reading[NDS_READING_WORDS], const struct nds_snapshot *snapshot,
			size_t taken);
bool nds_core_text_at_end(const u64 reading[NDS_READING_WORDS],
			  const struct nds_snapshot *snapshot);

size_t nds_core_slots_line(const struct nds_snapshot *snapshot, size_t number,
			   u8 line[NDS_LINE_MAX]);
size_t nds_core_statistics_line(const struct nds_snapshot *snapshot, size_t number,
				u8 line[NDS_LINE_MAX]);
size_t nds_core_post_line(const u8 message[NDS_MESSAGE_BYTES], size_t number,
			  u8 line[NDS_LINE_MAX]);
void nds_core_live_rights(const struct nds_core *core, const u64 file[NDS_FILE_WORDS],
			  u64 live[NDS_FILE_WORDS]);
size_t nds_core_file_line(const u64 rights[NDS_FILE_WORDS], u32 device, size_t number,
			  u8 line[NDS_LINE_MAX]);

#endif
