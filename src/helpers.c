// SPDX-License-Identifier: GPL-2.0
/*
 * Inline functions and macros of the C headers that bindgen cannot see. No decision is taken here.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cred.h>
#include <linux/dmi.h>
#include <linux/fault-inject-usercopy.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "helpers.h"
#include "portable/kernels.h"

/* The board's asset tag names the instance; NULL where the firmware has none. */
const char *nds_board_asset_tag(void)
{
	return dmi_get_system_info(DMI_BOARD_ASSET_TAG);
}

void nds_vm_flags_mod(struct vm_area_struct *vma, vm_flags_t set, vm_flags_t clear)
{
	vm_flags_mod(vma, set, clear);
}

struct nds_identity nds_current(void)
{
	return (struct nds_identity){ task_tgid(current), current_cred() };
}

/* A group whose last thread has begun to exit is gone, whether or not its parent has collected it. */
bool nds_thread_group_lives(struct pid *tgid)
{
	struct task_struct *task;
	bool lives;

	rcu_read_lock();
	task = pid_task(tgid, PIDTYPE_TGID);
	lives = task && atomic_read(&task->signal->live) > 0;
	rcu_read_unlock();
	return lives;
}

unsigned long nds_zero_pfn(unsigned long address)
{
	return page_to_pfn(ZERO_PAGE(address));
}

unsigned long nds_page_frame(struct page *page)
{
	return page_to_pfn(page);
}

/*
 * Three words in one go: two copies of 24 bytes are most of what an acquire would cost otherwise. Injected faults come
 * as for any copy.
 */
bool nds_get_argument(u64 words[3], const u64 __user *from)
{
	if (should_fail_usercopy() || !user_access_begin(from, 3 * sizeof(*from)))
		return false;
	unsafe_get_user(words[0], from, fault);
	unsafe_get_user(words[1], from + 1, fault);
	unsafe_get_user(words[2], from + 2, fault);
	user_access_end();
	return true;
fault:
	user_access_end();
	return false;
}

bool nds_put_argument(u64 __user *to, const u64 words[3])
{
	if (should_fail_usercopy() || !user_access_begin(to, 3 * sizeof(*to)))
		return false;
	unsafe_put_user(words[0], to, fault);
	unsafe_put_user(words[1], to + 1, fault);
	unsafe_put_user(words[2], to + 2, fault);
	user_access_end();
	return true;
fault:
	user_access_end();
	return false;
}

void nds_clear_pages(void *start, unsigned long pages)
{
	for (; pages; pages--, start += PAGE_SIZE)
		clear_page(start);
}

struct nds_insertion {
	struct vm_area_struct *vma;
	const unsigned long *frame;
};

/* As vmf_insert_pfn() does it, but for a run of pages under one page table lock. A page that is there stays. */
static int nds_insert_frame(pte_t *pte, unsigned long address, void *data)
{
	struct nds_insertion *to = data;
	unsigned long frame = *to->frame++;

	if (pte_none(ptep_get(pte)))
		set_pte_at(to->vma->vm_mm, address, pte,
			   pte_mkspecial(pfn_pte(frame, to->vma->vm_page_prot)));
	return 0;
}

int nds_insert_frames(struct vm_area_struct *vma, unsigned long address, unsigned long pages,
		      const unsigned long *frames)
{
	struct nds_insertion to = { vma, frames };

	return apply_to_page_range(vma->vm_mm, address, pages * PAGE_SIZE, nds_insert_frame, &to);
}

void nds_warn_stale(unsigned int device, unsigned int slot)
{
	pr_warn_ratelimited("device %u: pid %d touches slot %u after its occupancy ended\n",
			    device, task_tgid_vnr(current), slot);
}
