// SPDX-License-Identifier: MIT OR Apache-2.0
// The golden records: valid ones are read and written byte for byte, damaged ones are refused.

#include "check.h"
#include "fake_ndl.h"
#include "records.h"
#include "sleeps.h"

static size_t read_all(nds_instance_t *inst, nds_obj_handle_t **models)
{
	size_t count = 0;

	CHECK_INT(nds_read_all_model_nodes(inst, models, &count), 0);
	return count;
}

/* Through the functions that nds.h declares: a model by reading all of them. */
static nds_obj_handle_t read_public(nds_instance_t *inst, const struct record_vector *record)
{
	nds_obj_handle_t *models = NULL, model = NULL;

	if (record->type == OBJECT_TYPE_PROCESS_INFO)
		return nds_read_process_info(inst);
	if (record->type == OBJECT_TYPE_PROCESS_INFO_EXT)
		return nds_read_process_info_ext(inst);
	set_slab_word(BITMAP_OFFSET, 1ULL << record->slot);
	if (read_all(inst, &models) > 0)
		model = models[0];
	free(models);
	return model;
}

static void every_image_is_read_or_refused(nds_instance_t *inst, const struct record_vector *record)
{
	place_image(record, record->slot);
	sleeps_reset(NULL);
	nds_obj_handle_t obj = read_public(inst, record);

	CHECK((obj != NULL) == record->valid);
	CHECK_INT(sleep_count, record->valid ? 0 : 1);
	if (obj) {
		check_fields(obj, record);
		CHECK_INT(nds_obj_delete(obj), 0);
	}
	if (record->type == OBJECT_TYPE_MODEL_NODE_INFO) {
		obj = read_record(inst, record->type, record->slot);
		CHECK((obj != NULL) == record->valid);
		if (obj)
			CHECK_INT(nds_obj_delete(obj), 0);
	}
}

static void every_record_is_written_as_its_image(const struct record_vector *record)
{
	fake_ndl_reset();
	nds_instance_t *inst = open_producer();

	/* A model gets its slot by being the only one that is free. */
	set_slab_word(BITMAP_OFFSET, record->type == OBJECT_TYPE_MODEL_NODE_INFO ? ~(1ULL << record->slot) : 0);
	nds_obj_handle_t obj = make_object(inst, record);

	CHECK_INT(nds_obj_commit(obj), 0);
	CHECK_BYTES(fake.slab + record->offset, record->image, record->length);
	CHECK_INT(nds_obj_delete(obj), 0);
	CHECK_INT(nds_close(inst), 0);
}

int main(void)
{
	const struct record_vector *record;

	FOR_EACH(record, record_vectors) {
		check_subject = record->id;
		fake_ndl_reset();
		nds_instance_t *producer = open_producer();
		nds_instance_t *reader = open_reader();

		every_image_is_read_or_refused(producer, record);
		every_image_is_read_or_refused(reader, record);
		CHECK_INT(nds_close(reader), 0);
		CHECK_INT(nds_close(producer), 0);
		if (record->canonical)
			every_record_is_written_as_its_image(record);
	}
	return check_result();
}
