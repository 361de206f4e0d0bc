/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A mapping boundary for tests: one slab in a memory file, for any device and any pid. Producers get it writable,
 * readers do not, so that a store by a reader kills the test.
 */
#ifndef FAKE_NDL_H
#define FAKE_NDL_H

#include <nds.h>

#define SLAB_SIZE 262144

/* Places in a slab, as the layout reference has them. */
#define PROCESS_INFO_OFFSET 0x4e0
#define PROCESS_INFO_SIZE 64
#define BITMAP_OFFSET 0x520
#define MODEL_OFFSET(slot) (0x528 + 672 * (size_t)(slot))
#define MODEL_SIZE 672
#define PROCESS_INFO_EXT_OFFSET 0xad28
#define PROCESS_INFO_EXT_SIZE 260
#define HEADER_WORD 0x000186a00073646eULL

struct fake_ndl {
	/* What the boundary does. */
	size_t size; /* reported and mapped */
	int open_code; /* returned by open, which maps nothing then */
	int close_code; /* returned by close, which unmaps all the same */
	size_t misalignment; /* added to the base */
	bool no_mapping; /* report success and NULL */

	/* What was done to it. */
	int opens; /* successful ones */
	int closes;
	int32_t last_pid;
	ndl_device_t *last_device;

	/* The slab, for the test to look at and to prepare. */
	unsigned char *slab;
};

extern struct fake_ndl fake;

/* Two devices. */
extern ndl_device_t *const device;
extern ndl_device_t *const other_device;

/* A fresh zeroed slab, and no memory of earlier calls. */
void fake_ndl_reset(void);

/* A u64 of the slab. */
uint64_t slab_word(size_t offset);
void set_slab_word(size_t offset, uint64_t value);

/* Opens an instance, or ends the program. */
nds_instance_t *open_producer(void);
nds_instance_t *open_reader(void);

/* Takes the mapping away from an instance, as nothing else can. */
void forget_mapping(nds_instance_t *inst, void **mapping);
void restore_mapping(nds_instance_t *inst, void *mapping);

#endif /* FAKE_NDL_H */
