// SPDX-License-Identifier: GPL-2.0
/*
 * Mappings of slabs: VMAs, faults, revocation, and the private page of a former owner. Who may map what, and what a
 * touch gets, is decided in the core.
 */
#include <linux/refcount.h>

#include "glue.h"

static_assert(NDS_SLAB_SIZE == NDS_SLAB_PAGES * PAGE_SIZE, "pages of 4 KiB are wanted");

/* What a VMA of ours, and every piece it is split into, carries; each owns a reference. The VMA keeps the file. */
struct nds_mapping {
	refcount_t references;
	struct nds_file *file;
	u64 offset;
	u32 slot;
	/* Where a former owner's writes go: nobody else ever sees it. */
	struct page *scratch;
	atomic_t reported;
};

/* Several nodes have several address spaces, most files share one. */
void nds_unmap(struct nds_device *device, u32 slot, u64 offset)
{
	struct address_space *done = NULL;
	struct nds_file *file;

	list_for_each_entry(file, &device->files, link) {
		if (!__test_and_clear_bit(slot, &file->mapped) || file->address_space == done)
			continue;
		done = file->address_space;
		unmap_mapping_range(done, offset, NDS_SLAB_SIZE, 1);
	}
}

static void nds_vma_open(struct vm_area_struct *vma)
{
	struct nds_mapping *mapping = vma->vm_private_data;

	refcount_inc(&mapping->references);
}

static void nds_vma_close(struct vm_area_struct *vma)
{
	struct nds_mapping *mapping = vma->vm_private_data;

	if (!refcount_dec_and_test(&mapping->references))
		return;
	if (mapping->scratch)
		__free_page(mapping->scratch);
	kfree(mapping);
}

/* The occupancy has ended: zeros, and for who may write a page of its own. The process goes on undisturbed. */
static vm_fault_t nds_stale(struct nds_mapping *mapping, struct vm_fault *vmf)
{
	struct vm_area_struct *vma = vmf->vma;
	unsigned long address = vma->vm_start + ((vmf->pgoff - vma->vm_pgoff) << PAGE_SHIFT);
	struct page *own = READ_ONCE(mapping->scratch), *first;

	if (!atomic_xchg(&mapping->reported, 1))
		nds_warn_stale(mapping->file->device->index, mapping->slot);
	if (!(vma->vm_flags & VM_MAYWRITE))
		return vmf_insert_pfn(vma, address, nds_zero_pfn(vma->vm_start));
	if (!own) {
		own = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
		if (!own)
			return VM_FAULT_OOM;
		first = cmpxchg(&mapping->scratch, NULL, own);
		if (first) {
			__free_page(own);
			own = first;
		}
	}
	return vmf_insert_pfn(vma, address, nds_page_frame(own));
}

/* Decision and insertion are under the lock, so that no page goes in after its occupancy has ended. */
static vm_fault_t nds_vma_fault(struct vm_fault *vmf)
{
	struct vm_area_struct *vma = vmf->vma;
	struct nds_mapping *mapping = vma->vm_private_data;
	struct nds_device *device = mapping->file->device;
	struct nds_touch touch = {
		.offset = mapping->offset,
		.page = vmf->pgoff % NDS_SLAB_PAGES,
		.first = vma->vm_pgoff % NDS_SLAB_PAGES,
		.count = vma_pages(vma),
		.may_write = vma->vm_flags & VM_MAYWRITE,
	};
	unsigned long pages, first, end;
	int error = 0;

	mutex_lock(&device->lock);
	pages = nds_core_fault(device->core, &touch);
	for_each_set_bitrange(first, end, &pages, NDS_SLAB_PAGES)
		error |= nds_insert_frames(vma, vma->vm_start + (first - touch.first) * PAGE_SIZE,
					   end - first, &device->frames[mapping->slot][first]);
	mutex_unlock(&device->lock);
	if (!pages)
		return nds_stale(mapping, vmf);
	return error ? VM_FAULT_OOM : VM_FAULT_NOPAGE;
}

/* No operation but these; in particular no `access`, so that ptrace and /proc/pid/mem reach nothing. */
static const struct vm_operations_struct nds_vma_operations = {
	.open = nds_vma_open,
	.close = nds_vma_close,
	.fault = nds_vma_fault,
};

/* No page is put in place here: only a fault finds the VMA where revocation finds it too. */
int nds_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct nds_map map = {
		.caller = nds_current(),
		.first_page = vma->vm_pgoff,
		.length = vma->vm_end - vma->vm_start,
		.private = !(vma->vm_flags & VM_SHARED),
		.may_write = vma->vm_flags & VM_MAYWRITE,
	};
	struct nds_file *open = file->private_data;
	struct nds_device *device = open->device;
	struct nds_mapping *mapping;
	s32 error;

	mutex_lock(&device->lock);
	error = nds_core_map(device->core, open->rights, &map);
	if (!error)
		__set_bit(map.slot, &open->mapped);
	mutex_unlock(&device->lock);
	if (error)
		return error;
	mapping = kzalloc(sizeof(*mapping), GFP_KERNEL_ACCOUNT);
	if (!mapping)
		return -ENOMEM;
	refcount_set(&mapping->references, 1);
	mapping->file = open;
	mapping->offset = map.offset;
	mapping->slot = map.slot;
	/* Not pinnable, not growable, not in core dumps, not inherited; and for a reader never writable. */
	nds_vm_flags_mod(vma, VM_IO | VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP | VM_DONTCOPY,
			 map.producer ? 0 : VM_WRITE | VM_MAYWRITE);
	vma->vm_private_data = mapping;
	vma->vm_ops = &nds_vma_operations;
	return 0;
}
