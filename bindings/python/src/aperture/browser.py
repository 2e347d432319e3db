# SPDX-License-Identifier: Apache-2.0
"""A connection to one Chromium: started here, or attached to."""
from __future__ import annotations

import math
import os
import time
import warnings
import weakref
from types import TracebackType
from typing import Iterable, Iterator, Mapping

from . import results
from ._aperture import ffi, lib
from ._contract import Closed, DialogPolicy, Gone, Until
from ._handles import (Handle, Options, call, check, fetch,
                       interruptible, milliseconds, native, own, strings,
                       text)
from .results import Event, TabInfo
from .tab import Tab

# How long the main thread stays in the library while it waits for an event:
# Ctrl-C is noticed in between.
WAIT_SLICE_MS = 200


def open_options(url: str | None, foreground: bool, until: Until,
                 timeout: float | None) -> Options:
    return Options("open", url=url, foreground=foreground, until=until,
                   timeout_ms=milliseconds(timeout))


def _close_forgotten(handle: Handle, owner: int) -> None:
    """The net below a browser that nobody closed."""
    if os.getpid() != owner:
        return
    lib.aper_browser_close(handle)
    warnings.warn("unclosed aperture.Browser", ResourceWarning, stacklevel=2)


class Browser:
    """A live connection. Every method is safe from any thread.

    Use it in a `with` block, or call `close`: only then a browser that was
    launched here is gone, reaped, and its private profile removed.
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._net = weakref.finalize(self, _close_forgotten, handle,
                                     os.getpid())

    @classmethod
    @interruptible
    def launch(cls, *, headed: bool = False, no_sandbox: bool = False,
               executable: str | os.PathLike[str] | None = None,
               profile_dir: str | os.PathLike[str] | None = None,
               extra_args: Iterable[str] | None = None,
               use_pipe: bool = False, width: int | None = None,
               height: int | None = None, proxy: str | None = None,
               allow_eval: bool = False,
               timeout: float | None = None) -> Browser:
        """Start a Chromium and connect to it.

        Without executable, Chrome and Chromium are looked for. Without
        profile_dir a private profile is made and removed with the browser.
        no_sandbox is needed as root and in many containers, and never done
        unasked. use_pipe keeps every other process from connecting. proxy is
        such as "socks5://127.0.0.1:1080". timeout is in seconds.
        """
        options = Options(
            "launch", headed=headed, no_sandbox=no_sandbox,
            executable=executable and os.fspath(executable),
            profile_dir=profile_dir and os.fspath(profile_dir),
            extra_args=strings(extra_args), use_pipe=use_pipe, width=width,
            height=height, proxy=proxy, allow_eval=allow_eval,
            timeout_ms=milliseconds(timeout))
        return cls(fetch("browser", lib.aper_browser_launch,
                         options.pointer))

    @classmethod
    @interruptible
    def attach(cls, endpoint: str | int | os.PathLike[str], *,
               headers: Mapping[str, str] | None = None,
               bearer_token: str | bytearray | None = None,
               ca_file: str | os.PathLike[str] | None = None,
               allow_eval: bool = False,
               timeout: float | None = None) -> Browser:
        """Connect to a browser that somebody else started.

        endpoint is a port, "host:port", a ws, wss, http or https address, or
        the directory of a profile whose browser has remote debugging on. Such
        a browser is never terminated, and only tabs opened through this
        connection are closed. A bearer_token is overwritten after use where
        it was copied to; give a bytearray to do the same with your own.
        """
        lines = [f"{name}: {value}" for name, value in headers.items()] \
            if headers else None
        options = Options(
            "attach", headers=lines, bearer_token=bearer_token,
            ca_file=ca_file and os.fspath(ca_file), allow_eval=allow_eval,
            timeout_ms=milliseconds(timeout))
        where = str(endpoint) if isinstance(endpoint, int) \
            else os.fspath(endpoint)
        try:
            return cls(fetch("browser", lib.aper_browser_attach,
                             native(where), options.pointer))
        finally:
            options.wipe()

    def __repr__(self) -> str:
        return f"<aperture.Browser {self.version}>"

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, kind: type[BaseException] | None,
                 error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection, and the browser if it was launched here.

        Calls under way on it and its tabs raise `Closed`, as do later ones.
        Doing it twice is allowed.
        """
        self._net.detach()
        lib.aper_browser_close(self._handle)

    @property
    def version(self) -> str:
        """What the browser calls itself."""
        return text(lib.aper_browser_get_version(self._handle))

    @property
    def pid(self) -> int:
        """Process id of a browser launched here; 0 for an attached one."""
        return int(lib.aper_browser_get_pid(self._handle))

    @property
    def endpoint(self) -> str:
        """The WebSocket address by which another program can attach; "" over
        a pipe."""
        return text(lib.aper_browser_get_endpoint(self._handle))

    @property
    def is_connected(self) -> bool:
        """Whether the connection works; `check` says why it does not."""
        return bool(lib.aper_browser_get_state(self._handle) == lib.APER_OK)

    def check(self) -> None:
        """Raise `Closed`, `Gone` or `Protocol` if the connection ended."""
        check(lib.aper_browser_get_state(self._handle))

    @interruptible
    def open(self, url: str | None = None, *, foreground: bool = False,
             until: Until = Until.LOAD,
             timeout: float | None = None) -> Tab:
        """Open a tab, in the background unless told otherwise."""
        options = open_options(url, foreground, until, timeout)
        return Tab(fetch("tab", lib.aper_tab_open, self._handle,
                         options.pointer))

    @interruptible
    def tabs(self) -> list[TabInfo]:
        """The pages of the browser, in the order they were made."""
        return results.tab_list(fetch("tab_list", lib.aper_browser_list_tabs,
                                      self._handle))

    @interruptible
    def find_tab(self, id: str) -> Tab:
        """A tab that exists already, by its id."""
        return Tab(fetch("tab", lib.aper_browser_find_tab, self._handle,
                         native(id)))

    @interruptible
    def set_policy(self, *, allow_hosts: Iterable[str] | None = None,
                   deny_hosts: Iterable[str] | None = None,
                   extra_schemes: Iterable[str] | None = None,
                   deny_private: bool = False,
                   on_alert: DialogPolicy = DialogPolicy.DEFAULT,
                   on_confirm: DialogPolicy = DialogPolicy.DEFAULT,
                   on_beforeunload: DialogPolicy = DialogPolicy.DEFAULT
                   ) -> None:
        """Set which addresses tabs may show and who answers dialogs, for tabs
        that are open and tabs to come. What is left out has its default, so a
        call without arguments restores all of them. on_alert is also for
        print, on_confirm also for prompt."""
        options = Options(
            "policy", allow_hosts=strings(allow_hosts),
            deny_hosts=strings(deny_hosts),
            extra_schemes=strings(extra_schemes), deny_private=deny_private,
            on_alert=on_alert, on_confirm=on_confirm,
            on_beforeunload=on_beforeunload)
        call(lib.aper_browser_set_policy, self._handle, options.pointer)

    @interruptible
    def set_download_dir(self, directory: str | os.PathLike[str]) -> None:
        """Set where downloads go. Until then every download is refused."""
        call(lib.aper_browser_set_download_dir, self._handle,
             native(os.fspath(directory)))

    def next_event(self, timeout: float | None = None) -> Event | None:
        """The next thing that happens in the browser by itself; None when
        nothing did for timeout seconds. `Closed` or `Gone` after the last."""
        deadline = math.inf if timeout is None \
            else time.monotonic() + timeout
        while True:
            left = deadline - time.monotonic()
            wait_ms = max(0, min(WAIT_SLICE_MS, math.ceil(
                min(left, 1e6) * 1000)))
            event = self._take_event(wait_ms)
            if event is not None:
                return event
            if left <= 0:
                return None

    def events(self, timeout: float | None = None) -> Iterator[Event]:
        """Everything that happens in the browser by itself, until nothing did
        for timeout seconds or the connection has ended."""
        while True:
            try:
                event = self.next_event(timeout)
            except (Closed, Gone):
                return
            if event is None:
                return
            yield event

    def _take_event(self, wait_ms: int) -> Event | None:
        ret_event = ffi.new("aper_event **")
        status = lib.aper_browser_next_event(self._handle, wait_ms,
                                             ret_event)
        if status == lib.APER_E_TIMEOUT:
            return None
        check(status)
        return results.event(own("event", ret_event[0]))
