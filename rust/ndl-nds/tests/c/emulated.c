// SPDX-License-Identifier: MIT OR Apache-2.0
// libnds over libndl_nds and an emulated device: a producer and its readers, and every error of the boundary.

#include <errno.h>
#include <ndl_nds.h>
#include <nds.h>
#include <unistd.h>

#include "check.h"

#define SLABS 16
#define SLAB_SIZE 262144
#define SOME_PID 4194304

static ndl_device_t *emulated(void)
{
	ndl_device_t *device = NULL;

	CHECK_INT(ndl_nds_emulated_open(&device), 0);
	return check_have(device, "device");
}

static ndl_device_t *opened_as(const ndl_device_t *of, int32_t pid)
{
	ndl_device_t *device = NULL;

	CHECK_INT(ndl_nds_emulated_open_as(of, pid, &device), 0);
	return check_have(device, "device");
}

static nds_instance_t *opened(ndl_device_t *device, pid_t pid)
{
	nds_instance_t *inst = NULL;

	CHECK_INT(nds_open(device, pid, &inst), 0);
	return check_have(inst, "instance");
}

static void a_monitor_reads_what_a_producer_writes(void)
{
	check_subject = "producer and monitor";
	ndl_device_t *device = emulated(), *monitors = opened_as(device, SOME_PID);
	nds_instance_t *producer = opened(device, 0), *reader = opened(monitors, getpid());
	nds_obj_handle_t model = nds_obj_new(producer, OBJECT_TYPE_MODEL_NODE_INFO), *models = NULL;
	uint64_t value = 0;
	size_t count = 0;

	nds_obj_handle_to_model_node_info(model)->model_id = 4711;
	CHECK_INT(nds_obj_commit(model), 0);
	CHECK_INT(nds_increment_nc_counter(producer, 15, 94, 3), 0);

	CHECK_INT(nds_get_nc_counter(reader, 15, 94, &value), 0);
	CHECK_INT(value, 3);
	CHECK_INT(nds_increment_nc_counter(reader, 15, 94, 1), -1);
	CHECK_INT(nds_read_all_model_nodes(reader, &models, &count), 0);
	CHECK_INT(count, 1);
	CHECK_INT(nds_obj_handle_to_model_node_info(models[0])->model_id, 4711);
	CHECK_INT(nds_obj_delete(models[0]), 0);
	free(models);
	CHECK_INT(nds_obj_delete(model), 0);

	/* The end of the producer takes the slab from its reader. */
	CHECK_INT(nds_close(producer), 0);
	CHECK_INT(nds_get_nc_counter(reader, 15, 94, &value), 0);
	CHECK_INT(value, 0);
	CHECK_INT(nds_close(reader), 0);
	CHECK_INT(nds_open(monitors, getpid(), &reader), -ENOENT);
	CHECK_INT(ndl_nds_device_close(monitors), 0);
	CHECK_INT(ndl_nds_device_close(device), 0);
}

static void processes_without_a_slab_are_not_found(void)
{
	static const pid_t pids[] = { SOME_PID, -1, -5, INT32_MIN, INT32_MAX };
	nds_instance_t *inst = NULL;

	check_subject = "not found";
	ndl_device_t *device = emulated();

	for (size_t i = 0; i < sizeof(pids) / sizeof(pids[0]); i++)
		CHECK_INT(nds_open(device, pids[i], &inst), -ENOENT);
	CHECK(inst == NULL);
	CHECK_INT(ndl_nds_device_close(device), 0);
}

static void sixteen_processes_fill_a_device(void)
{
	ndl_device_t *devices[SLABS + 1];
	nds_instance_t *producers[SLABS], *one_more = NULL;

	check_subject = "full";
	ndl_device_t *device = emulated();

	for (int i = 0; i <= SLABS; i++)
		devices[i] = opened_as(device, SOME_PID + i);
	for (int i = 0; i < SLABS; i++)
		producers[i] = opened(devices[i], 0);
	CHECK_INT(nds_open(devices[SLABS], 0, &one_more), -ENOMEM);
	CHECK_INT(nds_close(producers[7]), 0);
	CHECK_INT(nds_open(devices[SLABS], 0, &one_more), 0);
	producers[7] = one_more;
	for (int i = 0; i < SLABS; i++)
		CHECK_INT(nds_close(producers[i]), 0);
	for (int i = 0; i <= SLABS; i++)
		CHECK_INT(ndl_nds_device_close(devices[i]), 0);
	CHECK_INT(ndl_nds_device_close(device), 0);
}

static void the_slab_goes_with_the_last_producer(void)
{
	uint64_t value = 0;

	check_subject = "two producers";
	ndl_device_t *device = emulated();
	nds_instance_t *first = opened(device, 0), *second = opened(device, 0);

	CHECK_INT(nds_increment_nd_counter(first, 3, 5), 0);
	CHECK_INT(nds_close(first), 0);
	CHECK_INT(nds_get_nd_counter(second, 3, &value), 0);
	CHECK_INT(value, 5);
	CHECK_INT(nds_close(second), 0);
	second = opened(device, 0);
	CHECK_INT(nds_get_nd_counter(second, 3, &value), 0);
	CHECK_INT(value, 0);
	CHECK_INT(nds_close(second), 0);
	CHECK_INT(ndl_nds_device_close(device), 0);
}

