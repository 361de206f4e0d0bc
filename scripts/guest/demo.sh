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

nds produce --rate 200 --duration 6s >/tmp/produce.log 2>&1 &
producer=$!
sleep 2
show nds list &&
	show nds show --pid "$producer" &&
	show cat /dev/neuron_nds0
status=$?
wait "$producer" || {
	status=$?
	cat /tmp/produce.log
}
exit $status
