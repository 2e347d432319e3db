# SPDX-License-Identifier: Apache-2.0
"""The documents: C in them compiles, what they point to exists, and none
names a place that only one machine has."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
CC = os.environ.get("APERTURE_CC", "cc")
# Written apart so that this file does not name them itself.
PLACES = re.compile("|".join([
    "/ro" + r"ot\b", "/ho" + r"me/(?!me\b)\w", "/wor" + r"k/",
    "/op" + r"t/(?!google/)\w",
    "pypi" + r"\.org", "npm" + r"js\.", "deb\\.debian" + r"\.org",
    "files\\.python" + "hosted", "crates" + r"\.io"]))
TREE_PATH = re.compile(
    r"`((?:doc|tests|examples|src|include|bindings|bench|pkgconfig|\.ci)/"
    r"[\w./-]*)`")
SKIPPED = {".git", ".build", "__pycache__", ".venv", ".pytest_cache"}
BINARY = {".png", ".jpg", ".gz", ".zip", ".abi", ".webp", ".pdf", ".bin"}


def documents(root=SOURCE):
    return [root / "README.md"] + sorted((root / "doc").rglob("*.md"))


def blocks(path, language):
    """(line, text) of each fenced block of the language."""
    text = path.read_text(encoding="utf-8")
    for match in re.finditer(rf"^```{language}\n(.*?)^```$", text,
                             re.M | re.S):
        yield text.count("\n", 0, match.start()) + 1, match.group(1)


def compiles(text):
    result = subprocess.run(
        [CC, "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-pedantic",
         "-Wno-missing-field-initializers", "-Wno-unused-variable",
         "-fsyntax-only", "-I", SOURCE / "include", "-xc", "-"],
        input=text, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, check=False)
    return "" if result.returncode == 0 else result.stdout


def block_complaint(text):
    """A whole program must compile as it stands; a fragment as declarations
    or inside a function that has what fragments lean on."""
    if re.search(r"\bmain\(", text):
        return compiles(text)
    head = "#include <aperture/aperture.h>\n#include <stdio.h>\n"
    if not compiles(head + text):
        return ""
    return compiles(
        head + "void fragment(aper_browser *browser, aper_tab *tab, "
        "aper_snapshot *snapshot, aper_error *error);\n"
        "void fragment(aper_browser *browser, aper_tab *tab, "
        "aper_snapshot *snapshot, aper_error *error)\n{\n"
        "(void)browser; (void)tab; (void)snapshot; (void)error;\n"
        + text + "}\n")


def c_complaints(root=SOURCE):
    return [f"{path.relative_to(root)}:{line}: {complaint}"
            for path in documents(root) for line, text in blocks(path, "c")
            for complaint in [block_complaint(text)] if complaint]


def dead_paths(root=SOURCE):
    found = []
    for path in documents(root):
        for name in TREE_PATH.findall(path.read_text(encoding="utf-8")):
            # The guide to a break is written with the break.
            if (not name.startswith("doc/migrating-")
                    and not (SOURCE / name).exists()):
                found.append(f"{path.relative_to(root)} points to {name}")
    return found


def files(root=SOURCE):
    for directory, names, members in os.walk(root):
        names[:] = [name for name in names if name not in SKIPPED
                    and not name.startswith("build")
                    and not name.endswith(".egg-info")]
        for member in members:
            path = pathlib.Path(directory) / member
            if path.suffix not in BINARY and not path.is_symlink():
                yield path


def named_places(root=SOURCE):
    found = []
    for path in files(root):
        if "corpus" in path.parts:
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if PLACES.search(line):
                found.append(f"{path.relative_to(root)}:{number}: {line}")
    return found


class Gate(unittest.TestCase):
    maxDiff = None

    def test_every_c_block_compiles(self):
        self.assertEqual(c_complaints(), [])

    def test_readme_has_a_program_in_each_language(self):
        for language in ("c", "python", "swift"):
            programs = [text for _, text in
                        blocks(SOURCE / "README.md", language)]
            self.assertEqual(len(programs), 1, language)

    def test_every_path_in_a_document_exists(self):
        self.assertEqual(dead_paths(), [])

    def test_no_file_names_a_place_of_one_machine(self):
        self.assertEqual(named_places(), [])

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is not installed")
    def test_manual_pages_are_well_formed(self):
        pages = sorted((SOURCE / "doc").rglob("*.[1-8]"))
        self.assertTrue(pages)
        result = subprocess.run(
            ["mandoc", "-Tlint", "-Wwarning", *pages], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual((result.returncode, result.stdout), (0, ""))


class GateOfTheGate(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name)
        (self.root / "doc").mkdir()

    def write(self, text):
        (self.root / "README.md").write_text(text, encoding="utf-8")

    def test_block_that_does_not_compile_is_seen(self):
        self.write("# x\n\n```c\nint main(void)\n{\n    return y;\n}\n```\n")
        self.assertIn("README.md:3: ", c_complaints(self.root)[0])

    def test_fragment_is_compiled_as_well(self):
        self.write("```c\naper_tab_unref(tab);\n```\n")
        self.assertEqual(c_complaints(self.root), [])
        self.write("```c\naper_tab_unref(tab, 1);\n```\n")
        self.assertEqual(len(c_complaints(self.root)), 1)

    def test_path_that_does_not_exist_is_seen(self):
        self.write("See `doc/nothing.md` and `tests/run`.\n")
        self.assertEqual(dead_paths(self.root),
                         ["README.md points to doc/nothing.md"])

    def test_place_is_seen(self):
        self.write("Look into /ho" + "me/somebody.\n")
        self.assertEqual(len(named_places(self.root)), 1)


if __name__ == "__main__":
    unittest.main()
