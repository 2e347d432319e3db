# SPDX-License-Identifier: Apache-2.0
"""The verbs of an agent, shared by blocking and asynchronous tabs."""
from __future__ import annotations

import abc
from typing import Generic, TypeVar, Union

from ._contract import Button, Invalid, Modifier, Verb
from ._handles import Options, milliseconds
from .snapshot import Node

#: What an action names an element by: a node of a snapshot, or its ref.
Target = Union[Node, str]

R_co = TypeVar("R_co", covariant=True)


def ref_of(target: Target | None) -> str | None:
    """The ref of a target. A node without one cannot be acted on."""
    if target is None or isinstance(target, str):
        return target
    if not isinstance(target, Node):
        raise TypeError("an element is named by a node of a snapshot or its "
                        f"ref, not by {type(target).__name__}")
    if not target.ref:
        raise Invalid(f"node {target.index}, a {target.role}, has no ref")
    return target.ref


def act_options(verb: Verb, ref: Target | None, *, text: str | None,
                key: str | None, button: Button, click_count: int,
                modifiers: Modifier, delta_x: float, delta_y: float,
                settle: float | None, timeout: float | None) -> Options:
    return Options("act", verb=verb, ref=ref_of(ref), text=text, key=key,
                   button=button, click_count=click_count,
                   modifiers=modifiers, delta_x=delta_x, delta_y=delta_y,
                   settle_ms=milliseconds(settle),
                   timeout_ms=milliseconds(timeout))


class Verbs(abc.ABC, Generic[R_co]):
    """One method per action; each acts as a person does, waits for the page to
    come to rest and reports what was seen."""

    @abc.abstractmethod
    def act(self, verb: Verb, ref: Target | None = None, *,
            text: str | None = None, key: str | None = None,
            button: Button = Button.LEFT, click_count: int = 1,
            modifiers: Modifier = Modifier(0), delta_x: float = 0,
            delta_y: float = 0, settle: float | None = None,
            timeout: float | None = None) -> R_co:
        """Perform any action; the other methods call this one. settle is the
        longest wait for the page to come to rest, timeout the limit for the
        whole call, both in seconds."""

    def click(self, ref: Target, *, button: Button = Button.LEFT,
              count: int = 1, modifiers: Modifier = Modifier(0),
              settle: float | None = None,
              timeout: float | None = None) -> R_co:
        """Press and release a mouse button on the element; count 2 is a
        double click."""
        return self.act(Verb.CLICK, ref, button=button, click_count=count,
                        modifiers=modifiers, settle=settle, timeout=timeout)

    def type(self, ref: Target, text: str, *, settle: float | None = None,
             timeout: float | None = None) -> R_co:
        """Focus the element and type text after what it holds."""
        return self.act(Verb.TYPE, ref, text=text, settle=settle,
                        timeout=timeout)

    def fill(self, ref: Target, text: str, *, settle: float | None = None,
             timeout: float | None = None) -> R_co:
        """Make text the only content of the field."""
        return self.act(Verb.FILL, ref, text=text, settle=settle,
                        timeout=timeout)

    def press(self, key: str, ref: Target | None = None, *,
              settle: float | None = None,
              timeout: float | None = None) -> R_co:
        """Press a key or a chord, such as "Enter" or "Control+a", on the
        element or, without ref, on what has the focus."""
        return self.act(Verb.PRESS, ref, key=key, settle=settle,
                        timeout=timeout)

    def hover(self, ref: Target, *, settle: float | None = None,
              timeout: float | None = None) -> R_co:
        """Move the mouse onto the element."""
        return self.act(Verb.HOVER, ref, settle=settle, timeout=timeout)

    def select(self, ref: Target, option: str, *,
               settle: float | None = None,
               timeout: float | None = None) -> R_co:
        """Choose the option of a native select by its label or value."""
        return self.act(Verb.SELECT, ref, text=option, settle=settle,
                        timeout=timeout)

    def scroll(self, ref: Target | None = None, *, delta_x: float = 0,
               delta_y: float = 0, settle: float | None = None,
               timeout: float | None = None) -> R_co:
        """Scroll the element or, without ref, the page, by CSS pixels; without
        any, down by most of a screen."""
        return self.act(Verb.SCROLL, ref, delta_x=delta_x, delta_y=delta_y,
                        settle=settle, timeout=timeout)
