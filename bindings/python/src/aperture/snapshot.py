# SPDX-License-Identifier: Apache-2.0
"""What a page shows at one moment, and what changed between two."""
from __future__ import annotations

import dataclasses
import functools
import json
from typing import Any, Iterator

from ._aperture import ffi, lib
from ._handles import Handle, check, fetch_now, native, text

#: As budget_tokens: no limit.
UNLIMITED: int = lib.APER_BUDGET_UNLIMITED


@dataclasses.dataclass(frozen=True, slots=True)
class Node:
    """One element of a page. Name, value and href are written by the page."""

    #: Place in document order; 0 is the page itself.
    index: int
    #: How deep it lies; the page itself is 0.
    depth: int
    #: Such as "button".
    role: str
    name: str
    value: str
    #: Such as "checked" and "disabled".
    states: tuple[str, ...]
    href: str
    #: What actions name it by, such as "e419733"; "" if it cannot be acted on.
    ref: str


class Snapshot:
    """The state of a page at one moment. It never changes, and stays readable
    after its tab is closed."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    def __repr__(self) -> str:
        return f"<aperture.Snapshot {self.id} of {self.url!r}>"

    @property
    def text(self) -> str:
        """The page as text for an agent: a line per row of meaning, all that
        the page wrote inside one fence."""
        return text(lib.aper_snapshot_get_text(self._handle))

    @property
    def id(self) -> str:
        """The name of this state, such as "7.3"."""
        return text(lib.aper_snapshot_get_id(self._handle))

    @property
    def url(self) -> str:
        """The address of the page."""
        return text(lib.aper_snapshot_get_url(self._handle))

    @property
    def title(self) -> str:
        """The title of the page, written by the page."""
        return text(lib.aper_snapshot_get_title(self._handle))

    @property
    def token_estimate(self) -> int:
        """About how many tokens the text costs a model."""
        return int(lib.aper_snapshot_get_token_estimate(self._handle))

    @functools.cached_property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes that the text shows, in document order; those of the role
        "more" count what is not shown."""
        return tuple(self._node(i) for i in
                     range(lib.aper_snapshot_get_node_count(self._handle)))

    def find(self, text: str, role: str | None = None) -> Node | None:
        """The first node whose name or value contains text, without regard to
        ASCII case; None if there is none. role narrows it, as a heading often
        has the same words as the button below."""
        return next(self.find_all(text, role), None)

    def find_all(self, text: str, role: str | None = None) -> Iterator[Node]:
        """Every node that `find` would accept, in document order."""
        wanted = native(text)
        index = lib.aper_snapshot_find_text(self._handle, wanted, 0)
        while index != lib.APER_NODE_NONE:
            node = self._node(index)
            if role is None or node.role == role:
                yield node
            index = lib.aper_snapshot_find_text(self._handle, wanted,
                                                index + 1)

    def find_ref(self, ref: str) -> Node | None:
        """The node that has the ref; None if there is none."""
        index = lib.aper_snapshot_find_ref(self._handle, native(ref))
        return None if index == lib.APER_NODE_NONE else self._node(index)

    def to_dict(self) -> dict[str, Any]:
        """The same nodes as a tree: a dictionary with `id`, `url`, `title` and
        `page`, whose nodes have `children`."""
        json_text = ffi.new("char **")
        check(lib.aper_snapshot_to_json(self._handle, json_text))
        try:
            tree: dict[str, Any] = json.loads(text(json_text[0]))
        finally:
            lib.aper_free(json_text[0])
        return tree

    def diff(self, other: Snapshot) -> Diff:
        """What changed from this snapshot to other, of the same tab."""
        return diff(self, other)

    def _node(self, index: int) -> Node:
        handle = self._handle
        return Node(
            index=index,
            depth=lib.aper_snapshot_get_node_depth(handle, index),
            role=text(lib.aper_snapshot_get_node_role(handle, index)),
            name=text(lib.aper_snapshot_get_node_name(handle, index)),
            value=text(lib.aper_snapshot_get_node_value(handle, index)),
            states=tuple(text(lib.aper_snapshot_get_node_states(
                handle, index)).split()),
            href=text(lib.aper_snapshot_get_node_href(handle, index)),
            ref=text(lib.aper_snapshot_get_node_ref(handle, index)))


@dataclasses.dataclass(frozen=True, slots=True)
class DiffOp:
    """One line of a difference."""

    #: "+" for a line that came, "-" for one that went, "~" for one restated,
    #: ">" for one that moved.
    kind: str
    #: Written by the page.
    line: str


@dataclasses.dataclass(frozen=True, slots=True)
class Diff:
    """What changed between two states of a tab."""

    #: The difference as text for an agent.
    text: str
    #: The ids of the states it starts from, "" for none, and leads to.
    from_id: str
    to_id: str
    #: Whether there is nothing to be told; volatile lines may have changed.
    is_empty: bool
    #: Whether the text replaces everything read before.
    is_reset: bool
    #: About how many tokens the text costs a model.
    token_estimate: int
    #: Lines that changed and are not restated: clocks, and what changes by
    #: itself all the time. The text says it too.
    volatile_count: int
    #: Empty for a reset.
    ops: tuple[DiffOp, ...]

    @classmethod
    def _of(cls, handle: Handle) -> Diff:
        return cls(
            text=text(lib.aper_diff_get_text(handle)),
            from_id=text(lib.aper_diff_get_from_id(handle)),
            to_id=text(lib.aper_diff_get_to_id(handle)),
            is_empty=bool(lib.aper_diff_is_empty(handle)),
            is_reset=bool(lib.aper_diff_is_reset(handle)),
            token_estimate=lib.aper_diff_get_token_estimate(handle),
            volatile_count=lib.aper_diff_get_volatile_count(handle),
            ops=tuple(
                DiffOp(lib.aper_diff_get_op_kind(handle, i).decode("ascii"),
                       text(lib.aper_diff_get_op_line(handle, i)))
                for i in range(lib.aper_diff_get_op_count(handle))))


def diff(a: Snapshot, b: Snapshot) -> Diff:
    """What changed from snapshot a to snapshot b of the same tab."""
    return Diff._of(fetch_now("diff", lib.aper_diff_compute,
                              a._handle, b._handle))
