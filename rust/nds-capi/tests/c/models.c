// SPDX-License-Identifier: MIT OR Apache-2.0
// The model records and their slots.

#include <errno.h>

#include "check.h"
#include "fake_ndl.h"
#include "internal.h"
#include "records.h"
#include "sleeps.h"

#define SLOTS 64

static nds_obj_handle_t commit_new(nds_instance_t *inst, const struct record_vector *record)
{
	nds_obj_handle_t obj = make_object(inst, record);

	CHECK_INT(nds_obj_commit(obj), 0);
	return obj;
}

/* Reads all models and returns their number; ids of the first ones go to ids. */
static size_t read_all(nds_instance_t *inst, uint32_t *ids, size_t room)
{
	nds_obj_handle_t *models = NULL;
	size_t count = 12345;

	CHECK_INT(nds_read_all_model_nodes(inst, &models, &count), 0);
	CHECK(models != NULL);
	for (size_t i = 0; i < count; i++) {
		if (i < room)
			ids[i] = nds_obj_handle_to_model_node_info(models[i])->model_id;
		CHECK_INT(nds_obj_delete(models[i]), 0);
	}
	free(models);
	return count;
}

static void slots_are_taken_from_the_lowest_and_run_out(void)
{
	nds_obj_handle_t objs[SLOTS];
	const struct record_vector *record = record_by_id("model0/a");
	uint32_t ids[SLOTS];

	check_subject = "slots";
	fake_ndl_reset();
	nds_instance_t *inst = open_producer();

	for (int slot = 0; slot < SLOTS; slot++) {
		CHECK_INT(nds_get_empty_model_slot(fake.slab), slot);
		objs[slot] = make_object(inst, record);
		nds_obj_handle_to_model_node_info(objs[slot])->model_id = 1000 + (uint32_t)slot;
		CHECK_INT(nds_obj_commit(objs[slot]), 0);
	}
	CHECK_INT(nds_get_empty_model_slot(fake.slab), -1);
	CHECK(slab_word(BITMAP_OFFSET) == UINT64_MAX);

	nds_obj_handle_t one_more = make_object(inst, record);

	CHECK_INT(nds_obj_commit(one_more), 28);
	CHECK_INT(nds_commit_model_node_info(nds_get_ptr(inst), one_more), 28);
	CHECK_INT(read_all(inst, ids, SLOTS), SLOTS);
	for (uint32_t slot = 0; slot < SLOTS; slot++)
		CHECK_INT(ids[slot], 1000 + slot);

	/* Committing again needs no slot; a freed slot is the next one. */
	CHECK_INT(nds_obj_commit(objs[63]), 0);
	CHECK_INT(nds_obj_delete(objs[17]), 0);
	CHECK_INT(nds_obj_commit(one_more), 0);
	CHECK(slab_word(BITMAP_OFFSET) == UINT64_MAX);
	CHECK_BYTES(fake.slab + MODEL_OFFSET(17), record->image, MODEL_SIZE);

	objs[17] = one_more;
	for (int slot = 0; slot < SLOTS; slot++)
		CHECK_INT(nds_obj_delete(objs[slot]), 0);
	CHECK_INT(slab_word(BITMAP_OFFSET), 0);
	for (size_t byte = MODEL_OFFSET(0); byte < MODEL_OFFSET(SLOTS); byte++)
		if (fake.slab[byte] != 0)
			CHECK_INT(byte, 0);
	CHECK_INT(nds_close(inst), 0);
}

