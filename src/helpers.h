/* SPDX-License-Identifier: GPL-2.0 */
/* Prototypes of helpers.c; their Rust declarations are in ffi.rs. */
#ifndef NEURON_NDS_HELPERS_H
#define NEURON_NDS_HELPERS_H

#include <linux/types.h>
#include <linux/mm_types.h>

struct cred;
struct pid;

extern char *nds_attach_policy;

const char *nds_version(void);
const char *nds_board_asset_tag(void);
void nds_vm_flags_mod(struct vm_area_struct *vma, vm_flags_t set, vm_flags_t clear);
struct pid *nds_current_tgid(void);
const struct cred *nds_current_cred(void);
bool nds_thread_group_lives(struct pid *tgid);
unsigned long nds_zero_pfn(unsigned long address);
unsigned long nds_page_frame(struct page *page);
void nds_warn_stale(unsigned int device, unsigned int slot);

#endif
