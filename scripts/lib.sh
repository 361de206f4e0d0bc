# SPDX-License-Identifier: MIT OR Apache-2.0
# shellcheck shell=bash
#
# What every script here shares: where things are, how progress is told, how
# to stop with a reason. It knows nothing about kernels or virtual machines.

# Start of the whole run, handed down so that nested scripts tell one clock.
export NDS_T0="${NDS_T0:-$(date +%s)}"

# What was said to this project's Makefile is not meant for the kernel's.
unset MAKEFLAGS MFLAGS MAKELEVEL

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/neuron-nds"
# shellcheck disable=SC2034  # read by the scripts that source this file
BUILD="$ROOT/build"
LOGS="$CACHE/logs"
NAME="$(basename "$0")"
STEP=0
STEPS=0

elapsed() {
	local s=$(($(date +%s) - NDS_T0))
	printf '%02d:%02d' $((s / 60)) $((s % 60))
}

# say TEXT: one line of progress.
say() {
	printf '[%s] %s: %s\n' "$(elapsed)" "$NAME" "$*" >&2
}

# steps N: announces that this script has N steps.
steps() {
	STEPS="$1"
}

# step TEXT: the next of them.
step() {
	STEP=$((STEP + 1))
	say "($STEP/$STEPS) $*"
}

die() {
	printf '%s: error: %s\n' "$NAME" "$*" >&2
	exit 1
}

# usage: the comment at the head of the calling script, below its licence.
usage() {
	sed -n '4,/^[^#]/s/^# \{0,1\}//p' "$0"
}

# help_if_asked ARGS: prints the usage and ends when --help is among ARGS.
help_if_asked() {
	local arg
	for arg; do
		case "$arg" in -h | --help)
			usage
			exit 0
			;;
		esac
	done
}

have() {
	command -v "$1" >/dev/null 2>&1
}

# need COMMAND GROUP: stops, naming the package group that brings COMMAND.
need() {
	have "$1" || die "'$1' is missing: run scripts/deps $2"
}

# quietly LOG COMMAND...: output goes to the log; its end is shown on failure.
quietly() {
	local log="$LOGS/$1"
	shift
	mkdir -p "$LOGS"
	if ! "$@" >"$log" 2>&1; then
		tail -n 30 "$log" >&2
		die "failed: $* (whole log: $log)"
	fi
}

# version_ge A B: whether version A is at least version B.
version_ge() {
	[ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]
}

# locked NAME COMMAND...: only one run at a time works on NAME in the cache.
locked() {
	mkdir -p "$CACHE/locks"
	local lock="$CACHE/locks/$1"
	shift
	exec {LOCK_FD}>"$lock"
	if ! flock -n "$LOCK_FD"; then
		say "waiting for another run that holds $lock"
		flock "$LOCK_FD"
	fi
	"$@"
	exec {LOCK_FD}>&-
}

# The oldest rustc and cargo that the crates, and the kernel, can be built with.
RUST_MINIMUM=1.85

# use_cargo: puts a cargo that is new enough first on PATH, or stops.
use_cargo() {
	local dir
	for dir in "$(dirname "$(command -v cargo || echo /usr/bin/cargo)")" /usr/bin; do
		if version_ge "$("$dir/cargo" --version 2>/dev/null | cut -d' ' -f2)" "$RUST_MINIMUM"; then
			PATH="$dir:$PATH"
			return
		fi
	done
	die "no cargo >= $RUST_MINIMUM: run scripts/deps cargo"
}

# cargo_target_dir: where cargo puts what it builds of this workspace.
cargo_target_dir() {
	cargo metadata --manifest-path "$ROOT/Cargo.toml" --format-version 1 --no-deps |
		sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p'
}

# static_programs NAME...: builds programs of the workspace that need no shared
# libraries, for RUST_TARGET or else for this machine, and prints their folder.
static_programs() {
	local host
	use_cargo
	host="${RUST_TARGET:-$(rustc -vV | sed -n 's/^host: //p')}"
	RUSTFLAGS="-C target-feature=+crt-static" cargo build --locked --release \
		--manifest-path "$ROOT/Cargo.toml" --target "$host" "${@/#/--bin=}" >&2 ||
		die "the programs do not build: $*"
	echo "$(cargo_target_dir)/$host/release"
}

# workspace_value KEY: a value of the workspace's manifest, such as the version.
workspace_value() {
	sed -n "/^\[workspace.package\]/,/^\[/s/^$1 = \"\(.*\)\"$/\1/p" "$ROOT/Cargo.toml"
}
