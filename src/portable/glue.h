/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the C files of the portable body share: devices, open files, and what each file does for the others.
 *
 * Lock order: mmap_lock or VMA lock, then the device's lock, then the i_mmap lock (in revocation). User memory is never
 * touched under the device's lock.
 */
#ifndef NEURON_NDS_GLUE_H
#define NEURON_NDS_GLUE_H

#include <linux/bitops.h>
#include <linux/cred.h>
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "../../include/uapi/neuron_nds.h"

#include "core.h"
#include "kernels.h"

struct nds_device {
	u32 index;
	unsigned long period;
	struct delayed_work tick;
	struct miscdevice node;
	bool published;
	char name[24];
	/* One after the other; and the page frame of each page. */
	void *slabs;
	unsigned long frames[NDS_SLOTS][NDS_SLAB_PAGES];
	struct mutex lock;
	/* Under the lock. */
	struct nds_core *core;
	struct list_head files;
};

/* Runs a statement under a device's lock. */
#define NDS_LOCKED(device, statement)			\
	do {						\
		mutex_lock(&(device)->lock);		\
		statement;				\
		mutex_unlock(&(device)->lock);		\
	} while (0)

struct nds_file {
	struct nds_device *device;
	/* Of the file's inode: valid until the file is released. */
	struct address_space *address_space;
	struct mutex reading;
	/* The report that is read through this file, and how far; under `reading`. */
	struct nds_snapshot *snapshot;
	u64 place[NDS_READING_WORDS];
	/* Under the device's lock; `mapped` has the slots of which a mapping may exist. */
	struct list_head link;
	unsigned long mapped;
	u64 rights[NDS_FILE_WORDS];
};

/* files.c: the file operations */
extern const struct file_operations nds_file_operations;
extern bool nds_opening_allowed;

/* mapping.c: mappings of slabs */
int nds_mmap(struct file *file, struct vm_area_struct *vma);
void nds_unmap(struct nds_device *device, u32 slot, u64 offset);

/* processes.c: who owns, who asks, and the ends of occupancies */
s32 nds_acquire(struct nds_file *open, s32 number, bool writable, struct nds_acquired *acquired);
void nds_undo(struct nds_file *open, const struct nds_acquired *acquired);
void nds_release_slab(struct nds_file *open, s32 number);
/* Frees it. */
void nds_close(struct nds_file *open);
/* The caller holds the device's lock. */
void nds_reap(struct nds_device *device);
void nds_see_processes(struct nds_device *device, struct nds_process seen[NDS_SLOTS]);

/* report.c: reports, ticks, and the texts for people */
struct nds_snapshot *nds_report(struct nds_device *device);
ssize_t nds_read(struct kiocb *call, struct iov_iter *out);
void nds_show_file(struct seq_file *lines, struct file *file);
void nds_tick(struct work_struct *work);
void nds_show_device(struct nds_device *device, struct dentry *root);

#endif
