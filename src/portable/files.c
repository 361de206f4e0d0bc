// SPDX-License-Identifier: GPL-2.0
/*
 * The file operations of a device node: opening, closing and the ioctl commands, decoded and encoded. Facts: ABI
 * reference, "ioctl".
 */
#include <linux/uaccess.h>

#include "glue.h"

/* The start of a report: how many bytes the caller has room for, and the edition. */
struct nds_report_head {
	u32 size;
	u32 version;
};

/* The size in the word is that of the head, so that it stays when the report grows. */
#define NDS_REPORT _IOWR(0xd5, 1, struct nds_report_head)

/* A load that fails half way must not leave an open file behind, since nothing would keep the module's code for it. */
bool nds_opening_allowed;

static int nds_open(struct inode *inode, struct file *file)
{
	struct nds_device *device = container_of(file->private_data, struct nds_device, node);
	int error = generic_file_open(inode, file);
	struct nds_file *open;

	if (error)
		return error;
	if (!smp_load_acquire(&nds_opening_allowed))
		return -ENODEV;
	open = kzalloc(sizeof(*open), GFP_KERNEL_ACCOUNT);
	if (!open)
		return -ENOMEM;
	open->device = device;
	open->address_space = file->f_mapping;
	mutex_init(&open->reading);
	nds_core_file_init(open->rights);
	NDS_LOCKED(device, list_add_tail(&open->link, &device->files));
	file->private_data = open;
	return 0;
}

static int nds_release(struct inode *inode, struct file *file)
{
	nds_close(file->private_data);
	return 0;
}

static long nds_refuse(struct nds_file *open, enum nds_refusal reason)
{
	s32 error;

	NDS_LOCKED(open->device, error = nds_core_refuse(open->device->core, reason));
	return error;
}

/* Tells the caller what to map. The hole and the tail of the argument stay as they were. */
static bool nds_answer(u64 __user *user, u64 words[3], u64 offset)
{
	words[1] = offset;
	words[2] = (words[2] & ~(u64)U32_MAX) | NDS_SLAB_SIZE;
	return nds_put_argument(user, words);
}

static noinline long nds_acquire_anew(struct nds_file *open, u64 words[3], u64 __user *user,
				      bool writable)
{
	struct nds_acquired acquired;
	s32 error = nds_acquire(open, (s32)words[0], writable, &acquired);

	if (error)
		return error;
	if (nds_answer(user, words, acquired.offset))
		return 0;
	nds_undo(open, &acquired);
	return nds_refuse(open, NDS_BAD_POINTER);
}

/* The frequent case, the caller's own slab once more, in few steps. */
static long nds_ioctl_acquire(struct nds_file *open, u64 words[3], u64 __user *user, bool writable)
{
	struct nds_identity caller = nds_current();
	struct nds_device *device = open->device;
	u64 offset = 0;

	if (!(s32)words[0] && writable)
		NDS_LOCKED(device, offset = nds_core_reacquire(device->core, open->rights, &caller));
	if (!offset)
		return nds_acquire_anew(open, words, user, writable);
	return nds_answer(user, words, offset) ? 0 : nds_refuse(open, NDS_BAD_POINTER);
}

/* Fills as much of a report as caller and module both know; its size says how much that is. */
static noinline long nds_ioctl_report(struct nds_file *open, void __user *user)
{
	struct nds_report_head head;
	struct nds_snapshot *snapshot;
	unsigned long left;

	if (copy_from_user(&head, user, sizeof(head)))
		return nds_refuse(open, NDS_BAD_POINTER);
	if (head.size < sizeof(head))
		return nds_refuse(open, NDS_BAD_LENGTH);
	snapshot = nds_report(open->device);
	if (!snapshot)
		return -ENOMEM;
	left = copy_to_user(user, snapshot, nds_core_snapshot_limit(snapshot, head.size));
	kvfree(snapshot);
	return left ? nds_refuse(open, NDS_BAD_POINTER) : 0;
}

static long nds_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	bool acquire = command == NEURON_NDS_IOCTL_ACQUIRE;
	struct nds_file *open = file->private_data;
	void __user *user = (void __user *)argument;
	u64 words[3];

	if (file->f_flags & O_WRONLY)
		return nds_refuse(open, NDS_BAD_WORD);
	if (command == NDS_REPORT)
		return nds_ioctl_report(open, user);
	if (!acquire && command != NEURON_NDS_IOCTL_RELEASE)
		return nds_refuse(open, NDS_BAD_WORD);
	if (!nds_get_argument(words, user))
		return nds_refuse(open, NDS_BAD_POINTER);
	if (acquire)
		return nds_ioctl_acquire(open, words, user, file->f_flags & O_RDWR);
	nds_release_slab(open, (s32)words[0]);
	return 0;
}

/* No compat_ioctl: the structures differ between word sizes, and the ABI has no 32-bit side. */
const struct file_operations nds_file_operations = {
	.owner = THIS_MODULE,
	.open = nds_open,
	.release = nds_release,
	.read_iter = nds_read,
	.mmap = nds_mmap,
	.unlocked_ioctl = nds_ioctl,
	.show_fdinfo = nds_show_file,
};
