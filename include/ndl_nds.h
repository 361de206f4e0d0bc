/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * libndl_nds: open Neuron devices and map their slabs, for programs that use libnds without libnrt.
 *
 * A device is a device file of this project's module (/dev/neuron_ndsN) or of the stock driver (/dev/neuronN), or an
 * emulated device inside this process, which needs neither a module nor root. Pass it to nds_open() (nds.h); libnds
 * then calls ndl_nds_open() and ndl_nds_close() by itself. Do not link this library together with libnrt, which has
 * these two functions too.
 *
 * All functions return 0 or a negative errno, and -EINVAL for NULL. Results are written on success only.
 */
#ifndef NDL_NDS_H
#define NDL_NDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An open device. */
typedef struct ndl_device ndl_device_t;

/*
 * Opens the device file at a path. With read_only there can be no producer on it, and the kernel refuses any write
 * through a mapping; read permission is enough then. -ENOENT, -EACCES, ...; -ENOTTY: not a device.
 */
int ndl_nds_device_open(const char *path, bool read_only, ndl_device_t **device);

/* The same for the device with a number, 0 to 63. -ENODEV: there is none. */
int ndl_nds_device_open_index(uint32_t index, bool read_only, ndl_device_t **device);

/* Makes an emulated device with 16 free slabs and opens it as this process. It lasts as long as its handles. */
int ndl_nds_emulated_open(ndl_device_t **device);

/* Opens an emulated device once more, as if by another process with this pid. -EINVAL: it is not emulated. */
int ndl_nds_emulated_open_as(const ndl_device_t *of, int32_t pid, ndl_device_t **device);

/* Closes a device. Close its instances before: what is still mapped through it is unmapped. */
int ndl_nds_device_close(ndl_device_t *device);

/*
 * Maps a slab: the one of this process, acquired if need be (pid 0, readable and writable), or that of another process
 * (its pid, readable only). -ENOENT: that process has none. -ENOMEM: all 16 slabs of the device are taken.
 */
int ndl_nds_open(ndl_device_t *device, int32_t pid, void **data, size_t *size);

/*
 * Unmaps it, given what ndl_nds_open() was given and returned. With the last mapping of its own slab the process gives
 * the slab back: the driver adds its counters to the device's totals and zeroes it.
 */
int ndl_nds_close(ndl_device_t *device, int32_t pid, void *data, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* NDL_NDS_H */
