# SPDX-License-Identifier: MIT OR Apache-2.0
"""The package neuron-nds-dkms on Debian 13 with the kernels of its backports and all that the Rust-for-Linux body
takes: DKMS for real.
"""

import re
import unittest

from debian import NEWER, VERSION, Debian, built, newer, with_kernels
from firmware import boot_with_key
from machine import OUT_OF_TREE, UNTRUSTED, boot, initramfs_with, missing

DEB = "neuron-nds-dkms_*_all.deb"
STATE = "/var/lib/neuron-nds/kernel"
SIGNER = "A key made for this test"
SETTINGS = "/etc/dkms/neuron-nds.conf"


def module(release):
    """Where DKMS installs the module of a kernel of the backports; uncompressed, as no other modules of it are there."""
    return f"/usr/lib/modules/{release}/updates/dkms/neuron_nds.ko"


class Dkms(unittest.TestCase):
    """The steps are in the order of their names: each goes on from where the one before ended."""

    @classmethod
    def setUpClass(cls):
        below, (*cls.clouds, cls.common, cls.old) = with_kernels()
        cls.with_rust = (*cls.clouds, cls.common)
        cls.debian = Debian(below=below)
        cls.addClassCleanup(cls.debian.remove)
        cls.make_key()
        cls.said = cls.debian.install(built(DEB))

    @classmethod
    def make_key(cls):
        """A key for DKMS to sign with, in place of the one that it would make itself."""
        cls.debian.run(
            *("openssl", "req", "-new", "-x509", "-nodes", "-days", "2", "-newkey", "rsa:2048"),
            *("-subj", f"/CN={SIGNER}/", "-keyout", "/root/key.pem", "-out", "/root/certificate.pem"),
        )
        cls.debian.run("openssl", "x509", "-in", "/root/certificate.pem", "-outform", "DER", "-out", "/root/certificate.der")
        settings = "mok_signing_key=/root/key.pem\nmok_certificate=/root/certificate.der\n"
        cls.debian.put("/etc/dkms/framework.conf.d/key.conf", settings.encode())

    def files(self, release):
        """Image of a cloud kernel, and an initramfs with the module that DKMS built for it."""
        image = f"/usr/lib/modules/{release}/vmlinuz"
        return self.debian.read(image), initramfs_with(self.debian.read(module(release)))

    def status(self):
        return self.debian.run("dkms", "status", "neuron-nds")

    def assert_has(self, release, body):
        self.assertRegex(self.status(), rf"{re.escape(release)}, x86_64: installed")
        # compressed if the kernel's own modules are there, and are; by name it is found only then
        self.assertRegex(self.debian.run("sh", "-c", f"modinfo -F body {module(release)}*"), f"^{body}: ")

    def test_1_installing_builds_the_rust_body_for_every_kernel_with_rust(self):
        for release in self.with_rust:
            self.assert_has(release, "rust")

    def test_1_installing_builds_the_portable_body_for_a_kernel_without_rust(self):
        self.assert_has(self.old, "portable")
        self.assertRegex(self.said, rf"gets the portable body for kernel {re.escape(self.old)}: .*CONFIG_RUST is not set")

    def test_2_modinfo_says_whose_module_it_is(self):
        for release in self.with_rust:
            lines = self.debian.run("modinfo", module(release)).splitlines()
            info = dict(line.split(":", 1) for line in lines if ":" in line)
            self.assertEqual(info["version"].strip(), VERSION)
            self.assertEqual(info["license"].strip(), "GPL")
            self.assertEqual(info["vermagic"].split()[0], release)
            self.assertEqual(info["signer"].strip(), SIGNER)
            parameters = self.debian.run("modinfo", "-F", "parm", module(release))
            for name in ("devices", "compat_names", "attach_policy", "cores", "metrics_period_ms"):
                self.assertRegex(parameters, rf"(?m)^{name}:")

    def test_3_the_unmodified_kernels_of_debian_run_it(self):
        for release in self.clouds:
            with self.subTest(release):
                console = boot(*self.files(release))
                self.assertEqual(missing(console, OUT_OF_TREE | UNTRUSTED), [], console)

    def test_3_a_kernel_that_takes_signed_modules_only_refuses_an_unknown_key(self):
        console = boot(*self.files(self.clouds[0]), "module.sig_enforce=1")
        self.assertIn("NDS-ENFORCED: Y\n", console)
        self.assertIn("Key was rejected by service\n", console)
        self.assertIn("NDS-DOCTOR: 10\n", console)

    def test_3_with_secure_boot_and_the_key_enrolled_it_is_trusted(self):
        key, certificate = self.debian.read("/root/key.pem"), self.debian.read("/root/certificate.pem")
        console = boot_with_key(*self.files(self.clouds[0]), key, certificate, "module.sig_enforce=1")
        self.assertIn("NDS-ENFORCED: Y\n", console)
        self.assertEqual(missing(console, OUT_OF_TREE), [], console)

    def autoinstall(self):
        """What DKMS says when it does again what it did when that kernel was installed."""
        self.debian.run("dkms", "remove", f"neuron-nds/{VERSION}", "-k", self.common, status=None)
        return self.debian.run("dkms", "autoinstall", "-k", self.common)

    def ask_for(self, body):
        self.debian.put(SETTINGS, f"BODY={body}\n".encode())
        self.addCleanup(self.debian.run, "rm", SETTINGS)

    def test_4_without_the_source_package_it_is_the_portable_body(self):
        self.debian.run("sh", "-c", f"mv {STATE}/{self.common} /usr/src/linux-source-*.tar.xz /var/tmp")
        reason = r": no Rust metadata of .*: apt-get install linux-source-"
        self.assertRegex(self.autoinstall(), "gets the portable body for kernel .*" + reason)
        self.assert_has(self.common, "portable")
        self.ask_for("rust")
        self.assertRegex(self.autoinstall(), "is not built for kernel .*" + reason)
        self.assertNotIn(self.common, self.status())
        self.debian.run("sh", "-c", f"mv /var/tmp/linux-source-*.tar.xz /usr/src && mv /var/tmp/{self.common} {STATE}")

    def test_4_another_compiler_or_none_is_a_reason_and_no_failure(self):
        self.ask_for("rust")
        self.debian.run("mv", "/usr/bin/rustc", "/usr/bin/rustc.kept")
        self.assert_wants_its_compiler("not there")
        other = "printf '#!/bin/sh\\necho rustc 1.99.0\\n' >/usr/bin/rustc && chmod 755 /usr/bin/rustc"
        self.debian.run("sh", "-c", other)
        self.assert_wants_its_compiler("rustc 1.99.0")
        self.debian.run("mv", "/usr/bin/rustc.kept", "/usr/bin/rustc")

    def assert_wants_its_compiler(self, found):
        reason = rf"was built by 'rustc 1\..*', /usr/bin/rustc is '{found}': apt-get install rustc"
        self.assertRegex(self.autoinstall(), reason)

    def test_4_the_portable_body_has_to_be_asked_for_where_both_can_be_built(self):
        self.ask_for("portable")
        self.assertRegex(self.autoinstall(), rf"gets the portable body for kernel .*: {SETTINGS} asks for it")
        self.assert_has(self.common, "portable")

    def spoil(self, name):
        """Makes a source file one that does not compile, until the end of the test."""
        file = f"/usr/src/neuron-nds-{VERSION}/{name}"
        self.debian.run("sh", "-c", f"cp {file} {file}.kept && echo '#error' >>{file}")
        self.addCleanup(self.debian.run, "mv", f"{file}.kept", file)

    def test_4_a_body_that_does_not_compile_is_replaced_and_the_last_is_no_failure(self):
        self.spoil("src/compat.rs")
        self.autoinstall()
        self.assert_has(self.common, "portable")
        self.spoil("src/portable/kernels.h")
        [log] = re.findall(r"Consult (\S+) for more information", self.autoinstall())
        self.assertRegex(self.debian.run("cat", log), rf"not built for kernel {re.escape(self.common)}: .* does not compile")
        self.assertNotIn(self.common, self.status())

    def test_5_one_kernel_goes_and_the_others_stay(self):
        self.debian.run("dkms", "build", f"neuron-nds/{VERSION}", "-k", self.common, timeout=1800)
        self.debian.run("dkms", "install", f"neuron-nds/{VERSION}", "-k", self.common)
        self.debian.run("dkms", "uninstall", f"neuron-nds/{VERSION}", "-k", self.common)
        self.assertFalse(self.debian.has(module(self.common)))
        for release in self.clouds:
            self.assertTrue(self.debian.has(module(release)))

    def test_6_an_upgrade_replaces_the_modules_of_all_kernels(self):
        self.debian.install(newer(self.debian, built(DEB)))
        self.assertNotIn(VERSION, self.status())
        for release in self.with_rust:
            self.assertRegex(self.status(), rf"{NEWER}, {re.escape(release)}, x86_64: installed")
            self.assertEqual(self.debian.run("modinfo", "-F", "version", module(release)).strip(), NEWER)

    def test_7_removing_takes_the_modules_out_of_all_kernels(self):
        self.debian.run("apt-get", "-q", "-y", "remove", "neuron-nds-dkms")
        self.assertEqual(self.status(), "")
        for release in self.with_rust:
            self.assertFalse(self.debian.has(module(release)))

    def test_8_purging_leaves_nothing(self):
        self.debian.run("apt-get", "-q", "-y", "purge", "neuron-nds-dkms")
        for path in (STATE, f"/usr/src/neuron-nds-{NEWER}", "/var/lib/dkms/neuron-nds"):
            self.assertFalse(self.debian.has(path), path)


if __name__ == "__main__":
    unittest.main()
