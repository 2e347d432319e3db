# SPDX-License-Identifier: Apache-2.0
"""src/ is layered as src/DEPS says, and each foreign library has its place."""
import pathlib
import re
import shutil
import tempfile
import unittest

SRC = pathlib.Path(__file__).resolve().parent.parent.parent / "src"
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.M)
# The only directories that may include headers of a library.
PLACES = {"libwebsockets": {"wire"}, "lws": {"wire"}, "openssl": {"wire"}}


def read_deps(src):
    allowed = {}
    for line in (src / "DEPS").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, others = line.partition(":")
            allowed[name.strip()] = others.split()
    return allowed


def sources(src):
    return sorted(path for path in src.rglob("*") if path.suffix in
                  (".c", ".h"))


def include_complaint(src, path, kind, name, allowed):
    directory = path.relative_to(src).parts[0]
    target = name.split("/")[0]
    if kind == "<":
        library = target.removesuffix(".h").split("-")[0]
        if directory not in PLACES.get(library, {directory}):
            return f"may not include <{name}>"
        return ""
    if "/" not in name:
        return f'must name the directory of "{name}"'
    if target == "aperture":
        return f"must include <{name}> in angle brackets"
    if target not in allowed:
        return f'includes "{name}", which src/DEPS does not know'
    if target != directory and target not in allowed[directory]:
        return f'may not include "{name}"'
    return ""


def complaints(src=SRC):
    allowed = read_deps(src)
    found = []
    for name, others in allowed.items():
        below = list(allowed)[:list(allowed).index(name)]
        found += [f"DEPS: {name} names {other}, which is not below it"
                  for other in others if other not in below]
    for directory in sorted(p.name for p in src.iterdir() if p.is_dir()):
        if directory not in allowed and any((src / directory).rglob("*.[ch]")):
            found.append(f"DEPS does not name {directory}")
    for path in sources(src):
        place = path.relative_to(src)
        if len(place.parts) < 2 or place.parts[0] not in allowed:
            found.append(f"{place} lies in no directory that DEPS names")
            continue
        for kind, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            complaint = include_complaint(src, path, kind, name, allowed)
            if complaint:
                found.append(f"{place} {complaint}")
    return found


def unowned_calls(src=SRC):
    """Names of libwebsockets used outside its directory."""
    return [f"{path.relative_to(src)} uses {name}" for path in sources(src)
            if path.relative_to(src).parts[0] != "wire"
            for name in re.findall(r"\b(lws_\w+|lwsl_\w+)\s*\(",
                                   path.read_text(encoding="utf-8"))]


class Gate(unittest.TestCase):
    def test_includes_follow_deps(self):
        self.assertEqual(complaints(), [])

    def test_libwebsockets_is_used_by_wire_only(self):
        self.assertEqual(unowned_calls(), [])


class GateOfTheGate(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.src = pathlib.Path(temporary.name)
        shutil.copy(SRC / "DEPS", self.src)

    def write(self, name, text):
        path = self.src / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")

    def check(self, name, text):
        self.write(name, text)
        return complaints(self.src)

    def test_allowed_includes_pass(self):
        self.assertEqual(self.check(
            "cdp/a.c", '#include "cdp/cdp.h"\n#include "base/base.h"\n'
            "#include <aperture/error.h>\n#include <jansson.h>"), [])

    def test_lower_directory_may_not_include_a_higher_one(self):
        self.assertEqual(self.check("base/a.c", '#include "cdp/cdp.h"'),
                         ['base/a.c may not include "cdp/cdp.h"'])

    def test_indented_include_is_seen(self):
        self.assertEqual(self.check("base/a.h", '# include "wire/wire.h"'),
                         ['base/a.h may not include "wire/wire.h"'])

    def test_libwebsockets_outside_wire_fails(self):
        self.assertEqual(self.check("cdp/a.c", "#include <libwebsockets.h>"),
                         ["cdp/a.c may not include <libwebsockets.h>"])
        self.write("cdp/b.c", "int x = lws_service(0, 0);")
        self.assertEqual(unowned_calls(self.src),
                         ["cdp/b.c uses lws_service"])

    def test_include_without_directory_fails(self):
        self.assertEqual(self.check("cdp/a.c", '#include "cdp.h"'),
                         ['cdp/a.c must name the directory of "cdp.h"'])

    def test_directory_that_deps_does_not_name_fails(self):
        self.assertEqual(self.check("extra/a.c", "int x;"), [
            "DEPS does not name extra",
            "extra/a.c lies in no directory that DEPS names"])

    def test_deps_that_point_upward_fail(self):
        (self.src / "DEPS").write_text("base: wire\nwire: base\n",
                                       encoding="utf-8")
        self.assertEqual(complaints(self.src), [
            "DEPS: base names wire, which is not below it"])


if __name__ == "__main__":
    unittest.main()
