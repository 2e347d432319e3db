# SPDX-License-Identifier: Apache-2.0
"""Gate 2: abidiff finds no change since the stored description, other than
new symbols and options structs that grew at the end."""
import pathlib
import re
import tempfile
import unittest

import surface
from surface import INCLUDE

HERE = pathlib.Path(__file__).parent


def baseline():
    """The description of the newest release."""
    return max(HERE.glob("aperture-*.abi"), key=lambda path: [
        int(part) for part in path.stem.partition("-")[2].split(".")])


def describe(library, include=INCLUDE):
    """The ABI of a library as text that names no place."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "new.abi"
        surface.must("abidw", "--headers-dir", include, "--drop-private-types",
                     "--no-corpus-path", "--no-comp-dir-path",
                     "--out-file", path, library)
        return re.sub(r"path='[^']*/", "path='",
                      path.read_text(encoding="utf-8"))


def compare(library, include=INCLUDE):
    """Exit status and output of abidiff on two descriptions made the same
    way. Its status is no severity: an added parameter and a grown struct give
    the same, so only 0 passes."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "new.abi"
        path.write_text(describe(library, include), encoding="utf-8")
        result = surface.run("abidiff", "--no-added-syms", "--suppressions",
                             HERE / "growth.ini", baseline(), path)
        return result.returncode, result.stdout if result.returncode else ""


class Gate(unittest.TestCase):
    def test_library_has_debug_information_to_compare(self):
        self.assertIn(".debug_info",
                      surface.must("readelf", "-S", "-W", surface.library()))

    def test_library_keeps_the_abi_of_the_last_release(self):
        self.assertEqual(compare(surface.library()), (0, ""))

    def test_baseline_names_no_place(self):
        text = baseline().read_text(encoding="utf-8")
        self.assertNotRegex(text, r"path='[^']*/")


class GateOfTheGate(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)

    def check(self, header, old, new):
        include = surface.mutant(self.directory, header, old, new)
        library = surface.stub_library(self.directory, include)
        return compare(library, include)

    def test_same_headers_pass(self):
        self.assertEqual(compare(surface.stub_library(self.directory)),
                         (0, ""))

    def test_function_that_went_fails(self):
        code, output = self.check(
            "version.h", "APER_API const char *aper_version_get_text(void);",
            "")
        self.assertNotEqual(code, 0)
        self.assertIn("aper_version_get_text", output)

    def test_added_parameter_fails(self):
        code, output = self.check(
            "version.h", "aper_version_get_number(void)",
            "aper_version_get_number(int more)")
        self.assertNotEqual(code, 0)
        self.assertIn("aper_version_get_number", output)

    def test_changed_result_type_fails(self):
        code, _ = self.check("version.h",
                             "APER_API uint32_t aper_version_get_number",
                             "APER_API uint64_t aper_version_get_number")
        self.assertNotEqual(code, 0)

    def test_changed_parameter_type_fails(self):
        code, output = self.check(
            "tab.h", "                                   uint32_t timeout_ms, "
            "char **ret_json,", "uint64_t timeout_ms, char **ret_json,")
        self.assertNotEqual(code, 0)
        self.assertIn("aper_tab_eval", output)

    def test_private_struct_that_grew_passes(self):
        library = surface.stub_library(
            self.directory, private="struct aper_tab { int one; };")
        self.assertEqual(compare(library), (0, ""))

    def test_function_that_came_passes(self):
        include = surface.mutant(self.directory, "version.h", "APER_END\n",
                                 "APER_API int aper_extra(void);\nAPER_END\n")
        map_file = self.directory / "more.map"
        map_file.write_text(surface.MAP.read_text(encoding="utf-8").replace(
            "local:", "aper_extra;\nlocal:"), encoding="utf-8")
        library = surface.stub_library(self.directory, include, map_file)
        self.assertIn("aper_extra", surface.exported(library))
        self.assertEqual(compare(library, include), (0, ""))

    def test_options_that_grew_at_the_end_pass(self):
        self.assertEqual(
            self.check("snapshot.h", "    const char *scope;\n",
                       "    const char *scope;\n    const char *more;\n"),
            (0, ""))


if __name__ == "__main__":
    unittest.main()
