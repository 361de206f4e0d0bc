// SPDX-License-Identifier: GPL-2.0
/*
 * What the module macro of Rust has no form for: the version, and parameters that are strings or, in Linux 7.2,
 * truth values.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "helpers.h"

char *nds_attach_policy = "uid";
module_param_named(attach_policy, nds_attach_policy, charp, 0444);
MODULE_PARM_DESC(attach_policy, "who may read another process's slab: uid (default), any, perfmon");

bool nds_compat_names;
module_param_named(compat_names, nds_compat_names, bool, 0444);
MODULE_PARM_DESC(compat_names, "name the nodes /dev/neuronN, as the C driver does, instead of /dev/neuron_ndsN");

MODULE_VERSION(NDS_VERSION);
MODULE_INFO(body, NDS_BODY);

const char *nds_version(void)
{
	return NDS_VERSION;
}
