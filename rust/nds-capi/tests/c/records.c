// SPDX-License-Identifier: MIT OR Apache-2.0
// Golden records as objects and in the slab.

#include "records.h"

#include "check.h"
#include "fake_ndl.h"
#include "internal.h"

/* What holes contain before the fields are written. */
#define GARBAGE 0xa5

const struct record_vector *record_by_id(const char *id)
{
	const struct record_vector *record;

	FOR_EACH(record, record_vectors)
		if (strcmp(record->id, id) == 0)
			return record;
	return check_have(NULL, id);
}

void place_image(const struct record_vector *record, int slot)
{
	size_t offset = record->type == OBJECT_TYPE_MODEL_NODE_INFO ? MODEL_OFFSET(slot) : record->offset;

	memcpy(fake.slab + offset, record->image, record->length);
}

static void fill_version(nds_version_info_t *to, const nds_version_info_t *from)
{
	to->major = from->major;
	to->minor = from->minor;
	to->build = from->build;
}

static void fill_process_info(nds_process_info_t *to, const nds_process_info_t *from)
{
	memset(to, GARBAGE, sizeof(*to));
	to->framework_type = from->framework_type;
	memcpy(to->tag, from->tag, sizeof(to->tag));
	fill_version(&to->framework_version, &from->framework_version);
	fill_version(&to->fal_version, &from->fal_version);
	fill_version(&to->runtime_version, &from->runtime_version);
}

static void fill_model(nds_model_node_info_t *to, const nds_model_node_info_t *from)
{
	memset(to, GARBAGE, sizeof(*to));
	to->model_id = from->model_id;
	to->model_node_id = from->model_node_id;
	memcpy(to->name, from->name, sizeof(to->name));
	memcpy(to->uuid, from->uuid, sizeof(to->uuid));
	to->nc_index = from->nc_index;
	to->sg_index = from->sg_index;
}

static void fill_usage(nds_model_node_mem_usage_info_t *to, const nds_model_node_mem_usage_info_t *from)
{
	memset(to, GARBAGE, sizeof(*to));
	for (int location = 0; location < MODEL_MEM_USAGE_LOCATION_COUNT; location++)
		for (int slot = 0; slot < NDS_DMA_MEM_USAGE_SLOT_COUNT; slot++) {
			to->model_mem_usage[location][slot].total_size = from->model_mem_usage[location][slot].total_size;
			to->model_mem_usage[location][slot].chunk_count = from->model_mem_usage[location][slot].chunk_count;
		}
}

void fill_object(nds_obj_handle_t obj, const struct record_vector *record)
{
	switch (record->type) {
	case OBJECT_TYPE_PROCESS_INFO:
		fill_process_info(nds_obj_handle_to_process_info(obj), &record->info);
		break;
	case OBJECT_TYPE_PROCESS_INFO_EXT:
		*nds_obj_handle_to_process_info_ext(obj) = record->info_ext;
		break;
	default:
		fill_model(nds_obj_handle_to_model_node_info(obj), &record->node_info);
		fill_usage(nds_obj_handle_to_model_node_mem_usage(obj), &record->mem_usage);
	}
}

nds_obj_handle_t make_object(nds_instance_t *inst, const struct record_vector *record)
{
	nds_obj_handle_t obj = check_have(nds_obj_new(inst, record->type), "object");

	fill_object(obj, record);
	return obj;
}

static void check_version(const nds_version_info_t *got, const nds_version_info_t *expected)
{
	CHECK_INT(got->major, expected->major);
	CHECK_INT(got->minor, expected->minor);
	CHECK_INT(got->build, expected->build);
}

static void check_process_info(const nds_process_info_t *got, const nds_process_info_t *expected)
{
	CHECK_INT(got->framework_type, expected->framework_type);
	CHECK_BYTES(got->tag, expected->tag, sizeof(got->tag));
	check_version(&got->framework_version, &expected->framework_version);
	check_version(&got->fal_version, &expected->fal_version);
	check_version(&got->runtime_version, &expected->runtime_version);
}

static void check_model(const nds_model_node_info_t *got, const nds_model_node_info_t *expected)
{
	CHECK_INT(got->model_id, expected->model_id);
	CHECK_INT(got->model_node_id, expected->model_node_id);
	CHECK_BYTES(got->name, expected->name, sizeof(got->name));
	CHECK_BYTES(got->uuid, expected->uuid, sizeof(got->uuid));
	CHECK_INT(got->nc_index, expected->nc_index);
	CHECK_INT(got->sg_index, expected->sg_index);
}

static void check_usage(const nds_model_node_mem_usage_info_t *got, const nds_model_node_mem_usage_info_t *expected)
{
	for (int location = 0; location < MODEL_MEM_USAGE_LOCATION_COUNT; location++)
		for (int slot = 0; slot < NDS_DMA_MEM_USAGE_SLOT_COUNT; slot++) {
			const nds_mem_usage_info_t *cell = &got->model_mem_usage[location][slot];

			CHECK_INT(cell->total_size, expected->model_mem_usage[location][slot].total_size);
			CHECK_INT(cell->chunk_count, expected->model_mem_usage[location][slot].chunk_count);
		}
}

void check_fields(nds_obj_handle_t obj, const struct record_vector *record)
{
	CHECK_INT(nds_obj_handle_check_type(obj, record->type), 0);
	switch (record->type) {
	case OBJECT_TYPE_PROCESS_INFO:
		check_process_info(nds_obj_handle_to_process_info(obj), &record->info);
		break;
	case OBJECT_TYPE_PROCESS_INFO_EXT:
		CHECK_BYTES(nds_obj_handle_to_process_info_ext(obj)->tag, record->info_ext.tag, sizeof(record->info_ext.tag));
		break;
	default:
		check_model(nds_obj_handle_to_model_node_info(obj), &record->node_info);
		check_usage(nds_obj_handle_to_model_node_mem_usage(obj), &record->mem_usage);
	}
}

nds_obj_handle_t read_record(nds_instance_t *inst, int type, int slot)
{
	if (type == OBJECT_TYPE_MODEL_NODE_INFO)
		return nds_read_model_node_info_data(inst, slot);
	return type == OBJECT_TYPE_PROCESS_INFO ? nds_read_process_info(inst) : nds_read_process_info_ext(inst);
}
