/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Golden records as objects and in the slab. */
#ifndef RECORDS_H
#define RECORDS_H

#include "vectors.h"

/* The vector with this id, or the end of the program. */
const struct record_vector *record_by_id(const char *id);

/* Puts an image where its type lies; a model goes to the given slot. */
void place_image(const struct record_vector *record, int slot);

/* A new object with the fields of a vector, and garbage in the holes between them. */
nds_obj_handle_t make_object(nds_instance_t *inst, const struct record_vector *record);

/* Fills an object of the vector's type. */
void fill_object(nds_obj_handle_t obj, const struct record_vector *record);

/* Checks that an object has the fields of a vector. */
void check_fields(nds_obj_handle_t obj, const struct record_vector *record);

/* Reads the record of a type; a model from the given slot. */
nds_obj_handle_t read_record(nds_instance_t *inst, int type, int slot);

#endif /* RECORDS_H */
