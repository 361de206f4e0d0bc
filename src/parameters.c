// SPDX-License-Identifier: GPL-2.0
/*
 * What the module macro of Rust has no form for: a parameter that is a string, and the version.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "helpers.h"

char *nds_attach_policy = "uid";
module_param_named(attach_policy, nds_attach_policy, charp, 0444);
MODULE_PARM_DESC(attach_policy, "who may read another process's slab: uid (default), any, perfmon");

MODULE_VERSION(NDS_VERSION);

const char *nds_version(void)
{
	return NDS_VERSION;
}
