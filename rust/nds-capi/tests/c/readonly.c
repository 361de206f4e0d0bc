// SPDX-License-Identifier: MIT OR Apache-2.0
// The gate: nothing that is done to a reader changes a byte of the slab. Its pages are mapped without write
// permission, so a single store would end this program.

#include <errno.h>

#include "check.h"
#include "fake_ndl.h"
#include "internal.h"
#include "records.h"

static unsigned char before[SLAB_SIZE];

static void counters_are_refused(nds_instance_t *reader)
{
	uint64_t value = 5;

	CHECK_INT(nds_increment_nc_counter(reader, 1, 2, 3), -1);
	CHECK_INT(nds_decrement_nc_counter(reader, 1, 2, 3), -1);
	CHECK_INT(nds_set_nc_counter(reader, 1, 2, &value), -1);
	CHECK_INT(nds_increment_nd_counter(reader, 3, 1), -1);
	CHECK_INT(nds_decrement_nd_counter(reader, 3, 1), -1);
	CHECK_INT(nds_set_nd_counter(reader, 3, &value), -1);
	CHECK_INT(nds_or_nd_counter(reader, 3, 1), -1);
	CHECK_INT(nds_or_nd_counter(reader, 3, 64), -1);
	CHECK_INT(value, 5);
}

/* Commits and deletes an object in every way there is. */
static void objects_are_refused(nds_instance_t *reader, nds_obj_handle_t obj)
{
	void *base = nds_get_ptr(reader);

	CHECK_INT(nds_obj_commit(obj), -EINVAL);
	CHECK_INT(nds_commit_generic_obj(base, obj), -EINVAL);
	CHECK_INT(nds_commit_model_node_info(base, obj), -EINVAL);
	CHECK_INT(nds_delete_model_node_info(base, obj), -EINVAL);
	CHECK_INT(nds_obj_delete(obj), 0);
}

int main(void)
{
	static const char *const ids[] = { "model0/a", "process_info/a", "process_info_ext/a" };
	nds_obj_handle_t *models = NULL;
	size_t count = 0;
	uint64_t value = 0;

	check_subject = "reader";
	fake_ndl_reset();
	nds_instance_t *producer = open_producer();
	nds_obj_handle_t published[3];

	CHECK_INT(nds_increment_nc_counter(producer, 1, 2, 7), 0);
	for (int i = 0; i < 3; i++) {
		published[i] = make_object(producer, record_by_id(ids[i]));
		CHECK_INT(nds_obj_commit(published[i]), 0);
	}
	memcpy(before, fake.slab, SLAB_SIZE);

	nds_instance_t *reader = open_reader();

	counters_are_refused(reader);
	nds_commit_header(reader);
	for (int i = 0; i < 3; i++)
		objects_are_refused(reader, make_object(reader, record_by_id(ids[i])));
	for (int i = 0; i < 3; i++)
		objects_are_refused(reader, check_have(read_record(reader, record_by_id(ids[i])->type, 0), "record"));
	CHECK_INT(nds_read_all_model_nodes(reader, &models, &count), 0);
	CHECK_INT(count, 1);
	objects_are_refused(reader, models[0]);
	free(models);

	/* Reading goes on. */
	CHECK_INT(nds_get_nc_counter(reader, 1, 2, &value), 0);
	CHECK_INT(value, 7);
	CHECK_INT(nds_check_header(reader), 0);
	CHECK_INT(nds_close(reader), 0);
	CHECK_BYTES(fake.slab, before, SLAB_SIZE);

	for (int i = 0; i < 3; i++)
		CHECK_INT(nds_obj_delete(published[i]), 0);
	CHECK_INT(nds_close(producer), 0);
	return check_result();
}
