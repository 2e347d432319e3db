# SPDX-License-Identifier: Apache-2.0
"""tests/run counts what test programs report, and trusts no silence."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "runner"))
import results  # noqa: E402
from results import Count  # noqa: E402

CHECK = "Running suite(s): a\n66%: Checks: 3, Failures: 1, Errors: 0\n"


class Counting(unittest.TestCase):
    def test_check_is_counted(self):
        self.assertEqual(results.of_program(CHECK, False), Count(2, 1))
        self.assertEqual(
            results.of_output("50%: Checks: 4, Failures: 1, Errors: 1\n"),
            Count(2, 2))

    def test_unittest_is_counted(self):
        self.assertEqual(results.of_program(
            "Ran 7 tests in 1.2s\n\nOK (skipped=2)\n", True), Count(5, 0, 2))
        self.assertEqual(results.of_program(
            "Ran 7 tests in 1.2s\n\nFAILED (failures=1, errors=2, skipped=1)"
            "\n", False), Count(3, 3, 1))
        self.assertEqual(results.of_program(
            "Ran 1 test in 0.1s\n\nOK\n", True), Count(1))

    def test_fuzz_driver_is_counted(self):
        self.assertEqual(results.of_program("5 inputs\n", True), Count(5))

    def test_program_that_reports_nothing_has_failed(self):
        self.assertEqual(results.of_program("", True), Count(0, 1))
        self.assertEqual(results.of_program(
            "100%: Checks: 0, Failures: 0, Errors: 0\n", True), Count(0, 1))

    def test_program_that_fails_after_its_tests_has_failed(self):
        self.assertEqual(results.of_program(
            "100%: Checks: 3, Failures: 0, Errors: 0\nleak!\n", False),
            Count(3, 1))

    def test_junit_is_counted(self):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "report.xml"
            path.write_text(
                "<testsuites><testsuite><testcase/><testcase><failure/>"
                "</testcase><testcase><error/></testcase><testcase><skipped/>"
                "</testcase></testsuite></testsuites>", encoding="utf-8")
            self.assertEqual(results.of_junit(path), Count(1, 2, 1))

    def test_meson_log_is_read(self):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "testlog.json"
            path.write_text(
                '{"name": "aperture:unit / map", "stdout": "a", '
                '"stderr": "b", "result": "OK"}\n'
                '{"name": "aperture:api / x", "result": "TIMEOUT"}\n',
                encoding="utf-8")
            self.assertEqual(list(results.meson_entries(path)),
                             [("unit", "map", True, "ab"),
                              ("api", "x", False, "")])


if __name__ == "__main__":
    unittest.main()
