# SPDX-License-Identifier: MIT OR Apache-2.0
"""dkms.conf and scripts/dkms: what DKMS is told, and what is skipped with which reason."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from test_kernel_check import rustc_version

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
        oldest = re.search(r"^OLDEST_KERNEL=(.*)$", check, re.M)[1]
        self.assertEqual(directives()[0]["BUILD_EXCLUSIVE_KERNEL_MIN"], oldest)

    def test_a_kernel_needs_no_rust(self):
        self.assertNotIn("BUILD_EXCLUSIVE_CONFIG", directives()[0])

    def test_the_architectures_are_those_of_the_shipped_objects(self):
        shipped = {path.stem.removeprefix("core-") for path in ROOT.glob("src/portable/*.o_shipped")}
        wanted = directives()[0]["BUILD_EXCLUSIVE_ARCH"]
        self.assertEqual({arch for arch in (*shipped, "riscv64", "i686") if re.search(wanted, arch)}, shipped)

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


class Body(unittest.TestCase):
    """Headers of Debian's kind: without metadata, and with a part that is common to all flavours."""

    KVER = "7.3.4+deb99-amd64"
    NO_RUST = f"no headers of {KVER}: apt-get install linux-headers-{KVER}"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("Makefile", f"include /usr/src/linux-headers-{self.KVER}-common/Makefile\n")
        self.write("include/config/kernel.release", f"{self.KVER}\n")
        self.write("include/config/auto.conf", "CONFIG_X86_64=y\nCONFIG_RUST=y\n")

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def dkms(self, command):
        environment = dict(os.environ, NDS_STATE=str(self.folder), NDS_SETTINGS=str(self.folder / "settings"))
        return subprocess.run(
            [ROOT / "scripts/dkms", command, self.KVER, self.folder], env=environment, capture_output=True, text=True
        )

    def assert_gets(self, body, why):
        run = self.dkms("check")
        said = f"neuron-nds gets the {body} body for kernel {self.KVER}: {why}\n"
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", said))

    def assert_skipped(self, why):
        for command in ("check", "pre-build"):
            run = self.dkms(command)
            said = f"neuron-nds is not built for kernel {self.KVER}: {why}\n"
            self.assertEqual((run.returncode, run.stdout, run.stderr), (77, "", said))

    def test_what_the_rust_body_lacks_is_why_it_is_the_portable_one(self):
        self.assert_gets("portable", self.NO_RUST)

    def test_with_metadata_and_its_rustc_a_kernel_gets_the_rust_body(self):
        config = f'CONFIG_X86_64=y\nCONFIG_CC_IS_GCC=y\nCONFIG_RUST=y\nCONFIG_RUSTC_VERSION_TEXT="{rustc_version()}"\n'
        for name, text in (("auto.conf", config), ("../../rust/libkernel.rmeta", ""), ("../../rust/libcore.rmeta", "")):
            self.write(f"include/config/{name}", text)
        self.assert_gets("rust", "all that it takes is installed")

    def test_what_neither_body_can_do_without_is_why_a_kernel_is_skipped(self):
        self.write("include/config/auto.conf", "CONFIG_RISCV=y\nCONFIG_RUST=y\n")
        self.assert_skipped(f"kernel in {self.folder} is neither for x86-64 nor for aarch64")

    def test_the_settings_ask_for_the_portable_body(self):
        for line in ("BODY=portable", "BODY='portable'", 'BODY=rust\n\tBODY="portable" # for now'):
            self.write("settings", f"# a comment\n{line}\n")
            self.assert_gets("portable", f"{self.folder}/settings asks for it")

    def test_a_rust_body_that_the_settings_ask_for_is_never_replaced(self):
        self.write("settings", "BODY=rust\n")
        self.assert_skipped(self.NO_RUST)

    def test_settings_without_a_body_change_nothing(self):
        self.write("settings", "# BODY=rust\nAUTOINSTALL=yes\nBODY=\n")
        self.assert_gets("portable", self.NO_RUST)

    def test_the_settings_cannot_ask_for_a_third_body(self):
        self.write("settings", "BODY=c\n")
        self.assert_skipped(f"BODY is rust or portable, not 'c', in {self.folder}/settings")


if __name__ == "__main__":
    unittest.main()
