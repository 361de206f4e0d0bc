// SPDX-License-Identifier: MIT OR Apache-2.0
// A slab is written by a process that nobody trusts: every reading function over arbitrary bytes. The slab is as
// small as one may be, ends at a page that cannot be accessed, and is mapped without write permission. The argument is
// the number of rounds.

#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "internal.h"
#include "sleeps.h"

#define REQUIRED_SIZE 67200
#define ROUNDS 1500
#define SLOTS 64

static unsigned char *writable;
static void *read_only;

int ndl_nds_open(ndl_device_t *device, int32_t pid, void **data, size_t *size)
{
	(void)device;
	(void)pid;
	*data = read_only;
	*size = REQUIRED_SIZE;
	return 0;
}

int ndl_nds_close(ndl_device_t *device, int32_t pid, void *data, size_t size)
{
	(void)device;
	(void)pid;
	return data == read_only && size == REQUIRED_SIZE ? 0 : -1;
}

/* xorshift64*, from a fixed seed. */
static uint64_t state = 0x9e3779b97f4a7c15ULL;

static uint64_t next(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1dULL;
}

static void map_slab(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t size = (REQUIRED_SIZE + page - 1) / page * page;
	int file = memfd_create("slab", MFD_CLOEXEC);

	if (file < 0 || ftruncate(file, (off_t)size) != 0)
		exit(2);

	/* The view of readers has an inaccessible page after its end. */
	unsigned char *area = mmap(NULL, size + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned char *view = mmap(area, size, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0);
	unsigned char *own = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

	if (area == MAP_FAILED || view == MAP_FAILED || own == MAP_FAILED)
		exit(2);
	read_only = view + size - REQUIRED_SIZE;
	writable = own + size - REQUIRED_SIZE;
}

/* Makes the record at an offset one that verifies, whatever is in it. */
static void seal(size_t offset, size_t length)
{
	uint32_t hash = 0;

	memcpy(writable + offset, &hash, sizeof(hash));
	hash = nds_hash(writable + offset, length);
	memcpy(writable + offset, &hash, sizeof(hash));
}

static void scribble(void)
{
	size_t runs = next() % 8 + 1;

	for (size_t run = 0; run < runs; run++) {
		size_t offset = next() % REQUIRED_SIZE, length = next() % 4096;

		for (size_t i = offset; i < offset + length && i < REQUIRED_SIZE; i++)
			writable[i] = (unsigned char)next();
	}
	if (next() % 2)
		seal(0x4e0, 64);
	if (next() % 2)
		seal(0xad28, 260);
	for (int slot = 0; slot < SLOTS; slot++)
		if (next() % 2)
			seal(0x528 + 672 * (size_t)slot, 672);
}

/* Adds up all bytes of a payload, so that each one is read. */
static unsigned long sum(const void *payload, size_t length)
{
	const unsigned char *bytes = payload;
	unsigned long total = 0;

	for (size_t i = 0; i < length; i++)
		total += bytes[i];
	return total;
}

static unsigned long total;
static size_t accepted;

static void use(nds_obj_handle_t obj)
{
	if (!obj)
		return;
	accepted++;
	if (nds_obj_handle_to_process_info(obj))
		total += sum(nds_obj_handle_to_process_info(obj), sizeof(nds_process_info_t));
	if (nds_obj_handle_to_process_info_ext(obj))
		total += sum(nds_obj_handle_to_process_info_ext(obj), sizeof(nds_process_info_ext_t));
	if (nds_obj_handle_to_model_node_info(obj))
		total += sum(nds_obj_handle_to_model_node_info(obj), sizeof(nds_model_node_info_t)) +
			 sum(nds_obj_handle_to_model_node_mem_usage(obj), sizeof(nds_model_node_mem_usage_info_t));
	CHECK_INT(nds_obj_delete(obj), 0);
}

static void read_everything(nds_instance_t *inst)
{
	nds_obj_handle_t *models = NULL;
	size_t count = 0;
	uint64_t value;

	use(nds_read_process_info(inst));
	use(nds_read_process_info_ext(inst));
	use(nds_read_model_node_info_data(inst, (int)(next() % SLOTS)));
	CHECK_INT(nds_read_all_model_nodes(inst, &models, &count), 0);
	CHECK(count <= SLOTS);
	for (size_t i = 0; i < count; i++)
		use(models[i]);
	free(models);
	total += (unsigned long)nds_get_empty_model_slot(nds_get_ptr(inst));
	total += (unsigned long)nds_check_header(inst);
	for (int i = 0; i < 64; i++) {
		(void)nds_get_nc_counter(inst, (int)next(), (uint32_t)next(), &value);
		(void)nds_get_nd_counter(inst, (uint32_t)next(), &value);
		(void)nds_get_nc_counter(inst, (int)(next() % 20), (uint32_t)(next() % 100), &value);
		(void)nds_get_nd_counter(inst, (uint32_t)(next() % 40), &value);
	}
}

int main(int argc, char **argv)
{
	const size_t rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : ROUNDS;
	const uint64_t header = 0x000186a00073646eULL;
	nds_instance_t *inst = NULL;

	check_subject = "arbitrary bytes";
	map_slab();
	memcpy(writable, &header, sizeof(header));
	CHECK_INT(nds_open(NULL, 4711, &inst), 0);
	for (size_t round = 0; round < rounds; round++) {
		scribble();
		sleeps_reset(NULL);
		read_everything(check_have(inst, "instance"));
		/* One wait for each of the three single records, for the header, and at most one for each slot. */
		CHECK(sleep_count <= 4 + SLOTS);
	}
	CHECK(accepted > rounds);
	CHECK_INT(nds_close(inst), 0);

	/* Arbitrary headers. */
	for (size_t round = 0; round < rounds; round++) {
		uint64_t word = next() % 4 ? next() : header;

		memcpy(writable, &word, sizeof(word));
		CHECK_INT(nds_open(NULL, 4711, &inst), word == header ? 0 : -22);
		if (word == header)
			CHECK_INT(nds_close(inst), 0);
	}
	printf("%zu records, sum %lu\n", accepted, total);
	return check_result();
}
