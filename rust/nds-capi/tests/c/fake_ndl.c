// SPDX-License-Identifier: MIT OR Apache-2.0
// The mapping boundary for tests, over a memory file.

#include "fake_ndl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A pid that readers of this test ask for: of no process that could be this one. */
#define SOME_PID 4194304

/* Where the original keeps the mapping in an instance. */
#define MAPPING_OFFSET 24

struct fake_ndl fake;

static char devices[2];
ndl_device_t *const device = (ndl_device_t *)&devices[0];
ndl_device_t *const other_device = (ndl_device_t *)&devices[1];

static int file = -1;

/* Room for a size above that of a slab, and for a misaligned base. */
static const size_t mapped = SLAB_SIZE + 4096;

static void die(const char *what)
{
	perror(what);
	exit(2);
}

void fake_ndl_reset(void)
{
	if (file >= 0) {
		munmap(fake.slab, mapped);
		close(file);
	}
	memset(&fake, 0, sizeof(fake));
	fake.size = SLAB_SIZE;

	file = memfd_create("slab", MFD_CLOEXEC);
	if (file < 0 || ftruncate(file, (off_t)mapped) != 0)
		die("memfd");
	fake.slab = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (fake.slab == MAP_FAILED)
		die("mmap");
}

int ndl_nds_open(ndl_device_t *of_device, int32_t pid, void **data, size_t *size)
{
	fake.last_device = of_device;
	fake.last_pid = pid;
	if (fake.open_code != 0)
		return fake.open_code;
	fake.opens++;
	*size = fake.size;
	*data = NULL;
	if (fake.no_mapping)
		return 0;

	int protection = pid == 0 ? PROT_READ | PROT_WRITE : PROT_READ;
	char *base = mmap(NULL, mapped, protection, MAP_SHARED, file, 0);
	if (base == MAP_FAILED)
		die("mmap");
	*data = base + fake.misalignment;
	return 0;
}

int ndl_nds_close(ndl_device_t *of_device, int32_t pid, void *data, size_t size)
{
	fake.last_device = of_device;
	fake.last_pid = pid;
	fake.closes++;
	if (size != fake.size) {
		fprintf(stderr, "close was given size %zu, open had reported %zu\n", size, fake.size);
		exit(2);
	}
	if (data != NULL && munmap((char *)data - fake.misalignment, mapped) != 0)
		die("munmap");
	return fake.close_code;
}

uint64_t slab_word(size_t offset)
{
	uint64_t word;

	memcpy(&word, fake.slab + offset, sizeof(word));
	return word;
}

void set_slab_word(size_t offset, uint64_t value)
{
	memcpy(fake.slab + offset, &value, sizeof(value));
}

static nds_instance_t *open_instance(pid_t pid)
{
	nds_instance_t *inst = NULL;
	int code = nds_open(device, pid, &inst);

	if (code != 0) {
		fprintf(stderr, "nds_open for pid %d returned %d\n", (int)pid, code);
		exit(2);
	}
	return inst;
}

nds_instance_t *open_producer(void)
{
	return open_instance(0);
}

nds_instance_t *open_reader(void)
{
	return open_instance(SOME_PID);
}

void forget_mapping(nds_instance_t *inst, void **mapping)
{
	memcpy(mapping, (char *)inst + MAPPING_OFFSET, sizeof(*mapping));
	restore_mapping(inst, NULL);
}

void restore_mapping(nds_instance_t *inst, void *mapping)
{
	memcpy((char *)inst + MAPPING_OFFSET, &mapping, sizeof(mapping));
}
