# SPDX-License-Identifier: Apache-2.0
"""Reads differences as doc/format.md says, with no code of the library, and
checks that old text and difference give the new text: diff_reader.py PROGRAM
"""
import re
import subprocess
import sys
import unittest

NAME = re.compile(r"e\d{6}(\d{3})?")
# A string, or a word up to the next space.
TOKEN = re.compile(r'=?"(?:[^"\\]|\\.)*"|[^ ]+')


def body(text):
    """The lines inside the fence."""
    lines = text.splitlines()
    first = next(i for i, line in enumerate(lines)
                 if line.startswith("<untrusted-page-content "))
    assert first in (1, 2), text
    assert lines[-1] == lines[first].replace("<", "</"), lines[-1]
    return lines[first + 1:-1]


def ref_of(line):
    """The ref that names a line: the first without a star, or the first."""
    starred = None
    for word in TOKEN.findall(line):
        if word == "…":
            break
        if NAME.fullmatch(word):
            return word
        if word.endswith("*") and NAME.fullmatch(word[:-1]):
            starred = starred or word[:-1]
    return starred


class Lines:
    """The lines that a reader has, and where in them it stands."""

    def __init__(self, lines):
        self.lines = list(lines)
        self.at = 0

    def find(self, name, which=1):
        if NAME.fullmatch(name):
            found = [i for i, line in enumerate(self.lines)
                     if ref_of(line) == name]
            assert len(found) == 1, (name, found)
            return found[0]
        found = [i for i, line in enumerate(self.lines)
                 if i >= self.at and line.startswith(name)]
        return found[which - 1]

    def insert(self, lines):
        self.lines[self.at:self.at] = lines
        self.at += len(lines)

    def take(self, first, count):
        taken = self.lines[first:first + count]
        assert len(taken) == count
        del self.lines[first:first + count]
        return taken

    def go_after(self, rest, number):
        self.at = self.find(rest.removeprefix("after "), number) + 1

    def remove(self, rest, number):
        self.at = self.find(rest)
        self.take(self.at, number)

    def restate(self, rest, _number):
        ref = ref_of(rest)
        if ref:
            self.at = self.find(ref)
        self.lines[self.at] = rest
        self.at += 1

    def add(self, rest, _number):
        self.insert([rest])

    def move(self, rest, number):
        whole = rest.startswith(" ")
        first = self.find(ref_of(rest) if whole else rest)
        moved = self.take(first, number)
        if first < self.at:
            self.at -= number
        if whole:
            moved[0] = rest
        self.insert(moved)


DEEDS = {"@": Lines.go_after, "-": Lines.remove, "~": Lines.restate,
         "+": Lines.add, ">": Lines.move}


def apply(old, operations, seen=None):
    lines = Lines(old)
    for operation in operations:
        kind, number, rest = re.fullmatch(r"(.)(\d*) (.*)",
                                          operation).groups()
        DEEDS[kind](lines, rest, int(number or 1))
        if seen is not None:
            seen[kind + number[:1]] = seen.get(kind + number[:1], 0) + 1
    return lines.lines


def rebuild(old, difference, seen=None):
    if difference.startswith("nothing "):
        return body(old)
    if difference.startswith("FULL SNAPSHOT #"):
        return body(difference)
    assert difference.startswith("diff #"), difference
    return apply(body(old), body(difference), seen)


class Reader(unittest.TestCase):
    def test_old_text_and_difference_give_the_new_text(self):
        output = subprocess.run([PROGRAM], check=True,
                                stdout=subprocess.PIPE).stdout.decode()
        texts = output.split("\0")[:-1]
        kinds = {"FULL": 0, "diff": 0, "nothing": 0}
        seen = {}
        for old, difference, new in zip(*[iter(texts)] * 3, strict=True):
            kinds[difference.split(" ")[0]] += 1
            self.assertEqual(rebuild(old, difference, seen), body(new),
                             f"OLD\n{old}\nDIFF\n{difference}\nNEW\n{new}")
        # A generator that only ever makes one kind would prove little.
        self.assertGreater(min(kinds.values()), 20, kinds)
        for kind in ("~", "+", "-", "-2", ">", ">2", "@", "@2"):
            self.assertGreater(seen.get(kind, 0), 20, (kind, seen))


if __name__ == "__main__":
    PROGRAM = sys.argv.pop()
    unittest.main()
