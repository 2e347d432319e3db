# SPDX-License-Identifier: Apache-2.0
"""The comment of each public function is its contract, and complete."""
import ctypes
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "abi"))
import surface  # noqa: E402
from surface import INCLUDE, SOURCE  # noqa: E402

TAGS = ["ownership", "threads", "errors", "since"]


def parse(doc):
    """The description and the fields of a doc comment."""
    lines = [re.sub(r"^\s*\*? ?", "", line)
             for line in doc.removeprefix("/**").removesuffix("*/")
             .splitlines()]
    description, *parts = re.split(r"^@(?=\w)", "\n".join(lines),
                                   flags=re.M)
    fields = []
    for part in parts:
        tag, _, text = part.partition(" ")
        fields.append((tag.strip(), " ".join(text.split())))
    return description.strip(), fields


def codes(errors):
    """The codes that an @errors line names; a word in capitals, "*" allowed
    at its end. Prose and what "" and NULL mean are none."""
    return re.findall(r"\b(?!NULL\b|APER_|JSON\b|URL\b)([A-Z][A-Z_]+\*?)",
                      errors)


def known_codes(include=INCLUDE):
    return {name.removeprefix("APER_E_") for name in
            surface.constants(include) if name.startswith("APER_E_")}


def code_is_known(code, known):
    if code.endswith("*"):
        return any(name.startswith(code[:-1]) for name in known)
    return code in known


def function_complaints(function, nodes, known):
    description, fields = parse(function.doc)
    if not function.doc:
        return ["has no doc comment"]
    found = []
    if not re.match(r"[A-Z0-9'\"].*?[.;:](\s|$)", description, re.S):
        found.append("does not begin with a sentence")
    if [tag for tag, _ in fields] != TAGS:
        found.append("has not exactly " + ", ".join("@" + t for t in TAGS))
        return found
    values = dict(fields)
    found += [f"@{tag} is empty" for tag in TAGS if not values[tag]]
    if values["since"] != nodes.get(function.name):
        found.append(f"@since {values['since']}, but in node "
                     f"{nodes.get(function.name)} of the map")
    named = codes(values["errors"])
    found += [f"@errors names the unknown {code}" for code in named
              if not code_is_known(code, known)]
    returns_status = function.declaration.startswith("aper_status ")
    refers = re.search(r"\bas aper_\w+\(\)", values["errors"])
    takes_status = re.search(r"get_status\b", function.name)
    if returns_status and not takes_status and not named and not refers:
        found.append("returns a status, but @errors names none")
    if not returns_status and not values["errors"].startswith("none"):
        found.append("returns no status, so @errors must begin with none")
    if not re.search(r"\b(any|main)\b.*\bblocks\b", values["threads"]):
        found.append("@threads does not say who may call and what blocks")
    return found


def function_report(include=INCLUDE, map_file=surface.MAP):
    nodes = surface.map_nodes(map_file)
    known = known_codes(include)
    return [f"{function.name} {complaint}"
            for function in surface.functions(include)
            for complaint in function_complaints(function, nodes, known)]


def undocumented_codes(include=INCLUDE):
    """Codes without a doc comment right before them."""
    text = (include / "aperture/status.h").read_text(encoding="utf-8")
    return [match.group(1)
            for match in re.finditer(r"(APER_E_\w+) = -\d+", text)
            if not surface.doc_before(text, match.start())]


def struct_report(include=INCLUDE):
    found = []
    for struct in surface.structs(include):
        if not re.match(r"\s*/\*\* sizeof\(" + struct.name
                        + r"\) \*/\s*size_t size;", struct.body):
            found.append(f"{struct.name} does not begin with a documented "
                         "size_t size")
        path = include / "aperture" / struct.header
        text = path.read_text(encoding="utf-8")
        start = text.index(f"typedef struct {struct.name} {{")
        if not surface.doc_before(text, start):
            found.append(f"{struct.name} has no doc comment")
        types = re.findall(r"^\s*([\w ]+?[\s*]+(?:const \*)?)\w+;",
                           surface.without_comments(struct.body), re.M)
        found += [f"{struct.name} holds a {' '.join(kind.split())}"
                  for kind in types if "*" not in kind and kind.strip()
                  not in ("size_t", "uint32_t", "uint64_t", "int32_t",
                          "int64_t", "double")]
    return found


def unused_functions(names):
    """Functions that neither a test nor an example calls."""
    text = ""
    for top in ("tests", "examples"):
        for path in (SOURCE / top).rglob("*.c"):
            text += path.read_text(encoding="utf-8")
    used = set(re.findall(r"\baper_\w+", text))
    return sorted(set(names) - used)


