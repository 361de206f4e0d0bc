# SPDX-License-Identifier: MIT OR Apache-2.0
"""The package neuron-nds on Debian 12 and 13: installed, used, upgraded, removed, purged."""

import unittest

from debian import NEWER, ROOT, Debian, built, newer

DEB = "neuron-nds_*_amd64.deb"


class Userspace:
    """The steps are in the order of their names: each goes on from where the one before ended."""

    suite = None

    @classmethod
    def setUpClass(cls):
        cls.debian = Debian(cls.suite)
        cls.addClassCleanup(cls.debian.remove)
        cls.debian.run("apt-get", "-q", "update")
        cls.debian.install(built(DEB))

    def test_1_needs_neither_module_nor_dkms(self):
        installed = self.debian.run("dpkg-query", "-W", "-f", "${Package} ${Status}\n")
        self.assertIn("neuron-nds install ok installed", installed)
        self.assertNotIn("dkms", installed)

    def test_2_the_tool_works_without_shared_libraries(self):
        self.assertIn("totals", self.debian.run("nds", "demo", "--duration", "100ms"))
        self.assertIn("statically linked", self.debian.run("ldd", "/usr/bin/nds", status=None))

    def test_2_the_tool_says_what_is_missing(self):
        self.debian.run("nds", "doctor", status=10)

    def test_3_the_group_of_the_udev_rule_exists(self):
        rule = (ROOT / "packaging/60-neuron-nds.rules").read_text()
        self.assertIn('GROUP="neuron"', rule)
        self.assertIn("neuron:", self.debian.run("getent", "group", "neuron"))

    def test_3_every_command_has_a_man_page_and_shells_complete(self):
        files = self.debian.run("dpkg", "-L", "neuron-nds")
        for name in ("nds.1.gz", "nds-show.1.gz", "nds-doctor.1.gz", "completions/nds", "_nds", "nds.fish"):
            self.assertIn(f"/{name}\n", files)

    def test_3_the_libraries_have_their_headers(self):
        files = self.debian.run("dpkg", "-L", "neuron-nds")
        for name in ("libnds.a", "libnds.so", "libndl_nds.so", "include/nds.h", "include/neuron_nds.h", "libnds.pc"):
            self.assertIn(f"/{name}\n", files)
        self.assertIn("libnds.so.1", self.debian.run("ldconfig", "-p"))

    def test_4_installing_again_changes_nothing(self):
        self.debian.run("apt-get", "-q", "-y", "install", "--reinstall", built(DEB))
        self.assertEqual(self.debian.run("dpkg", "--verify", "neuron-nds"), "")

    def test_5_an_upgrade_leaves_nothing_of_the_old_version(self):
        self.debian.install(newer(self.debian, built(DEB)))
        self.assertRegex(self.debian.run("dpkg-query", "-W", "neuron-nds"), rf"\t{NEWER}-")
        self.assertEqual(self.debian.run("dpkg", "--verify", "neuron-nds"), "")
        self.debian.run("nds", "demo", "--duration", "100ms")

    def test_6_removing_takes_all_files_along_but_the_group(self):
        files = self.debian.run("sh", "-c", "dpkg -L neuron-nds | xargs -d '\\n' stat -c '%F %n' | grep -v ^directory")
        self.debian.run("apt-get", "-q", "-y", "remove", "neuron-nds")
        for line in files.splitlines():
            self.assertFalse(self.debian.has(line.split()[-1]), line)
        self.debian.run("getent", "group", "neuron")

    def test_7_purging_leaves_nothing_to_know_of(self):
        self.debian.run("apt-get", "-q", "-y", "purge", "neuron-nds")
        self.debian.run("dpkg-query", "-W", "neuron-nds", status=1)


class OnDebian13(Userspace, unittest.TestCase):
    suite = "trixie"


class OnDebian12(Userspace, unittest.TestCase):
    suite = "bookworm"


if __name__ == "__main__":
    unittest.main()
