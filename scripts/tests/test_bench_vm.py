# SPDX-License-Identifier: MIT OR Apache-2.0
"""scripts/bench-vm: the table, and what makes it fail."""

import pathlib
import subprocess
import tempfile
import unittest

BENCH = pathlib.Path(__file__).resolve().parent.parent / "bench-vm"

GOOD = {
    "null_ioctl": (255, 0),
    "acquire_owned": (426, 0),
    "release_acquire": (8_000, 0),
    "map_cycle": (69_632 + 30_000, 69_632),
    "end_of_occupancy": (69_632 + 8_000, 69_632),
    "aggregate": (115_000, 0),
}


def run(costs):
    lines = [
        f"[    1.0] guest: # bench {name} instructions={instructions} zeroed={zeroed}\n"
        for name, (instructions, zeroed) in costs.items()
    ]
    with tempfile.NamedTemporaryFile("w") as log:
        log.writelines(lines)
        log.flush()
        return subprocess.run([BENCH, log.name], capture_output=True, text=True)


class Limits(unittest.TestCase):
    def test_costs_at_their_limits_pass(self):
        result = run(GOOD)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertTrue(result.stdout.endswith("\n6 passed, 0 failed\n"), result.stdout)
        self.assertIn("30000", result.stdout, "zeroing is told apart from the rest")

    def test_one_instruction_too_many_fails(self):
        for name in GOOD.keys() - {"null_ioctl"}:
            with self.subTest(name):
                instructions, zeroed = GOOD[name]
                result = run(GOOD | {name: (instructions + 1, zeroed)})
                self.assertEqual(result.returncode, 1)
                self.assertEqual(result.stdout.count("FAILED"), 1)

    def test_zeroing_more_than_was_touched_fails(self):
        self.assertEqual(run(GOOD | {"map_cycle": (90_000, 69_633)}).returncode, 1)

    def test_a_path_that_was_not_measured_fails(self):
        for name in GOOD:
            with self.subTest(name):
                rest = {other: cost for other, cost in GOOD.items() if other != name}
                self.assertEqual(run(rest).returncode, 1)


if __name__ == "__main__":
    unittest.main()
