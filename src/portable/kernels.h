/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All differences between the kernels 6.1 to 7.3 that the C sources have to know of.
 */
#ifndef NEURON_NDS_KERNELS_H
#define NEURON_NDS_KERNELS_H

#include <linux/mm.h>
#include <linux/version.h>
#include <linux/workqueue.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
static inline void vm_flags_mod(struct vm_area_struct *vma, vm_flags_t set, vm_flags_t clear)
{
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
}
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 18, 0)
#define system_dfl_wq system_unbound_wq
#endif

/* The core returns through the kernel's thunk; a kernel that has none needs no more than a return. */
#if defined(CONFIG_X86) && !defined(CONFIG_RETHUNK) && !defined(CONFIG_MITIGATION_RETHUNK)
#define NDS_RETURN_THUNK asm(".pushsection .text\n"		\
			     ".globl __x86_return_thunk\n"		\
			     ".type __x86_return_thunk, @function\n"	\
			     "__x86_return_thunk: ret; int3\n"		\
			     ".size __x86_return_thunk, . - __x86_return_thunk\n" \
			     ".popsection")
#else
#define NDS_RETURN_THUNK static_assert(true)
#endif

#endif
