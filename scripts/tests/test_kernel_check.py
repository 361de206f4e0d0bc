# SPDX-License-Identifier: MIT OR Apache-2.0
"""scripts/kernel-check: what is wrong with a kernel is said in one line."""

import pathlib
import subprocess
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parent.parent / "kernel-check"


def rustc_version():
    """Of the rustc that kernel-check looks at first, if there is one."""
    for rustc in ("/usr/bin/rustc", "rustc"):
        try:
            return subprocess.run([rustc, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        except FileNotFoundError:
            continue
    raise FileNotFoundError("no rustc on this machine")


class KernelCheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.kdir = pathlib.Path(folder.name)
        for name in ("Makefile", "include/config/kernel.release", "rust/libkernel.rmeta", "rust/libcore.rmeta"):
            self.write(name, "7.3.4\n")
        self.configure(RUST="y", RUSTC_VERSION_TEXT=f'"{rustc_version()}"', CC_IS_GCC="y")

    def write(self, name, text):
        path = self.kdir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def configure(self, **symbols):
        lines = [f"CONFIG_{name}={value}\n" for name, value in symbols.items()]
        self.write("include/config/auto.conf", "".join(lines))

    def check(self, kdir=None):
        return subprocess.run([CHECK, kdir or self.kdir], capture_output=True, text=True)

    def assert_refused(self, saying, kdir=None):
        run = self.check(kdir)
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertEqual(run.stderr.count("\n"), 1, "one line")
        self.assertIn(saying, run.stderr)
        self.assertIn("make kernel", run.stderr, "says what to do")

    def test_a_kernel_with_rust_gives_the_arguments_for_make(self):
        run = self.check()
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"^RUSTC=\S+/rustc HOSTRUSTC=\S+/rustc ?$")

    def test_a_missing_folder(self):
        self.assert_refused("no folder", self.kdir / "absent")

    def test_a_folder_that_is_no_kernel(self):
        (self.kdir / "include/config/auto.conf").unlink()
        self.assert_refused("no configured kernel build folder")

    def test_a_kernel_that_is_too_old(self):
        self.write("include/config/kernel.release", "6.12.9-amd64\n")
        self.assert_refused("kernel 6.12.9-amd64 is too old")

    def test_a_kernel_without_rust(self):
        self.configure(CC_IS_GCC="y")
        self.assert_refused("CONFIG_RUST is not set")

    def test_missing_rust_metadata(self):
        (self.kdir / "rust/libkernel.rmeta").unlink()
        self.assert_refused("no Rust metadata")

    def test_another_rustc_than_the_one_that_built_it(self):
        self.configure(RUST="y", RUSTC_VERSION_TEXT='"rustc 1.2.3 (0123 2015-08-03)"')
        self.assert_refused("built by 'rustc 1.2.3 (0123 2015-08-03)'")

    def test_a_clang_that_is_not_here(self):
        self.configure(
            RUST="y", RUSTC_VERSION_TEXT=f'"{rustc_version()}"', CC_IS_CLANG="y", CLANG_VERSION="990102"
        )
        self.assert_refused("built by clang 99")


if __name__ == "__main__":
    unittest.main()
