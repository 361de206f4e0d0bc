// SPDX-License-Identifier: MIT OR Apache-2.0
// The hash and the bitmap arithmetic.

#include <limits.h>

#include "check.h"
#include "internal.h"
#include "vectors.h"

static void the_hash_is_fnv1a(void)
{
	const struct hash_vector *vector;

	check_subject = "hash";
	FOR_EACH(vector, hash_vectors)
		CHECK_INT(nds_hash(vector->bytes, vector->length), vector->hash);
	CHECK_INT(nds_hash(NULL, 0), 0x811c9dc5);
	CHECK_INT(nds_hash(NULL, 100), 0x811c9dc5);
}

static void the_lowest_clear_bit_is_found(void)
{
	const struct find_row *row;

	check_subject = "find";
	FOR_EACH(row, find_rows)
		CHECK_INT(nds_get_empty_map_slot(row->map), row->slot);
}

static void bits_are_marked_with_64_bit_shifts(void)
{
	static const int missing[] = { -1, 64, 65, 96, INT_MIN, INT_MAX };
	const struct mark_row *row;

	check_subject = "mark";
	FOR_EACH(row, mark_rows) {
		uint64_t map = row->map;

		nds_mark_map_slot(&map, row->slot, row->used);
		CHECK(map == row->result);
	}
	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
		uint64_t map = 0x5555;

		nds_mark_map_slot(&map, missing[i], true);
		nds_mark_map_slot(&map, missing[i], false);
		CHECK(map == 0x5555);
	}
	nds_mark_map_slot(NULL, 0, true);
}

int main(void)
{
	the_hash_is_fnv1a();
	the_lowest_clear_bit_is_found();
	bits_are_marked_with_64_bit_shifts();
	return check_result();
}
