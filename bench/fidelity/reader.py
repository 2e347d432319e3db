# SPDX-License-Identifier: Apache-2.0
"""Knows a page from the texts alone, as doc/format.md describes them.

It shares no code with the library, and knows nothing but what it is fed:
snapshots, differences, and "nothing changed". Whatever does not follow the
format, or cannot be applied, raises Unreadable.
"""
import dataclasses
import functools
import re

STATES = {"checked", "mixed", "disabled", "expanded", "collapsed", "selected",
          "required", "focused", "modal", "readonly", "invalid", "pressed",
          "current", "hidden"}

REF = re.compile(r"e(?:\d{9}|\d{6})")
HEADS = {
    "reset": re.compile(r"FULL SNAPSHOT #(\d+\.\d+) — replaces all prior state"),
    "diff": re.compile(r"diff #(\d+\.\d+) → #(\d+\.\d+)"
                       r"(?: \((\d+) volatile\))?"),
    "same": re.compile(r"nothing changed since #(\d+\.\d+)"),
    "volatile": re.compile(r"nothing since #(\d+\.\d+) \((\d+) volatile\)"),
}
FENCE = re.compile(r"<untrusted-page-content (\d{6})>")
GONE = re.compile(r"gone:((?: e\d+)+)(?: and (\d+) more)?")
OPERATION = re.compile(r"([-+~>@])(\d*) (.*)")
STRING = r'"(?:[^"\\]|\\.)*"(?: \(\d+ characters ~[0-9a-f]{6}\))?'
TOKEN = re.compile(
    rf"(?P<string>{STRING})|(?P<value>={STRING})|(?P<note>\[[^\]]*\]|\([^)]*\))"
    r"|(?P<cell>\|(?= |$))|(?P<word>[^ ]+)")


class Unreadable(Exception):
    """The text is not what the format promises."""


def need(holds, *why):
    if not holds:
        raise Unreadable(*why)


@dataclasses.dataclass
class Item:
    """Something in a line. Texts are as they stand there, escaped and with
    what is said of a cut, so that two are equal exactly if the page's are."""
    role: str
    ref: str = ""
    twin: bool = False
    name: str | None = None
    value: str = ""
    address: str = ""
    states: frozenset = frozenset()
    note: str = ""
    cell: bool = False  # the first of a further cell


@dataclasses.dataclass
class Line:
    """A line, and the lines that lie in it."""
    depth: int
    items: tuple
    text: str
    lines: list = dataclasses.field(default_factory=list)


def parse_items(text):
    items, position, cell = [], 0, False
    while position < len(text):
        if text[position] == " ":
            position += 1
            continue
        token = TOKEN.match(text, position)
        position = token.end()
        kind, word = token.lastgroup, token[0]
        last = items[-1] if items else None
        if kind == "cell":
            need(last is not None, "a cell before the first", text)
            cell = True
            continue
        if word == "…":
            items.append(Item("more", note=text[position:].strip(),
                              cell=cell))
            return items
        if kind == "string" and (last is None or last.role == "text" or cell
                                 or last.name is not None):
            items.append(Item("text", name=word, cell=cell))
        elif kind == "string":
            last.name = word
        elif last is not None and not cell and attach(last, kind, word):
            continue
        else:
            need(kind == "word" and re.fullmatch(r"[a-z]+[1-6]?", word),
                 "no role", word, text)
            items.append(Item(word, cell=cell))
        cell = False
    return items


def attach(item, kind, word):
    """Takes what belongs to the item before; False if it begins another."""
    if kind == "value":
        item.value = word[1:]
    elif kind == "note":
        item.note = f"{item.note} {word}".strip()
    elif REF.fullmatch(word.rstrip("*")) and not item.ref \
            and item.role != "text":
        item.ref, item.twin = word.rstrip("*"), word.endswith("*")
    elif word in STATES:
        item.states |= {word}
    elif ":" in word or word[0] in "/?#":
        item.address = word
    else:
        return False
    return True


@functools.lru_cache(maxsize=1 << 16)
def items_of(bare):
    """The same as parse_items(); most lines are read again and again."""
    return tuple(parse_items(bare))


def parse_line(text):
    bare = text.lstrip(" ")
    items = items_of(bare)
    need(items, "an empty line")
    return Line(len(text) - len(bare), items, text)


def parse_tree(texts):
    """The page's own line, with all else in it."""
    need(texts, "no page")
    root = parse_line(texts[0])
    need(root.depth == 0 and root.items[0].role == "page", texts[0])
    path = [root]
    for text in texts[1:]:
        line = parse_line(text)
        need(0 < line.depth <= len(path), "lies in nothing", text)
        del path[line.depth:]
        path[-1].lines.append(line)
        path.append(line)
    return root


