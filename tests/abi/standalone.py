# SPDX-License-Identifier: Apache-2.0
"""Gate 4: every public header compiles alone in every language it promises."""
import pathlib
import shutil
import tempfile
import unittest

import surface
from surface import INCLUDE

LANGUAGES = [("c", "c99"), ("c", "c11"), ("c++", "c++11"), ("c++", "c++17")]
COMPILERS = {"c": ["gcc", "clang"], "c++": ["g++", "clang++"]}


def complaints(headers, include=INCLUDE):
    found = []
    tried = 0
    for language, standard in LANGUAGES:
        for compiler in filter(shutil.which, COMPILERS[language]):
            for header in headers:
                result = surface.run(
                    compiler, f"-x{language}", f"-std={standard}", "-Wall",
                    "-Wextra", "-Werror", "-pedantic", "-fsyntax-only",
                    "-I", include, "-include", header, "/dev/null")
                tried += 1
                if result.returncode:
                    found.append(f"{header.name} with {compiler} "
                                 f"-std={standard}:\n{result.stdout}")
    if not tried:
        raise AssertionError("no compiler found")
    return found


class Gate(unittest.TestCase):
    def test_every_header_compiles_alone(self):
        self.assertEqual(complaints(surface.headers()), [])

    def test_umbrella_includes_every_header(self):
        text = (INCLUDE / "aperture/aperture.h").read_text(encoding="utf-8")
        for header in surface.headers():
            if header.name not in ("aperture.h", "export.h"):
                self.assertIn(f"#include <aperture/{header.name}>", text)

    def test_every_header_is_installed(self):
        text = (INCLUDE / "aperture/meson.build").read_text(encoding="utf-8")
        for header in surface.headers():
            self.assertIn(f"'{header.name}'", text)


class GateOfTheGate(unittest.TestCase):
    def check(self, header, old, new):
        with tempfile.TemporaryDirectory() as directory:
            include = surface.mutant(pathlib.Path(directory), header, old, new)
            return "\n".join(complaints([include / "aperture" / header],
                                        include))

    def test_header_that_leans_on_another_fails(self):
        self.assertIn("snapshot.h with", self.check(
            "snapshot.h", "#include <aperture/tab.h>\n",
            "#include <aperture/export.h>\n"))

    def test_header_that_only_c_takes_fails(self):
        self.assertIn("-std=c++11", self.check(
            "version.h", "aper_version_get_number(void)",
            "aper_version_get_number(int class)"))

    def test_header_beyond_c99_fails(self):
        self.assertIn("-std=c99", self.check(
            "version.h", "APER_END\n",
            "struct extra {\n    int a;\n    struct { int b; };\n};\n"
            "APER_END\n"))


if __name__ == "__main__":
    unittest.main()
