# SPDX-License-Identifier: MIT OR Apache-2.0
#
# The C libraries of the userspace side, for the Makefile to include: libnds and
# libndl_nds, static and shared. What each target does is said in its script.
#
# DESTDIR, PREFIX, LIBDIR and INCLUDEDIR say where to install.

.PHONY: libnds install-libnds

libnds: ## the C libraries, static and shared, in build/lib
	@scripts/deps cargo
	@scripts/libnds

install-libnds: libnds ## the C libraries with headers and pkg-config files; PREFIX=/usr/local
	@scripts/install-libnds
