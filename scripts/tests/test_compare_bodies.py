# SPDX-License-Identifier: MIT OR Apache-2.0
"""scripts/compare-bodies: a difference between two bodies is found, whatever it is."""

import pathlib
import subprocess
import tempfile
import unittest

COMPARE = pathlib.Path(__file__).resolve().parent.parent / "compare-bodies"

LOG = """\
[    1.0] NDS-GUEST-START: 0
[    1.0] guest: KTAP version 1
[    1.0] guest: 1..2
[    1.0] guest: ok 1 a_slab_is_zeroed # after {seconds} s
[    1.0] guest: ok 2 a_stale_cookie_is_refused
[    2.0] NDS-GUEST-TAINT: {taint}
[    2.0] NDS-GUEST-EXIT: 0
"""


def log(seconds=1, taint=4096):
    return LOG.format(seconds=seconds, taint=taint)


class CompareBodies(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compare(self, *texts):
        names = [self.folder / f"body{number}.log" for number in range(len(texts))]
        for name, text in zip(names, texts):
            name.write_text(text)
        run = subprocess.run([COMPARE, *names], capture_output=True, text=True)
        return run.returncode, run.stdout

    def assert_differs(self, other, saying):
        status, output = self.compare(log(), other)
        self.assertEqual(status, 1, output)
        self.assertIn(saying, output)

    def test_the_same_results_are_no_difference(self):
        status, output = self.compare(log(), log(seconds=9), log(taint=4096 | 1 << 13))
        self.assertEqual(status, 0, output)
        self.assertEqual(output.splitlines()[-2:], ["every case has the same result everywhere", "2 passed, 0 failed"])

    def test_a_case_that_fails_with_one_body(self):
        self.assert_differs(
            log().replace("ok 2", "not ok 2"),
            "FAILED a_stale_cookie_is_refused (body0: ok, body1: FAILED)",
        )

    def test_a_case_that_fails_with_every_body_is_not_good(self):
        bad = log().replace("ok 2", "not ok 2")
        self.assertEqual(self.compare(bad, bad)[0], 1)

    def test_a_case_that_one_body_does_not_run(self):
        text = log().replace("1..2", "1..1").replace("[    1.0] guest: ok 2 a_stale_cookie_is_refused\n", "")
        self.assert_differs(text, "FAILED a_stale_cookie_is_refused (body0: ok, body1: not run)")

    def test_a_kernel_that_complains_with_one_body(self):
        self.assert_differs(log() + "[    3.0] BUG: of the kernel\n", "BUG: of the kernel (body0: not run, body1: FAILED)")

    def test_a_missing_log(self):
        run = subprocess.run([COMPARE, self.folder / "no.log", COMPARE], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, r"missing: \S*/no\.log")


if __name__ == "__main__":
    unittest.main()
