// SPDX-License-Identifier: MIT OR Apache-2.0
// Opening and closing: every error return, every mapping given back, the header.

#include <errno.h>
#include <unistd.h>

#include "check.h"
#include "fake_ndl.h"
#include "internal.h"
#include "sleeps.h"
#include "vectors.h"

static nds_instance_t *const untouched = (nds_instance_t *)&fake;

/* Opens, expects an error, and checks that nothing was handed out or kept, besides what is open. */
static void expect_refusal_beside(int open, pid_t pid, int expected)
{
	nds_instance_t *inst = untouched;

	CHECK_INT(nds_open(device, pid, &inst), expected);
	CHECK(inst == untouched);
	CHECK_INT(fake.opens - fake.closes, open);
}

static void expect_refusal(pid_t pid, int expected)
{
	expect_refusal_beside(0, pid, expected);
}

static void the_slab_must_have_the_required_size(void)
{
	const struct gate_row *row;

	check_subject = "size";
	FOR_EACH(row, gate_rows) {
		nds_instance_t *inst = NULL;

		fake_ndl_reset();
		fake.size = row->size;
		if (!row->accepted) {
			expect_refusal(0, -EINVAL);
			set_slab_word(0, HEADER_WORD);
			expect_refusal(77, -EINVAL);
			continue;
		}
		CHECK_INT(nds_open(device, 0, &inst), 0);
		CHECK_INT(nds_close(inst), 0);
	}
}

static void an_unusable_mapping_is_refused(void)
{
	check_subject = "mapping";
	fake_ndl_reset();
	fake.no_mapping = true;
	expect_refusal(0, -EINVAL);
	fake_ndl_reset();
	fake.misalignment = 4;
	expect_refusal(0, -EINVAL);
}

static void codes_of_ndl_are_passed_through(void)
{
	static const int codes[] = { -ENOENT, -ENOMEM, -EPERM, 1, 28, 12345 };

	check_subject = "codes of NDL";
	fake_ndl_reset();
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		fake.open_code = codes[i];
		expect_refusal(0, codes[i]);
		expect_refusal(4711, codes[i]);
		expect_refusal(-5, codes[i]);
		CHECK_INT(fake.last_pid, -5);
	}
	CHECK_INT(fake.opens, 0);
}

static void closing_returns_what_ndl_says_and_frees_anyway(void)
{
	check_subject = "close";
	fake_ndl_reset();
	nds_instance_t *inst = open_producer();

	CHECK(fake.last_device == device);
	CHECK_INT(fake.last_pid, 0);
	fake.close_code = -EIO;
	CHECK_INT(nds_close(inst), -EIO);
	fake.close_code = 17;
	set_slab_word(0, HEADER_WORD);
	inst = open_reader();
	CHECK(fake.last_pid > 0);
	CHECK_INT(nds_close(inst), 17);
	CHECK_INT(fake.closes, 2);
}

static void null_is_answered(void)
{
	check_subject = "NULL";
	fake_ndl_reset();
	CHECK_INT(nds_open(device, 0, NULL), -EINVAL);
	CHECK_INT(fake.opens, 0);
	CHECK_INT(nds_close(NULL), -EINVAL);
	CHECK(nds_get_ptr(NULL) == NULL);
	CHECK(nds_is_read_only(NULL));
	nds_commit_header(NULL);
	CHECK_INT(nds_check_header(NULL), -EINVAL);
}

static void a_producer_stamps_the_header_and_nothing_else(void)
{
	check_subject = "stamp";
	fake_ndl_reset();
	sleeps_reset(NULL);
	nds_instance_t *inst = open_producer();

	CHECK(slab_word(0) == HEADER_WORD);
	for (size_t offset = 8; offset < SLAB_SIZE; offset += 8)
		if (slab_word(offset) != 0)
			CHECK_INT(offset, 0);
	CHECK_INT(sleep_count, 0);
	CHECK(!nds_is_read_only(inst));

	set_slab_word(0, 0);
	nds_commit_header(inst);
	CHECK(slab_word(0) == HEADER_WORD);
	CHECK(memcmp(nds_get_ptr(inst), fake.slab, SLAB_SIZE) == 0);
	CHECK_INT(nds_close(inst), 0);
}

