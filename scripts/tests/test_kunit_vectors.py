# SPDX-License-Identifier: MIT OR Apache-2.0
"""scripts/kunit-vectors: the table in the tree is the one that it writes."""

import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "kunit-vectors"
TABLE = SCRIPT.parent.parent / "kunit/vectors.rs"


def check(table):
    return subprocess.run([SCRIPT, "--check", table], capture_output=True, text=True)


class KunitVectors(unittest.TestCase):
    def test_the_table_is_current(self):
        result = check(TABLE)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_changed_or_missing_table_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            changed, missing = pathlib.Path(folder) / "changed.rs", pathlib.Path(folder) / "missing.rs"
            changed.write_text(TABLE.read_text().replace("262144", "262145", 1))
            for table in (changed, missing):
                result = check(table)
                self.assertEqual(result.returncode, 1)
                self.assertIn(f"{table} is not current", result.stderr)

    def test_the_table_is_written_where_it_is_asked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder) / "table.rs"
            subprocess.run([SCRIPT, table], check=True)
            self.assertEqual(table.read_text(), TABLE.read_text())


if __name__ == "__main__":
    unittest.main()
