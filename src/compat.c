// SPDX-License-Identifier: GPL-2.0
/*
 * The C side of compat.rs; built for Linux 7.2 only.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>

#include "helpers.h"

/*
 * The operations of the Rust abstraction are constant and have no owner, so the device gets a copy that has. All
 * devices share it, since all have the same operations.
 */
void nds_own_files(struct miscdevice *device)
{
	static struct file_operations owned;

	owned = *device->fops;
	owned.owner = THIS_MODULE;
	device->fops = &owned;
}
