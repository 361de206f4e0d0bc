// SPDX-License-Identifier: GPL-2.0
/*
 * The Neuron DataStore as a kernel module for kernels without Rust: parameters and the set of devices.
 *
 * The decisions are in the Rust crates nds-core and nds-layout, linked as an object; see core.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/vmalloc.h>

#include "glue.h"

MODULE_AUTHOR("The neuron-nds authors");
MODULE_DESCRIPTION("AWS Neuron DataStore");
MODULE_LICENSE("GPL");

NDS_RETURN_THUNK;

#define NDS_MAX_DEVICES 64

static unsigned int nds_count = 1;
module_param_named(devices, nds_count, uint, 0);
MODULE_PARM_DESC(devices, "number of devices, 1 to 64 (default 1)");

static unsigned short nds_cores = 0xffff;
module_param_named(cores, nds_cores, ushort, 0);
MODULE_PARM_DESC(cores, "mask of the NeuronCores of a device; counters of others are not added up (default 0xffff)");

static unsigned int nds_period_ms = 150000;
module_param_named(metrics_period_ms, nds_period_ms, uint, 0);
MODULE_PARM_DESC(metrics_period_ms, "milliseconds between two posts, at least 1 (default 150000)");

static struct nds_device *nds_devices[NDS_MAX_DEVICES];
static struct dentry *nds_shown;

/* A device without its node. What is there of one that fails is for nds_unload(). */
static int nds_make_device(u32 index, s32 policy)
{
	struct nds_device *device = kvzalloc(sizeof(*device), GFP_KERNEL);
	const char *tag = nds_board_asset_tag(), *version = nds_version();
	int page;

	nds_devices[index] = device;
	if (!device)
		return -ENOMEM;
	device->index = index;
	mutex_init(&device->lock);
	INIT_LIST_HEAD(&device->files);
	INIT_DELAYED_WORK(&device->tick, nds_tick);
	device->slabs = vzalloc(NDS_SLOTS * NDS_SLAB_SIZE);
	device->core = kvzalloc(nds_core_size(), GFP_KERNEL);
	if (!device->slabs || !device->core)
		return -ENOMEM;
	for (page = 0; page < NDS_SLOTS * NDS_SLAB_PAGES; page++)
		device->frames[page / NDS_SLAB_PAGES][page % NDS_SLAB_PAGES] =
			vmalloc_to_pfn(device->slabs + page * PAGE_SIZE);
	if (!nds_core_init(device->core, device->slabs, nds_cores, policy))
		return -EINVAL;
	nds_core_set_constants(device->core, tag, tag ? strlen(tag) : 0, version, strlen(version));
	return 0;
}

/* A file may be opened as soon as the node is registered, so that comes last. */
static int nds_publish(struct nds_device *device)
{
	int error;

	snprintf(device->name, sizeof(device->name), nds_compat_names ? "neuron%u" : "neuron_nds%u",
		 device->index);
	device->period = msecs_to_jiffies(nds_period_ms);
	queue_delayed_work(system_dfl_wq, &device->tick, device->period);
	device->node.minor = MISC_DYNAMIC_MINOR;
	device->node.name = device->name;
	device->node.fops = &nds_file_operations;
	error = misc_register(&device->node);
	device->published = !error;
	return error;
}

/* Also of a load that failed half way. */
static void nds_unload(void)
{
	struct nds_device **device, **end = nds_devices + nds_count;

	for (device = nds_devices; device < end && *device; device++) {
		if ((*device)->published)
			misc_deregister(&(*device)->node);
		cancel_delayed_work_sync(&(*device)->tick);
	}
	debugfs_remove(nds_shown);
	for (device = nds_devices; device < end && *device; device++) {
		kvfree((*device)->core);
		vfree((*device)->slabs);
		kvfree(*device);
	}
}
module_exit(nds_unload);

static int __init nds_load(void)
{
	s32 policy = nds_core_policy(nds_attach_policy, strlen(nds_attach_policy));
	int error = -EINVAL;
	u32 index;

	if (nds_count < 1 || nds_count > NDS_MAX_DEVICES)
		pr_err("devices must be 1 to %u, not %u\n", NDS_MAX_DEVICES, nds_count);
	else if (!nds_period_ms)
		pr_err("metrics_period_ms must not be 0\n");
	else if (policy < 0)
		pr_err("attach_policy must be uid, any or perfmon\n");
	else
		error = 0;
	if (error)
		return error;
	for (index = 0; index < nds_count && !error; index++)
		error = nds_make_device(index, policy);
	for (index = 0; index < nds_count && !error; index++)
		error = nds_publish(nds_devices[index]);
	if (error) {
		nds_unload();
		return error;
	}
	smp_store_release(&nds_opening_allowed, true);
	/* An open file in debugfs keeps the module too, so these come when nothing can fail any more. */
	nds_shown = debugfs_create_dir("neuron_nds", NULL);
	for (index = 0; index < nds_count; index++)
		nds_show_device(nds_devices[index], nds_shown);
	return 0;
}
module_init(nds_load);
