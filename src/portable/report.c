// SPDX-License-Identifier: GPL-2.0
/*
 * Reports and posts of a device, and the texts made of them: reading the node, fdinfo, debugfs. The device's lock is
 * never held for more than one part of a report or one slab of a tick, nor while anything is formatted or copied.
 */
#include <linux/uio.h>

#include "glue.h"

/* A report as the caller may see it, to be freed by kvfree(); NULL without memory. */
struct nds_snapshot *nds_report(struct nds_device *device)
{
	struct nds_snapshot *snapshot = kvzalloc(nds_core_snapshot_size(), GFP_KERNEL_ACCOUNT);
	struct nds_process seen[NDS_SLOTS] = {};
	u32 part;

	if (!snapshot)
		return NULL;
	nds_core_snapshot_begin(snapshot, device->index);
	NDS_LOCKED(device, nds_reap(device));
	for (part = 0; part < NDS_PARTS; part++) {
		mutex_lock(&device->lock);
		if (part == NDS_PART_DEVICE)
			nds_see_processes(device, seen);
		nds_core_collect(device->core, part, ktime_get(), seen, snapshot);
		mutex_unlock(&device->lock);
	}
	return snapshot;
}

/* Looks at every occupancy, and posts what changed. */
void nds_tick(struct work_struct *work)
{
	struct nds_device *device = container_of(to_delayed_work(work), struct nds_device, tick);
	u32 slot;

	NDS_LOCKED(device, nds_reap(device));
	for (slot = 0; slot < NDS_SLOTS; slot++)
		NDS_LOCKED(device, nds_core_observe(device->core, slot));
	NDS_LOCKED(device, nds_core_post(device->core));
	queue_delayed_work(system_dfl_wq, &device->tick, device->period);
}

/* Gives the next bytes of the text to the reader: all that fit, fewer where the text or the reader's memory ends. */
static size_t nds_copy_text(struct nds_file *open, struct iov_iter *out)
{
	u8 piece[NDS_PIECE];
	size_t given = 0, made, copied;

	do {
		made = nds_core_text_fill(open->place, open->snapshot, piece, iov_iter_count(out));
		copied = copy_to_iter(piece, made, out);
		nds_core_text_take(open->place, open->snapshot, copied);
		given += copied;
	} while (made && copied == made && iov_iter_count(out));
	return given;
}

static int nds_begin_reading(struct nds_file *open)
{
	struct nds_snapshot *snapshot = nds_report(open->device);

	if (!snapshot)
		return -ENOMEM;
	kvfree(open->snapshot);
	open->snapshot = snapshot;
	memset(open->place, 0, sizeof(open->place));
	return 0;
}

/* A read at 0 starts a new report; others go on in the one that is open. */
ssize_t nds_read(struct kiocb *call, struct iov_iter *out)
{
	struct nds_file *open = call->ki_filp->private_data;
	ssize_t given = 0;

	if (!iov_iter_count(out))
		return 0;
	mutex_lock(&open->reading);
	if (!call->ki_pos || !open->snapshot)
		given = nds_begin_reading(open);
	if (!given && nds_core_text_seek(open->place, open->snapshot, call->ki_pos)) {
		given = nds_copy_text(open, out);
		call->ki_pos += given;
		if (!given && !nds_core_text_at_end(open->place, open->snapshot))
			given = -EFAULT;
	}
	mutex_unlock(&open->reading);
	return given;
}

/* Writes the lines that `make` makes, by `number` into `line`, until it makes none. */
#define NDS_SHOW_LINES(lines, make)					\
	do {								\
		u8 line[NDS_LINE_MAX];					\
		size_t number, length;					\
		for (number = 0; (length = (make)); number++)		\
			seq_write(lines, line, length);			\
	} while (0)

void nds_show_file(struct seq_file *lines, struct file *file)
{
	struct nds_file *open = file->private_data;
	struct nds_device *device = open->device;
	u64 live[NDS_FILE_WORDS];

	NDS_LOCKED(device, nds_core_live_rights(device->core, open->rights, live));
	NDS_SHOW_LINES(lines, nds_core_file_line(live, device->index, number, line));
}

/* A file in debugfs that shows a report. */
#define NDS_SHOW_REPORT(name, make)					\
	static int name##_show(struct seq_file *lines, void *unused)	\
	{								\
		struct nds_snapshot *snapshot = nds_report(lines->private); \
		if (!snapshot)						\
			return -ENOMEM;					\
		NDS_SHOW_LINES(lines, make(snapshot, number, line));	\
		kvfree(snapshot);					\
		return 0;						\
	}								\
	DEFINE_SHOW_ATTRIBUTE(name)

NDS_SHOW_REPORT(nds_slots, nds_core_slots_line);
NDS_SHOW_REPORT(nds_statistics, nds_core_statistics_line);

static int nds_last_post_show(struct seq_file *lines, void *unused)
{
	struct nds_device *device = lines->private;
	u8 message[NDS_MESSAGE_BYTES];

	NDS_LOCKED(device, nds_core_last_post(device->core, message));
	NDS_SHOW_LINES(lines, nds_core_post_line(message, number, line));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(nds_last_post);

/* The files of a device in debugfs. An open one keeps the module. */
void nds_show_device(struct nds_device *device, struct dentry *root)
{
	char number[12];
	struct dentry *dir;

	snprintf(number, sizeof(number), "%u", device->index);
	dir = debugfs_create_dir(number, root);
	debugfs_create_file("slots", 0400, dir, device, &nds_slots_fops);
	debugfs_create_file("last_post", 0400, dir, device, &nds_last_post_fops);
	debugfs_create_file("statistics", 0400, dir, device, &nds_statistics_fops);
}
