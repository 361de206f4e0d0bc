// SPDX-License-Identifier: MIT OR Apache-2.0
// The nine counter functions: every address, every refusal, the order of the checks.

#include <errno.h>

#include "check.h"
#include "fake_ndl.h"
#include "internal.h"
#include "vectors.h"

/* The nine functions by what they do: a core of -1 means a device counter. */
static int add(nds_instance_t *inst, int core, uint32_t counter, uint64_t amount)
{
	return nds_increment_nc_counter(inst, core, counter, amount);
}

static int sub(nds_instance_t *inst, int core, uint32_t counter, uint64_t amount)
{
	return nds_decrement_nc_counter(inst, core, counter, amount);
}

static int set(nds_instance_t *inst, int core, uint32_t counter, uint64_t value)
{
	return nds_set_nc_counter(inst, core, counter, &value);
}

static int nd_add(nds_instance_t *inst, int core, uint32_t counter, uint64_t amount)
{
	(void)core;
	return nds_increment_nd_counter(inst, counter, amount);
}

static int nd_sub(nds_instance_t *inst, int core, uint32_t counter, uint64_t amount)
{
	(void)core;
	return nds_decrement_nd_counter(inst, counter, amount);
}

static int nd_set(nds_instance_t *inst, int core, uint32_t counter, uint64_t value)
{
	(void)core;
	return nds_set_nd_counter(inst, counter, &value);
}

static int nd_or(nds_instance_t *inst, int core, uint32_t counter, uint64_t bit)
{
	(void)core;
	return nds_or_nd_counter(inst, counter, bit);
}

typedef int mutator(nds_instance_t *inst, int core, uint32_t counter, uint64_t operand);

static mutator *const mutators[] = { add, sub, set, nd_add, nd_sub, nd_set, nd_or };
#define MUTATORS (sizeof(mutators) / sizeof(mutators[0]))
#define FIRST_ND 3

static unsigned char before[SLAB_SIZE];

static void remember_slab(void)
{
	memcpy(before, fake.slab, SLAB_SIZE);
}

static void every_counter_has_its_word(void)
{
	const struct nc_row *nc;
	const struct nd_row *nd;
	uint64_t number = 1;

	check_subject = "addresses";
	fake_ndl_reset();
	nds_instance_t *inst = open_producer();

	/* Different values everywhere, written before any is read: no two counters share a word. */
	FOR_EACH(nc, nc_rows)
		CHECK_INT(set(inst, nc->core, nc->counter, number++), 0);
	FOR_EACH(nd, nd_rows)
		CHECK_INT(nd_set(inst, -1, nd->index, number++), 0);

	number = 1;
	FOR_EACH(nc, nc_rows) {
		uint64_t value = 0;

		CHECK_INT(nds_get_nc_counter(inst, nc->core, nc->counter, &value), 0);
		CHECK_INT(value, number);
		CHECK_INT(slab_word(nc->offset), number++);
	}
	FOR_EACH(nd, nd_rows) {
		uint64_t value = 0;

		CHECK_INT(nds_get_nd_counter(inst, nd->index, &value), 0);
		CHECK_INT(value, number);
		CHECK_INT(slab_word(nd->offset), number++);
	}
	CHECK_INT(nds_close(inst), 0);
}

static void arithmetic_wraps(void)
{
	uint64_t value = 0;

	check_subject = "arithmetic";
	fake_ndl_reset();
	nds_instance_t *inst = open_producer();

	CHECK_INT(sub(inst, 5, 22, 1), 0);
	CHECK_INT(nds_get_nc_counter(inst, 5, 22, &value), 0);
	CHECK(value == UINT64_MAX);
	CHECK_INT(add(inst, 5, 22, 3), 0);
	CHECK_INT(nds_get_nc_counter(inst, 5, 22, &value), 0);
	CHECK_INT(value, 2);
	CHECK_INT(nd_sub(inst, -1, 30, 2), 0);
	CHECK_INT(nd_add(inst, -1, 30, 1), 0);
	CHECK_INT(nds_get_nd_counter(inst, 30, &value), 0);
	CHECK(value == UINT64_MAX);
	CHECK_INT(nds_close(inst), 0);
}

static void or_takes_the_number_of_a_bit(void)
{
	static const uint64_t bad[] = { 64, 65, 128, 1ULL << 32, (1ULL << 32) + 1, UINT64_MAX };
	uint64_t value = 0;

	check_subject = "or";
	fake_ndl_reset();
	nds_instance_t *inst = open_producer();

	CHECK_INT(nds_or_nd_counter(inst, 3, BIT_INDEX_MULTICORE_FEATURE), 0);
	CHECK_INT(nds_or_nd_counter(inst, 3, BIT_INDEX_MULTICORE_FEATURE), 0);
	CHECK_INT(nds_or_nd_counter(inst, 3, 63), 0);
	CHECK_INT(nds_get_nd_counter(inst, 3, &value), 0);
	CHECK(value == (2 | 1ULL << 63));
	CHECK_INT(nds_or_nd_counter(inst, 30, 0), 0);
	remember_slab();
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK_INT(nds_or_nd_counter(inst, 3, bad[i]), -EINVAL);
	CHECK_BYTES(fake.slab, before, SLAB_SIZE);
	CHECK_INT(nds_close(inst), 0);
}

