# SPDX-License-Identifier: MIT OR Apache-2.0
"""A small Debian to try packages in: commands run in it, what they change is thrown away.

Owns nothing of the packages themselves; scripts/debian-chroot makes the system.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "neuron-nds"
PACKAGES = ROOT / "build/packages"
VERSION = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]
# that of a package to upgrade to
NEWER = "99.0.0"


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
        """Installs packages of the archive, or files below /source; DKMS may have minutes of work with each kernel."""
        return self.run("apt-get", "-q", "-y", "install", *packages, timeout=3600)

    def remove(self):
        """Throws the layer away."""
        shutil.rmtree(self.layer)


def built(pattern):
    """The package that `make package` built, as seen from inside."""
    [package] = PACKAGES.glob(pattern)
    return f"/source/{package.relative_to(ROOT)}"


MAKE_NEWER = """
rm -rf /root/newer
dpkg-deb -R {package} /root/newer
cd /root/newer
sed -i 's/{version}/{newer}/g' DEBIAN/*
if [ -d usr/src ]; then
	mv usr/src/neuron-nds-{version} usr/src/neuron-nds-{newer}
	sed -i 's/{version}/{newer}/g' usr/src/neuron-nds-{newer}/dkms.conf usr/src/neuron-nds-{newer}/Cargo.toml
fi
dpkg-deb -b . /root/newer.deb
"""


def newer(debian, package):
    """The package of version NEWER, made of the one that was built, as seen from inside."""
    debian.run("sh", "-ec", MAKE_NEWER.format(package=package, version=VERSION, newer=NEWER))
    return "/root/newer.deb"


def with_own_kernel(suite):
    """A Debian with the headers of the kernel it came with, and without Rust; that kernel's release and image.

    Made once, by scripts/debian-kernel, and kept in the cache.
    """
    kernel = {"bookworm": "6.1-debian", "trixie": "6.12-debian"}[suite]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([ROOT / "scripts/debian-kernel", kernel, folder], capture_output=True, check=True)
        image = (pathlib.Path(folder) / "kernel").read_bytes()
    debian = Debian(suite, layer=CACHE / f"chroot/{suite}-stock")
    return debian, debian.read("/stock/release").decode().strip(), image


# Series of kernels in trixie-backports to build for.
SERIES = ("7.3", "7.2")
KERNELS = CACHE / "chroot/trixie-kernels"


def with_kernels():
    """Debian 13 with DKMS, headers of four kernels and the source of three of them; and their releases.

    First the cloud kernel of each of SERIES, of which the image is there too; then one of the same version as the
    first, but configured otherwise; last Debian 13's own, without Rust. Made once and kept in the cache.
    """
    debian = Debian(layer=KERNELS)
    complete = KERNELS / "complete"
    if not complete.exists():
        debian.run("apt-get", "-q", "update")
        clouds = [newest(debian, series) for series in SERIES]
        releases = [*clouds, clouds[0].replace("-cloud", ""), without_rust(debian)]
        debian.install(
            *("dkms", "make", "rustc", "rust-src", "bindgen", "xz-utils", "kmod", "openssl"),
            *(f"linux-source-{series}" for series in SERIES),
            *(f"linux-headers-{release}" for release in releases),
        )
        for release in clouds:
            image = f"apt-get -q download linux-binary-{release} && dpkg-deb -x linux-binary-{release}_*.deb /"
            debian.run("sh", "-c", f"cd /var/tmp && {image}")
        complete.write_text("\n".join(releases))
    return debian, complete.read_text().split()


def newest(debian, series):
    """Release of the cloud kernel of the newest version of a series."""
    found = debian.run("apt-cache", "search", "--names-only", rf"^linux-headers-{series}[.0-9]*\+deb13-cloud-amd64$")
    clouds = [line.split()[0].removeprefix("linux-headers-") for line in found.splitlines()]
    return max(clouds, key=lambda release: [int(part) for part in release.split("+")[0].split(".")])


def without_rust(debian):
    """Release of the kernel that Debian 13 came with."""
    found = debian.run("apt-cache", "depends", "linux-headers-cloud-amd64")
    return found.split("Depends: linux-headers-")[1].split()[0]
