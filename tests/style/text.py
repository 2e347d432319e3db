# SPDX-License-Identifier: Apache-2.0
"""What every source file has in common."""
import os
import pathlib
import re
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
TOPS = ["src", "include", "tests", "examples", "bench", "bindings", "doc"]
KINDS = {".c", ".h", ".py", ".js", ".swift", ".build", ".sh", ".modulemap"}
# A hard limit; 80 is what is aimed at.
COLUMNS = 100
SKIPPED = {"corpus", "pages", "__pycache__", "demo-page", ".build"}


def sources(root=SOURCE):
    for top in TOPS:
        for directory, names, members in os.walk(root / top):
            names[:] = [name for name in names if name not in SKIPPED
                        and not name.startswith("build")
                        and not name.endswith(".egg-info")]
            for member in sorted(members):
                path = pathlib.Path(directory) / member
                if path.suffix in KINDS:
                    yield path


def file_complaints(name, text, suffix):
    found = []
    # Swift reads the first line of Package.swift itself.
    head = "\n".join(text.splitlines()[:3])
    if text and "SPDX-License-Identifier: Apache-2.0" not in head:
        found.append(f"{name} has no SPDX line")
    if text and not text.endswith("\n"):
        found.append(f"{name} does not end in a newline")
    for number, line in enumerate(text.splitlines(), 1):
        if line != line.rstrip():
            found.append(f"{name}:{number} ends in white space")
        if "\t" in line:
            found.append(f"{name}:{number} holds a tab")
        if len(line) > COLUMNS and suffix in (".c", ".h", ".js"):
            found.append(f"{name}:{number} has {len(line)} columns")
    return found


def script_complaints(name, text):
    """Our scripts in pages read; they never write to the document."""
    bare = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    rules = {
        r"\.(innerHTML|outerHTML)\s*=[^=]": "writes markup",
        r"\.(setAttribute|removeAttribute|toggleAttribute|appendChild|append|"
        r"prepend|insertBefore|replaceChild|replaceWith|removeChild|"
        r"insertAdjacent\w+|replaceChildren|adoptNode|attachShadow|"
        r"setHTML\w*|adoptedStyleSheets)\b": "writes to the document",
        r"\bdocument\.(write|writeln|open|createElement\w*)\b":
            "makes elements",
        r"\beval\s*\(|\bnew\s+Function\b|\bFunction\s*\(": "makes code",
        r"\bset(Timeout|Interval)\s*\(\s*['\"`]": "makes code",
        r"\.(dataset)\.\w+\s*=[^=]": "writes to the document",
        r"\b(localStorage|sessionStorage|indexedDB)\b": "stores something",
        r"\b(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon)\b\s*\(":
            "uses the network",
        r"\bconsole\.\w+\s*\(": "writes on the console of the page",
        r"\bvar\s": "uses var",
        r"[^=!]==[^=]|!=[^=]": "compares loosely",
    }
    found = [f"{name} {reason}: {match.group(0).strip()}"
             for rule, reason in rules.items()
             for match in re.finditer(rule, bare)]
    if not re.search(r"^\s*['\"]use strict['\"];", bare, re.M):
        found.append(f"{name} is not strict")
    return found


def scripts(root=SOURCE):
    return sorted((root / "src").rglob("*.js"))


def unlisted(root=SOURCE):
    """C files of a suite that its meson.build does not build."""
    found = []
    for build in sorted((root / "tests").glob("*/meson.build")):
        text = build.read_text(encoding="utf-8")
        found += [str(path.relative_to(root))
                  for path in sorted(build.parent.glob("*.c"))
                  if f"'{path.stem}'" not in text
                  and f"'{path.name}'" not in text
                  and path != root / "tests/abi/layout.c"]
    return found


class Gate(unittest.TestCase):
    maxDiff = None

    def test_every_test_program_is_built(self):
        self.assertEqual(unlisted(), [])

    def test_every_source_file_keeps_the_form(self):
        self.assertEqual(
            [complaint for path in sources() for complaint in file_complaints(
                path.relative_to(SOURCE), path.read_text(encoding="utf-8"),
                path.suffix)], [])

    def test_scripts_lie_in_the_page_directory_only(self):
        self.assertEqual([path for path in scripts()
                          if path.parent != SOURCE / "src/page"], [])

    def test_scripts_only_read_the_page(self):
        self.assertEqual(
            [complaint for path in scripts() for complaint in
             script_complaints(path.name, path.read_text(encoding="utf-8"))],
            [])


class GateOfTheGate(unittest.TestCase):
    def test_test_that_is_not_built_is_seen(self):
        with tempfile.TemporaryDirectory() as directory:
            suite = pathlib.Path(directory) / "tests/unit"
            suite.mkdir(parents=True)
            (suite / "meson.build").write_text("'a',\n", encoding="utf-8")
            (suite / "a.c").touch()
            (suite / "b.c").touch()
            self.assertEqual(unlisted(pathlib.Path(directory)),
                             ["tests/unit/b.c"])

    def test_faults_of_form_are_seen(self):
        self.assertEqual(file_complaints("a.c", "int x; \n\ty;", ".c"), [
            "a.c has no SPDX line", "a.c does not end in a newline",
            "a.c:1 ends in white space", "a.c:2 holds a tab"])
        spdx = "/* SPDX-License-Identifier: Apache-2.0 */\n"
        self.assertEqual(file_complaints("a.c", spdx, ".c"), [])
        self.assertEqual(
            file_complaints("a.c", spdx + "x" * 101 + "\n", ".c"),
            ["a.c:2 has 101 columns"])

    def test_writing_script_is_seen(self):
        for line in ("node.innerHTML = x;", "node.setAttribute('a', 'b');",
                     "eval(x);", "document.createElement('p');",
                     "node.dataset.x = 1;", "fetch('/');", "if (a == b) f();",
                     "console.log(x);", "new Function('x');"):
            self.assertEqual(
                len(script_complaints("a.js", "'use strict';\n" + line)), 1,
                line)
        self.assertEqual(script_complaints(
            "a.js", "'use strict';\nif (a === b && c !== d) f();\n"
            "// node.innerHTML = x;\nconst s = n.innerHTML === t;"), [])

    def test_sloppy_script_is_seen(self):
        self.assertEqual(script_complaints("a.js", "f();"),
                         ["a.js is not strict"])


if __name__ == "__main__":
    unittest.main()