/* What every mutator and both getters return for an index that does not exist. */
static void expect_codes(nds_instance_t *inst, int from_mutators, int from_getters)
{
	const struct nc_row *nc;
	const struct nd_row *nd;

	remember_slab();
	FOR_EACH(nc, invalid_nc_rows) {
		uint64_t value = 42;

		for (size_t i = 0; i < FIRST_ND; i++)
			CHECK_INT(mutators[i](inst, nc->core, nc->counter, 1), from_mutators);
		CHECK_INT(nds_get_nc_counter(inst, nc->core, nc->counter, &value), from_getters);
		CHECK_INT(value, 42);
	}
	FOR_EACH(nd, invalid_nd_rows) {
		uint64_t value = 42;

		for (size_t i = FIRST_ND; i < MUTATORS; i++)
			CHECK_INT(mutators[i](inst, -1, nd->index, 1), from_mutators);
		CHECK_INT(nds_get_nd_counter(inst, nd->index, &value), from_getters);
		CHECK_INT(value, 42);
	}
	CHECK_BYTES(fake.slab, before, SLAB_SIZE);
}

static void indices_that_do_not_exist_are_refused(void)
{
	void *mapping;

	check_subject = "bad index";
	fake_ndl_reset();
	nds_instance_t *producer = open_producer();
	nds_instance_t *reader = open_reader();

	expect_codes(producer, -EINVAL, -EINVAL);
	check_subject = "bad index, reader";
	expect_codes(reader, -1, -EINVAL);
	check_subject = "bad index, no mapping";
	forget_mapping(producer, &mapping);
	expect_codes(producer, -1, -1);
	restore_mapping(producer, mapping);
	check_subject = "bad index, NULL";
	expect_codes(NULL, -1, -1);
	CHECK_INT(nds_close(reader), 0);
	CHECK_INT(nds_close(producer), 0);
}

static void without_a_mapping_nothing_works(void)
{
	void *mapping;
	uint64_t value = 42;

	check_subject = "no mapping";
	fake_ndl_reset();
	nds_instance_t *inst = open_producer();

	forget_mapping(inst, &mapping);
	for (size_t i = 0; i < MUTATORS; i++) {
		CHECK_INT(mutators[i](inst, 0, 0, 1), -1);
		CHECK_INT(mutators[i](NULL, 0, 0, 1), -1);
	}
	CHECK_INT(nds_get_nc_counter(inst, 0, 0, &value), -1);
	CHECK_INT(nds_get_nd_counter(inst, 0, &value), -1);
	CHECK_INT(nds_get_nc_counter(NULL, 0, 0, &value), -1);
	CHECK_INT(nds_get_nd_counter(NULL, 0, &value), -1);
	CHECK_INT(value, 42);
	restore_mapping(inst, mapping);
	CHECK_INT(nds_close(inst), 0);
}

static void a_missing_value_is_refused(void)
{
	check_subject = "NULL value";
	fake_ndl_reset();
	nds_instance_t *producer = open_producer();
	nds_instance_t *reader = open_reader();

	remember_slab();
	CHECK_INT(nds_set_nc_counter(producer, 0, 0, NULL), -EINVAL);
	CHECK_INT(nds_set_nd_counter(producer, 0, NULL), -EINVAL);
	CHECK_INT(nds_get_nc_counter(producer, 0, 0, NULL), -EINVAL);
	CHECK_INT(nds_get_nd_counter(producer, 0, NULL), -EINVAL);
	CHECK_INT(nds_set_nc_counter(reader, 0, 0, NULL), -1);
	CHECK_INT(nds_set_nd_counter(reader, 0, NULL), -1);
	CHECK_INT(nds_get_nc_counter(reader, 0, 0, NULL), -EINVAL);
	CHECK_INT(nds_get_nd_counter(reader, 0, NULL), -EINVAL);
	CHECK_BYTES(fake.slab, before, SLAB_SIZE);
	CHECK_INT(nds_close(reader), 0);
	CHECK_INT(nds_close(producer), 0);
}

int main(void)
{
	every_counter_has_its_word();
	arithmetic_wraps();
	or_takes_the_number_of_a_bit();
	indices_that_do_not_exist_are_refused();
	without_a_mapping_nothing_works();
	a_missing_value_is_refused();
	return check_result();
}
