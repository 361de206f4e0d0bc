// SPDX-License-Identifier: MIT OR Apache-2.0
// The table of return codes: each row of the vectors is brought about and compared. A row that nobody here knows is
// an error.

#include "allocator.h"
#include "check.h"
#include "fake_ndl.h"
#include "internal.h"
#include "records.h"
#include "sleeps.h"

#define NDL_CODE (-2)

static nds_instance_t *producer, *reader;

/* One counter function on one instance, with a good or a bad index. */
static int call_counter(const char *call, nds_instance_t *inst, bool good)
{
	int core = good ? 15 : 16;
	uint32_t nc = 94, nd = good ? 30 : 31;
	uint64_t value = 1;

	if (strcmp(call, "nds_increment_nc_counter") == 0)
		return nds_increment_nc_counter(inst, core, nc, 1);
	if (strcmp(call, "nds_decrement_nc_counter") == 0)
		return nds_decrement_nc_counter(inst, core, nc, 1);
	if (strcmp(call, "nds_set_nc_counter") == 0)
		return nds_set_nc_counter(inst, core, nc, &value);
	if (strcmp(call, "nds_get_nc_counter") == 0)
		return nds_get_nc_counter(inst, core, nc, &value);
	if (strcmp(call, "nds_increment_nd_counter") == 0)
		return nds_increment_nd_counter(inst, nd, 1);
	if (strcmp(call, "nds_decrement_nd_counter") == 0)
		return nds_decrement_nd_counter(inst, nd, 1);
	if (strcmp(call, "nds_set_nd_counter") == 0)
		return nds_set_nd_counter(inst, nd, &value);
	if (strcmp(call, "nds_get_nd_counter") == 0)
		return nds_get_nd_counter(inst, nd, &value);
	if (strcmp(call, "nds_or_nd_counter") == 0)
		return nds_or_nd_counter(inst, nd, 1);
	exit(2);
}

static int counter_without_mapping(const char *call)
{
	void *mapping;

	forget_mapping(producer, &mapping);
	int code = call_counter(call, producer, true);

	restore_mapping(producer, mapping);
	return code;
}

static int counter_of_reader(const char *call)
{
	return call_counter(call, reader, true);
}

static int counter_of_reader_bad_index(const char *call)
{
	return call_counter(call, reader, false);
}

static int counter_bad_index(const char *call)
{
	return call_counter(call, producer, false);
}

static int counter_good_index(const char *call)
{
	return call_counter(call, producer, true);
}

/* The same from both, or a code that is in no table. */
static int both(int one, int other)
{
	return one == other ? one : 99999;
}

static int counter_bad_index_anywhere(const char *call)
{
	return both(call_counter(call, producer, false), call_counter(call, reader, false));
}

static int counter_good_index_anywhere(const char *call)
{
	return both(call_counter(call, producer, true), call_counter(call, reader, true));
}

static int or_with_a_missing_bit(const char *call)
{
	(void)call;
	return nds_or_nd_counter(producer, 3, 64);
}

static int open_once(pid_t pid)
{
	nds_instance_t *inst = NULL;
	int code = nds_open(device, pid, &inst);

	return inst ? nds_close(inst) : code;
}

static int open_too_small(const char *call)
{
	size_t size = fake.size;

	(void)call;
	fake.size = 67199;
	int code = open_once(0);

	fake.size = size;
	return code;
}

static int open_without_memory(const char *call)
{
	(void)call;
	allocations_fail_after(0);
	int code = open_once(0);

	allocations_succeed();
	return code;
}

static int open_without_header(const char *call)
{
	(void)call;
	set_slab_word(0, 0);
	sleeps_reset(NULL);
	int code = open_once(4711);

	nds_commit_header(producer);
	return code;
}

static int open_refused_by_ndl(const char *call)
{
	(void)call;
	fake.open_code = NDL_CODE;
	int code = open_once(4711);

	fake.open_code = 0;
	return code;
}

static int commit_null(const char *call)
{
	(void)call;
	return nds_obj_commit(NULL);
}

static int delete_null(const char *call)
{
	(void)call;
	return nds_obj_delete(NULL);
}

static int commit_and_delete(nds_instance_t *inst, int type)
{
	nds_obj_handle_t obj = check_have(nds_obj_new(inst, type), "object");
	int code = nds_obj_commit(obj);

	CHECK_INT(nds_obj_delete(obj), 0);
	return code;
}

static int commit_on_reader(const char *call)
{
	(void)call;
	return commit_and_delete(reader, OBJECT_TYPE_PROCESS_INFO);
}

/* Calls a function with an object of no known type. */
static int with_damaged_tag(int (*function)(nds_obj_handle_t obj))
{
	nds_obj_handle_t obj = check_have(nds_obj_new(producer, OBJECT_TYPE_PROCESS_INFO), "object");

	*(unsigned char *)obj = 3;
	int code = function(obj);

	*(unsigned char *)obj = OBJECT_TYPE_PROCESS_INFO;
	CHECK_INT(nds_obj_delete(obj), 0);
	return code;
}