static void closing_a_device_ends_its_mappings(void)
{
	nds_instance_t *reader = NULL;
	size_t size = 0;
	void *data = NULL;

	check_subject = "forgotten mapping";
	ndl_device_t *device = emulated(), *monitors = opened_as(device, SOME_PID);

	CHECK_INT(ndl_nds_open(device, 0, &data, &size), 0);
	CHECK_INT(size, SLAB_SIZE);
	CHECK_INT(ndl_nds_device_close(device), 0);
	CHECK_INT(nds_open(monitors, getpid(), &reader), -ENOENT);
	CHECK_INT(ndl_nds_device_close(monitors), 0);
}

static void only_what_was_opened_can_be_closed(void)
{
	char *data = NULL;
	size_t size = 0;

	check_subject = "close";
	ndl_device_t *device = emulated(), *other = opened_as(device, SOME_PID);

	CHECK_INT(ndl_nds_open(device, 0, (void **)&data, &size), 0);
	CHECK_INT(ndl_nds_close(device, 0, data, size - 1), -EINVAL);
	CHECK_INT(ndl_nds_close(device, 0, data + 4096, size), -EINVAL);
	CHECK_INT(ndl_nds_close(device, 0, NULL, size), -EINVAL);
	CHECK_INT(ndl_nds_close(device, 4711, data, size), -EINVAL);
	CHECK_INT(ndl_nds_close(other, 0, data, size), -EINVAL);
	data[8] = 1;
	CHECK_INT(ndl_nds_close(device, 0, data, size), 0);
	CHECK_INT(ndl_nds_close(device, 0, data, size), -EINVAL);
	CHECK_INT(ndl_nds_device_close(other), 0);
	CHECK_INT(ndl_nds_device_close(device), 0);
}

static void files_that_are_no_devices_are_refused(void)
{
	ndl_device_t *const untouched = (ndl_device_t *)&check_count;
	ndl_device_t *device = untouched;
	nds_instance_t *inst = NULL;

	check_subject = "files";
	CHECK_INT(ndl_nds_device_open("/nonexistent/neuron0", false, &device), -ENOENT);
	CHECK_INT(ndl_nds_device_open("/proc/self/exe", true, &device), -ENOTTY);
	CHECK_INT(ndl_nds_device_open("", true, &device), -ENOENT);
	CHECK_INT(ndl_nds_device_open_index(64, false, &device), -ENODEV);
	CHECK_INT(ndl_nds_device_open_index(UINT32_MAX, true, &device), -ENODEV);
	CHECK(device == untouched);

	/* A character device that knows nothing of slabs. */
	CHECK_INT(ndl_nds_device_open("/dev/null", false, &device), 0);
	CHECK_INT(nds_open(device, 0, &inst), -ENOTTY);
	CHECK_INT(nds_open(device, 4711, &inst), -ENOTTY);
	CHECK_INT(ndl_nds_emulated_open_as(device, 1, &(ndl_device_t *){ NULL }), -EINVAL);
	CHECK_INT(ndl_nds_device_close(device), 0);

	/* No producer on what is open for reading only. */
	CHECK_INT(ndl_nds_device_open("/dev/null", true, &device), 0);
	CHECK_INT(nds_open(device, 0, &inst), -EACCES);
	CHECK_INT(ndl_nds_device_close(device), 0);
	CHECK(inst == NULL);
}

static void null_is_answered(void)
{
	check_subject = "NULL";
	ndl_device_t *device = emulated();
	nds_instance_t *inst = NULL;
	void *data = NULL;
	size_t size = 0;

	CHECK_INT(ndl_nds_device_open(NULL, false, &device), -EINVAL);
	CHECK_INT(ndl_nds_device_open("/dev/null", false, NULL), -EINVAL);
	CHECK_INT(ndl_nds_device_open_index(0, false, NULL), -EINVAL);
	CHECK_INT(ndl_nds_emulated_open(NULL), -EINVAL);
	CHECK_INT(ndl_nds_emulated_open_as(NULL, 1, &device), -EINVAL);
	CHECK_INT(ndl_nds_emulated_open_as(device, 1, NULL), -EINVAL);
	CHECK_INT(ndl_nds_device_close(NULL), -EINVAL);
	CHECK_INT(ndl_nds_open(NULL, 0, &data, &size), -EINVAL);
	CHECK_INT(ndl_nds_open(device, 0, NULL, &size), -EINVAL);
	CHECK_INT(ndl_nds_open(device, 0, &data, NULL), -EINVAL);
	CHECK_INT(ndl_nds_close(NULL, 0, &data, SLAB_SIZE), -EINVAL);
	CHECK_INT(nds_open(NULL, 0, &inst), -EINVAL);
	CHECK(data == NULL && size == 0 && inst == NULL);
	CHECK_INT(ndl_nds_device_close(device), 0);
}

int main(void)
{
	a_monitor_reads_what_a_producer_writes();
	processes_without_a_slab_are_not_found();
	sixteen_processes_fill_a_device();
	the_slab_goes_with_the_last_producer();
	closing_a_device_ends_its_mappings();
	only_what_was_opened_can_be_closed();
	files_that_are_no_devices_are_refused();
	null_is_answered();
	return check_result();
}
