# SPDX-License-Identifier: MIT OR Apache-2.0
"""The .deb packages as files: who owns what is in them, and whether they ask for all that it needs."""

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from debian import PACKAGES

# Packages of Debian with the shared libraries that ours are linked with.
PROVIDERS = {"libc.so.6": "libc6", "ld-linux-x86-64.so.2": "libc6", "libgcc_s.so.1": "libgcc-s1"}


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def package(pattern):
    [found] = PACKAGES.glob(pattern)
    return found


def number(version):
    return [int(part) for part in version.split(".")]


class Deb(unittest.TestCase):
    USERSPACE = "neuron-nds_*_amd64.deb"
    DKMS = "neuron-nds-dkms_*_all.deb"

    def test_everything_is_owned_and_only_writable_by_root(self):
        for pattern in (self.USERSPACE, self.DKMS):
            for line in output("dpkg-deb", "-c", package(pattern)).splitlines():
                self.assertRegex(line, r"^(l|[d-]rw[x-]r-[x-]r-[x-] root/root)", pattern)

    def test_the_source_depends_on_no_rust(self):
        depends = output("dpkg-deb", "-f", package(self.DKMS), "Depends")
        self.assertEqual(depends.strip(), "dkms, gcc, make")

    def libraries(self):
        """Ours that are shared, out of the package."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        output("dpkg-deb", "-x", package(self.USERSPACE), folder.name)
        found = [path for path in Path(folder.name).glob("usr/lib/*/lib*.so.*") if not path.is_symlink()]
        self.assertEqual({path.name for path in found}, {"libnds.so.1", "libndl_nds.so.1"})
        return found

    def test_it_depends_on_the_libraries_that_its_own_are_linked_with(self):
        depends = output("dpkg-deb", "-f", package(self.USERSPACE), "Depends")
        [glibc] = re.findall(r"\blibc6 \(>= ([0-9.]+)\)", depends)
        for library in self.libraries():
            for needed in re.findall(r"NEEDED.*\[(.*)\]", output("readelf", "-d", library)):
                self.assertRegex(depends, rf"(^|, ){PROVIDERS[needed]}\b")
            for version in re.findall(r"GLIBC_([0-9.]+)", output("objdump", "-T", library)):
                self.assertLessEqual(number(version), number(glibc), library.name)


if __name__ == "__main__":
    unittest.main()
