# SPDX-License-Identifier: MIT OR Apache-2.0
"""scripts/lib.sh: the helpers that decide something."""

import pathlib
import subprocess
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent


def bash(code):
    """Exit status and output of a script that sources lib.sh."""
    command = f'set -euo pipefail; . "{SCRIPTS}/lib.sh"; {code}'
    run = subprocess.run(["bash", "-c", command, "a-script"], capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


class Versions(unittest.TestCase):
    def test_versions_are_compared_by_number(self):
        for newer, older in [("1.85.0", "1.85"), ("0.100.1", "0.72.1"), ("7.3.4", "7.3.4"), ("7.10", "7.9")]:
            with self.subTest(newer=newer, older=older):
                self.assertEqual(bash(f"version_ge {newer} {older}")[0], 0)

    def test_an_older_version_and_none_at_all_are_refused(self):
        for older, newer in [("1.63.0", "1.85"), ("", "1.85"), ("6.12.9", "7.2")]:
            with self.subTest(older=older, newer=newer):
                self.assertEqual(bash(f"version_ge '{older}' {newer}")[0], 1)


class Messages(unittest.TestCase):
    def test_an_error_names_the_script_and_stops_it(self):
        status, said = bash("die 'no such kernel'; echo reached")
        self.assertEqual((status, said), (1, "a-script: error: no such kernel\n"))

    def test_a_step_says_how_far_it_is(self):
        self.assertRegex(bash("steps 3; step one; step two")[1], r"\(1/3\) one\n.*\(2/3\) two\n$")

    def test_every_script_has_a_help(self):
        for script in SCRIPTS.iterdir():
            if script.is_file() and script.stat().st_mode & 0o100:
                with self.subTest(script.name):
                    run = subprocess.run([script, "--help"], capture_output=True, text=True)
                    self.assertEqual(run.returncode, 0)
                    self.assertRegex(run.stdout, rf"(?i)usage: (scripts/)?{script.name}")


if __name__ == "__main__":
    unittest.main()
