# SPDX-License-Identifier: MIT OR Apache-2.0
"""The package neuron-nds-dkms on Debian 13 with the kernels of its backports: DKMS for real."""

import re
import unittest

from debian import NEWER, VERSION, Debian, built, newer, with_kernels
from firmware import boot_with_key
from machine import boot, initramfs_with

DEB = "neuron-nds-dkms_*_all.deb"
STATE = "/var/lib/neuron-nds/kernel"
SIGNER = "A key made for this test"

# Taints of the kernel (Documentation/admin-guide/tainted-kernels.rst).
OUT_OF_TREE = 1 << 12
UNTRUSTED = 1 << 13


def module(release):
    """Where DKMS installs the module of a kernel; uncompressed, as there are no other modules to do as."""
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
        cls.debian.install(built(DEB))

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

    def test_1_installing_builds_for_every_kernel_with_rust(self):
        for release in self.with_rust:
            self.assertRegex(self.status(), rf"{re.escape(release)}, x86_64: installed")
            self.assertTrue(self.debian.has(module(release)))

    def test_1_a_kernel_without_rust_is_skipped_with_one_reason(self):
        self.assertNotIn(self.old, self.status())
        said = self.debian.run("dkms", "autoinstall", "-k", self.old)
        self.assertRegex(said, rf"neuron-nds is not built for kernel {re.escape(self.old)}: .*(too old|CONFIG_RUST)")

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

    def assert_works(self, console, taint):
        for marker in ("NDS-LOAD: 0", "NDS-DEMO: 0", "NDS-DOCTOR: 0", "NDS-AGAIN: 0", f"NDS-TAINT: {taint}"):
            self.assertIn(f"{marker}\n", console)

    def test_3_the_unmodified_kernels_of_debian_run_it(self):
        for release in self.clouds:
            with self.subTest(release):
                self.assert_works(boot(*self.files(release)), OUT_OF_TREE | UNTRUSTED)

    def test_3_a_kernel_that_takes_signed_modules_only_refuses_an_unknown_key(self):
        console = boot(*self.files(self.clouds[0]), "module.sig_enforce=1")
        self.assertIn("NDS-ENFORCED: Y\n", console)
        self.assertIn("Key was rejected by service\n", console)
        self.assertIn("NDS-DOCTOR: 10\n", console)

    def test_3_with_secure_boot_and_the_key_enrolled_it_is_trusted(self):
        key, certificate = self.debian.read("/root/key.pem"), self.debian.read("/root/certificate.pem")
        console = boot_with_key(*self.files(self.clouds[0]), key, certificate, "module.sig_enforce=1")
        self.assertIn("NDS-ENFORCED: Y\n", console)
        self.assert_works(console, OUT_OF_TREE)

    def test_4_a_missing_source_package_is_a_reason_and_no_failure(self):
        self.debian.run("dkms", "remove", f"neuron-nds/{VERSION}", "-k", self.common)
        away = f"mv {STATE}/{self.common} /usr/src/linux-source-*.tar.xz /var/tmp"
        self.debian.run("sh", "-c", away)
        said = self.debian.run("dkms", "autoinstall", "-k", self.common)
        self.assertRegex(said, r"no Rust metadata of .*: apt-get install linux-source-")
        back = f"mv /var/tmp/linux-source-*.tar.xz /usr/src && mv /var/tmp/{self.common} {STATE}"
        self.debian.run("sh", "-c", back)

    def test_4_another_compiler_or_none_is_a_reason_and_no_failure(self):
        self.debian.run("mv", "/usr/bin/rustc", "/usr/bin/rustc.kept")
        self.assert_wants_its_compiler("not there")
        other = "printf '#!/bin/sh\\necho rustc 1.99.0\\n' >/usr/bin/rustc && chmod 755 /usr/bin/rustc"
        self.debian.run("sh", "-c", other)
        self.assert_wants_its_compiler("rustc 1.99.0")
        self.debian.run("mv", "/usr/bin/rustc.kept", "/usr/bin/rustc")

    def assert_wants_its_compiler(self, found):
        said = self.debian.run("dkms", "autoinstall", "-k", self.common)
        self.assertRegex(said, rf"was built by 'rustc 1\..*', /usr/bin/rustc is '{found}': apt-get install rustc")

    def test_4_source_that_does_not_compile_is_a_reason_and_no_failure(self):
        file = f"/usr/src/neuron-nds-{VERSION}/src/compat.rs"
        self.debian.run("sh", "-c", f"cp {file} /var/tmp && echo 'no Rust' >>{file}")
        said = self.debian.run("dkms", "autoinstall", "-k", self.common)
        [log] = re.findall(r"Consult (\S+) for more information", said)
        self.assertRegex(self.debian.run("cat", log), rf"not built for kernel {re.escape(self.common)}: .* does not compile")
        self.debian.run("mv", "/var/tmp/compat.rs", file)

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


class OlderDkms(unittest.TestCase):
    """Debian 12, whose DKMS neither looks at what PRE_BUILD returns nor knows the oldest kernel."""

    def test_a_kernel_that_cannot_be_built_for_is_no_failure_of_the_package(self):
        debian = Debian("bookworm")
        self.addCleanup(debian.remove)
        debian.run("apt-get", "-q", "update")
        debian.install("dkms", "linux-headers-cloud-amd64")
        said = debian.install(built(DEB))
        self.assertRegex(said, r"neuron-nds is not built for kernel 6\.1\..*: .*(too old|CONFIG_RUST)")
        installed = debian.run("dpkg-query", "-W", "-f", "${db:Status-Status}", "neuron-nds-dkms")
        self.assertEqual(installed, "installed")
        debian.run("apt-get", "-q", "-y", "purge", "neuron-nds-dkms")


if __name__ == "__main__":
    unittest.main()
