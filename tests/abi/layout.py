# SPDX-License-Identifier: Apache-2.0
"""Gate 3: no public struct or constant differs from its frozen copy."""
import pathlib
import re
import struct
import tempfile
import unittest

import surface
from surface import INCLUDE

FROZEN = pathlib.Path(__file__).parent / "layout.c"


def compile_frozen(include=INCLUDE):
    result = surface.run(surface.CC, "-std=c11", "-Wall", "-Wextra", "-Werror",
                         "-pedantic", "-fsyntax-only", "-I", include, FROZEN)
    return result.returncode, result.stdout


def unfrozen(include=INCLUDE):
    """Structs and constants that layout.c does not freeze."""
    text = FROZEN.read_text(encoding="utf-8")
    frozen = set(re.findall(r"SAME_(?:SIZE|VALUE)\((\w+)", text))
    return sorted(
        ({one.name for one in surface.structs(include)}
         | set(surface.constants(include))) - frozen)


@unittest.skipIf(struct.calcsize("P") != 8, "frozen for 64-bit machines")
class Gate(unittest.TestCase):
    def test_layout_is_as_frozen(self):
        self.assertEqual(compile_frozen(), (0, ""))

    def test_every_public_struct_and_constant_is_frozen(self):
        self.assertEqual(unfrozen(), [])


@unittest.skipIf(struct.calcsize("P") != 8, "frozen for 64-bit machines")
class GateOfTheGate(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)

    def check(self, header, old, new):
        code, output = compile_frozen(
            surface.mutant(self.directory, header, old, new))
        return code, output

    def assert_fails(self, result, message):
        self.assertNotEqual(result[0], 0)
        self.assertIn(message, result[1])

    def test_swapped_fields_fail(self):
        result = self.check(
            "snapshot.h",
            "    uint32_t budget_tokens;\n    /** Milliseconds for the whole "
            "call; 0 is 10,000. */\n    uint32_t timeout_ms;",
            "    uint32_t timeout_ms;\n    uint32_t budget_tokens;")
        self.assert_fails(result, "aper_snapshot_options.timeout_ms moved or")

    def test_inserted_field_fails(self):
        result = self.check("snapshot.h", "    uint32_t budget_tokens;",
                            "    uint32_t more;\n    uint32_t budget_tokens;")
        self.assert_fails(result, "aper_snapshot_options.budget_tokens moved or")

    def test_widened_field_fails(self):
        result = self.check("snapshot.h", "    uint32_t budget_tokens;",
                            "    uint64_t budget_tokens;")
        self.assert_fails(result, "aper_snapshot_options.budget_tokens moved or")

    def test_field_of_another_type_fails(self):
        result = self.check("tab.h", "    double accuracy_m;",
                            "    uint64_t accuracy_m;")
        self.assert_fails(result, "aper_emulation_options.accuracy_m moved or")

    def test_field_that_went_fails(self):
        result = self.check("tab.h", "    double accuracy_m;", "")
        self.assertNotEqual(result[0], 0)

    def test_field_appended_passes(self):
        self.assertEqual(
            self.check("tab.h", "    double accuracy_m;",
                       "    double accuracy_m;\n    double more;"), (0, ""))

    def test_renumbered_status_fails(self):
        result = self.check("status.h", "APER_E_NOMEM = -2",
                            "APER_E_NOMEM = -102")
        self.assert_fails(result, "APER_E_NOMEM was renumbered")

    def test_new_options_struct_must_be_frozen(self):
        include = surface.mutant(
            self.directory, "version.h", "APER_END\n",
            "typedef struct aper_new_options {\n    size_t size;\n"
            "} aper_new_options;\nAPER_END\n")
        self.assertEqual(unfrozen(include), ["aper_new_options"])


if __name__ == "__main__":
    unittest.main()
