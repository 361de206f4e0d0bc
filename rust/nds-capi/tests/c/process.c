// SPDX-License-Identifier: MIT OR Apache-2.0
// The two process records.

#include "check.h"
#include "fake_ndl.h"
#include "internal.h"
#include "records.h"
#include "sleeps.h"

static void without_a_record_there_is_no_handle(void)
{
	void *mapping;

	check_subject = "unpublished";
	fake_ndl_reset();
	sleeps_reset(NULL);
	nds_instance_t *inst = open_producer();

	CHECK(nds_read_process_info(inst) == NULL);
	CHECK(nds_read_process_info_ext(inst) == NULL);
	CHECK_INT(sleep_count, 2);
	CHECK_INT(sleeps[0], 200);
	CHECK_INT(sleeps[1], 200);

	CHECK(nds_read_process_info(NULL) == NULL);
	CHECK(nds_read_process_info_ext(NULL) == NULL);
	forget_mapping(inst, &mapping);
	CHECK(nds_read_process_info(inst) == NULL);
	CHECK(nds_read_process_info_ext(inst) == NULL);
	restore_mapping(inst, mapping);
	CHECK_INT(sleep_count, 2);
	CHECK_INT(nds_close(inst), 0);
}

/* As runtimes do it: both objects are deleted as soon as they are committed. */
static void a_record_outlives_its_handle_and_is_overwritten_by_the_next(void)
{
	static const char *const ids[] = { "process_info/a", "process_info_ext/a", "process_info/b", "process_info_ext/b" };

	fake_ndl_reset();
	sleeps_reset(NULL);
	nds_instance_t *producer = open_producer();
	nds_instance_t *reader = open_reader();

	for (int i = 0; i < 4; i++) {
		const struct record_vector *record = record_by_id(ids[i]);

		check_subject = record->id;
		nds_obj_handle_t obj = make_object(producer, record);

		CHECK_INT(nds_obj_commit(obj), 0);
		CHECK_INT(nds_obj_delete(obj), 0);
		CHECK_BYTES(fake.slab + record->offset, record->image, record->length);

		nds_obj_handle_t copy = check_have(read_record(reader, record->type, 0), "record");

		check_fields(copy, record);
		CHECK_INT(nds_obj_delete(copy), 0);
		CHECK_BYTES(fake.slab + record->offset, record->image, record->length);
	}
	CHECK_INT(sleep_count, 0);
	CHECK_INT(nds_close(reader), 0);
	CHECK_INT(nds_close(producer), 0);
}

static void a_payload_is_private_until_it_is_committed(void)
{
	const struct record_vector *record = record_by_id("process_info/a");

	check_subject = "private";
	fake_ndl_reset();
	nds_instance_t *inst = open_producer();
	nds_obj_handle_t obj = make_object(inst, record);

	CHECK_INT(nds_obj_commit(obj), 0);
	nds_obj_handle_to_process_info(obj)->framework_type = 99;
	CHECK_BYTES(fake.slab + record->offset, record->image, record->length);

	nds_obj_handle_t copy = check_have(nds_read_process_info(inst), "record");

	nds_obj_handle_to_process_info(copy)->framework_type = 77;
	CHECK_BYTES(fake.slab + record->offset, record->image, record->length);

	/* A copy that a producer has read can be committed like any other object. */
	CHECK_INT(nds_obj_commit(copy), 0);
	CHECK_INT(fake.slab[record->offset + 4], 77);
	CHECK_INT(nds_obj_delete(copy), 0);
	CHECK_INT(nds_obj_delete(obj), 0);
	CHECK_INT(nds_close(inst), 0);
}

int main(void)
{
	without_a_record_there_is_no_handle();
	a_record_outlives_its_handle_and_is_overwritten_by_the_next();
	a_payload_is_private_until_it_is_committed();
	return check_result();
}
