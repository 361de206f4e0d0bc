/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Checks that name the place and the values, and go on; main() returns check_result(). */
#ifndef CHECK_H
#define CHECK_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_failures;
static long check_count;

/* What the checks are about at the moment, such as the id of a vector. */
static const char *check_subject = "";

#define CHECK(condition) \
	check_that((condition) != 0, __FILE__, __LINE__, #condition)
#define CHECK_INT(got, expected) \
	check_int((long long)(got), (long long)(expected), __FILE__, __LINE__, #got)
#define CHECK_BYTES(got, expected, length) \
	check_that(memcmp((got), (expected), (length)) == 0, __FILE__, __LINE__, #got " == " #expected)

static inline void check_that(int holds, const char *file, int line, const char *what)
{
	check_count++;
	if (!holds) {
		check_failures++;
		fprintf(stderr, "%s:%d: %s: not so: %s\n", file, line, check_subject, what);
	}
}

static inline void check_int(long long got, long long expected, const char *file, int line, const char *what)
{
	check_count++;
	if (got != expected) {
		check_failures++;
		fprintf(stderr, "%s:%d: %s: %s is %lld, not %lld\n", file, line, check_subject, what, got, expected);
	}
}

/* Without this nothing after it makes sense. */
static inline void *check_have(void *pointer, const char *what)
{
	if (pointer == NULL) {
		fprintf(stderr, "%s: there is no %s\n", check_subject, what);
		exit(2);
	}
	return pointer;
}

/* Exit status; a program that checked nothing has failed. */
static inline int check_result(void)
{
	if (check_count == 0)
		fprintf(stderr, "nothing was checked\n");
	return check_failures == 0 && check_count > 0 ? 0 : 1;
}

#endif /* CHECK_H */