static void a_model_keeps_its_slot(void)
{
	const struct record_vector *a = record_by_id("model5/a"), *b = record_by_id("model5/b");

	check_subject = "update";
	fake_ndl_reset();
	nds_instance_t *inst = open_producer();
	nds_obj_handle_t first = commit_new(inst, b);
	nds_obj_handle_t obj = commit_new(inst, a);

	CHECK_BYTES(fake.slab + MODEL_OFFSET(1), a->image, MODEL_SIZE);
	CHECK_INT(nds_obj_delete(first), 0);
	fill_object(obj, b);
	CHECK_INT(nds_obj_commit(obj), 0);
	CHECK_INT(nds_commit_model_node_info(nds_get_ptr(inst), obj), 0);
	CHECK_BYTES(fake.slab + MODEL_OFFSET(1), b->image, MODEL_SIZE);
	CHECK_INT(slab_word(BITMAP_OFFSET), 2);
	CHECK_INT(nds_obj_delete(obj), 0);
	CHECK_INT(nds_close(inst), 0);
}

static void deleting_a_model_that_was_never_committed_frees_it_only(void)
{
	unsigned char before[SLAB_SIZE];

	check_subject = "never committed";
	fake_ndl_reset();
	nds_instance_t *inst = open_producer();
	nds_obj_handle_t other = commit_new(inst, record_by_id("model0/a"));
	nds_obj_handle_t obj = make_object(inst, record_by_id("model0/b"));

	memcpy(before, fake.slab, SLAB_SIZE);
	CHECK_INT(nds_delete_model_node_info(nds_get_ptr(inst), obj), 0);
	CHECK_INT(nds_obj_delete(obj), 0);
	CHECK_BYTES(fake.slab, before, SLAB_SIZE);
	CHECK_INT(nds_obj_delete(other), 0);
	CHECK_INT(nds_close(inst), 0);
}

/* Also on a producer: what was read is a copy, and deleting a copy does not delete the model. */
static void deleting_what_was_read_leaves_the_model(void)
{
	uint32_t ids[1];

	check_subject = "copy";
	fake_ndl_reset();
	nds_instance_t *inst = open_producer();
	nds_obj_handle_t obj = commit_new(inst, record_by_id("model0/a"));

	CHECK_INT(read_all(inst, ids, 1), 1);
	CHECK_INT(read_all(inst, ids, 1), 1);

	nds_obj_handle_t copy = check_have(nds_read_model_node_info_data(inst, 0), "record");

	CHECK_INT(nds_obj_delete(copy), 0);
	CHECK_INT(slab_word(BITMAP_OFFSET), 1);

	/* A copy that is committed updates the model in its slot, and from then on stands for it. */
	copy = check_have(nds_read_model_node_info_data(inst, 0), "record");
	nds_obj_handle_to_model_node_info(copy)->model_id = 4242;
	CHECK_INT(nds_obj_commit(copy), 0);
	CHECK_INT(read_all(inst, ids, 1), 1);
	CHECK_INT(ids[0], 4242);
	CHECK_INT(nds_obj_delete(copy), 0);
	CHECK_INT(slab_word(BITMAP_OFFSET), 0);
	CHECK_INT(nds_obj_delete(obj), 0);
	CHECK_INT(nds_close(inst), 0);
}

static void the_deleter_erases_and_the_object_starts_anew(void)
{
	const struct record_vector *record = record_by_id("model0/a");

	check_subject = "deleter";
	fake_ndl_reset();
	nds_instance_t *inst = open_producer();
	nds_obj_handle_t obj = commit_new(inst, record);
	nds_obj_handle_t info = nds_obj_new(inst, OBJECT_TYPE_PROCESS_INFO);

	CHECK_INT(nds_delete_model_node_info(nds_get_ptr(inst), info), -EINVAL);
	CHECK_INT(nds_commit_model_node_info(nds_get_ptr(inst), info), -EINVAL);
	CHECK_INT(nds_delete_model_node_info(NULL, obj), -1);
	CHECK_INT(nds_delete_model_node_info(nds_get_ptr(inst), NULL), -EINVAL);
	CHECK_INT(nds_commit_model_node_info(nds_get_ptr(inst), NULL), -EINVAL);
	CHECK_INT(slab_word(BITMAP_OFFSET), 1);
	CHECK_INT(nds_delete_model_node_info(nds_get_ptr(inst), obj), 0);
	CHECK_INT(slab_word(BITMAP_OFFSET), 0);
	CHECK_INT(slab_word(MODEL_OFFSET(0)), 0);

	/* Somebody else takes the slot; deleting the object does not take it away. */
	nds_obj_handle_t next = commit_new(inst, record);

	CHECK_INT(nds_obj_delete(obj), 0);
	CHECK_INT(slab_word(BITMAP_OFFSET), 1);
	CHECK_BYTES(fake.slab + MODEL_OFFSET(0), record->image, MODEL_SIZE);
	CHECK_INT(nds_obj_delete(next), 0);
	CHECK_INT(nds_obj_delete(info), 0);
	CHECK_INT(nds_close(inst), 0);
}

