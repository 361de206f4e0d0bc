# SPDX-License-Identifier: MIT OR Apache-2.0
"""scripts/kunit-vectors: the table in the tree is the one that it writes."""

import pathlib
import subprocess
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "kunit-vectors"
TABLE = SCRIPT.parent.parent / "kunit/vectors.rs"


def check():
    return subprocess.run([SCRIPT, "--check"], capture_output=True, text=True)


class KunitVectors(unittest.TestCase):
    def test_the_table_is_current(self):
        result = check()
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_changed_table_is_noticed(self):
        kept = TABLE.read_text()
        try:
            TABLE.write_text(kept.replace("262144", "262145", 1))
            result = check()
        finally:
            TABLE.write_text(kept)
        self.assertEqual(result.returncode, 1)
        self.assertIn("kunit/vectors.rs is not current", result.stderr)


if __name__ == "__main__":
    unittest.main()
