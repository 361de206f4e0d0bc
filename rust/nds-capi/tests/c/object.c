// SPDX-License-Identifier: MIT OR Apache-2.0
// Objects of any type: made, committed, deleted; every refusal.

#include <errno.h>
#include <limits.h>

#include "check.h"
#include "fake_ndl.h"
#include "internal.h"
#include "records.h"

static const size_t object_sizes[] = { 712, 88, 280 };
static const int types[] = { OBJECT_TYPE_MODEL_NODE_INFO, OBJECT_TYPE_PROCESS_INFO, OBJECT_TYPE_PROCESS_INFO_EXT };
#define TYPES 3

static unsigned char before[SLAB_SIZE];

static void a_new_object_is_empty_and_unpublished(void)
{
	check_subject = "new";
	fake_ndl_reset();
	nds_instance_t *producer = open_producer();
	nds_instance_t *instances[] = { producer, open_reader() };

	memcpy(before, fake.slab, SLAB_SIZE);
	for (int i = 0; i < 2 * TYPES; i++) {
		int type = types[i % TYPES];
		const unsigned char *obj = check_have(nds_obj_new(instances[i / TYPES], type), "object");

		CHECK_INT(obj[0], type);
		CHECK_BYTES(obj + 8, &instances[i / TYPES], sizeof(void *));
		for (size_t byte = 16; byte < object_sizes[type]; byte++)
			CHECK_INT(obj[byte], 0);
		CHECK_INT(nds_obj_delete((nds_obj_handle_t)obj), 0);
	}
	CHECK_BYTES(fake.slab, before, SLAB_SIZE);
	CHECK_INT(nds_close(instances[1]), 0);
	CHECK_INT(nds_close(instances[0]), 0);
}

static void unknown_types_are_refused(void)
{
	static const int unknown[] = { -1, 3, 4, 255, 256, 257, 258, INT_MIN, INT_MAX };

	check_subject = "unknown type";
	fake_ndl_reset();
	nds_instance_t *inst = open_producer();

	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		CHECK(nds_obj_new(inst, unknown[i]) == NULL);
		CHECK(nds_read_generic_obj(inst, unknown[i]) == NULL);
	}
	CHECK(nds_read_generic_obj(inst, OBJECT_TYPE_MODEL_NODE_INFO) == NULL);
	CHECK_INT(nds_close(inst), 0);
}

static void null_is_answered(void)
{
	check_subject = "NULL";
	CHECK_INT(nds_obj_commit(NULL), -EINVAL);
	CHECK_INT(nds_obj_delete(NULL), -EINVAL);
	CHECK_INT(nds_obj_handle_check_type(NULL, 0), -EINVAL);
	CHECK_INT(nds_commit_generic_obj(fake.slab, NULL), -EINVAL);
	CHECK(nds_read_generic_obj(NULL, OBJECT_TYPE_PROCESS_INFO) == NULL);
	for (int i = 0; i < TYPES; i++)
		CHECK(nds_obj_new(NULL, types[i]) == NULL);
	CHECK(nds_obj_handle_to_process_info(NULL) == NULL);
	CHECK(nds_obj_handle_to_process_info_ext(NULL) == NULL);
	CHECK(nds_obj_handle_to_model_node_info(NULL) == NULL);
	CHECK(nds_obj_handle_to_model_node_mem_usage(NULL) == NULL);
}

static void the_type_of_an_object_is_checked(void)
{
	check_subject = "type";
	fake_ndl_reset();
	nds_instance_t *inst = open_producer();

	for (int i = 0; i < TYPES; i++) {
		nds_obj_handle_t obj = nds_obj_new(inst, types[i]);

		for (int type = -1; type < 4; type++)
			CHECK_INT(nds_obj_handle_check_type(obj, type), type == types[i] ? 0 : 22);
		CHECK_INT(nds_obj_handle_check_type(obj, types[i] + 256), 22);
		CHECK((nds_obj_handle_to_model_node_info(obj) != NULL) == (types[i] == OBJECT_TYPE_MODEL_NODE_INFO));
		CHECK((nds_obj_handle_to_model_node_mem_usage(obj) != NULL) == (types[i] == OBJECT_TYPE_MODEL_NODE_INFO));
		CHECK((nds_obj_handle_to_process_info(obj) != NULL) == (types[i] == OBJECT_TYPE_PROCESS_INFO));
		CHECK((nds_obj_handle_to_process_info_ext(obj) != NULL) == (types[i] == OBJECT_TYPE_PROCESS_INFO_EXT));
		CHECK_INT(nds_obj_delete(obj), 0);
	}
	CHECK_INT(nds_close(inst), 0);
}

