# SPDX-License-Identifier: MIT OR Apache-2.0
#
# The front door for people: `make help`. What Kbuild does with the module's
# sources is said in Kbuild; what each target does, in the script it calls.

ifneq ($(KERNELRELEASE),)
include $(src)/Kbuild
else

# which series of kernels the targets that need one fetch and build
KERNEL ?= 7.3
# the build folder of the kernel that `make` builds the module for
KDIR ?= /lib/modules/$(shell uname -r)/build

export KERNEL
export NDS_T0 := $(shell date +%s)

VM_DEPS = scripts/deps kernel vm cargo

.PHONY: all kernel initramfs run shell test test-host test-kunit test-e2e test-scrape test-lab test-bodies \
	lab bench bench-vm install package test-package clean help

all: ## the module for the running kernel, or for KDIR=<kernel build folder>; BODY= chooses
	@scripts/module "$(KDIR)"

kernel: ## fetch and build a kernel with Rust; prints its build folder
	@scripts/deps kernel
	@scripts/kernel-build test

initramfs: ## all that the virtual machine boots
	@$(VM_DEPS)
	@scripts/initramfs test

run: ## see the whole system work, in a virtual machine
	@$(VM_DEPS)
	@scripts/vm run

shell: ## a prompt in the virtual machine with the module loaded
	@$(VM_DEPS)
	@scripts/vm shell

test: ## every test, with a brief lab: host, lints, KUnit, end to end, Prometheus, instruction counts
	@scripts/deps
	@scripts/test

test-host: ## tests and lints that need no virtual machine
	@scripts/deps cargo test
	@scripts/test host

test-kunit test-e2e test-scrape test-lab: test-%: ## one part of the tests in the virtual machine
	@$(VM_DEPS)
	@scripts/test $*

lab: ## the whole fault lab; LAB_SECONDS= lengthens it, SEED= replays a run
	@$(VM_DEPS)
	@scripts/test lab

test-bodies: ## both bodies of the module, also on Debian's own kernels, compared (as root)
	@$(VM_DEPS) chroot
	@scripts/test-bodies

bench: ## timings on this machine
	@scripts/deps cargo
	@cargo bench --workspace --locked

bench-vm: ## instructions a kernel path takes, beside the C driver's
	@$(VM_DEPS)
	@scripts/bench-vm

install: all ## the module into the running kernel's module tree (as root)
	@scripts/install

package: ## .deb and .rpm of module source and userspace, into build/packages
	@scripts/deps package
	@scripts/package

test-package: package ## packages, DKMS and signing on Debian 13 with its own kernel (as root)
	@scripts/deps vm chroot
	@scripts/test-package

clean: ## what was built in this checkout (kernels stay in the cache)
	rm -rf build
	cargo clean

include mk/userspace.mk

help:
	@echo "make TARGET [KERNEL=7.2] [KDIR=...] [BODY=portable] [KVM=1] [LAB_SECONDS=...] [SEED=...] [FILTER=...] [V=1]"
	@sed -n 's/^\([a-z][^:]*\):.*## /  \1\t/p' $(MAKEFILE_LIST) | expand -t 16

endif