static int commit_bad_tag(const char *call)
{
	(void)call;
	return with_damaged_tag(nds_obj_commit);
}

static int delete_bad_tag(const char *call)
{
	(void)call;
	return with_damaged_tag(nds_obj_delete);
}

static int commit_without_mapping(const char *call)
{
	void *mapping;

	(void)call;
	forget_mapping(producer, &mapping);
	int code = commit_and_delete(producer, OBJECT_TYPE_PROCESS_INFO);

	restore_mapping(producer, mapping);
	return code;
}

static int commit_without_memory(const char *call)
{
	nds_obj_handle_t info = check_have(nds_obj_new(producer, OBJECT_TYPE_PROCESS_INFO), "object");
	nds_obj_handle_t info_ext = check_have(nds_obj_new(producer, OBJECT_TYPE_PROCESS_INFO_EXT), "object");

	(void)call;
	allocations_fail_after(0);
	int code = both(nds_obj_commit(info), nds_obj_commit(info_ext));

	allocations_succeed();
	CHECK_INT(nds_obj_delete(info), 0);
	CHECK_INT(nds_obj_delete(info_ext), 0);
	return code;
}

static int commit_without_slot(const char *call)
{
	(void)call;
	set_slab_word(BITMAP_OFFSET, UINT64_MAX);
	int code = commit_and_delete(producer, OBJECT_TYPE_MODEL_NODE_INFO);

	set_slab_word(BITMAP_OFFSET, 0);
	return code;
}

static int check_type(int type)
{
	nds_obj_handle_t obj = check_have(nds_obj_new(producer, OBJECT_TYPE_PROCESS_INFO), "object");
	int code = nds_obj_handle_check_type(obj, type);

	CHECK_INT(nds_obj_delete(obj), 0);
	return code;
}

static int type_matches(const char *call)
{
	(void)call;
	return check_type(OBJECT_TYPE_PROCESS_INFO);
}

static int type_differs(const char *call)
{
	(void)call;
	return check_type(OBJECT_TYPE_PROCESS_INFO_EXT);
}

static int full_map(const char *call)
{
	(void)call;
	return nds_get_empty_map_slot(UINT64_MAX);
}

/* How to bring a row about. Without a call it is for all counter functions. */
static const struct {
	const char *call;
	const char *condition;
	int (*act)(const char *call);
} acts[] = {
	{ NULL, "no mapping (nds_ptr NULL)", counter_without_mapping },
	{ NULL, "reader instance", counter_of_reader },
	{ NULL, "reader instance and bad index", counter_of_reader_bad_index },
	{ NULL, "producer, bad index", counter_bad_index },
	{ NULL, "producer, good index", counter_good_index },
	{ NULL, "bad index, producer or reader", counter_bad_index_anywhere },
	{ NULL, "good index, producer or reader", counter_good_index_anywhere },
	{ "nds_or_nd_counter", "producer, bit_index > 63", or_with_a_missing_bit },
	{ "nds_open", "mapped size <= 67199", open_too_small },
	{ "nds_open", "handle allocation failed", open_without_memory },
	{ "nds_open", "reader, header not committed after the retry", open_without_header },
	{ "nds_open", "NDL returned a non-zero code: that code, unchanged", open_refused_by_ndl },
	{ "nds_obj_commit", "NULL handle", commit_null },
	{ "nds_obj_commit", "reader instance", commit_on_reader },
	{ "nds_obj_commit", "type tag > 2", commit_bad_tag },
	{ "nds_obj_commit", "no mapping", commit_without_mapping },
	{ "nds_obj_commit", "staging allocation failed (types 1, 2)", commit_without_memory },
	{ "nds_obj_commit", "model, all 64 slots used", commit_without_slot },
	{ "nds_obj_delete", "NULL handle", delete_null },
	{ "nds_obj_delete", "type tag > 2", delete_bad_tag },
	{ "nds_obj_handle_check_type", "tag matches", type_matches },
	{ "nds_obj_handle_check_type", "tag differs", type_differs },
	{ "nds_get_empty_map_slot", "all 64 bits set", full_map },
};
#define ACTS (sizeof(acts) / sizeof(acts[0]))

static bool is_for(size_t act, const struct return_code *row)
{
	bool counter = strstr(row->call, "_counter") != NULL;

	return strcmp(acts[act].condition, row->condition) == 0 &&
	       (acts[act].call ? strcmp(acts[act].call, row->call) == 0 : counter);
}

int main(void)
{
	const struct return_code *row;

	fake_ndl_reset();
	producer = open_producer();
	reader = open_reader();
	FOR_EACH(row, return_codes) {
		size_t act = 0;

		check_subject = row->condition;
		while (act < ACTS && !is_for(act, row))
			act++;
		CHECK(act < ACTS);
		if (act < ACTS)
			CHECK_INT(acts[act].act(row->call), row->passed_through ? NDL_CODE : row->code);
	}
	CHECK_INT(nds_close(reader), 0);
	CHECK_INT(nds_close(producer), 0);
	CHECK_INT(fake.closes, fake.opens);
	return check_result();
}
