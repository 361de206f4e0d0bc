// SPDX-License-Identifier: MIT OR Apache-2.0
// A producer process that republishes as fast as it can, a reader process that reads as fast as it can, and the end
// of the producer in the middle of it.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "fake_ndl.h"
#include "internal.h"

#define READS 50000
#define TRIES (READS * 20L)

static void fill(nds_process_info_ext_t *info, unsigned char number)
{
	memset(info->tag, number, sizeof(info->tag));
}

static _Noreturn void produce(void)
{
	nds_instance_t *inst = open_producer();
	nds_obj_handle_t obj = check_have(nds_obj_new(inst, OBJECT_TYPE_PROCESS_INFO_EXT), "object");

	for (unsigned char number = 1;; number++) {
		fill(nds_obj_handle_to_process_info_ext(obj), number);
		if (nds_obj_commit(obj) != 0)
			_exit(1);
	}
}

/* Whether a record was accepted; all its bytes must be the same then. */
static bool read_once(nds_instance_t *reader)
{
	nds_process_info_ext_t expected;
	nds_obj_handle_t obj = nds_read_process_info_ext(reader);

	if (!obj)
		return false;
	const nds_process_info_ext_t *info = nds_obj_handle_to_process_info_ext(obj);

	fill(&expected, (unsigned char)info->tag[0]);
	CHECK_BYTES(info->tag, expected.tag, sizeof(expected.tag));
	CHECK_INT(nds_obj_delete(obj), 0);
	return true;
}

int main(void)
{
	long reads = 0, tries = 0;

	check_subject = "two processes";
	fake_ndl_reset();
	pid_t child = fork();

	if (child == 0)
		produce();
	CHECK(child > 0);
	while (slab_word(0) != HEADER_WORD)
		usleep(100);

	nds_instance_t *reader = open_reader();

	for (; reads < READS && tries < TRIES; tries++)
		reads += read_once(reader);
	CHECK_INT(reads, READS);

	/* Killed anywhere in a publish: the record is whole or is not there, and stays so. */
	CHECK_INT(kill(child, SIGKILL), 0);
	CHECK_INT(waitpid(child, NULL, 0), child);
	bool whole = read_once(reader);

	for (int i = 0; i < 10; i++)
		CHECK(read_once(reader) == whole);
	CHECK_INT(nds_check_header(reader), 0);
	CHECK_INT(nds_close(reader), 0);
	printf("%ld records read, %ld times none was whole\n", reads, tries - reads);
	return check_result();
}
