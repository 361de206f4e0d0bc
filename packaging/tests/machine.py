# SPDX-License-Identifier: MIT OR Apache-2.0
"""A virtual machine with a kernel as Debian has it: one initramfs, one run, its console.

Owns what the first program does in an initramfs of ours, in which everything comes from the packages.
"""

import gzip
import os
import pathlib
import shutil
import subprocess
import tempfile

from debian import PACKAGES

# Of every kernel. On a busy host an emulator may deliver too few ticks for the test of the timer, which then panics.
ARGUMENTS = "console=ttyS0 panic=-1 loglevel=4 no_timer_check"

# Taints of the kernel (Documentation/admin-guide/tainted-kernels.rst).
OUT_OF_TREE = 1 << 12
UNTRUSTED = 1 << 13

INIT = """\
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mount -t tmpfs tmpfs /tmp
mkdir -p /dev/shm
mount -t tmpfs tmpfs /dev/shm
insmod /neuron_nds.ko
echo "NDS-LOAD: $?"
echo "NDS-ENFORCED: $(cat /sys/module/module/parameters/sig_enforce)"
nds demo --device /dev/neuron_nds0
echo "NDS-DEMO: $?"
nds doctor
echo "NDS-DOCTOR: $?"
rmmod neuron_nds && insmod /neuron_nds.ko
echo "NDS-AGAIN: $?"
echo "NDS-TAINT: $(cat /proc/sys/kernel/tainted)"
poweroff -f
"""


def boot(kernel, initramfs, arguments="", disk=None):
    """The console of a run; `disk` is the image of one that the machine has as /dev/vda."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "kernel").write_bytes(kernel)
        (folder / "initramfs").write_bytes(initramfs)
        command = [
            *("qemu-system-x86_64", "-accel", "tcg", "-cpu", "max", "-smp", "2", "-m", "1G"),
            *("-display", "none", "-nodefaults", "-no-reboot", "-serial", "stdio"),
            *("-kernel", folder / "kernel", "-initrd", folder / "initramfs"),
            *("-append", f"{ARGUMENTS} {arguments}"),
            *(("-drive", f"file={disk},format=raw,if=virtio") if disk else ()),
        ]
        run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=1800)
        return run.stdout.decode(errors="replace").replace("\r", "")


def missing(console, taint):
    """What a console lacks of a run in which all went well, and which tainted the kernel so."""
    markers = ("NDS-LOAD: 0", "NDS-DEMO: 0", "NDS-DOCTOR: 0", "NDS-AGAIN: 0", f"NDS-TAINT: {taint}")
    return [marker for marker in markers if f"{marker}\n" not in console]


def initramfs_with(module):
    """An archive with busybox, the tool out of its package, and the module."""
    with tempfile.TemporaryDirectory() as folder:
        return initramfs_in(pathlib.Path(folder), module)


def initramfs_in(tree, module):
    for name in ("bin", "dev", "proc", "sys", "tmp"):
        (tree / name).mkdir(parents=True)
    shutil.copy(shutil.which("busybox"), tree / "bin/busybox")
    unpack_tool(tree / "bin/nds")
    (tree / "neuron_nds.ko").write_bytes(module)
    (tree / "init").write_text(INIT)
    (tree / "init").chmod(0o755)
    names = "\n".join(str(path.relative_to(tree)) for path in tree.rglob("*"))
    archive = subprocess.run(["cpio", "--quiet", "-o", "-H", "newc"], cwd=tree, input=names.encode(), capture_output=True, check=True)
    return gzip.compress(archive.stdout, 1)


def unpack_tool(target):
    """Takes nds out of the package that was built."""
    [package] = PACKAGES.glob("neuron-nds_*_amd64.deb")
    content = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], capture_output=True, check=True).stdout
    tool = subprocess.run(["tar", "-xO", "./usr/bin/nds"], input=content, capture_output=True, check=True).stdout
    target.write_bytes(tool)
    os.chmod(target, 0o755)
