# SPDX-License-Identifier: Apache-2.0
"""Reads differences as doc/format.md says, with no code of the library, and
checks that old text and difference give the new text: diff_reader.py PROGRAM
"""
import re
import subprocess
import sys
import unittest

REF = re.compile(r"^ *[a-z0-9-]+ (e\d{6}(?:\d{3})?)\b")


def body(text):
    """The lines inside the fence."""
    lines = text.splitlines()
    assert lines[1].startswith("<untrusted-page-content "), lines[1]
    assert lines[-1] == lines[1].replace("<", "</"), lines[-1]
    return lines[2:-1]


def ref_of(line):
    match = REF.match(line)
    return match and match[1]


def find(old, position, matches, which=1):
    """Index of the which-th line from position on that matches."""
    for index in range(position, len(old)):
        if matches(old[index]):
            which -= 1
            if which == 0:
                return index
    raise AssertionError("the line is not there")


def apply(old, operations):
    new, position = [], 0

    def keep_up_to(index):
        nonlocal position
        new.extend(old[position:index])
        position = index

    for operation in operations:
        kind, _, rest = operation.partition(" ")
        if kind[0] == "@":
            name = rest.removeprefix("after ")
            is_ref = re.fullmatch(r"e\d{6}(\d{3})?", name)
            keep_up_to(1 + find(
                old, position,
                lambda line: ref_of(line) == name if is_ref
                else line.startswith(name), int(kind[1:] or 1)))
        elif kind == "+":
            new.append(rest)
        elif kind == "-":
            keep_up_to(find(old, position,
                            lambda line: line.startswith(rest)))
            position += 1
        elif kind == "~":
            ref = ref_of(rest)
            if ref:
                keep_up_to(find(old, position,
                                lambda line: ref_of(line) == ref))
            new.append(rest)
            position += 1
        else:
            raise AssertionError(operation)
    return new + old[position:]


def rebuild(old, difference):
    if difference.startswith("nothing changed since #"):
        return body(old)
    if difference.startswith("FULL SNAPSHOT #"):
        return body(difference)
    assert difference.startswith("diff #"), difference
    return apply(body(old), body(difference))


class Reader(unittest.TestCase):
    def test_old_text_and_difference_give_the_new_text(self):
        output = subprocess.run([PROGRAM], check=True,
                                stdout=subprocess.PIPE).stdout.decode()
        texts = output.split("\0")[:-1]
        kinds = {"FULL": 0, "diff": 0, "nothing": 0}
        for old, difference, new in zip(*[iter(texts)] * 3, strict=True):
            kinds[difference.split(" ")[0]] += 1
            self.assertEqual(rebuild(old, difference), body(new),
                             f"OLD\n{old}\nDIFF\n{difference}\nNEW\n{new}")
        # A generator that only ever makes one kind would prove little.
        self.assertGreater(min(kinds.values()), 20, kinds)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop()
    unittest.main()
