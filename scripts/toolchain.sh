# SPDX-License-Identifier: MIT OR Apache-2.0
# shellcheck shell=bash
#
# The tools a kernel with Rust is built with: which of those on this machine
# fit. Sourced by whatever builds with Rust for a kernel; needs lib.sh. It installs
# nothing but bindgen.

# the Rust-for-Linux body needs; what it lacks of the newest, src/compat.rs makes up for
# shellcheck disable=SC2034  # read by the scripts that source this file
OLDEST_RUST_KERNEL=7.2
# built where there is none that is new enough
BINDGEN_VERSION=0.72.1
LLVM_VERSIONS="19 20 21 18 17"

# Sets LLVM_SUFFIX to that of the first usable clang with its linker.
find_llvm() {
	local v
	for v in $LLVM_VERSIONS; do
		if have "clang-$v" && have "ld.lld-$v" && have "llvm-nm-$v"; then
			LLVM_SUFFIX="-$v"
			return
		fi
	done
	die "no clang, lld and llvm of one version among $LLVM_VERSIONS: run scripts/deps kernel"
}

# rust_library RUSTC: the folder of the standard library's source, if there.
rust_library() {
	local sysroot version dir
	sysroot="$("$1" --print sysroot)"
	version="$("$1" --version | cut -d' ' -f2)"
	for dir in "$sysroot/lib/rustlib/src/rust/library" "/usr/src/rustc-$version/library"; do
		if [ -r "$dir/core/src/lib.rs" ]; then
			realpath "$dir"
			return
		fi
	done
	return 1
}

# Sets RUSTC and RUST_LIB_SRC: the distribution's pair first, because it
# always has the library's source, then whatever PATH has.
find_rustc() {
	local rustc
	for rustc in /usr/bin/rustc "$(command -v rustc || true)"; do
		[ -x "$rustc" ] || continue
		version_ge "$("$rustc" --version | cut -d' ' -f2)" "$1" || continue
		RUST_LIB_SRC="$(rust_library "$rustc")" || continue
		RUSTC="$rustc"
		return
	done
	die "no rustc >= $1 with its library source: run scripts/deps kernel"
}

# Sets BINDGEN: one that is new enough, built into the cache if there is none.
find_bindgen() {
	local bindgen
	for bindgen in "$CACHE/tools/bin/bindgen" "$(command -v bindgen || true)"; do
		[ -x "$bindgen" ] || continue
		if version_ge "$("$bindgen" --version | cut -d' ' -f2)" "$1"; then
			BINDGEN="$bindgen"
			return
		fi
	done
	say "building bindgen $BINDGEN_VERSION into the cache (about 2 minutes)"
	use_cargo
	quietly bindgen.log cargo install bindgen-cli --locked \
		--version "$BINDGEN_VERSION" --root "$CACHE/tools"
	BINDGEN="$CACHE/tools/bin/bindgen"
}

# find_toolchain SOURCE: all of it, as new as this kernel source asks for.
# Leaves the arguments for make in the array TOOLS.
find_toolchain() {
	local minimum="$1/scripts/min-tool-version.sh"
	find_llvm
	find_rustc "$("$minimum" rustc)"
	find_bindgen "$("$minimum" bindgen)"
	export RUST_LIB_SRC
	# shellcheck disable=SC2034  # read by kernel-build
	TOOLS=("LLVM=$LLVM_SUFFIX" "RUSTC=$RUSTC" "HOSTRUSTC=$RUSTC" "BINDGEN=$BINDGEN")
}
