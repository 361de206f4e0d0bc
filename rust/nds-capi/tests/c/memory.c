// SPDX-License-Identifier: MIT OR Apache-2.0
// Every allocation of every function is refused once: the answer is right, nothing is kept, nothing is written.

#include <errno.h>

#include "allocator.h"
#include "check.h"
#include "fake_ndl.h"
#include "internal.h"
#include "records.h"

#define MODELS 3

static nds_instance_t *producer;
static unsigned char before[SLAB_SIZE];

/* A function under test: returns whether it succeeded, and undoes its success. */
typedef bool attempt(void);

static int code;
static int instances;

static bool try_open(void)
{
	nds_instance_t *inst = NULL;

	code = nds_open(other_device, 0, &inst);
	return code == 0 && nds_close(inst) == 0;
}

static bool try_open_reader(void)
{
	nds_instance_t *inst = NULL;

	code = nds_open(other_device, 4711, &inst);
	return code == 0 && nds_close(inst) == 0;
}

/* Functions that return a handle have one answer to everything. */
static bool delete_if_made(nds_obj_handle_t obj)
{
	code = obj ? 0 : -ENOMEM;
	return obj != NULL && nds_obj_delete(obj) == 0;
}

static bool try_new_model(void)
{
	return delete_if_made(nds_obj_new(producer, OBJECT_TYPE_MODEL_NODE_INFO));
}

static bool try_new_info(void)
{
	return delete_if_made(nds_obj_new(producer, OBJECT_TYPE_PROCESS_INFO));
}

static bool try_new_info_ext(void)
{
	return delete_if_made(nds_obj_new(producer, OBJECT_TYPE_PROCESS_INFO_EXT));
}

static bool try_read_info(void)
{
	return delete_if_made(nds_read_process_info(producer));
}

static bool try_read_info_ext(void)
{
	return delete_if_made(nds_read_process_info_ext(producer));
}

static bool try_read_model(void)
{
	return delete_if_made(nds_read_model_node_info_data(producer, 1));
}

static bool try_read_all(void)
{
	nds_obj_handle_t *models = NULL;
	size_t count = 12345;

	code = nds_read_all_model_nodes(producer, &models, &count);
	if (code != 0) {
		CHECK(models == NULL);
		CHECK_INT(count, 12345);
		return false;
	}
	CHECK_INT(count, MODELS);
	for (size_t i = 0; i < count; i++)
		CHECK_INT(nds_obj_delete(models[i]), 0);
	free(models);
	return true;
}

static nds_obj_handle_t info, info_ext;

static bool try_commit_info(void)
{
	code = nds_obj_commit(info);
	return code == 0;
}

static bool try_commit_info_ext(void)
{
	code = nds_obj_commit(info_ext);
	return code == 0;
}

/* Refuses the first allocation, then the second, and so on, until none is refused any more. */
static void refuse_each(const char *name, attempt *attempt, long at_least)
{
	long refusals = 0;

	check_subject = name;
	for (bool refused = true; refused; refusals += refused) {
		long alive = allocations_alive();

		allocations_fail_after(refusals);
		bool succeeded = attempt();

		refused = allocations_succeed();
		CHECK(succeeded == !refused);
		CHECK_INT(code, succeeded ? 0 : -ENOMEM);
		CHECK_INT(allocations_alive(), alive);
		CHECK_BYTES(fake.slab, before, SLAB_SIZE);
		CHECK_INT(fake.opens - fake.closes, instances);
	}
	CHECK(refusals >= at_least);
}

static nds_obj_handle_t commit_new(const char *id)
{
	nds_obj_handle_t obj = make_object(producer, record_by_id(id));

	CHECK_INT(nds_obj_commit(obj), 0);
	return obj;
}

int main(void)
{
	nds_obj_handle_t models[MODELS];

	fake_ndl_reset();
	set_slab_word(0, HEADER_WORD);
	memcpy(before, fake.slab, SLAB_SIZE);
	refuse_each("open the first producer", try_open, 1);

	producer = open_producer();
	instances = 1;
	for (int i = 0; i < MODELS; i++)
		models[i] = commit_new("model0/a");
	info = commit_new("process_info/a");
	info_ext = commit_new("process_info_ext/a");
	memcpy(before, fake.slab, SLAB_SIZE);

	refuse_each("open", try_open, 1);
	refuse_each("open a reader", try_open_reader, 1);
	refuse_each("new model", try_new_model, 1);
	refuse_each("new info", try_new_info, 1);
	refuse_each("new info ext", try_new_info_ext, 1);
	refuse_each("read info", try_read_info, 1);
	refuse_each("read info ext", try_read_info_ext, 1);
	refuse_each("read model", try_read_model, 1);
	refuse_each("read all", try_read_all, MODELS + 1);
	refuse_each("commit info", try_commit_info, 1);
	refuse_each("commit info ext", try_commit_info_ext, 1);

	for (int i = 0; i < MODELS; i++)
		CHECK_INT(nds_obj_delete(models[i]), 0);
	CHECK_INT(nds_obj_delete(info), 0);
	CHECK_INT(nds_obj_delete(info_ext), 0);
	CHECK_INT(nds_close(producer), 0);
	return check_result();
}
