# SPDX-License-Identifier: MIT OR Apache-2.0
"""What README and docs/install.md say about installing on Debian 13, to the letter: the commands in a Debian with nothing
but what that always has, then a boot of what they have installed, and the rest of the commands there.
"""

import re
import unittest

from debian import ROOT, Debian
from machine import boot

# The package sources as Debian delivers them; the base system has them in another form.
SOURCES = """\
Types: deb
URIs: {mirror}
Suites: trixie trixie-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
"""

# What the installed system runs instead of its services: each command, and its exit status.
AFTER_BOOT = """\
#!/bin/bash
exec >/dev/console 2>&1
try() {{ bash -c "$1"; echo "NDS-STATUS: $? $1"; }}
{commands}
"""

# Of the kernel; without AppArmor, which first compiles its profiles: minutes in an emulator.
ARGUMENTS = (
    "root=/dev/vda rw apparmor=0 systemd.show_status=no systemd.run=/root/after-boot"
    " systemd.run_success_action=poweroff systemd.run_failure_action=poweroff"
)

DISK = "/var/disk"
# A file system with all that the system has; without the file in which it is made.
MAKE_DISK = f"""
mkdir -p {DISK}
mount --bind / /mnt
mount -t tmpfs tmpfs /mnt{DISK}
mke2fs -q -t ext4 -d /mnt {DISK}/image 8G
"""

LOOK = [
    "modinfo -F body neuron_nds",
    "nds doctor",
    "stat -c 'NDS-NODE: %a %G' /dev/neuron_nds0",
    "useradd --groups neuron member && runuser -u member -- nds demo --device /dev/neuron_nds0",
    "runuser -u nobody -- nds doctor",
]


def commands(page, heading):
    """Of a section: those for the package manager, and those for the kernel that is there then."""
    [section] = re.findall(rf"^##+ {heading}\n(.*?)^##", (ROOT / page).read_text(), re.M | re.S)
    # the first block; what is indented further down is for other hosts
    [block] = re.findall(r"\n\n((?:    .*\n)+)", section)[:1]
    lines = [line.strip() for line in block.splitlines()]
    lines = [line for line in lines if line not in ("make package", "sudo reboot")]
    load = lines.index("sudo modprobe neuron_nds")
    return lines[:load], lines[load:]


class Page:
    """Where the commands are, the packages of the kernel that the host has had before, and the body that it gets."""

    page = heading = body = None
    kernel = ()

    @classmethod
    def setUpClass(cls):
        cls.debian = Debian()
        cls.addClassCleanup(cls.debian.remove)
        cls.make_standard()

    @classmethod
    def make_standard(cls):
        """Package sources, recommended packages, an init, sudo: as on any host. And a yes to what apt asks."""
        mirror = cls.debian.run("sh", "-c", "sed -n 's/^deb \\([^ ]*\\) trixie main$/\\1/p' /etc/apt/sources.list").strip()
        cls.debian.put("/etc/apt/sources.list", b"")
        cls.debian.put("/etc/apt/sources.list.d/debian.sources", SOURCES.format(mirror=mirror).encode())
        cls.debian.put("/etc/apt/apt.conf.d/90no-recommends", b'APT::Get::Assume-Yes "true";\n')
        cls.debian.run("apt-get", "-q", "update")
        always = ("systemd-sysv", "udev", "sudo", "e2fsprogs", *cls.kernel)
        cls.debian.run("apt-get", "-q", "install", "--no-install-recommends", *always)

    def test_following_it_leads_to_a_working_module(self):
        before, after = commands(self.page, self.heading)
        for command in before:
            self.debian.run("bash", "-c", f"cd /source && {command}", timeout=1800)
        console = self.boot(after + LOOK)
        for command in after + LOOK[:-1]:
            self.assertIn(f"NDS-STATUS: 0 {command}\n", console)
        self.assertIn("NDS-NODE: 660 neuron\n", console)
        self.assertRegex(console, f"(?m)^{self.body}: ")
        self.assertIn(f"NDS-STATUS: 13 {LOOK[-1]}\n", console)

    def boot(self, lines):
        """The console of the installed system, which runs some commands."""
        script = AFTER_BOOT.format(commands="\n".join(f'try "{line}"' for line in lines))
        self.debian.put("/root/after-boot", script.encode())
        self.debian.run("chmod", "755", "/root/after-boot")
        self.debian.run("sh", "-ec", MAKE_DISK)
        [release] = self.debian.run("sh", "-c", "cd /boot && ls vmlinuz-*").split()
        files = [self.debian.read(f"/boot/{name}") for name in (release, release.replace("vmlinuz", "initrd.img"))]
        return boot(*files, ARGUMENTS, disk=self.debian.layer / f"upper{DISK}/image")


class Readme(Page, unittest.TestCase):
    page, heading, body = "README.md", "Install on a host", "portable"
    kernel = ("linux-image-cloud-amd64",)


class RustBody(Page, unittest.TestCase):
    page, heading, body = "docs/install.md", "Debian 13 with the Rust-for-Linux body", "rust"


if __name__ == "__main__":
    unittest.main()
