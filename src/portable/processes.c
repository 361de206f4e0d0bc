// SPDX-License-Identifier: GPL-2.0
/*
 * Processes: counted references to owners, what the kernel knows of them, and what the end of an occupancy takes. What
 * follows from it is decided in the core.
 */
#include <linux/capability.h>
#include <linux/pid.h>
#include <linux/user_namespace.h>

#include "glue.h"

/* Both may be NULL. */
static void nds_put(const struct nds_identity *identity)
{
	put_pid(identity->tgid);
	put_cred(identity->cred);
}

/* Under the lock: the mappings go, then what could have been written, then the owner. */
static void nds_end_if(struct nds_device *device, bool ending)
{
	struct nds_ended ended = {};
	unsigned long first, end, pages;
	u64 offset;
	u32 slot;

	if (!ending)
		return;
	if (nds_core_to_revoke(device->core, &offset, &slot))
		nds_unmap(device, slot, offset);
	nds_core_finish(device->core, &ended);
	pages = ended.pages;
	for_each_set_bitrange(first, end, &pages, NDS_SLAB_PAGES)
		nds_clear_pages(device->slabs + ended.slot * NDS_SLAB_SIZE + first * PAGE_SIZE,
				end - first);
	nds_put(&ended.owner);
}

void nds_reap(struct nds_device *device)
{
	struct nds_identity owner;
	u32 slot;

	for (slot = 0; slot < NDS_SLOTS; slot++)
		if (nds_core_owner(device->core, slot, &owner) && !nds_thread_group_lives(owner.tgid))
			nds_end_if(device, nds_core_reap(device->core, slot));
}

static bool nds_allows(struct nds_device *device, const struct nds_identity *owner,
		       const struct nds_identity *caller)
{
	bool same_user = uid_eq(owner->cred->euid, caller->cred->euid);

	return !nds_core_needs_perfmon(device->core, owner, caller, same_user) ||
	       ns_capable(owner->cred->user_ns, CAP_PERFMON);
}

void nds_see_processes(struct nds_device *device, struct nds_process seen[NDS_SLOTS])
{
	struct nds_identity caller = nds_current(), owner;
	u32 slot;

	for (slot = 0; slot < NDS_SLOTS; slot++)
		if (nds_core_owner(device->core, slot, &owner) &&
		    nds_allows(device, &owner, &caller))
			seen[slot] = (struct nds_process){
				pid_vnr(owner.tgid), from_kuid(current_user_ns(), owner.cred->euid) };
}

static struct nds_request nds_request(s32 number)
{
	return (struct nds_request){
		.caller = nds_current(),
		.named = number > 0 ? find_get_pid(number) : NULL,
		.number = number,
	};
}

s32 nds_acquire(struct nds_file *open, s32 number, bool writable, struct nds_acquired *acquired)
{
	struct nds_device *device = open->device;
	struct nds_request request = nds_request(number);
	struct nds_identity owner;
	s32 error;

	request.writable = writable;
	request.offered = (struct nds_identity){ get_pid(request.caller.tgid),
						 get_cred(request.caller.cred) };
	mutex_lock(&device->lock);
	if (nds_core_reaps_first(device->core, &request))
		nds_reap(device);
	if (nds_core_asked(device->core, &request, &owner))
		request.allowed = nds_allows(device, &owner, &request.caller);
	request.now = ktime_get();
	error = nds_core_acquire(device->core, open->rights, &request, acquired);
	mutex_unlock(&device->lock);
	nds_put(&request.offered);
	put_pid(request.named);
	return error;
}

void nds_undo(struct nds_file *open, const struct nds_acquired *acquired)
{
	struct nds_device *device = open->device;

	NDS_LOCKED(device, nds_end_if(device, nds_core_undo(device->core, open->rights, acquired)));
}

void nds_release_slab(struct nds_file *open, s32 number)
{
	struct nds_device *device = open->device;
	struct nds_request request = nds_request(number);

	NDS_LOCKED(device, nds_end_if(device, nds_core_release(device->core, &request)));
	put_pid(request.named);
}

void nds_close(struct nds_file *open)
{
	struct nds_device *device = open->device;
	u32 slot;

	mutex_lock(&device->lock);
	for (slot = 0; slot < NDS_SLOTS; slot++)
		nds_end_if(device, nds_core_close(device->core, open->rights, slot));
	list_del(&open->link);
	mutex_unlock(&device->lock);
	kvfree(open->snapshot);
	kfree(open);
}
