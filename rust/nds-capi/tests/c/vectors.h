/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The golden vectors, as the test runner writes them out of nds-layout.json (vectors.c). */
#ifndef VECTORS_H
#define VECTORS_H

#include <nds.h>

#define MAX_ATTEMPTS 3

/* A record image and, if it is valid, its fields. */
struct record_vector {
	const char *id;
	int type; /* OBJECT_TYPE_* */
	int slot; /* of a model */
	size_t offset; /* in the slab */
	size_t length;
	const unsigned char *image;
	bool valid;
	bool canonical; /* zeroed holes: what a commit writes */
	nds_model_node_info_t node_info;
	nds_model_node_mem_usage_info_t mem_usage;
	nds_process_info_t info;
	nds_process_info_ext_t info_ext;
};

struct nd_row {
	uint32_t index;
	size_t offset;
};

struct nc_row {
	int core;
	uint32_t counter;
	size_t offset; /* unused for invalid pairs */
};

struct hash_vector {
	size_t length;
	const unsigned char *bytes;
	uint32_t hash;
};

struct find_row {
	uint64_t map;
	int slot;
};

struct mark_row {
	uint64_t map;
	int slot;
	bool used;
	uint64_t result;
};

struct gate_row {
	size_t size;
	bool accepted;
};

struct header_scenario {
	const char *id;
	size_t word_count;
	uint64_t words[MAX_ATTEMPTS];
	int code;
	size_t sleep_count;
	unsigned sleeps[MAX_ATTEMPTS];
};

/* Records are named by their place in record_vectors. */
struct read_scenario {
	const char *id;
	size_t attempt_count;
	size_t attempts[MAX_ATTEMPTS];
	bool handle;
	size_t fields_of;
	size_t sleep_count;
	unsigned sleeps[MAX_ATTEMPTS];
};

struct slot_image {
	int slot;
	size_t record;
};

struct enumeration_scenario {
	const char *id;
	uint64_t bitmap;
	size_t slot_count;
	struct slot_image slots[8];
	size_t handle_count;
	size_t handles[8];
};

struct return_code {
	const char *call;
	const char *condition;
	bool passed_through; /* the code is what NDL returned */
	int code;
};

struct counter_operation {
	char operation; /* '=', '+', '-' or '|' */
	int core; /* -1 for a device counter */
	uint32_t index;
	uint64_t operand;
	uint64_t result;
};

/* Each table has a size that is not 0. */
#define TABLE(type, name) \
	extern const struct type name[]; \
	extern const size_t name##_count
TABLE(record_vector, record_vectors);
TABLE(nd_row, nd_rows);
TABLE(nd_row, invalid_nd_rows);
TABLE(nc_row, nc_rows);
TABLE(nc_row, invalid_nc_rows);
TABLE(hash_vector, hash_vectors);
TABLE(find_row, find_rows);
TABLE(mark_row, mark_rows);
TABLE(gate_row, gate_rows);
TABLE(header_scenario, header_scenarios);
TABLE(read_scenario, read_scenarios);
TABLE(enumeration_scenario, enumeration_scenarios);
TABLE(return_code, return_codes);
TABLE(counter_operation, counter_operations);
TABLE(slot_image, slab_models); /* what the slab scenario places, besides the two records below */
#undef TABLE

extern const size_t slab_process_info;
extern const size_t slab_process_info_ext;

#define FOR_EACH(entry, table) for (size_t nth_ = 0; nth_ < table##_count && ((entry) = &table[nth_], 1); nth_++)

#endif /* VECTORS_H */
