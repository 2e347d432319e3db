# SPDX-License-Identifier: Apache-2.0
"""What calls return: plain immutable values, copied out of the library."""
from __future__ import annotations

import dataclasses
import datetime
import os
import pathlib
from typing import Any, Callable, Generic, Iterator, TypeVar

from ._aperture import ffi, lib
from ._contract import (DialogKind, DownloadState, EffectKind, EventKind,
                        NavigationKind)
from ._base import Error
from ._handles import Handle, exception, share, text
from .snapshot import Diff, Snapshot

T = TypeVar("T")


@dataclasses.dataclass(frozen=True, slots=True)
class Dialog:
    """A JavaScript dialog. Its texts are written by the page."""

    kind: DialogKind
    text: str
    #: Origin of the document that raised it.
    origin: str
    #: What a prompt proposes.
    default_text: str


@dataclasses.dataclass(frozen=True, slots=True)
class Navigation:
    """What a navigation led to."""

    kind: NavigationKind
    #: The address that was committed, after redirects.
    url: str
    #: HTTP status of the document, 0 if there was none.
    http_status: int
    #: The addresses that redirected, the first one asked for first.
    redirects: tuple[str, ...]
    #: Whether the moment asked for was seen before time ran out.
    complete: bool
    #: The dialog that opened meanwhile.
    dialog: Dialog | None


@dataclasses.dataclass(frozen=True, slots=True)
class TabInfo:
    """What is known of a tab at one moment."""

    #: The same in every process until the tab closes; never reused.
    id: str
    url: str
    #: Written by the page.
    title: str
    #: Id of the tab that opened this one, "" if none did.
    opener_id: str
    #: Whether it, or its opener, was opened through this connection.
    own: bool
    crashed: bool


@dataclasses.dataclass(frozen=True, slots=True)
class Effect:
    """Something that was seen to happen because of an action."""

    kind: EffectKind
    text: str


