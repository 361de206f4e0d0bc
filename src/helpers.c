// SPDX-License-Identifier: GPL-2.0
/*
 * Inline functions and macros of the C headers that bindgen cannot see, one line each, and the one parameter that is
 * a string. No decision is taken here.
 */
#include <linux/cred.h>
#include <linux/dmi.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/pid.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>

#include "helpers.h"

char *nds_attach_policy = "uid";
module_param_named(attach_policy, nds_attach_policy, charp, 0444);
MODULE_PARM_DESC(attach_policy, "who may read another process's slab: uid (default), any, perfmon");

MODULE_VERSION(NDS_VERSION);

const char *nds_version(void)
{
	return NDS_VERSION;
}

/* The board's asset tag names the instance; NULL where the firmware has none. */
const char *nds_board_asset_tag(void)
{
	return dmi_get_system_info(DMI_BOARD_ASSET_TAG);
}

void nds_vm_flags_mod(struct vm_area_struct *vma, vm_flags_t set, vm_flags_t clear)
{
	vm_flags_mod(vma, set, clear);
}

struct pid *nds_current_tgid(void)
{
	return task_tgid(current);
}

const struct cred *nds_current_cred(void)
{
	return current_cred();
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

void nds_warn_stale(unsigned int device, unsigned int slot)
{
	pr_warn_ratelimited("device %u: pid %d touches slot %u after its occupancy ended\n",
			    device, task_tgid_vnr(current), slot);
}
