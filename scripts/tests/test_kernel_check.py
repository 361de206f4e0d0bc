# SPDX-License-Identifier: MIT OR Apache-2.0
"""scripts/kernel-check: which body a kernel gets; what is wrong with a kernel is said in one line."""

import os
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
        self.configure()

    def write(self, name, text):
        path = self.kdir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def configure(self, **changes):
        """A kernel with Rust, but for these changes."""
        symbols = {"X86_64": "y", "CC_IS_GCC": "y", "RUST": "y", "RUSTC_VERSION_TEXT": f'"{rustc_version()}"', **changes}
        lines = [f"CONFIG_{name}={value}\n" for name, value in symbols.items() if value != "n"]
        self.write("include/config/auto.conf", "".join(lines))

    def check(self, kdir=None, body=""):
        environment = {**os.environ, "BODY": body}
        return subprocess.run([CHECK, kdir or self.kdir], capture_output=True, text=True, env=environment)

    def assert_refused(self, saying, kdir=None, body=""):
        run = self.check(kdir, body)
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertEqual(run.stderr.count("\n"), 1, "one line")
        self.assertIn(saying, run.stderr)
        self.assertIn("make kernel", run.stderr, "says what to do")

    def assert_portable(self, why):
        """It gets the portable body, with one line that says why, unless the other one is asked for."""
        run = self.check()
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"^BODY=portable ?$")
        self.assertEqual(run.stderr.count("\n"), 1, "one line")
        self.assertIn(why, run.stderr)
        self.assert_refused(why, body="rust")

    def test_a_kernel_with_rust_gives_the_arguments_for_make(self):
        for body in ("", "rust"):
            run = self.check(body=body)
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertRegex(run.stdout, r"^BODY=rust RUSTC=\S+/rustc HOSTRUSTC=\S+/rustc ?$")

    def test_the_portable_body_of_a_kernel_with_rust_has_to_be_asked_for(self):
        run = self.check(body="portable")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertRegex(run.stdout, r"^BODY=portable ?$")

    def test_there_is_no_third_body(self):
        run = self.check(body="c")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("BODY is rust or portable, not 'c'", run.stderr)

    def test_a_missing_folder(self):
        self.assert_refused("no folder", self.kdir / "absent")

    def test_a_folder_that_is_no_kernel(self):
        (self.kdir / "include/config/auto.conf").unlink()
        self.assert_refused("no configured kernel build folder")

    def test_a_kernel_that_is_too_old_for_any_body(self):
        self.write("include/config/kernel.release", "5.15.0-100-generic\n")
        self.assert_refused("kernel 5.15.0-100-generic is too old for the module (6.1 or newer)")

    def test_a_kernel_that_is_too_old_for_rust(self):
        self.write("include/config/kernel.release", "6.12.9-amd64\n")
        self.assert_portable("kernel 6.12.9-amd64 is too old for a Rust module (7.2 or newer)")

    def test_a_kernel_without_rust(self):
        self.configure(RUST="n")
        self.assert_portable("CONFIG_RUST is not set")

    def test_missing_rust_metadata(self):
        (self.kdir / "rust/libkernel.rmeta").unlink()
        self.assert_portable("no Rust metadata")

    def test_another_rustc_than_the_one_that_built_it(self):
        self.configure(RUSTC_VERSION_TEXT='"rustc 1.2.3 (0123 2015-08-03)"')
        self.assert_portable("built by 'rustc 1.2.3 (0123 2015-08-03)'")

    def test_a_clang_that_is_not_here(self):
        self.configure(CC_IS_CLANG="y", CLANG_VERSION="990102")
        for body in ("", "rust", "portable"):
            self.assert_refused("built by clang 99", body=body)

    def test_aarch64_with_pages_of_4_kib(self):
        self.configure(X86_64="n", ARM64="y", ARM64_4K_PAGES="y", RUST="n")
        self.assert_portable("CONFIG_RUST is not set")

    def test_aarch64_with_larger_pages(self):
        self.configure(X86_64="n", ARM64="y", ARM64_64K_PAGES="y", RUST="n")
        run = self.check()
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("CONFIG_ARM64_4K_PAGES", run.stderr)

    def test_another_architecture(self):
        self.configure(X86_64="n", RISCV="y", RUST="n")
        run = self.check()
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("neither for x86-64 nor for aarch64", run.stderr)


if __name__ == "__main__":
    unittest.main()
