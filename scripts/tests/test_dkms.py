# SPDX-License-Identifier: MIT OR Apache-2.0
"""dkms.conf and scripts/dkms: what DKMS is told, and what is skipped with which reason."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def directives(action="status", kernelver="7.3.4", kernel_source_dir="/nonexistent"):
    """What dkms.conf sets, as DKMS sources it; and what it says."""
    code = 'set -e; . "$1/dkms.conf" >/dev/null; declare -p'
    environment = dict(os.environ, action=action, kernelver=kernelver, kernel_source_dir=kernel_source_dir)
    run = subprocess.run(
        ["bash", "-c", code, "dkms", ROOT], env=environment, capture_output=True, text=True, check=True
    )
    names = r"^declare -\S+ ([A-Z_]+)=(?:\(\[0\]=)?\"(.*?)\"\)?$"
    return dict(re.findall(names, run.stdout.replace(r"\$", "$"), re.M)), run.stderr


class Configuration(unittest.TestCase):
    def test_the_version_is_that_of_the_workspace(self):
        version = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]
        self.assertEqual(directives()[0]["PACKAGE_VERSION"], version)

    def test_modules_are_kept_as_built_and_for_one_kernel_only(self):
        conf, _ = directives()
        self.assertEqual((conf["STRIP"], conf["NO_WEAK_MODULES"], conf["AUTOINSTALL"]), ("no", "yes", "yes"))

    def test_the_oldest_kernel_is_that_of_the_check(self):
        check = (ROOT / "scripts/kernel-check").read_text()
        oldest = re.search(r"^OLDEST_RUST_KERNEL=(.*)$", check, re.M)[1]
        self.assertEqual(directives()[0]["BUILD_EXCLUSIVE_KERNEL_MIN"], oldest)
        self.assertEqual(directives()[0]["BUILD_EXCLUSIVE_CONFIG"], "CONFIG_RUST")

    def test_a_kernel_that_cannot_be_built_for_is_excluded_when_building(self):
        for action in ("build", "install", "autoinstall", "kernel_postinst"):
            with self.subTest(action):
                conf, said = directives(action)
                self.assertEqual(conf["BUILD_EXCLUSIVE_KERNEL"], "^$")
                self.assertRegex(said, r"\Aneuron-nds is not built for kernel 7.3.4: no folder /nonexistent.*\n\Z")

    def test_other_actions_say_nothing(self):
        for action in ("add", "remove", "status", "uninstall"):
            with self.subTest(action):
                conf, said = directives(action)
                self.assertNotIn("BUILD_EXCLUSIVE_KERNEL", conf)
                self.assertEqual(said, "")


class StockDebian(unittest.TestCase):
    """Headers without metadata, which include those common to all flavours."""

    KVER = "7.3.4+deb99-amd64"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.kdir = pathlib.Path(folder.name)
        (self.kdir / "Makefile").write_text(f"include /usr/src/linux-headers-{self.KVER}-common/Makefile\n")

    def test_what_is_missing_is_said_and_the_status_is_that_of_a_skip(self):
        for command in ("check", "pre-build"):
            run = subprocess.run(
                [ROOT / "scripts/dkms", command, self.KVER, self.kdir], capture_output=True, text=True
            )
            self.assertEqual((run.returncode, run.stdout), (77, ""))
            self.assertEqual(
                run.stderr,
                f"neuron-nds is not built for kernel {self.KVER}: "
                f"no headers of {self.KVER}: apt-get install linux-headers-{self.KVER}\n",
            )


if __name__ == "__main__":
    unittest.main()
