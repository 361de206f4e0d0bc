# SPDX-License-Identifier: MIT OR Apache-2.0
# shellcheck shell=bash
#
# Where Debian's packages are fetched from. Sourced; no mirror is named here.

# The Debian mirrors that this machine's apt is configured for, one a line.
mirrors() {
	if [ -n "${DEBIAN_MIRROR:-}" ]; then
		echo "$DEBIAN_MIRROR"
		return
	fi
	# shellcheck disable=SC2016  # apt expands it
	apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian'
	# Without package lists apt knows no origin: take all it would ask.
	apt-get update --print-uris | sed -n "s|^'\(.*/\)dists/[^']*' .*|\1|p"
}
