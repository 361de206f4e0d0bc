// SPDX-License-Identifier: MIT OR Apache-2.0
// What readers see at each look, with the slab changed during the wait in between.

#include "check.h"
#include "fake_ndl.h"
#include "internal.h"
#include "records.h"
#include "sleeps.h"

static const struct header_scenario *header;
static const struct read_scenario *reading;
static int slot;

static void check_sleeps(const unsigned *expected, size_t count)
{
	CHECK_INT(sleep_count, count);
	for (size_t i = 0; i < count && i < sleep_count; i++)
		CHECK_INT(sleeps[i], expected[i]);
}

static void next_header(size_t nth)
{
	if (nth + 1 < header->word_count)
		set_slab_word(0, header->words[nth + 1]);
}

static void check_header_scenario(void)
{
	nds_instance_t *inst = NULL;

	check_subject = header->id;
	fake_ndl_reset();
	set_slab_word(0, header->words[0]);
	sleeps_reset(next_header);
	CHECK_INT(nds_open(device, 4711, &inst), header->code);
	check_sleeps(header->sleeps, header->sleep_count);
	if (inst)
		CHECK_INT(nds_close(inst), 0);

	fake_ndl_reset();
	inst = open_producer();
	set_slab_word(0, header->words[0]);
	sleeps_reset(next_header);
	CHECK_INT(nds_check_header(inst), header->code);
	check_sleeps(header->sleeps, header->sleep_count);
	CHECK_INT(nds_close(inst), 0);
}

static void next_image(size_t nth)
{
	if (nth + 1 < reading->attempt_count)
		place_image(&record_vectors[reading->attempts[nth + 1]], slot);
}

static void check_reading(nds_obj_handle_t obj)
{
	check_sleeps(reading->sleeps, reading->sleep_count);
	CHECK((obj != NULL) == reading->handle);
	if (obj) {
		check_fields(obj, &record_vectors[reading->fields_of]);
		CHECK_INT(nds_obj_delete(obj), 0);
	}
}

static void start_reading(void)
{
	place_image(&record_vectors[reading->attempts[0]], slot);
	sleeps_reset(next_image);
}

static void check_read_scenario(void)
{
	const struct record_vector *first = &record_vectors[reading->attempts[0]];

	check_subject = reading->id;
	fake_ndl_reset();
	slot = first->slot;
	set_slab_word(0, HEADER_WORD);
	nds_instance_t *inst = open_reader();

	start_reading();
	check_reading(read_record(inst, first->type, slot));

	if (first->type == OBJECT_TYPE_MODEL_NODE_INFO) {
		nds_obj_handle_t *models = NULL;
		size_t count = 0;

		set_slab_word(BITMAP_OFFSET, 1ULL << slot);
		start_reading();
		CHECK_INT(nds_read_all_model_nodes(inst, &models, &count), 0);
		CHECK_INT(count, reading->handle ? 1 : 0);
		check_reading(count > 0 ? models[0] : NULL);
		free(models);
	}
	CHECK_INT(nds_close(inst), 0);
}

static void check_enumeration(const struct enumeration_scenario *scenario)
{
	nds_obj_handle_t *models = NULL;
	size_t count = 0, failing = 0;

	check_subject = scenario->id;
	fake_ndl_reset();
	set_slab_word(0, HEADER_WORD);
	set_slab_word(BITMAP_OFFSET, scenario->bitmap);
	for (size_t i = 0; i < scenario->slot_count; i++)
		place_image(&record_vectors[scenario->slots[i].record], scenario->slots[i].slot);
	nds_instance_t *inst = open_reader();

	sleeps_reset(NULL);
	CHECK_INT(nds_read_all_model_nodes(inst, &models, &count), 0);
	CHECK_INT(count, scenario->handle_count);
	for (size_t i = 0; i < count; i++) {
		if (i < scenario->handle_count)
			check_fields(models[i], &record_vectors[scenario->handles[i]]);
		CHECK_INT(nds_obj_delete(models[i]), 0);
	}
	free(models);

	/* At most one wait for each slot that fails. */
	for (uint64_t left = scenario->bitmap; left != 0; left &= left - 1)
		failing++;
	failing -= scenario->handle_count;
	CHECK(sleep_count <= failing && (sleep_count > 0) == (failing > 0));
	for (size_t i = 0; i < sleep_count; i++)
		CHECK_INT(sleeps[i], 200);
	CHECK_INT(nds_close(inst), 0);
}

int main(void)
{
	const struct enumeration_scenario *enumeration;

	FOR_EACH(header, header_scenarios)
		check_header_scenario();
	FOR_EACH(reading, read_scenarios)
		check_read_scenario();
	FOR_EACH(enumeration, enumeration_scenarios)
		check_enumeration(enumeration);
	return check_result();
}
