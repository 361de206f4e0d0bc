/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The functions that libnds exports but nds.h does not declare. */
#ifndef INTERNAL_H
#define INTERNAL_H

#include <nds.h>

void *nds_get_ptr(nds_instance_t *inst);
bool nds_is_read_only(nds_instance_t *inst);
void nds_commit_header(nds_instance_t *inst);
int nds_check_header(nds_instance_t *inst);

uint32_t nds_hash(const void *ptr, size_t len);
int nds_get_empty_map_slot(uint64_t map);
void nds_mark_map_slot(uint64_t *map, int slot, bool used);

int nds_obj_handle_check_type(nds_obj_handle_t obj, int type);
int nds_commit_generic_obj(void *base, nds_obj_handle_t obj);
nds_obj_handle_t nds_read_generic_obj(nds_instance_t *inst, int type);

int nds_commit_model_node_info(void *base, nds_obj_handle_t obj);
int nds_delete_model_node_info(void *base, nds_obj_handle_t obj);
nds_obj_handle_t nds_read_model_node_info_data(nds_instance_t *inst, int slot);
int nds_get_empty_model_slot(void *base);
void nds_mark_model_slot(void *base, int slot, bool used);

#endif /* INTERNAL_H */