def body_of(lines, at):
    """What the fence that begins at that line holds, to the end."""
    need(len(lines) > at, "no fence")
    fence = FENCE.fullmatch(lines[at])
    need(fence, "no fence", lines[at])
    need(lines[-1] == f"</untrusted-page-content {fence[1]}>", "no end")
    inside = lines[at + 1:-1]
    need(not any(fence[1] in line for line in inside), "digits inside")
    return inside


def key_of(text):
    """The ref that a line is named by."""
    items = parse_line(text).items
    sure = [item.ref for item in items if item.ref and not item.twin]
    return (sure or [item.ref for item in items if item.ref] or [None])[0]


class Patch:
    """Operations on the lines of a state."""

    def __init__(self, texts):
        self.texts = list(texts)
        self.keys = [key_of(text) for text in texts]
        self.at = 0

    def where(self, name, which=1):
        if REF.fullmatch(name):
            need(self.keys.count(name) == 1, "not one line", name)
            return self.keys.index(name)
        found = [i for i in range(self.at, len(self.texts))
                 if self.texts[i].startswith(name)]
        need(len(found) >= which, "no such line", name)
        return found[which - 1]

    def take(self, first, count):
        need(0 < first <= len(self.texts) - count, "not so many lines")
        taken = self.texts[first:first + count]
        del self.texts[first:first + count]
        del self.keys[first:first + count]
        return taken

    def put(self, texts):
        self.texts[self.at:self.at] = texts
        self.keys[self.at:self.at] = [key_of(text) for text in texts]
        self.at += len(texts)

    def apply(self, operation):
        match = OPERATION.fullmatch(operation)
        need(match, "no operation", operation)
        kind, number, rest = match.groups()
        count = int(number or 1)
        need(not number or kind in "-@>" and count > 1, operation)
        {"@": self.go, "-": self.drop, ">": self.move, "~": self.restate,
         "+": self.add}[kind](rest, count)

    def go(self, rest, which):
        need(rest.startswith("after "), rest)
        self.at = self.where(rest[len("after "):], which) + 1

    def drop(self, rest, count):
        self.at = self.where(rest)
        self.take(self.at, count)

    def move(self, rest, count):
        line = rest if rest.startswith(" ") else None
        first = self.where(key_of(line) if line else rest)
        taken = self.take(first, count)
        self.at -= count if first < self.at else 0
        self.put([line, *taken[1:]] if line else taken)

    def restate(self, rest, _):
        key = key_of(rest)
        if key:
            self.at = self.where(key)
        need(self.at < len(self.texts), "nothing to restate", rest)
        del self.texts[self.at], self.keys[self.at]
        self.put([rest])

    def add(self, rest, _):
        need(self.at > 0, "before the page", rest)
        self.put([rest])


class Reader:
    """A page as it is known from the texts fed so far."""

    def __init__(self):
        self.id = None
        self.texts = []
        #: Lines that changed and were not restated, as the last text says.
        self.volatile = 0
        #: Refs that were shown and are not any more. Never emptied but by
        #: another document.
        self.dead = set()
        self.counts = {kind: 0 for kind in HEADS}

    def feed(self, text):
        """Takes the next text, and says of what kind it was."""
        need(text.endswith("\n"), "the last line does not end")
        lines = text.split("\n")[:-1]
        for kind, head in HEADS.items():
            match = head.fullmatch(lines[0])
            if match:
                before = self.refs()
                getattr(self, "_" + kind)(lines, *match.groups())
                self.dead = (self.dead | before) - self.refs()
                self.counts[kind] += 1
                return kind
        raise Unreadable("no header", lines[0])

    def _reset(self, lines, state):
        gone = GONE.fullmatch(lines[1]) if len(lines) > 1 else None
        texts = body_of(lines, 2 if gone else 1)
        parse_tree(texts)
        self.id, self.texts, self.volatile = state, texts, 0
        if gone:
            back = set(gone[1].split()) & self.refs()
            need(not back, "gone and there", back)

    def _diff(self, lines, base, state, volatile):
        need(base == self.id, "another base", base, self.id)
        need(state != base, "no new state", state)
        patch = Patch(self.texts)
        operations = body_of(lines, 1)
        need(operations, "no operations")
        for operation in operations:
            patch.apply(operation)
        parse_tree(patch.texts)
        self.id, self.texts = state, patch.texts
        self.volatile = int(volatile or 0)

    def _same(self, lines, base):
        self._volatile(lines, base, 0)

    def _volatile(self, lines, base, count):
        need(len(lines) == 1, "more than a line")
        need(base == self.id, "another base", base, self.id)
        self.volatile = int(count)

    def tree(self):
        """The lines, each with those that lie in it."""
        return parse_tree(self.texts)

    def items(self):
        """All items in order, each with the depth of its line."""
        return [(line.depth, item) for line in map(parse_line, self.texts)
                for item in line.items]

    def refs(self):
        """All refs that are shown."""
        return {item.ref for _, item in self.items() if item.ref}
