# SPDX-License-Identifier: Apache-2.0
"""The README's programs run as written, each in its language: name the class
to run. All need the installed library (PKG_CONFIG_PATH, LD_LIBRARY_PATH)."""
import os
import pathlib
import subprocess
import sys
import unittest

from case import SOURCE, Case

sys.path.insert(0, str(SOURCE / "tests/docs"))
import documents  # noqa: E402

PACKAGE = """// swift-tools-version:5.9
import PackageDescription
let package = Package(
    name: "Quickstart",
    platforms: [.macOS(.v13)],
    dependencies: [.package(path: "%s")],
    targets: [.executableTarget(name: "Quickstart", dependencies: [
        .product(name: "Aperture", package: "swift")])])
"""


class ReadmeCase(Case):
    def program(self, language):
        [(_, text)] = documents.blocks(SOURCE / "README.md", language)
        return text

    def check(self, *command):
        out, _ = self.run_program(*command)
        self.assertIn("Add to basket", out)
        self.assertEqual(out.count("Empty the basket"), 1)
        self.assert_nothing_left()


class C(ReadmeCase):
    def test_c_program_runs_as_written(self):
        (self.directory / "quickstart.c").write_text(self.program("c"),
                                                     encoding="utf-8")
        flags = subprocess.run(
            ["pkg-config", "--cflags", "--libs", "aperture"], check=True,
            stdout=subprocess.PIPE, text=True).stdout.split()
        subprocess.run(["cc", "quickstart.c", *flags], check=True,
                       cwd=self.directory)
        self.check(self.directory / "a.out", self.url)


class Python(ReadmeCase):
    def test_python_program_runs_as_written(self):
        path = self.directory / "quickstart.py"
        path.write_text(self.program("python"), encoding="utf-8")
        self.check(os.environ["APERTURE_PYTHON"], path, self.url)


class Swift(ReadmeCase):
    def test_swift_program_runs_as_written(self):
        package = pathlib.Path(os.environ["APERTURE_SCRATCH"])
        sources = package / "Sources/Quickstart"
        sources.mkdir(parents=True, exist_ok=True)
        (package / "Package.swift").write_text(
            PACKAGE % (SOURCE / "bindings/swift"), encoding="utf-8")
        text = self.program("swift")
        # A file named main.swift holds statements; others hold @main.
        name = "Quickstart.swift" if "@main" in text else "main.swift"
        (sources / name).write_text(text, encoding="utf-8")
        subprocess.run(["swift", "build", "--package-path", package],
                       check=True)
        self.check(package / ".build/debug/Quickstart", self.url)


if __name__ == "__main__":
    unittest.main()
