# SPDX-License-Identifier: MIT OR Apache-2.0
"""A virtual machine with Secure Boot in which a machine owner's key (MOK) is enrolled.

Emulator, firmware and boot loaders are Debian 13's, and run in it: the firmware starts shim, shim
hands the key to the kernel, which then trusts it for modules.
"""

from debian import CACHE, Debian
from machine import ARGUMENTS

LAYER = CACHE / "chroot/trixie-firmware"
# of shim's variables; any owner would do for the key itself
OWNER = "605dab50-e046-4300-abb6-3dd810dd8b23"
FIRMWARE = "/usr/share/OVMF/OVMF_CODE_4M.ms.fd"
# with Microsoft's keys, as machines are sold; shim is signed by one of them
VARIABLES = "/usr/share/OVMF/OVMF_VARS_4M.ms.fd"
BOOT = "/root/esp/EFI/BOOT"


def with_firmware():
    """Debian 13 with all that it takes. Made once and kept in the cache."""
    debian = Debian(layer=LAYER)
    if not (LAYER / "complete").exists():
        debian.run("apt-get", "-q", "update")
        debian.install(
            *("qemu-system-x86", "ovmf", "python3-virt-firmware"),
            *("systemd-ukify", "systemd-boot-efi", "sbsigntool", "shim-unsigned"),
        )
        debian.run("sh", "-c", "cd /var/tmp && apt-get -q download shim-signed && dpkg-deb -x shim-signed_*.deb /")
        (LAYER / "complete").touch()
    return debian


def boot_with_key(kernel, initramfs, key, certificate, arguments):
    """The console of a run with Secure Boot, where key and certificate (PEM) are the owner's."""
    debian = Debian(below=with_firmware())
    try:
        files = {"kernel": kernel, "initramfs": initramfs, "key": key, "certificate": certificate}
        for name, content in files.items():
            debian.put(f"/root/{name}", content)
        make_disk(debian, f"{ARGUMENTS} {arguments}")
        console = debian.run(
            *("qemu-system-x86_64", "-machine", "q35,smm=on", "-accel", "tcg", "-cpu", "max", "-smp", "2"),
            *("-m", "1G", "-display", "none", "-nodefaults", "-no-reboot", "-serial", "stdio"),
            *("-global", "driver=cfi.pflash01,property=secure,value=on"),
            *("-drive", f"if=pflash,format=raw,readonly=on,file={FIRMWARE}"),
            *("-drive", "if=pflash,format=raw,file=/root/variables"),
            *("-drive", "file=fat:rw:/root/esp,format=raw,if=virtio"),
            status=None,
        )
        return console.replace("\r", "")
    finally:
        debian.remove()


def make_disk(debian, arguments):
    """A boot disk with shim and, signed by the owner, kernel and initramfs in one file; the firmware's variables."""
    debian.run("mkdir", "-p", BOOT)
    debian.run("cp", "/usr/lib/shim/shimx64.efi.signed", f"{BOOT}/BOOTX64.EFI")
    debian.run(
        *("ukify", "build", "--linux", "/root/kernel", "--initrd", "/root/initramfs", "--cmdline", arguments),
        *("--secureboot-private-key", "/root/key", "--secureboot-certificate", "/root/certificate"),
        *("--output", f"{BOOT}/grubx64.efi"),
    )
    debian.run(
        *("virt-fw-vars", "--input", VARIABLES, "--output", "/root/variables"),
        *("--add-mok", OWNER, "/root/certificate"),
    )