static void a_second_producer_changes_nothing(void)
{
	check_subject = "second producer";
	fake_ndl_reset();
	nds_instance_t *first = open_producer();

	CHECK_INT(nds_increment_nd_counter(first, 3, 5), 0);
	nds_instance_t *second = open_producer();
	uint64_t value = 0;

	CHECK_INT(nds_get_nd_counter(second, 3, &value), 0);
	CHECK_INT(value, 5);
	CHECK_INT(nds_close(first), 0);
	CHECK_INT(nds_close(second), 0);
}

static void a_reader_needs_a_header(void)
{
	check_subject = "reader";
	fake_ndl_reset();
	sleeps_reset(NULL);
	expect_refusal(4711, -EINVAL);
	CHECK_INT(sleep_count, 1);
	CHECK_INT(sleeps[0], 500);

	set_slab_word(0, HEADER_WORD);
	nds_instance_t *inst = open_reader();

	CHECK(nds_is_read_only(inst));
	CHECK_INT(nds_check_header(inst), 0);
	CHECK_INT(sleep_count, 1);
	set_slab_word(0, 0);
	CHECK_INT(nds_check_header(inst), -EINVAL);
	CHECK_INT(sleep_count, 2);

	void *mapping;

	forget_mapping(inst, &mapping);
	CHECK_INT(nds_check_header(inst), -1);
	CHECK(nds_get_ptr(inst) == NULL);
	nds_commit_header(inst);
	restore_mapping(inst, mapping);
	CHECK_INT(nds_close(inst), 0);
}

static void a_producer_is_kept_from_reading_itself_as_another(void)
{
	nds_instance_t *early = NULL, *elsewhere = NULL, *late = untouched;

	check_subject = "own pid";
	fake_ndl_reset();
	set_slab_word(0, HEADER_WORD);
	CHECK_INT(nds_open(device, getpid(), &early), 0);
	nds_instance_t *producer = open_producer();
	int opens = fake.opens;

	CHECK_INT(nds_open(device, getpid(), &late), -EINVAL);
	CHECK(late == untouched);
	CHECK_INT(fake.opens, opens);
	CHECK_INT(nds_open(other_device, getpid(), &elsewhere), 0);
	CHECK_INT(nds_close(elsewhere), 0);

	int closes = fake.closes;

	CHECK_INT(nds_close(early), -EINVAL);
	CHECK_INT(fake.closes, closes);
	CHECK_INT(nds_check_header(early), 0);
	CHECK_INT(nds_close(producer), 0);
	CHECK_INT(nds_close(early), 0);
	CHECK_INT(fake.closes, fake.opens);
}

static void each_producer_of_several_counts(void)
{
	nds_instance_t *producers[5], *reader = untouched;

	check_subject = "several producers";
	fake_ndl_reset();
	for (int i = 0; i < 5; i++)
		CHECK_INT(nds_open(i == 2 ? other_device : device, 0, &producers[i]), 0);
	CHECK_INT(nds_close(producers[2]), 0);
	for (int i = 4; i >= 0; i--) {
		if (i == 2)
			continue;
		CHECK_INT(nds_open(device, getpid(), &reader), -EINVAL);
		CHECK_INT(nds_close(producers[i]), 0);
	}
	CHECK_INT(nds_open(device, getpid(), &reader), 0);
	CHECK_INT(nds_close(reader), 0);
}

/* 16 on each of 64 devices; nobody is known to need more than one on each. */
static void the_number_of_producers_has_a_limit(void)
{
	static nds_instance_t *producers[1024];

	check_subject = "limit";
	fake_ndl_reset();
	for (int i = 0; i < 1024; i++)
		producers[i] = open_producer();
	expect_refusal_beside(1024, 0, -ENOMEM);
	CHECK_INT(nds_close(producers[500]), 0);
	producers[500] = open_producer();
	for (int i = 0; i < 1024; i++)
		CHECK_INT(nds_close(producers[i]), 0);
	CHECK_INT(fake.closes, fake.opens);
}

int main(void)
{
	the_slab_must_have_the_required_size();
	an_unusable_mapping_is_refused();
	codes_of_ndl_are_passed_through();
	closing_returns_what_ndl_says_and_frees_anyway();
	null_is_answered();
	a_producer_stamps_the_header_and_nothing_else();
	a_second_producer_changes_nothing();
	a_reader_needs_a_header();
	a_producer_is_kept_from_reading_itself_as_another();
	each_producer_of_several_counts();
	the_number_of_producers_has_a_limit();
	return check_result();
}