def wrong_names_at_run_time():
    """Codes that the built library names or explains in another way."""
    library = ctypes.CDLL(str(surface.library()))
    texts = {}
    for call in ("aper_status_get_name", "aper_status_get_text"):
        function = getattr(library, call)
        function.restype = ctypes.c_char_p
        function.argtypes = [ctypes.c_int32]
        texts[call] = function
    unknown = texts["aper_status_get_text"](-9999)
    found = []
    for name, code in surface.constants().items():
        if name == "APER_OK" or name.startswith("APER_E_"):
            if texts["aper_status_get_name"](code) != name.encode():
                found.append(f"{name} has another name")
            text = texts["aper_status_get_text"](code)
            if not text or text == unknown:
                found.append(f"{name} has no text")
    return found


class Gate(unittest.TestCase):
    maxDiff = None

    def test_every_function_has_a_whole_contract(self):
        self.assertEqual(function_report(), [])

    def test_every_status_code_is_documented(self):
        self.assertEqual(undocumented_codes(), [])

    def test_every_status_code_has_a_name_at_run_time(self):
        self.assertEqual(wrong_names_at_run_time(), [])

    def test_every_struct_begins_with_its_size_and_holds_plain_types(self):
        self.assertEqual(struct_report(), [])

    def test_reference_has_every_function_struct_and_constant(self):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "api.md"
            surface.must(SOURCE / "doc/api.py", path)
            text = path.read_text(encoding="utf-8")
        titles = re.findall(r"^### (\w+)$", text, re.M)
        expected = [function.name for function in surface.functions()]
        expected += [struct.name for struct in surface.structs()]
        self.assertEqual(sorted(set(expected) - set(titles)), [])
        self.assertEqual(len(titles), len(set(titles)))
        self.assertEqual([name for name in surface.constants()
                          if f" {name} = " not in text], [])

    def test_every_function_is_called_by_a_test_or_an_example(self):
        self.assertEqual(unused_functions(
            function.name for function in surface.functions()), [])


class GateOfTheGate(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)

    def check(self, old, new, header="version.h"):
        return function_report(
            surface.mutant(self.directory, header, old, new))

    def test_undocumented_function_fails(self):
        self.assertEqual(
            self.check("APER_END\n", "APER_API int aper_extra(void);\n"
                       "APER_END\n"),
            ["aper_extra has no doc comment"])

    def test_comment_of_something_else_does_not_count(self):
        self.assertEqual(
            self.check("APER_END\n", "#define APER_X 1\n"
                       "APER_API int aper_extra(void);\nAPER_END\n"),
            ["aper_extra has no doc comment"])

    def test_missing_line_fails(self):
        self.assertEqual(
            self.check(" * @errors     none\n * @since      1.0\n */\n"
                       "APER_API uint32_t", " * @since      1.0\n */\n"
                       "APER_API uint32_t"),
            ["aper_version_get_number has not exactly @ownership, @threads, "
             "@errors, @since"])

    def test_since_other_than_the_node_fails(self):
        self.assertEqual(
            self.check(" * @since      1.0\n */\nAPER_API uint32_t",
                       " * @since      1.1\n */\nAPER_API uint32_t"),
            ["aper_version_get_number @since 1.1, but in node 1.0 of the map"])

    def test_unknown_code_fails(self):
        self.assertEqual(
            self.check("INVAL, FORKED, TIMEOUT, CLOSED, GONE",
                       "INVAL, FORKED, LATE, CLOSED, GONE", "event.h"),
            ["aper_browser_next_event @errors names the unknown LATE"])

    def test_undocumented_code_is_seen(self):
        include = surface.mutant(
            self.directory, "status.h",
            "    /** Memory could not be had. Nothing changed. */\n", "")
        self.assertEqual(undocumented_codes(include), ["APER_E_NOMEM"])

    def test_struct_without_size_first_is_seen(self):
        include = surface.mutant(
            self.directory, "snapshot.h",
            "    /** sizeof(aper_snapshot_options) */\n    size_t size;\n", "")
        self.assertEqual(struct_report(include), [
            "aper_snapshot_options does not begin with a documented "
            "size_t size"])

    def test_struct_with_an_odd_type_is_seen(self):
        include = surface.mutant(self.directory, "snapshot.h",
                                 "    uint32_t budget_tokens;",
                                 "    long budget_tokens;")
        self.assertEqual(struct_report(include),
                         ["aper_snapshot_options holds a long"])

    def test_function_that_nobody_calls_is_seen(self):
        name = "aper_no" + "body"
        self.assertEqual(unused_functions([name]), [name])


if __name__ == "__main__":
    unittest.main()
