# SPDX-License-Identifier: Apache-2.0
"""Gate 1: headers, map, library and list name the same symbols, and nothing
of a dependency shows."""
import pathlib
import re
import subprocess
import tempfile
import unittest

import surface
from surface import INCLUDE, MAP

LIST = pathlib.Path(__file__).parent / "symbols.txt"


def complaints(include=INCLUDE, map_file=MAP, library=None, listed=None):
    names = {
        "the headers": {function.name
                        for function in surface.functions(include)},
        "the map": set(surface.map_nodes(map_file)),
        "the library": set(surface.exported(library)),
        "symbols.txt": listed,
    }
    everything = set().union(*names.values())
    found = [f"{where} lack{'' if 's' == where[-1] else 's'} {name}"
             for where, has in names.items()
             for name in sorted(everything - has)]
    nodes = surface.map_nodes(map_file)
    found += [f"{name} is exported as {version}, not {nodes.get(name)}"
              for name, version in surface.exported(library).items()
              if name in nodes and version != nodes[name]]
    return found


def read_list():
    return set(LIST.read_text(encoding="utf-8").split())


def declared():
    return {function.name for function in surface.functions()}


def foreign_globals(names):
    return sorted(name for name in names
                  if not re.match(r"aper_", name))


def macros(include, text):
    output = subprocess.run(
        [surface.CC, "-std=c99", "-dM", "-E", "-I", str(include), "-xc", "-"],
        input=text, text=True, stdout=subprocess.PIPE, check=True).stdout
    return set(re.findall(r"^#define (\w+)", output, re.M))


def foreign_macros(include=INCLUDE):
    plain = macros(include, "#include <stddef.h>\n#include <stdint.h>\n")
    ours = macros(include, "#include <aperture/aperture.h>\n")
    return sorted(name for name in ours - plain
                  if not re.match(r"APER(TURE)?_", name))


def foreign_types(include=INCLUDE):
    """Types in prototypes and structs that are neither ours nor of C99."""
    known = {"void", "char", "const", "int", "double", "size_t", "struct",
             "unsigned", "typedef"}
    found = set()
    text = " ".join(function.declaration
                    for function in surface.functions(include))
    text += " ".join(re.sub(r"\w+\s*;", ";",
                            surface.without_comments(struct.body))
                     for struct in surface.structs(include))
    for word in re.findall(r"\b[a-zA-Z_]\w*(?=\s+\*|\s+\w|\s*\*|\s*;)", text):
        if word not in known and not re.match(r"aper_|u?int\d+_t$", word):
            found.add(word)
    return sorted(found)


class Gate(unittest.TestCase):
    def test_headers_map_library_and_list_agree(self):
        self.assertEqual(complaints(library=surface.library(),
                                    listed=read_list()), [])

    def test_list_is_sorted_and_without_repeats(self):
        names = LIST.read_text(encoding="utf-8").split()
        self.assertEqual(names, sorted(set(names)))

    def test_archive_defines_nothing_outside_the_prefix(self):
        self.assertEqual(
            foreign_globals(surface.archived(surface.archive())), [])

    def test_headers_show_no_macro_of_a_dependency(self):
        self.assertEqual(foreign_macros(), [])

    def test_headers_show_no_type_of_a_dependency(self):
        self.assertEqual(foreign_types(), [])

    def test_soname_follows_the_header(self):
        self.assertEqual(surface.soname(surface.library()),
                         f"libaperture.so.{surface.version()[0]}")

    def test_file_name_follows_the_header(self):
        self.assertTrue(
            surface.library().resolve().name.endswith(
                ".".join(map(str, surface.version()))))


class GateOfTheGate(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)

    def changed_map(self, old, new):
        path = self.directory / "changed.map"
        path.write_text(MAP.read_text(encoding="utf-8").replace(old, new),
                        encoding="utf-8")
        return path

    def test_unchanged_surface_passes(self):
        library = surface.stub_library(self.directory)
        self.assertEqual(complaints(library=library, listed=declared()), [])

    def test_symbol_dropped_from_the_library_fails(self):
        dropped = self.changed_map("    aper_tab_open;\n", "")
        library = surface.stub_library(self.directory, map_file=dropped)
        found = complaints(library=library, listed=declared())
        self.assertEqual(found, ["the library lacks aper_tab_open"])

    def test_symbol_dropped_from_the_map_fails(self):
        library = surface.stub_library(self.directory)
        found = complaints(
            map_file=self.changed_map("    aper_tab_open;\n", ""),
            library=library, listed=declared())
        self.assertEqual(found, ["the map lacks aper_tab_open"])

    def test_symbol_that_no_header_declares_fails(self):
        include = surface.mutant(self.directory, "version.h",
                                 "APER_API const char *aper_version_get_text",
                                 "const char *aper_version_get_text")
        library = surface.stub_library(self.directory)
        found = complaints(include=include, library=library,
                           listed=declared())
        self.assertEqual(found, ["the headers lack aper_version_get_text"])

    def test_symbol_added_everywhere_but_to_the_list_fails(self):
        include = surface.mutant(self.directory, "version.h", "APER_END\n",
                                 "APER_API int aper_extra(void);\nAPER_END\n")
        added = self.changed_map("    aper_tab_open;",
                                 "    aper_extra;\n    aper_tab_open;")
        library = surface.stub_library(self.directory, include, added)
        found = complaints(include=include, map_file=added, library=library,
                           listed=declared())
        self.assertEqual(found, ["symbols.txt lacks aper_extra"])

    def test_symbol_in_another_node_than_the_map_says_fails(self):
        library = surface.stub_library(self.directory)
        later = self.changed_map("    aper_tab_open;\n", "")
        later.write_text(later.read_text(encoding="utf-8")
                         + "APERTURE_1.1 {\nglobal:\n    aper_tab_open;\n}"
                         " APERTURE_1.0;\n", encoding="utf-8")
        found = complaints(map_file=later, library=library,
                           listed=declared())
        self.assertEqual(found, ["aper_tab_open is exported as 1.0, not 1.1"])

    def test_foreign_global_in_an_archive_is_seen(self):
        self.assertEqual(foreign_globals(["aper_a", "aper__b", "lws_c"]),
                         ["lws_c"])

    def test_macro_of_a_dependency_is_seen(self):
        include = surface.mutant(self.directory, "export.h",
                                 "#include <stddef.h>",
                                 "#include <stddef.h>\n#include <errno.h>")
        self.assertIn("ENOENT", foreign_macros(include))

    def test_type_of_a_dependency_is_seen(self):
        include = surface.mutant(self.directory, "version.h", "APER_END\n",
                                 "APER_API json_t *aper_extra(void);\n"
                                 "APER_END\n")
        self.assertEqual(foreign_types(include), ["json_t"])


if __name__ == "__main__":
    unittest.main()
