# SPDX-License-Identifier: MIT OR Apache-2.0
"""The package neuron-nds-dkms on Debian 12 and 13 with the kernels they came with, 6.1 and 6.12, and without any Rust:
DKMS builds the portable body, and these kernels run it.
"""

import lzma
import re
import unittest

from debian import VERSION, Debian, built, with_own_kernel
from machine import OUT_OF_TREE, UNTRUSTED, boot, initramfs_with, missing

DEB = "neuron-nds-dkms_*_all.deb"
SETTINGS = "/etc/dkms/neuron-nds.conf"


class OwnKernel:
    """The steps are in the order of their names: each goes on from where the one before ended."""

    suite = None

    @classmethod
    def setUpClass(cls):
        below, cls.release, cls.image = with_own_kernel(cls.suite)
        # compressed where the kernel's own modules are there, and are
        compressed = below.has(f"/usr/lib/modules/{cls.release}/kernel")
        cls.module = f"/usr/lib/modules/{cls.release}/updates/dkms/neuron_nds.ko{'.xz' if compressed else ''}"
        cls.debian = Debian(cls.suite, below=below)
        cls.addClassCleanup(cls.debian.remove)
        cls.debian.run("apt-get", "-q", "update")
        cls.said = cls.debian.install(built(DEB))

    def dkms(self, *command):
        return self.debian.run("dkms", *command)

    def assert_installed(self):
        self.assertRegex(self.dkms("status"), rf"neuron-nds/{VERSION}, {re.escape(self.release)}, x86_64: installed")
        self.assertTrue(self.debian.has(self.module))

    def test_1_there_is_no_rust(self):
        tools = "for tool in rustc cargo bindgen; do command -v $tool; done; ls /usr/lib/rustlib /root/.cargo 2>/dev/null"
        self.assertEqual(self.debian.run("sh", "-c", f"{tools}; true"), "")
        self.assertNotRegex(self.debian.run("dpkg-query", "-W", "-f", "${Package}\n"), "(?m)^(rust|lib.*-rust|bindgen|linux-source)")

    def test_2_installing_builds_it_and_says_why_it_is_that_body(self):
        self.assert_installed()
        kernel = re.escape(self.release)
        self.assertRegex(self.said, rf"neuron-nds gets the portable body for kernel {kernel}: .*CONFIG_RUST is not set")

    def test_3_modinfo_says_which_body_of_which_version_for_which_kernel(self):
        info = {name: self.debian.run("modinfo", "-F", name, self.module) for name in ("body", "version", "vermagic", "license")}
        self.assertRegex(info["body"], "^portable: ")
        self.assertEqual(info["vermagic"].split()[0], self.release)
        self.assertEqual((info["version"], info["license"]), (f"{VERSION}\n", "GPL\n"))

    def test_4_the_unmodified_kernel_runs_it(self):
        module = self.debian.read(self.module)
        module = lzma.decompress(module) if self.module.endswith(".xz") else module
        console = boot(self.image, initramfs_with(module))
        self.assertEqual(missing(console, OUT_OF_TREE | UNTRUSTED), [], console)

    def test_5_every_command_of_dkms_does_its_part(self):
        this = (f"neuron-nds/{VERSION}", "-k", self.release)
        self.dkms("remove", this[0], "--all")
        self.assertFalse(self.debian.has(self.module))
        self.dkms("add", this[0])
        self.dkms("build", *this)
        self.assertIn("x86_64: built", self.dkms("status"))
        self.dkms("install", *this)
        self.assert_installed()
        self.dkms("uninstall", *this)
        self.assertFalse(self.debian.has(self.module))
        self.dkms("autoinstall", "-k", self.release)
        self.assert_installed()

    def test_6_what_the_settings_ask_for_is_built_by_the_commands_of_the_manual(self):
        self.debian.put(SETTINGS, b"BODY=portable\n")
        this = (f"neuron-nds/{VERSION}", "-k", self.release)
        self.dkms("remove", *this)
        said = self.dkms("install", *this)
        self.assertIn(f"gets the portable body for kernel {self.release}: {SETTINGS} asks for it\n", said)
        self.assert_installed()

    def test_7_purging_leaves_nothing(self):
        self.debian.run("apt-get", "-q", "-y", "purge", "neuron-nds-dkms")
        self.assertEqual(self.dkms("status"), "")
        for path in (self.module, f"/usr/src/neuron-nds-{VERSION}", "/var/lib/dkms/neuron-nds", "/var/lib/neuron-nds"):
            self.assertFalse(self.debian.has(path), path)

    def test_8_a_kernel_that_cannot_be_built_for_is_no_failure_of_the_package(self):
        self.debian.put(SETTINGS, b"BODY=rust\n")
        said = self.debian.install(built(DEB))
        self.assertRegex(said, rf"neuron-nds is not built for kernel {re.escape(self.release)}: .*CONFIG_RUST is not set")
        installed = self.debian.run("dpkg-query", "-W", "-f", "${db:Status-Status}", "neuron-nds-dkms")
        self.assertEqual(installed, "installed")
        self.assertFalse(self.debian.has(self.module))
        self.debian.run("apt-get", "-q", "-y", "purge", "neuron-nds-dkms")


class OnDebian12(OwnKernel, unittest.TestCase):
    """Its DKMS neither looks at what PRE_BUILD returns nor knows the oldest kernel."""

    suite = "bookworm"


class OnDebian13(OwnKernel, unittest.TestCase):
    suite = "trixie"


if __name__ == "__main__":
    unittest.main()
