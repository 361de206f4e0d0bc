// SPDX-License-Identifier: MIT OR Apache-2.0
// The slab scenario: a slab filled through the API alone, written to the file named by the argument.

#include "check.h"
#include "fake_ndl.h"
#include "records.h"

#define SLOTS 64

static int device_counter(nds_instance_t *inst, const struct counter_operation *step)
{
	uint64_t operand = step->operand;

	switch (step->operation) {
	case '=':
		return nds_set_nd_counter(inst, step->index, &operand);
	case '+':
		return nds_increment_nd_counter(inst, step->index, operand);
	case '-':
		return nds_decrement_nd_counter(inst, step->index, operand);
	default:
		/* The vectors have a mask, the call takes the number of its bit. */
		return nds_or_nd_counter(inst, step->index, (uint64_t)__builtin_ctzll(operand));
	}
}

static int core_counter(nds_instance_t *inst, const struct counter_operation *step)
{
	uint64_t operand = step->operand;

	switch (step->operation) {
	case '=':
		return nds_set_nc_counter(inst, step->core, step->index, &operand);
	case '+':
		return nds_increment_nc_counter(inst, step->core, step->index, operand);
	default:
		return nds_decrement_nc_counter(inst, step->core, step->index, operand);
	}
}

static void apply(nds_instance_t *inst, const struct counter_operation *step)
{
	uint64_t value = 0;

	if (step->core < 0) {
		CHECK_INT(device_counter(inst, step), 0);
		CHECK_INT(nds_get_nd_counter(inst, step->index, &value), 0);
	} else {
		CHECK_INT(core_counter(inst, step), 0);
		CHECK_INT(nds_get_nc_counter(inst, step->core, step->index, &value), 0);
	}
	CHECK(value == step->result);
}

static void commit_and_forget(nds_instance_t *inst, const struct record_vector *record)
{
	nds_obj_handle_t obj = make_object(inst, record);

	CHECK_INT(nds_obj_commit(obj), 0);
	CHECK_INT(nds_obj_delete(obj), 0);
}

/* The model that stays in a slot; NULL for a slot that is freed again. */
static const struct record_vector *model_of(int slot)
{
	const struct slot_image *model;

	FOR_EACH(model, slab_models)
		if (model->slot == slot)
			return &record_vectors[model->record];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct counter_operation *step;
	nds_obj_handle_t models[SLOTS];

	check_subject = "slab";
	fake_ndl_reset();
	nds_instance_t *inst = open_producer();

	FOR_EACH(step, counter_operations)
		apply(inst, step);
	for (int slot = 0; slot < SLOTS; slot++) {
		const struct record_vector *record = model_of(slot);

		models[slot] = make_object(inst, record ? record : record_by_id("model0/b"));
		CHECK_INT(nds_obj_commit(models[slot]), 0);
	}
	for (int slot = 0; slot < SLOTS; slot++)
		if (!model_of(slot))
			CHECK_INT(nds_obj_delete(models[slot]), 0);
	commit_and_forget(inst, &record_vectors[slab_process_info]);
	commit_and_forget(inst, &record_vectors[slab_process_info_ext]);

	FILE *file = check_have(argc > 1 ? fopen(argv[1], "wb") : NULL, "file");

	CHECK_INT(fwrite(fake.slab, 1, SLAB_SIZE, file), SLAB_SIZE);
	CHECK_INT(fclose(file), 0);
	for (int slot = 0; slot < SLOTS; slot++)
		if (model_of(slot))
			CHECK_INT(nds_obj_delete(models[slot]), 0);
	CHECK_INT(nds_close(inst), 0);
	return check_result();
}
