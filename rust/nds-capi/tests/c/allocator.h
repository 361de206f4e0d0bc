/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* malloc() and its relatives for tests: they count, and fail when they are told to. */
#ifndef ALLOCATOR_H
#define ALLOCATOR_H

#include <stdbool.h>

/* Lets the allocation after the next `successes` ones fail, and all after it. */
void allocations_fail_after(long successes);

/* Lets all allocations succeed again. Returns whether one was refused meanwhile. */
bool allocations_succeed(void);

/* Allocations that are not freed. */
long allocations_alive(void);

#endif /* ALLOCATOR_H */
