/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * libnds: publish and read the Neuron DataStore (NDS).
 *
 * An inference process opens its own slab of shared memory as a producer (pid 0) and writes counters, model records
 * and its identity into it. A monitor opens the slab of a process as a reader (that process's pid) and reads.
 *
 * The pages come from ndl_nds_open() and go to ndl_nds_close(), which libnds imports: libnrt has them, or libndl_nds
 * (ndl_nds.h) for programs without libnrt. Counter numbers are in the driver's header (linux/neuron_nds.h) or plain
 * numbers. 64-bit little-endian systems only.
 *
 * Return values: 0 is success, anything else is not. Test for non-zero, not for negative:
 *
 *    0   success
 *   -1   no slab is mapped; a counter function that writes was called on a reader (-EPERM)
 *  -12   no memory (-ENOMEM)
 *  -22   NULL, an index out of range, a handle of no known type, a commit on a reader, no usable slab (-EINVAL)
 *  +28   no free model slot (positive ENOSPC)
 *  else  what NDL returned, from nds_open() and nds_close()
 *
 * Threads: counter functions and reads may be called from any thread at any time. A handle belongs to one thread at a
 * time. An instance is not inherited by fork(): a child opens its own.
 */
#ifndef NDS_H
#define NDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An open slab. */
typedef struct nds_instance nds_instance_t;

/* A device of NDL. */
typedef struct ndl_device ndl_device_t;

/* An object: a private copy of one record, to be filled in and committed, or as it was read. */
typedef void *nds_obj_handle_t;

/* ---- types of objects -------------------------------------------------------------------------------------------- */

#define OBJECT_TYPE_MODEL_NODE_INFO 0
#define OBJECT_TYPE_PROCESS_INFO 1
#define OBJECT_TYPE_PROCESS_INFO_EXT 2

/* ---- payloads ---------------------------------------------------------------------------------------------------- */

/* Places of model memory: 0 is the host, 1 is the device. */
#define MODEL_MEM_USAGE_LOCATION_COUNT 2

/* What model memory is used for. The places from 5 on have no name yet. */
enum {
	NDS_DMA_MEM_USAGE_SLOT_CODE = 0,
	NDS_DMA_MEM_USAGE_SLOT_TENSORS = 1,
	NDS_DMA_MEM_USAGE_SLOT_CONSTANTS = 2,
	NDS_DMA_MEM_USAGE_SLOT_SCRATCHPAD = 3,
	NDS_DMA_MEM_USAGE_SLOT_MISC = 4,
	NDS_DMA_MEM_USAGE_SLOT_COUNT = 12
};

/* Bits of the FEATURE_BITMAP counter. */
typedef enum feature_bitmap_bit_index {
	BIT_INDEX_TEST_FEATURE = 0,
	BIT_INDEX_MULTICORE_FEATURE = 1,
	BIT_INDEX_COUNT = 2
} feature_bitmap_bit_index_t;

/* Memory in use: bytes, and the allocations behind them. */
typedef struct nds_mem_usage_info {
	uint64_t total_size;
	uint32_t chunk_count;
} nds_mem_usage_info_t;

/* A loaded model. The name need not end with NUL and need not be UTF-8; the uuid is 16 raw bytes. */
typedef struct nds_model_node_info {
	uint32_t model_id;
	uint32_t model_node_id;
	char name[256];
	char uuid[16];
	uint8_t nc_index;
	uint8_t sg_index;
} nds_model_node_info_t;

/* Memory of a loaded model, by location and use. */
typedef struct nds_model_node_mem_usage_info {
	nds_mem_usage_info_t model_mem_usage[MODEL_MEM_USAGE_LOCATION_COUNT][NDS_DMA_MEM_USAGE_SLOT_COUNT];
} nds_model_node_mem_usage_info_t;

typedef struct nds_version_info {
	uint8_t major;
	uint8_t minor;
	uint32_t build;
} nds_version_info_t;

/* What a process says about itself. The tag need not end with NUL. */
typedef struct nds_process_info {
	int8_t framework_type;
	char tag[32];
	nds_version_info_t framework_version;
	nds_version_info_t fal_version;
	nds_version_info_t runtime_version;
} nds_process_info_t;

/* A longer tag of the process; need not end with NUL. */
typedef struct nds_process_info_ext {
	char tag[256];
} nds_process_info_ext_t;

#if defined(__cplusplus) ? __cplusplus >= 201103L : (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L)
#ifdef __cplusplus
#define NDS_ASSERT_LAYOUT(what) static_assert(what, "layout of the Neuron DataStore")
#else
#define NDS_ASSERT_LAYOUT(what) _Static_assert(what, "layout of the Neuron DataStore")
#endif
NDS_ASSERT_LAYOUT(sizeof(nds_mem_usage_info_t) == 16);
NDS_ASSERT_LAYOUT(sizeof(nds_model_node_info_t) == 284);
NDS_ASSERT_LAYOUT(sizeof(nds_model_node_mem_usage_info_t) == 384);
NDS_ASSERT_LAYOUT(sizeof(nds_version_info_t) == 8);
NDS_ASSERT_LAYOUT(sizeof(nds_process_info_t) == 60);
NDS_ASSERT_LAYOUT(sizeof(nds_process_info_ext_t) == 256);
NDS_ASSERT_LAYOUT(offsetof(nds_process_info_t, tag) == 1);
#undef NDS_ASSERT_LAYOUT
#endif

/* ---- lifecycle --------------------------------------------------------------------------------------------------- */

/*
 * Opens the slab of this process (pid 0: a producer) or of another one (its pid: a reader). *inst is written on
 * success only. A reader waits once, 500 us, for a producer that has not stamped its slab yet. A process can have 1024
 * producer instances open at a time (-12 beyond that).
 *
 * A process that has a producer on a device cannot open a reader of itself there (-22): closing it would end the slab.
 */
int nds_open(ndl_device_t *device, pid_t pid, nds_instance_t **inst);

/*
 * Gives the slab back and frees the instance, whatever NDL returns. Delete all handles of the instance before.
 * When a producer closes, the driver adds its counters to the device's totals and zeroes the slab.
 */
int nds_close(nds_instance_t *inst);

/* ---- counters ---------------------------------------------------------------------------------------------------- */

/*
 * nc_index: 0 to 15, with counters 0 to 94. Device counters: 0 to 30. All arithmetic is modulo 2^64.
 * Writing on a reader: -1. A bad index or a NULL value: -22. After an error nothing has changed.
 */
int nds_increment_nc_counter(nds_instance_t *inst, int nc_index, uint32_t counter_index, uint64_t increment);
int nds_decrement_nc_counter(nds_instance_t *inst, int nc_index, uint32_t counter_index, uint64_t decrement);
int nds_get_nc_counter(nds_instance_t *inst, int nc_index, uint32_t counter_index, uint64_t *value);
int nds_set_nc_counter(nds_instance_t *inst, int nc_index, uint32_t counter_index, uint64_t *value);
int nds_increment_nd_counter(nds_instance_t *inst, uint32_t counter_index, uint64_t increment);
int nds_decrement_nd_counter(nds_instance_t *inst, uint32_t counter_index, uint64_t decrement);
int nds_get_nd_counter(nds_instance_t *inst, uint32_t counter_index, uint64_t *value);
int nds_set_nd_counter(nds_instance_t *inst, uint32_t counter_index, uint64_t *value);

/* Sets one bit; bit_index is its number, 0 to 63, not a mask. */
int nds_or_nd_counter(nds_instance_t *inst, uint32_t counter_index, uint64_t bit_index);

/* ---- objects ----------------------------------------------------------------------------------------------------- */

/* An empty object of a type, all bytes zero. NULL for an unknown type or without memory. */
nds_obj_handle_t nds_obj_new(nds_instance_t *inst, int type);

/*
 * Publishes the object. A model takes the lowest free slot at its first commit (+28: there is none) and keeps it; the
 * two process records have one place each and are overwritten. On a reader: -22.
 */
int nds_obj_commit(nds_obj_handle_t obj);

/*
 * Frees a handle. The model that was committed through it is deleted with it; a process record stays published.
 * The only way to free what the functions below return. A handle that was only read is just freed.
 */
int nds_obj_delete(nds_obj_handle_t obj);

/* ---- models ------------------------------------------------------------------------------------------------------ */

/* The payload of a model object, valid until it is deleted. Writing to it publishes nothing before a commit. */
nds_model_node_info_t *nds_obj_handle_to_model_node_info(nds_obj_handle_t obj);
nds_model_node_mem_usage_info_t *nds_obj_handle_to_model_node_mem_usage(nds_obj_handle_t obj);

/*
 * Reads all models. *models becomes an array of *count handles in order of their slots, never NULL; delete each one,
 * then free() the array. A record that is being written is read again after 200 us, and left out if still not whole.
 * Each record is consistent in itself, the set is not a snapshot.
 */
int nds_read_all_model_nodes(nds_instance_t *inst, nds_obj_handle_t **models, size_t *count);

/* ---- process info ------------------------------------------------------------------------------------------------ */

/* The payload of a process object, valid until it is deleted. */
nds_process_info_t *nds_obj_handle_to_process_info(nds_obj_handle_t obj);
nds_process_info_ext_t *nds_obj_handle_to_process_info_ext(nds_obj_handle_t obj);

/* Reads a process record. NULL if none is published, or none that is whole at either of two attempts. */
nds_obj_handle_t nds_read_process_info(nds_instance_t *inst);
nds_obj_handle_t nds_read_process_info_ext(nds_instance_t *inst);

#ifdef __cplusplus
}
#endif

#endif /* NDS_H */