static void reading_all_answers_errors_without_writing(void)
{
	nds_obj_handle_t *const untouched = (nds_obj_handle_t *)&fake;
	nds_obj_handle_t *models = untouched;
	size_t count = 12345;
	void *mapping;

	check_subject = "read all";
	fake_ndl_reset();
	nds_instance_t *inst = open_producer();

	CHECK_INT(nds_read_all_model_nodes(NULL, &models, &count), -EINVAL);
	CHECK_INT(nds_read_all_model_nodes(inst, NULL, &count), -EINVAL);
	CHECK_INT(nds_read_all_model_nodes(inst, &models, NULL), -EINVAL);
	forget_mapping(inst, &mapping);
	CHECK_INT(nds_read_all_model_nodes(inst, &models, &count), -1);
	restore_mapping(inst, mapping);
	CHECK(models == untouched);
	CHECK_INT(count, 12345);
	CHECK_INT(read_all(inst, NULL, 0), 0);
	CHECK_INT(nds_close(inst), 0);
}

static void a_slot_that_does_not_exist_has_no_record(void)
{
	static const int missing[] = { -1, 64, 1000, -64 };
	void *mapping;

	check_subject = "missing slot";
	fake_ndl_reset();
	sleeps_reset(NULL);
	nds_instance_t *inst = open_producer();

	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
		CHECK(nds_read_model_node_info_data(inst, missing[i]) == NULL);
		nds_mark_model_slot(nds_get_ptr(inst), missing[i], true);
	}
	CHECK(nds_read_model_node_info_data(NULL, 0) == NULL);
	CHECK_INT(sleep_count, 0);
	CHECK(nds_read_model_node_info_data(inst, 63) == NULL);
	CHECK_INT(sleep_count, 1);
	forget_mapping(inst, &mapping);
	CHECK(nds_read_model_node_info_data(inst, 0) == NULL);
	restore_mapping(inst, mapping);
	CHECK_INT(slab_word(BITMAP_OFFSET), 0);
	CHECK_INT(nds_close(inst), 0);
}

static void slots_can_be_marked_by_hand(void)
{
	check_subject = "mark";
	fake_ndl_reset();
	nds_instance_t *inst = open_producer();
	void *base = nds_get_ptr(inst);

	nds_mark_model_slot(base, 0, true);
	nds_mark_model_slot(base, 1, true);
	nds_mark_model_slot(base, 63, true);
	CHECK(slab_word(BITMAP_OFFSET) == (3 | 1ULL << 63));
	CHECK_INT(nds_get_empty_model_slot(base), 2);
	nds_mark_model_slot(base, 0, false);
	CHECK_INT(nds_get_empty_model_slot(base), 0);
	nds_mark_model_slot(NULL, 0, true);
	CHECK_INT(nds_get_empty_model_slot(NULL), -1);
	CHECK_INT(nds_close(inst), 0);
}

int main(void)
{
	slots_are_taken_from_the_lowest_and_run_out();
	a_model_keeps_its_slot();
	deleting_a_model_that_was_never_committed_frees_it_only();
	deleting_what_was_read_leaves_the_model();
	the_deleter_erases_and_the_object_starts_anew();
	reading_all_answers_errors_without_writing();
	a_slot_that_does_not_exist_has_no_record();
	slots_can_be_marked_by_hand();
	return check_result();
}
