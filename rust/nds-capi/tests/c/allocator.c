// SPDX-License-Identifier: MIT OR Apache-2.0
// malloc() and its relatives for tests, in front of those of glibc.

#include "allocator.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

static bool limited, refused;
static long left, alive;

static bool may_allocate(void)
{
	if (limited && left-- <= 0) {
		refused = true;
		errno = ENOMEM;
		return false;
	}
	alive++;
	return true;
}

void *malloc(size_t size)
{
	return may_allocate() ? __libc_malloc(size) : NULL;
}

void *calloc(size_t count, size_t size)
{
	return may_allocate() ? __libc_calloc(count, size) : NULL;
}

void *realloc(void *memory, size_t size)
{
	if (!may_allocate())
		return NULL;
	if (memory)
		alive--;
	return __libc_realloc(memory, size);
}

void free(void *memory)
{
	if (memory)
		alive--;
	__libc_free(memory);
}

void allocations_fail_after(long successes)
{
	limited = true;
	refused = false;
	left = successes;
}

bool allocations_succeed(void)
{
	limited = false;
	return refused;
}

long allocations_alive(void)
{
	return alive;
}
