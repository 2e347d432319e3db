# SPDX-License-Identifier: Apache-2.0
"""No function and no file grows beyond what a reader can hold."""
import dataclasses
import pathlib
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
# What is aimed at, and what fails.
FILE_LINES = (600, 1200)
FUNCTION_LINES = (60, 120)
COMPLEXITY = (12, 25)
LINE = re.compile(r"^\d+\t(\d+)\t\d+\t\d+\t(\d+)\t([^(]+)\(\d+\): (\S+)")


@dataclasses.dataclass
class Excess:
    what: str
    size: int
    hard: bool


def c_files(root=SOURCE):
    return sorted(path for top in ("src", "tests", "examples", "bench")
                  for path in (root / top).rglob("*.c"))


def measure(kind, name, size, limits):
    soft, hard = limits
    if size > soft:
        return [Excess(f"{name}: {size} {kind}, limit {hard} (aim {soft})",
                       size, size > hard)]
    return []


def excesses(root=SOURCE):
    found = []
    paths = c_files(root)
    for path in paths:
        lines = path.read_text(encoding="utf-8").count("\n")
        found += measure("lines", path.relative_to(root), lines, FILE_LINES)
    output = subprocess.run(["pmccabe", *paths], text=True, check=True,
                            stdout=subprocess.PIPE).stdout
    for line in output.splitlines():
        match = LINE.match(line)
        if not match:
            raise AssertionError(f"pmccabe printed: {line}")
        complexity, length, file, function = match.groups()
        name = f"{pathlib.Path(file).relative_to(root)} {function}()"
        found += measure("lines", name, int(length), FUNCTION_LINES)
        found += measure("paths", name, int(complexity), COMPLEXITY)
    return found


class Gate(unittest.TestCase):
    def test_nothing_is_over_its_hard_limit(self):
        found = excesses()
        for excess in found:
            if not excess.hard:
                print("over its aim:", excess.what)
        self.assertEqual([excess.what for excess in found if excess.hard], [])

    def test_there_is_something_to_measure(self):
        self.assertTrue(c_files())


class GateOfTheGate(unittest.TestCase):
    def check(self, text):
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            (root / "src").mkdir()
            (root / "src/a.c").write_text(text, encoding="utf-8")
            return excesses(root)

    def test_long_function_fails(self):
        found = self.check("int f(void)\n{\n" + "    g();\n" * 120
                           + "    return 0;\n}\n")
        self.assertEqual([excess.hard for excess in found], [True])

    def test_branching_function_fails(self):
        found = self.check("int f(int a)\n{\n"
                           + "    if (a) g();\n" * 25 + "    return 0;\n}\n")
        self.assertEqual([excess.hard for excess in found], [True])

    def test_long_file_fails(self):
        found = self.check("int x;\n" * 1201)
        self.assertEqual([excess.hard for excess in found], [True])

    def test_function_over_its_aim_is_only_reported(self):
        found = self.check("int f(void)\n{\n" + "    g();\n" * 70
                           + "    return 0;\n}\n")
        self.assertEqual([excess.hard for excess in found], [False])


if __name__ == "__main__":
    unittest.main()