@dataclasses.dataclass(frozen=True, slots=True)
class ActResult:
    """What an action did."""

    #: One line: what was done and what was observed.
    outcome: str
    #: What it changed since the last snapshot of the tab; None when the page
    #: could not be read afterwards or had not been read before.
    diff: Diff | None
    #: The page after it; None when the page could not be read.
    snapshot: Snapshot | None
    #: The dialog that it opened.
    dialog: Dialog | None
    effects: tuple[Effect, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Capture:
    """A picture or a PDF file."""

    data: bytes = dataclasses.field(repr=False)
    mime_type: str
    #: Pixels; 0 for a PDF.
    width: int
    height: int
    #: Pixels of the picture per CSS pixel of the page.
    scale: float
    #: CSS pixels of the page below the picture that were cut off.
    remaining_height: int

    def save(self, path: str | os.PathLike[str]) -> pathlib.Path:
        """Write the bytes to a file, and return its path."""
        target = pathlib.Path(path)
        target.write_bytes(self.data)
        return target


@dataclasses.dataclass(frozen=True, slots=True)
class ConsoleEntry:
    """A line that the page wrote on its console."""

    sequence: int
    time: datetime.datetime
    #: "error", "warning", "info", "log" or "debug".
    level: str
    #: Written by the page.
    text: str
    #: Address and line that wrote it.
    source: str


@dataclasses.dataclass(frozen=True, slots=True)
class Request:
    """A request of the page that finished or failed."""

    sequence: int
    time: datetime.datetime
    method: str
    url: str
    #: Such as "Document" or "Fetch".
    resource_type: str
    #: 0 when there was no answer.
    http_status: int
    #: Such as "net::ERR_NAME_NOT_RESOLVED"; "" when it did not fail.
    net_error: str


@dataclasses.dataclass(frozen=True, slots=True)
class Log(Generic[T]):
    """Entries of a bounded ring, oldest first."""

    entries: tuple[T, ...]
    #: How many entries asked for the ring had already dropped.
    dropped: int

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[T]:
        return iter(self.entries)

    def __getitem__(self, index: int) -> T:
        return self.entries[index]


@dataclasses.dataclass(frozen=True, slots=True)
class Download:
    """A file that a page sends."""

    #: Stays the same through the download.
    id: str
    url: str
    #: Without path and control characters, never empty.
    name: str
    #: Where the file is, and its SHA-256; "" until it is complete.
    path: str
    sha256: str
    state: DownloadState
    #: Bytes received.
    size: int


@dataclasses.dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in the browser by itself."""

    kind: EventKind
    #: Id of the tab concerned, "" if none is.
    tab_id: str = ""
    #: The committed or refused address, or that of the new tab.
    url: str = ""
    #: Id of the tab that opened the new one.
    opener_id: str = ""
    dialog: Dialog | None = None
    download: Download | None = None
    #: Why the connection ended.
    error: Error | None = None


def optional(convert: Callable[[Handle], T], pointer: Any) -> T | None:
    return None if pointer == ffi.NULL else convert(pointer)


def dialog(handle: Handle) -> Dialog:
    return Dialog(
        kind=DialogKind(lib.aper_dialog_get_kind(handle)),
        text=text(lib.aper_dialog_get_text(handle)),
        origin=text(lib.aper_dialog_get_origin(handle)),
        default_text=text(lib.aper_dialog_get_default_text(handle)))


def navigation(handle: Handle) -> Navigation:
    count = lib.aper_navigation_get_redirect_count(handle)
    return Navigation(
        kind=NavigationKind(lib.aper_navigation_get_kind(handle)),
        url=text(lib.aper_navigation_get_url(handle)),
        http_status=lib.aper_navigation_get_http_status(handle),
        redirects=tuple(text(lib.aper_navigation_get_redirect(handle, i))
                        for i in range(count)),
        complete=bool(lib.aper_navigation_is_complete(handle)),
        dialog=optional(dialog, lib.aper_navigation_get_dialog(handle)))


def tab_info(handle: Handle) -> TabInfo:
    return TabInfo(
        id=text(lib.aper_tab_info_get_id(handle)),
        url=text(lib.aper_tab_info_get_url(handle)),
        title=text(lib.aper_tab_info_get_title(handle)),
        opener_id=text(lib.aper_tab_info_get_opener_id(handle)),
        own=bool(lib.aper_tab_info_is_own(handle)),
        crashed=bool(lib.aper_tab_info_is_crashed(handle)))


def tab_list(handle: Handle) -> list[TabInfo]:
    return [tab_info(lib.aper_tab_list_get_info(handle, i))
            for i in range(lib.aper_tab_list_get_count(handle))]


def snapshot(handle: Handle) -> Snapshot:
    return Snapshot(share("snapshot", handle))


def act_result(handle: Handle) -> ActResult:
    count = lib.aper_act_result_get_effect_count(handle)
    return ActResult(
        outcome=text(lib.aper_act_result_get_outcome(handle)),
        diff=optional(Diff._of, lib.aper_act_result_get_diff(handle)),
        snapshot=optional(snapshot,
                          lib.aper_act_result_get_snapshot(handle)),
        dialog=optional(dialog, lib.aper_act_result_get_dialog(handle)),
        effects=tuple(
            Effect(EffectKind(lib.aper_act_result_get_effect_kind(handle, i)),
                   text(lib.aper_act_result_get_effect_text(handle, i)))
            for i in range(count)))


def capture(handle: Handle) -> Capture:
    return Capture(
        data=bytes(ffi.buffer(lib.aper_capture_get_data(handle),
                              lib.aper_capture_get_size(handle))),
        mime_type=text(lib.aper_capture_get_mime_type(handle)),
        width=lib.aper_capture_get_width(handle),
        height=lib.aper_capture_get_height(handle),
        scale=lib.aper_capture_get_scale(handle),
        remaining_height=lib.aper_capture_get_remaining_height(handle))


def _time(handle: Handle, index: int) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(
        lib.aper_log_get_time_ms(handle, index) / 1000, datetime.timezone.utc)


def _console_entry(handle: Handle, index: int) -> ConsoleEntry:
    return ConsoleEntry(
        sequence=lib.aper_log_get_sequence(handle, index),
        time=_time(handle, index),
        level=text(lib.aper_log_get_level(handle, index)),
        text=text(lib.aper_log_get_text(handle, index)),
        source=text(lib.aper_log_get_source(handle, index)))


def _request(handle: Handle, index: int) -> Request:
    return Request(
        sequence=lib.aper_log_get_sequence(handle, index),
        time=_time(handle, index),
        method=text(lib.aper_log_get_level(handle, index)),
        url=text(lib.aper_log_get_text(handle, index)),
        resource_type=text(lib.aper_log_get_source(handle, index)),
        http_status=lib.aper_log_get_http_status(handle, index),
        net_error=text(lib.aper_log_get_net_error(handle, index)))


def _log(handle: Handle, entry: Callable[[Handle, int], T]) -> Log[T]:
    return Log(entries=tuple(entry(handle, i) for i in
                             range(lib.aper_log_get_count(handle))),
               dropped=lib.aper_log_get_dropped(handle))


def console(handle: Handle) -> Log[ConsoleEntry]:
    return _log(handle, _console_entry)


def network(handle: Handle) -> Log[Request]:
    return _log(handle, _request)


def download(handle: Handle) -> Download:
    return Download(
        id=text(lib.aper_download_get_id(handle)),
        url=text(lib.aper_download_get_url(handle)),
        name=text(lib.aper_download_get_name(handle)),
        path=text(lib.aper_download_get_path(handle)),
        sha256=text(lib.aper_download_get_sha256(handle)),
        state=DownloadState(lib.aper_download_get_state(handle)),
        size=lib.aper_download_get_size(handle))


def event_error(handle: Handle) -> Error | None:
    status = lib.aper_event_get_status(handle)
    if status == lib.APER_OK:
        return None
    return exception(status, lib.aper_event_get_error(handle))


def event(handle: Handle) -> Event:
    return Event(
        kind=EventKind(lib.aper_event_get_kind(handle)),
        tab_id=text(lib.aper_event_get_tab_id(handle)),
        url=text(lib.aper_event_get_url(handle)),
        opener_id=text(lib.aper_event_get_opener_id(handle)),
        dialog=optional(dialog, lib.aper_event_get_dialog(handle)),
        download=optional(download, lib.aper_event_get_download(handle)),
        error=event_error(handle))
