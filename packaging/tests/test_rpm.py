# SPDX-License-Identifier: MIT OR Apache-2.0
"""The .rpm packages: what they say and contain. No system that uses rpm is at hand to run them in."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from debian import PACKAGES


def rpm(*arguments):
    run = subprocess.run(["rpm", *arguments], capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


def package(pattern):
    [found] = PACKAGES.glob(pattern)
    return str(found)


class Rpm(unittest.TestCase):
    USERSPACE = "neuron-nds-0*.x86_64.rpm"
    DKMS = "neuron-nds-dkms-*.noarch.rpm"

    def test_the_tool_needs_neither_dkms_nor_the_module(self):
        needs = "\n".join(rpm("-qp", "--requires", package(self.USERSPACE)))
        self.assertNotIn("dkms", needs)
        self.assertIn("libc.so.6", needs)

    def test_the_source_needs_dkms_and_a_c_compiler_but_no_rust(self):
        needs = rpm("-qp", "--requires", package(self.DKMS))
        self.assertLessEqual({"dkms", "gcc", "make"}, set(needs))
        self.assertNotIn("rust", needs)

    def test_both_have_the_files_of_the_deb_packages(self):
        tool = rpm("-qlp", package(self.USERSPACE))
        for name in ("/usr/bin/nds", "/usr/lib64/libnds.so.1", "/usr/include/nds.h", "/usr/share/man/man1/nds.1.gz",
                     "/usr/share/zsh/site-functions/_nds", "/usr/lib/udev/rules.d/60-neuron-nds.rules"):
            self.assertIn(name, tool)
        source = "\n".join(rpm("-qlp", package(self.DKMS)))
        for name in ("dkms.conf", "src/portable/core-x86_64.o_shipped", "src/portable/core-aarch64.o_shipped"):
            self.assertIn(f"/{name}\n", source)

    def test_erasing_removes_every_file(self):
        packages = [package(self.USERSPACE), package(self.DKMS)]
        with tempfile.TemporaryDirectory() as root:
            files = [pathlib.Path(root + name) for name in rpm("-qlp", *packages)]
            apart = ("--root", root, "--nodeps", "--noscripts")
            rpm(*apart, "-i", *packages)
            self.assertEqual([file for file in files if not os.path.lexists(file)], [])
            rpm(*apart, "-e", "neuron-nds", "neuron-nds-dkms")
            self.assertEqual([file for file in files if os.path.lexists(file)], [])


if __name__ == "__main__":
    unittest.main()
