/* SPDX-License-Identifier: GPL-2.0 */
/* What helpers.c, parameters.c and compat.c define; the Rust declarations are in ffi.rs. */
#ifndef NEURON_NDS_HELPERS_H
#define NEURON_NDS_HELPERS_H

#include <linux/types.h>
#include <linux/mm_types.h>

struct cred;
struct miscdevice;
struct pid;

extern char *nds_attach_policy;
extern bool nds_compat_names;

const char *nds_version(void);
const char *nds_board_asset_tag(void);
void nds_vm_flags_mod(struct vm_area_struct *vma, vm_flags_t set, vm_flags_t clear);
/* Thread group and effective credentials; valid while the task neither ends nor changes them. */
struct nds_identity {
	struct pid *tgid;
	const struct cred *cred;
};

struct nds_identity nds_current(void);
bool nds_get_argument(u64 words[3], const u64 __user *from);
bool nds_put_argument(u64 __user *to, const u64 words[3]);
void nds_clear_pages(void *start, unsigned long pages);
int nds_insert_frames(struct vm_area_struct *vma, unsigned long address, unsigned long pages,
		      const unsigned long *frames);
bool nds_thread_group_lives(struct pid *tgid);
void nds_own_files(struct miscdevice *device);
unsigned long nds_zero_pfn(unsigned long address);
unsigned long nds_page_frame(struct page *page);
void nds_warn_stale(unsigned int device, unsigned int slot);

#endif
