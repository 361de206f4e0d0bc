# SPDX-License-Identifier: MIT OR Apache-2.0
"""A small Debian to try packages in: commands run in it, what they change is thrown away.

Owns nothing of the packages themselves; scripts/debian-chroot makes the system.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "neuron-nds"
PACKAGES = ROOT / "build/packages"


class Debian:
    """A layer over a base system, and over another layer if `below` names one."""

    def __init__(self, suite="trixie", layer=None, below=None):
        self.suite = suite
        self.layer = pathlib.Path(layer or tempfile.mkdtemp(prefix="layer-", dir=CACHE / "chroot"))
        self.below = below

    def run(self, *command, status=0, timeout=900):
        """Output of a command; fails with it when the exit status is another one."""
        environment = dict(os.environ)
        environment.pop("BELOW", None)
        if self.below:
            environment["BELOW"] = str(self.below.layer)
        run = subprocess.run(
            [ROOT / "scripts/debian-chroot", self.suite, self.layer, *command],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout,
        )
        if status is not None and run.returncode != status:
            raise AssertionError(f"{' '.join(command)}: exit status {run.returncode}\n{run.stdout}")
        return run.stdout

    def has(self, path):
        """Whether a file is there."""
        return self.run("sh", "-c", f'[ -e "{path}" ] || [ -L "{path}" ] || echo absent') == ""

    def read(self, path):
        """The bytes of a file that this layer, or the one below, has written."""
        for layer in filter(None, (self, self.below)):
            file = layer.layer / "upper" / path.lstrip("/")
            if file.exists():
                return file.read_bytes()
        raise FileNotFoundError(path)

    def put(self, path, content):
        """Writes a file."""
        file = self.layer / "upper" / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    def install(self, *packages):
        """Installs packages of the archive, or files below /source."""
        return self.run("apt-get", "-q", "-y", "install", *packages)

    def remove(self):
        """Throws the layer away."""
        shutil.rmtree(self.layer)


def built(pattern):
    """The package that `make package` built, as seen from inside."""
    [package] = PACKAGES.glob(pattern)
    return f"/source/{package.relative_to(ROOT)}"


# Kernels of trixie-backports to build for.
SERIES = "7.3"
KERNELS = CACHE / "chroot/trixie-kernels"


def with_kernels():
    """Debian 13 with DKMS, headers of three kernels and the source of two of them; and their releases.

    The first is the cloud kernel, of which the image is there too; the second of the same version, but
    configured otherwise; the third is Debian 13's own, without Rust. Made once and kept in the cache.
    """
    debian = Debian(layer=KERNELS)
    complete = KERNELS / "complete"
    if not complete.exists():
        debian.run("apt-get", "-q", "update")
        releases = [*newest(debian), without_rust(debian)]
        debian.install(
            *("dkms", "make", "rustc", "rust-src", "bindgen", "xz-utils", "kmod", "openssl", f"linux-source-{SERIES}"),
            *(f"linux-headers-{release}" for release in releases),
        )
        image = f"apt-get -q download linux-binary-{releases[0]} && dpkg-deb -x linux-binary-*.deb /"
        debian.run("sh", "-c", f"cd /var/tmp && {image}")
        complete.write_text("\n".join(releases))
    return debian, complete.read_text().split()


def newest(debian):
    """Releases of the cloud kernel and of the common one, of the newest version of the series."""
    found = debian.run("apt-cache", "search", "--names-only", rf"^linux-headers-{SERIES}[.0-9]*\+deb13-cloud-amd64$")
    clouds = [line.split()[0].removeprefix("linux-headers-") for line in found.splitlines()]
    cloud = max(clouds, key=lambda release: [int(part) for part in release.split("+")[0].split(".")])
    return cloud, cloud.replace("-cloud", "")


def without_rust(debian):
    """Release of the kernel that Debian 13 came with."""
    found = debian.run("apt-cache", "depends", "linux-headers-cloud-amd64")
    return found.split("Depends: linux-headers-")[1].split()[0]
