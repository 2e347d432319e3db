# SPDX-License-Identifier: Apache-2.0
"""What each contract says of NULL holds: the built library is called with
nothing but NULL and 0, and must answer as its @errors line says."""
import ctypes
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "docs"))
import headers  # noqa: E402
import surface  # noqa: E402

RESULTS = {
    "aper_status": ctypes.c_int32, "const char *": ctypes.c_char_p,
    "uint32_t": ctypes.c_uint32, "uint64_t": ctypes.c_uint64,
    "int32_t": ctypes.c_int32, "int64_t": ctypes.c_int64,
    "size_t": ctypes.c_size_t, "double": ctypes.c_double,
    "int": ctypes.c_int, "char": ctypes.c_char, "void": None,
}
# The first that is found holds: what lies past the end of nothing comes first.
EXPECTED = [
    (r"NULL (past|for NULL)", None), (r'"" (past|for NULL)', b""),
    (r"(?<!-)\b0 (past|for NULL)", 0), (r"APER_OK for", 0),
    (r"-1 for NULL", -1), (r'"" (if|when|until)', b""),
    (r"NULL (if|when)", None), (r"(?<!-)\b0 (unless|when)", 0),
    (r"APER_NODE_NONE when", 2 ** 64 - 1),
]


def prepare(library, function):
    """The function with its types, and NULL or 0 for each parameter."""
    kind = function.declaration.partition(function.name)[0].strip()
    call = getattr(library, function.name)
    call.restype = RESULTS.get(kind, ctypes.c_void_p)
    inside = re.search(r"\((.*)\)$", function.declaration).group(1)
    parameters = [] if inside == "void" else inside.split(",")
    call.argtypes = [ctypes.c_void_p if "*" in parameter else ctypes.c_uint64
                     for parameter in parameters]
    return call, [None if "*" in parameter else 0 for parameter in parameters]


def expected_for_null(function, errors):
    if function.declaration.startswith("aper_status ") \
            and not errors.startswith("none"):
        return -1  # APER_E_INVAL
    for pattern, value in EXPECTED:
        if re.search(pattern, errors):
            return value
    return "anything"


def fields(function):
    return dict(headers.parse(function.doc)[1])


def plain(value):
    return 0 if value == b"\0" else value


class Gate(unittest.TestCase):
    def test_null_is_answered_as_the_contract_says(self):
        library = ctypes.CDLL(str(surface.library()))
        for function in surface.functions():
            if "*" not in function.declaration.partition("(")[2]:
                continue
            call, arguments = prepare(library, function)
            expected = expected_for_null(function, fields(function)["errors"])
            with self.subTest(function.name):
                result = plain(call(*arguments))
                if expected != "anything":
                    self.assertEqual(result, expected)

    def test_all_that_fails_says_so_for_null(self):
        """Only what returns nothing, or a truth, may leave NULL unsaid."""
        silent = [function.name for function in surface.functions()
                  if "*" in function.declaration.partition("(")[2]
                  and expected_for_null(function, fields(function)["errors"])
                  == "anything"
                  and not function.declaration.startswith(("void ", "int "))]
        self.assertEqual(silent, [])


if __name__ == "__main__":
    unittest.main()
