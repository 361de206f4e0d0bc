# SPDX-License-Identifier: MIT OR Apache-2.0
"""scripts/ktap: a good console passes, and each kind of badness fails it."""

import pathlib
import subprocess
import unittest

KTAP = pathlib.Path(__file__).resolve().parent.parent / "ktap"

BOOT = """\
[    0.000000] Linux version 7.3.4
[    0.310000] KTAP version 1
[    0.310001] 1..2
[    0.310002] not ok 1 the_kernels_own
[    0.900000] NDS-GUEST-START: 0
[    1.200000] neuron_nds: loading out-of-tree module taints kernel.
"""
TESTS = """\
[    1.300000] guest: KTAP version 1
[    1.300001] guest: 1..2
[    1.400000] guest: # 16 slabs
[    1.400001] guest: ok 1 - acquire gives an empty slab
[    1.500000] guest: ok 2 - a stale BUG: cookie is refused
"""
END = """\
[    2.000000] NDS-GUEST-TAINT: 4096
[    2.000001] NDS-GUEST-EXIT: 0
[    2.100000] reboot: Power down
"""
KUNIT = """\
[    1.300000] KTAP version 1
[    1.300001] 1..1
[    1.300002]     KTAP version 1
[    1.300003]     # Subtest: layout
[    1.300004]     1..2
[    1.300005]     ok 1 bands_are_adjacent
[    1.300006]     # header: ASSERTION FAILED at kunit/layout.rs:9
[    1.300007]     {second} 2 header
[    1.300008] # layout: pass:2 fail:0 skip:0 total:2
[    1.300009] {suite} 1 layout
[    2.000000] NDS-GUEST-TAINT: {taint}
[    2.000001] NDS-GUEST-EXIT: 0
"""


def judge(console, mode="e2e"):
    """Exit status, last line and whole output of scripts/ktap on a console."""
    run = subprocess.run([KTAP, "--mode", mode], input=console, capture_output=True, text=True)
    return run.returncode, run.stdout.splitlines()[-1], run.stdout


class Good(unittest.TestCase):
    def test_a_clean_run_passes(self):
        status, last, _ = judge(BOOT + TESTS + END)
        self.assertEqual((status, last), (0, "2 passed, 0 failed"))

    def test_what_ran_before_the_guest_started_is_not_counted(self):
        self.assertEqual(judge(BOOT.replace("not ok", "ok") + END)[0], 1)

    def test_subtests_count_and_their_suite_does_not(self):
        console = BOOT + KUNIT.format(second="ok", suite="ok", taint=4096 | 1 << 18)
        self.assertEqual(judge(console, "kunit")[:2], (0, "2 passed, 0 failed"))

    def test_a_module_may_be_unsigned_where_the_kernel_looks_at_signatures(self):
        console = BOOT + TESTS + END.replace("4096", str(4096 | 1 << 13))
        self.assertEqual(judge(console, "e2e")[0], 0)

    def test_the_kernels_test_taint_is_fine_under_kunit_only(self):
        console = BOOT + TESTS + END.replace("4096", str(4096 | 1 << 18))
        self.assertEqual(judge(console, "kunit")[0], 0)
        self.assertEqual(judge(console, "e2e")[0], 1)