/* A handle whose tag is overwritten, as a stray store would do. */
static void a_damaged_handle_is_refused_and_not_freed(void)
{
	check_subject = "damaged";
	fake_ndl_reset();
	nds_instance_t *inst = open_producer();
	nds_obj_handle_t obj = nds_obj_new(inst, OBJECT_TYPE_PROCESS_INFO);

	for (int tag = 3; tag <= UINT8_MAX; tag++) {
		*(unsigned char *)obj = (unsigned char)tag;
		CHECK_INT(nds_obj_commit(obj), -EINVAL);
		CHECK_INT(nds_obj_delete(obj), -EINVAL);
		CHECK_INT(nds_commit_generic_obj(nds_get_ptr(inst), obj), -EINVAL);
		CHECK(nds_obj_handle_to_process_info(obj) == NULL);
	}
	*(unsigned char *)obj = OBJECT_TYPE_PROCESS_INFO;
	CHECK_INT(nds_obj_delete(obj), 0);
	CHECK_INT(nds_close(inst), 0);
}

/* Producer first, then type, then mapping. */
static void commit_checks_in_its_order(void)
{
	void *mapping;

	check_subject = "order";
	fake_ndl_reset();
	nds_instance_t *producer = open_producer();
	nds_instance_t *reader = open_reader();
	nds_obj_handle_t obj = nds_obj_new(producer, OBJECT_TYPE_PROCESS_INFO);
	nds_obj_handle_t read_only = nds_obj_new(reader, OBJECT_TYPE_PROCESS_INFO);

	forget_mapping(producer, &mapping);
	CHECK_INT(nds_obj_commit(obj), -1);
	*(unsigned char *)obj = 3;
	CHECK_INT(nds_obj_commit(obj), -EINVAL);
	*(unsigned char *)obj = OBJECT_TYPE_PROCESS_INFO;
	restore_mapping(producer, mapping);

	forget_mapping(reader, &mapping);
	CHECK_INT(nds_obj_commit(read_only), -EINVAL);
	restore_mapping(reader, mapping);

	CHECK_INT(nds_obj_delete(read_only), 0);
	CHECK_INT(nds_obj_delete(obj), 0);
	CHECK_INT(nds_close(reader), 0);
	CHECK_INT(nds_close(producer), 0);
}

static void the_generic_committer_takes_process_records_only(void)
{
	const struct record_vector *record = record_by_id("process_info/a");

	check_subject = "generic commit";
	fake_ndl_reset();
	nds_instance_t *inst = open_producer();
	nds_obj_handle_t model = nds_obj_new(inst, OBJECT_TYPE_MODEL_NODE_INFO);
	nds_obj_handle_t info = make_object(inst, record);

	CHECK_INT(nds_commit_generic_obj(nds_get_ptr(inst), model), -EINVAL);
	CHECK_INT(slab_word(BITMAP_OFFSET), 0);
	CHECK_INT(nds_commit_generic_obj(NULL, info), -1);
	CHECK_INT(nds_commit_generic_obj(nds_get_ptr(inst), info), 0);
	CHECK_BYTES(fake.slab + PROCESS_INFO_OFFSET, record->image, PROCESS_INFO_SIZE);

	nds_obj_handle_t copy = check_have(nds_read_generic_obj(inst, OBJECT_TYPE_PROCESS_INFO), "record");

	check_fields(copy, record);
	CHECK_INT(nds_obj_delete(copy), 0);
	CHECK_INT(nds_obj_delete(info), 0);
	CHECK_INT(nds_obj_delete(model), 0);
	CHECK_INT(nds_close(inst), 0);
}

int main(void)
{
	a_new_object_is_empty_and_unpublished();
	unknown_types_are_refused();
	null_is_answered();
	the_type_of_an_object_is_checked();
	a_damaged_handle_is_refused_and_not_freed();
	commit_checks_in_its_order();
	the_generic_committer_takes_process_records_only();
	return check_result();
}
