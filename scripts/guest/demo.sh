#!/bin/busybox sh
# SPDX-License-Identifier: MIT OR Apache-2.0
#
# What `make run` shows, inside the virtual machine: one process publishes into
# its slab, another reads the same pages, the device reports the sums.

# show COMMAND...: as a user would type it.
show() {
	echo
	echo "# $*"
	"$@"
}

nds produce --rate 200 --duration 5s >/tmp/produce.log 2>&1 &
producer=$!
sleep 2
set -e
show nds list
show nds show --pid "$producer"
show grep -v -e '^#' -e ' 0$' /dev/neuron_nds0 | head -n 16
wait "$producer" || cat /tmp/produce.log
echo
echo "The producer has ended; what it counted has not:"
show nds totals
