# SPDX-License-Identifier: Apache-2.0
"""Tries the reader itself: check_reader.py PROGRAM, where the program prints
old text, difference and new text of made-up pages, each ended by a NUL."""
import subprocess
import sys
import unittest

from reader import Item, Reader, Unreadable, parse_items, parse_tree

CASES = 1000

PAGE = """FULL SNAPSHOT #1.0 — replaces all prior state
<untrusted-page-content 481902>
page "Shop" https://example.org/list
 heading1 "Offers"
 listitem link e222222 "Widget" /p/12 "€3.50" button e123456* "Add" disabled
  "Read the " link e333333 "manual" /m " first."
 row "Ann" | "30" | button e111111 "Edit"
 … 37 more listitem, expand e123457
</untrusted-page-content 481902>
"""


def difference(*operations, base="1.0", state="1.1"):
    return "\n".join([f"diff #{base} → #{state}",
                      "<untrusted-page-content 481902>", *operations,
                      "</untrusted-page-content 481902>", ""])


class Items(unittest.TestCase):
    def test_each_item_has_what_stands_behind_it(self):
        self.assertEqual(parse_items(
            'textbox e419733 "Na\\"me" ="Ada" required focused [3 options]'),
            [Item("textbox", "e419733", name='"Na\\"me"', value='"Ada"',
                  states=frozenset({"required", "focused"}),
                  note="[3 options]")])
        self.assertEqual(
            [(i.role, i.ref, i.twin, i.name, i.cell) for i in parse_items(
                'row "Ann" | "30" "x" | button e111111* "" "text"')],
            [("row", "", False, '"Ann"', False),
             ("text", "", False, '"30"', True),
             ("text", "", False, '"x"', False),
             ("button", "e111111", True, '""', True),
             ("text", "", False, '"text"', False)])
        self.assertEqual(
            parse_items('"a" (600 characters ~abcdef) heading2 "b" '
                        'link e123456789 /p?q=1'),
            [Item("text", name='"a" (600 characters ~abcdef)'),
             Item("heading2", name='"b"'),
             Item("link", "e123456789", address="/p?q=1")])
        self.assertEqual(parse_items("… 3 more row, expand e123456"),
                         [Item("more", note="3 more row, expand e123456")])

    def test_lines_lie_in_what_they_are_indented_under(self):
        root = parse_tree(PAGE.splitlines()[2:-1])
        self.assertEqual([len(line.lines) for line in root.lines],
                         [0, 1, 0, 0])
        with self.assertRaises(Unreadable):
            parse_tree(['page "x"', '  "too deep"'])


class Feeding(unittest.TestCase):
    def setUp(self):
        self.reader = Reader()
        self.reader.feed(PAGE)

    def test_operations_are_applied_and_deaths_known(self):
        self.reader.feed(difference(
            '~  row "Ann" | "31" | button e111111 "Edit"', "-2 e222222",
            "@ after e111111", '+  "New"'))
        self.assertEqual(self.reader.texts[2:], [
            ' row "Ann" | "31" | button e111111 "Edit"', ' "New"',
            " … 37 more listitem, expand e123457"])
        self.assertEqual(self.reader.dead, {"e222222", "e123456", "e333333"})
        self.assertEqual(self.reader.feed("nothing changed since #1.1\n"),
                         "same")
        self.reader.feed("nothing since #1.1 (2 volatile)\n")
        self.assertEqual(self.reader.volatile, 2)

    def test_what_does_not_fit_is_unreadable(self):
        for text in ("nothing changed since #1.1\n", "hello\n", "",
                     difference("- e999999"), difference("? x"),
                     difference('-  "No such text"'), difference("-9 e111111"),
                     difference(), difference("- e111111", base="1.1"),
                     difference("+      \"too deep\"")):
            with self.assertRaises(Unreadable, msg=text):
                self.reader.feed(text)


class MadeUpPages(unittest.TestCase):
    def test_texts_give_what_a_snapshot_shows(self):
        output = subprocess.run([PROGRAM], check=True,
                                stdout=subprocess.PIPE).stdout.decode()
        texts = output.split("\0")[:3 * CASES]
        for old, change, new in zip(*[iter(texts)] * 3, strict=True):
            told, shown = Reader(), Reader()
            told.feed(old)
            told.feed(change)
            shown.feed(new)
            self.assertEqual(told.items(), shown.items(), change)
            self.assertEqual(told.texts, shown.texts, change)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop()
    unittest.main()