class Bad(unittest.TestCase):
    def assert_fails(self, console, saying, failures=1, mode="e2e"):
        status, last, output = judge(console, mode)
        self.assertEqual(status, 1, output)
        self.assertIn(saying, output)
        self.assertRegex(last, rf"^\d+ passed, {failures} failed$")

    def test_a_failed_test(self):
        console = BOOT + TESTS.replace("ok 2", "not ok 2") + END
        self.assert_fails(console, "test failed: a stale BUG: cookie is refused")

    def test_a_failed_test_shows_what_it_said(self):
        console = BOOT + TESTS.replace("ok 1", "not ok 1") + END
        self.assert_fails(console, "# 16 slabs")

    def test_a_failed_subtest_counts_once(self):
        console = BOOT + KUNIT.format(second="not ok", suite="not ok", taint=4096)
        self.assert_fails(console, "ASSERTION FAILED", mode="kunit")

    def test_a_suite_that_fails_by_itself(self):
        console = BOOT + KUNIT.format(second="ok", suite="not ok", taint=4096)
        self.assert_fails(console, "test failed: layout", mode="kunit")

    def test_a_skipped_test(self):
        console = BOOT + TESTS.replace("is refused", "is refused # SKIP no root") + END
        self.assert_fails(console, "test skipped")

    def test_no_test_at_all(self):
        self.assert_fails(BOOT + END, "no test ran")

    def test_fewer_tests_than_announced(self):
        console = BOOT + TESTS.replace("1..2", "1..3") + END
        self.assert_fails(console, "3 tests announced, 2 ended")

    def test_fewer_subtests_than_announced(self):
        console = BOOT + KUNIT.format(second="ok", suite="ok", taint=4096).replace("1..2", "1..3")
        self.assert_fails(console, "3 tests announced, 2 ended", mode="kunit")

    def test_a_console_that_breaks_off(self):
        self.assert_fails(BOOT + TESTS, "did not come to its end")

    def test_an_empty_console(self):
        self.assert_fails("", "did not come to its end", failures=2)

    def test_a_test_program_that_fails_without_saying_why(self):
        console = BOOT + TESTS + END.replace("EXIT: 0", "EXIT: 139")
        self.assert_fails(console, "ended with status 139")

    def test_a_taint_other_than_out_of_tree(self):
        console = BOOT + TESTS + END.replace("4096", str(4096 | 1 << 9))
        self.assert_fails(console, "tainted: 0x200")

    def test_an_unknown_taint(self):
        console = BOOT + TESTS + END.replace("TAINT", "TINT")
        self.assert_fails(console, "did not say how its kernel is tainted")

    def test_bytes_that_are_no_text(self):
        run = subprocess.run([KTAP], input=b"\xff\xfe\n", capture_output=True, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertTrue(run.stdout.endswith(b"2 failed\n"))

    def test_every_kernel_complaint(self):
        for complaint in COMPLAINTS:
            with self.subTest(complaint):
                line = f"[    1.600000] {complaint}\n"
                self.assert_fails(BOOT + TESTS + line + END, complaint)


COMPLAINTS = [
    "WARNING: CPU: 0 PID: 71 at mm/memory.c:2100 vmf_insert_pfn+0x1f/0x30",
    "WARNING: possible circular locking dependency detected",
    "WARNING: possible recursive locking detected",
    "WARNING: inconsistent lock state",
    "WARNING: suspicious RCU usage",
    "WARNING: bad unlock balance detected!",
    "BUG: kernel NULL pointer dereference, address: 0000000000000008",
    "BUG: KASAN: slab-use-after-free in neuron_nds",
    "BUG: sleeping function called from invalid context at mm/slab.h:500",
    "BUG: scheduling while atomic: nds-e2e/71/0x00000002",
    "BUG: workqueue lockup - pool cpus=0",
    "BUG: Bad page state in process nds-e2e  pfn:01234",
    "kernel BUG at mm/memory.c:2431!",
    "Oops: general protection fault, probably for non-canonical address: 0000",
    "Kernel panic - not syncing: Fatal exception",
    "watchdog: BUG: soft lockup - CPU#1 stuck for 26s! [nds-e2e:71]",
    "INFO: task nds-e2e:71 blocked for more than 60 seconds.",
    "rcu: INFO: rcu_preempt self-detected stall on CPU",
    "UBSAN: shift-out-of-bounds in lib/x.c:1:2",
    "ODEBUG: free active (active state 0) object: 0000 object type: work_struct",
    "refcount_t: underflow; use-after-free.",
    "kmemleak: unreferenced object 0xffff888003a4c000 (size 256):",
    "kmemleak: 1 new suspected memory leaks (see /sys/kernel/debug/kmemleak)",
    "list_del corruption. prev->next should be 0000",
    "rust_kernel: panicked at src/slab.rs:10:5:",
    "neuron_nds: Unknown symbol zap_vma_range (err -2)",
    "Out of memory: Killed process 71 (nds-e2e)",
]

if __name__ == "__main__":
    unittest.main()
