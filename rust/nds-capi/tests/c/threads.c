// SPDX-License-Identifier: MIT OR Apache-2.0
// Threads of one process: counters lose nothing, slots are given out once, and no reader accepts half a record.

#include <pthread.h>
#include <stdatomic.h>

#include "check.h"
#include "fake_ndl.h"
#include "internal.h"

#define THREADS 4
#define ADDITIONS 20000
#define COMMITS 16

/* Producers go on until the watcher has seen so many models, but not for ever. */
#define SEEN 2000
#define MIN_ROUNDS 40
#define MAX_ROUNDS 100000

static nds_instance_t *producers[2], *reader;
static atomic_bool stop;
static atomic_int torn, failures, seen;

static void *count(void *argument)
{
	(void)argument;
	for (int i = 0; i < ADDITIONS; i++) {
		atomic_fetch_add(&failures, nds_increment_nc_counter(producers[i % 2], 7, 29, 3) != 0);
		atomic_fetch_add(&failures, nds_decrement_nc_counter(producers[i % 2], 7, 29, 1) != 0);
		atomic_fetch_add(&failures, nds_or_nd_counter(producers[i % 2], 3, (uint64_t)i % 64) != 0);
	}
	return NULL;
}

/* A model whose every part follows from one number. */
static void fill(nds_obj_handle_t obj, uint32_t number)
{
	nds_model_node_info_t *info = nds_obj_handle_to_model_node_info(obj);
	nds_model_node_mem_usage_info_t *usage = nds_obj_handle_to_model_node_mem_usage(obj);

	info->model_id = number;
	info->model_node_id = ~number;
	memset(info->name, (int)(number % 251), sizeof(info->name));
	for (int location = 0; location < MODEL_MEM_USAGE_LOCATION_COUNT; location++)
		for (int slot = 0; slot < NDS_DMA_MEM_USAGE_SLOT_COUNT; slot++)
			usage->model_mem_usage[location][slot].total_size = number;
}

static bool is_whole(nds_obj_handle_t obj)
{
	const nds_model_node_info_t *info = nds_obj_handle_to_model_node_info(obj);
	const nds_model_node_mem_usage_info_t *usage = nds_obj_handle_to_model_node_mem_usage(obj);
	uint32_t number = info->model_id;
	bool whole = info->model_node_id == ~number;

	for (size_t i = 0; i < sizeof(info->name); i++)
		whole = whole && (unsigned char)info->name[i] == number % 251;
	for (int location = 0; location < MODEL_MEM_USAGE_LOCATION_COUNT; location++)
		for (int slot = 0; slot < NDS_DMA_MEM_USAGE_SLOT_COUNT; slot++)
			whole = whole && usage->model_mem_usage[location][slot].total_size == number;
	return whole;
}

/* Commits, commits again and deletes, through both producers of one slab. */
static void *publish(void *argument)
{
	uint32_t number = (uint32_t)(size_t)argument * 1000000;
	nds_obj_handle_t objs[COMMITS];

	for (int round = 0; round < MIN_ROUNDS || (round < MAX_ROUNDS && atomic_load(&seen) < SEEN); round++) {
		for (int i = 0; i < COMMITS; i++) {
			objs[i] = nds_obj_new(producers[i % 2], OBJECT_TYPE_MODEL_NODE_INFO);
			fill(objs[i], number++);
			atomic_fetch_add(&failures, nds_obj_commit(objs[i]) != 0);
		}
		for (int i = 0; i < COMMITS; i++) {
			fill(objs[i], number++);
			atomic_fetch_add(&failures, nds_obj_commit(objs[i]) != 0);
			atomic_fetch_add(&failures, nds_obj_delete(objs[i]) != 0);
		}
	}
	return NULL;
}

static void *watch(void *argument)
{
	(void)argument;
	while (!atomic_load(&stop)) {
		nds_obj_handle_t *models = NULL;
		size_t found = 0;

		atomic_fetch_add(&failures, nds_read_all_model_nodes(reader, &models, &found) != 0);
		for (size_t i = 0; i < found; i++) {
			atomic_fetch_add(&torn, !is_whole(models[i]));
			atomic_fetch_add(&failures, nds_obj_delete(models[i]) != 0);
		}
		atomic_fetch_add(&seen, (int)found);
		free(models);
	}
	return NULL;
}

static void run(void *(*body)(void *), pthread_t *threads)
{
	for (size_t i = 0; i < THREADS; i++)
		CHECK_INT(pthread_create(&threads[i], NULL, body, (void *)(i + 1)), 0);
}

static void join(pthread_t *threads)
{
	for (int i = 0; i < THREADS; i++)
		CHECK_INT(pthread_join(threads[i], NULL), 0);
}

int main(void)
{
	pthread_t threads[THREADS], watcher;
	uint64_t value = 0;

	check_subject = "threads";
	fake_ndl_reset();
	producers[0] = open_producer();
	producers[1] = open_producer();
	reader = open_reader();

	run(count, threads);
	join(threads);
	CHECK_INT(nds_get_nc_counter(reader, 7, 29, &value), 0);
	CHECK_INT(value, 2LL * ADDITIONS * THREADS);
	CHECK_INT(nds_get_nd_counter(reader, 3, &value), 0);
	CHECK(value == UINT64_MAX);

	CHECK_INT(pthread_create(&watcher, NULL, watch, NULL), 0);
	run(publish, threads);
	join(threads);
	atomic_store(&stop, true);
	CHECK_INT(pthread_join(watcher, NULL), 0);
	CHECK_INT(atomic_load(&torn), 0);
	CHECK_INT(atomic_load(&failures), 0);
	CHECK_INT(slab_word(BITMAP_OFFSET), 0);
	CHECK(atomic_load(&seen) >= SEEN);

	CHECK_INT(nds_close(reader), 0);
	CHECK_INT(nds_close(producers[1]), 0);
	CHECK_INT(nds_close(producers[0]), 0);
	return check_result();
}
