# SPDX-License-Identifier: Apache-2.0
"""The same for asyncio.

Calls that the library can run by itself are started, and end as events that
the loop reads when the browser's descriptor is readable; cancelling such a
call cancels it in the library. Calls that the library only has in a blocking
form run in a thread of the loop's default executor; cancelling one of those
stops the waiting, while the call goes on until its deadline. No Python code
ever runs on a thread of the library.

Objects belong to the loop on which they were made.
"""
from __future__ import annotations

import asyncio
import contextlib
import functools
import itertools
import os
import threading
from types import TracebackType
from typing import (Any, AsyncIterator, Callable, Coroutine, Iterable,
                    Mapping, ParamSpec, TypeVar)

from . import results
from ._aperture import ffi, lib
from ._base import Error
from ._contract import (Button, DialogPolicy, EventKind, ImageFormat,
                        Modifier, Until, Verb)
from ._handles import (Handle, Options, call, exception, native, own,
                       share)
from ._verbs import Target, Verbs, act_options
from .browser import Browser, open_options
from .results import (ActResult, Capture, ConsoleEntry, Dialog, Event, Log,
                      Navigation, Request, TabInfo)
from .snapshot import Diff, Snapshot
from .tab import (Tab, diff_options, navigate_options, pdf_options,
                  screenshot_options, snapshot_options, wait_options)

__all__ = ["AsyncBrowser", "AsyncTab", "attach", "launch"]

P = ParamSpec("P")
T = TypeVar("T")

# As many events as the library itself keeps for a slow consumer.
EVENTS_KEPT = 1024


class _Queue:
    """The events of a browser, on an event loop."""

    def __init__(self, browser: Browser) -> None:
        self._handle = browser._handle
        self._loop = asyncio.get_running_loop()
        self._fd = lib.aper_browser_get_fd(self._handle)
        self._tags = itertools.count(1)
        self._pending: dict[int, asyncio.Future[Handle]] = {}
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._ended = False
        self._loop.add_reader(self._fd, self._drain)

    async def run(self, function: Any, *args: Any) -> Handle:
        """Call function(*args, tag, ret_error), and return the completion
        event of what it started."""
        tag = next(self._tags)
        completion: asyncio.Future[Handle] = self._loop.create_future()
        self._pending[tag] = completion
        try:
            call(function, *args, tag)
        except BaseException:
            del self._pending[tag]
            raise
        try:
            return await completion
        except asyncio.CancelledError:
            lib.aper_browser_cancel(self._handle, tag)
            raise

    async def events(self) -> AsyncIterator[Event]:
        while True:
            event = await self._events.get()
            if event is None:
                # For the others that wait.
                self._events.put_nowait(None)
                return
            yield event

    def stop(self) -> None:
        """Take what is left, and forget the descriptor."""
        if not self._ended:
            self._drain()
            self._end(lib.APER_E_CLOSED)

    def _drain(self) -> None:
        ret_event = ffi.new("aper_event **")
        while not self._ended and lib.aper_browser_next_event(
                self._handle, 0, ret_event) == lib.APER_OK:
            self._sort(own("event", ret_event[0]))

    def _sort(self, handle: Handle) -> None:
        kind = lib.aper_event_get_kind(handle)
        if kind == EventKind.COMPLETION:
            self._complete(handle)
            return
        if self._events.qsize() >= EVENTS_KEPT:
            self._events.get_nowait()
            self._events.get_nowait()
            self._events.put_nowait(Event(kind=EventKind.OVERFLOW))
        self._events.put_nowait(results.event(handle))
        if kind == EventKind.BROWSER_GONE:
            self._end(lib.aper_event_get_status(handle))

    def _complete(self, handle: Handle) -> None:
        completion = self._pending.pop(lib.aper_event_get_tag(handle), None)
        if completion is None or completion.cancelled():
            self._discard(handle)
            return
        error = results.event_error(handle)
        if error is None:
            completion.set_result(handle)
        else:
            completion.set_exception(error)

    def _discard(self, handle: Handle) -> None:
        """Nobody waits any more. A tab that was quicker than its cancellation
        would stay open unseen."""
        tab = lib.aper_event_get_tab(handle)
        if tab != ffi.NULL:
            _aside(Tab(share("tab", tab)).close)

    def _end(self, status: int) -> None:
        self._ended = True
        self._loop.remove_reader(self._fd)
        for completion in self._pending.values():
            if not completion.done():
                completion.set_exception(exception(status))
        self._pending.clear()
        self._events.put_nowait(None)


def _aside(close: Callable[[], object]) -> None:
    """Close in a thread of its own, as the loop's may be shut down by now."""

    def work() -> None:
        with contextlib.suppress(Error):
            close()

    threading.Thread(target=work, name="aperture").start()


async def _connected(connect: Callable[P, Browser], *args: P.args,
                     **kwargs: P.kwargs) -> AsyncBrowser:
    """Connect in a thread. If nobody waits for it any more, close again."""
    loop = asyncio.get_running_loop()
    attempt = loop.run_in_executor(
        None, functools.partial(connect, *args, **kwargs))
    try:
        return AsyncBrowser(await asyncio.shield(attempt))
    except asyncio.CancelledError:
        attempt.add_done_callback(_close_unwanted)
        raise


def _close_unwanted(attempt: asyncio.Future[Browser]) -> None:
    if not attempt.cancelled() and attempt.exception() is None:
        _aside(attempt.result().close)


class AsyncTab(Verbs[Coroutine[Any, Any, ActResult]]):
    """A live page on an event loop; see `aperture.Tab` for what its methods
    do. Leaving an `async with` block closes the page."""

    def __init__(self, tab: Tab, queue: _Queue) -> None:
        self._tab = tab
        self._queue = queue

    def __repr__(self) -> str:
        return f"<aperture.aio.AsyncTab {self.id}>"

    async def __aenter__(self) -> AsyncTab:
        return self

    async def __aexit__(self, kind: type[BaseException] | None,
                        error: BaseException | None,
                        trace: TracebackType | None) -> None:
        try:
            await self.close()
        except Error:
            # What went wrong in the block is the better story.
            if error is None:
                raise

    async def _run(self, function: Any, *args: Any) -> Handle:
        """Run function(tab, *args, tag) to its completion event. An argument
        that is Options lives until then."""
        native_args = [arg.pointer if isinstance(arg, Options) else arg
                       for arg in args]
        return await self._queue.run(function, self._tab._handle,
                                     *native_args)

    @property
    def id(self) -> str:
        """The tab's id: the same in every process, until the tab closes."""
        return self._tab.id

    @property
    def info(self) -> TabInfo:
        """What is known of the tab now, without asking the browser."""
        return self._tab.info

    @property
    def url(self) -> str:
        """The address of the tab's page."""
        return self._tab.url

    @property
    def title(self) -> str:
        """The title of the tab's page, written by the page."""
        return self._tab.title

    @property
    def dialog(self) -> Dialog | None:
        """The dialog that is open in the tab, if any."""
        return self._tab.dialog

    def console(self, after: int = 0) -> Log[ConsoleEntry]:
        """What the page wrote on its console after that entry."""
        return self._tab.console(after)

    def network(self, after: int = 0) -> Log[Request]:
        """The requests that ended after that one."""
        return self._tab.network(after)

    async def close(self) -> None:
        """Close the page."""
        await asyncio.to_thread(self._tab.close)

    async def activate(self) -> None:
        """Bring the tab to the front."""
        await asyncio.to_thread(self._tab.activate)

    async def navigate(self, url: str, *, until: Until = Until.LOAD,
                       referrer: str | None = None,
                       timeout: float | None = None) -> Navigation:
        """Show an address."""
        return await self._travel(
            lib.aper_tab_navigate_start, native(url),
            navigate_options(timeout, until, referrer))

    async def back(self, *, until: Until = Until.LOAD,
                   timeout: float | None = None) -> Navigation:
        """Go one step back in the history."""
        return await self._travel(lib.aper_tab_back_start,
                                  navigate_options(timeout, until))

    async def forward(self, *, until: Until = Until.LOAD,
                      timeout: float | None = None) -> Navigation:
        """Go one step forward in the history."""
        return await self._travel(lib.aper_tab_forward_start,
                                  navigate_options(timeout, until))

    async def reload(self, *, ignore_cache: bool = False,
                     until: Until = Until.LOAD,
                     timeout: float | None = None) -> Navigation:
        """Load the page again."""
        return await self._travel(
            lib.aper_tab_reload_start,
            navigate_options(timeout, until, ignore_cache=ignore_cache))

    async def _travel(self, function: Any, *args: Any) -> Navigation:
        handle = await self._run(function, *args)
        return results.navigation(lib.aper_event_get_navigation(handle))

    async def snapshot(self, *, budget_tokens: int | None = None,
                       expand: Target | None = None, find: str | None = None,
                       scope: Target | None = None,
                       timeout: float | None = None) -> Snapshot:
        """Read the page; see `Tab.snapshot`."""
        handle = await self._run(
            lib.aper_snapshot_take_start,
            snapshot_options(budget_tokens, expand, find, scope, timeout))
        return results.snapshot(lib.aper_event_get_snapshot(handle))

    async def diff(self, *, budget_tokens: int | None = None,
                   reset_percent: int | None = None,
                   reset_after: int | None = None,
                   restate_volatile: bool = False,
                   timeout: float | None = None) -> Diff:
        """Read the page and tell what changed since it was last read."""
        handle = await self._run(lib.aper_diff_take_start, diff_options(
            budget_tokens, reset_percent, reset_after, restate_volatile,
            timeout))
        return Diff._of(lib.aper_event_get_diff(handle))

    async def act(self, verb: Verb, ref: Target | None = None, *,
                  text: str | None = None, key: str | None = None,
                  button: Button = Button.LEFT, click_count: int = 1,
                  modifiers: Modifier = Modifier(0), delta_x: float = 0,
                  delta_y: float = 0, settle: float | None = None,
                  timeout: float | None = None) -> ActResult:
        """Perform any action; `click` and its like call this one."""
        handle = await self._run(lib.aper_tab_act_start, act_options(
            verb, ref, text=text, key=key, button=button,
            click_count=click_count, modifiers=modifiers, delta_x=delta_x,
            delta_y=delta_y, settle=settle, timeout=timeout))
        return results.act_result(lib.aper_event_get_act_result(handle))

    async def wait(self, *, text: str | None = None,
                   text_gone: str | None = None, url: str | None = None,
                   loaded: bool = False,
                   timeout: float | None = None) -> None:
        """Wait until the page is as described."""
        await self._run(lib.aper_tab_wait_start, wait_options(
            text, text_gone, url, loaded, timeout))

    async def answer_dialog(self, accept: bool = True,
                            text: str | None = None) -> None:
        """Answer the open dialog with OK or Cancel; text answers a prompt."""
        await asyncio.to_thread(self._tab.answer_dialog, accept, text)

    async def screenshot(self, ref: Target | None = None, *,
                         full_page: bool = False,
                         format: ImageFormat = ImageFormat.PNG,
                         quality: int | None = None,
                         max_edge: int | None = None,
                         max_height: int | None = None,
                         start_y: int | None = None,
                         timeout: float | None = None) -> Capture:
        """Take a picture of the viewport, the whole page or one element."""
        handle = await self._run(
            lib.aper_tab_screenshot_start,
            screenshot_options(ref, full_page, format, quality, max_edge,
                               max_height, start_y, timeout))
        return results.capture(lib.aper_event_get_capture(handle))

    async def pdf(self, *, landscape: bool = False, backgrounds: bool = False,
                  paper_width_mm: float | None = None,
                  paper_height_mm: float | None = None,
                  pages: str | None = None,
                  timeout: float | None = None) -> Capture:
        """Print the page."""
        handle = await self._run(
            lib.aper_tab_pdf_start,
            pdf_options(landscape, backgrounds, paper_width_mm,
                        paper_height_mm, pages, timeout))
        return results.capture(lib.aper_event_get_capture(handle))

    async def emulate(self, *, width: int | None = None,
                      height: int | None = None, scale: float | None = None,
                      mobile: bool = False, offline: bool = False,
                      geolocation: tuple[float, float] | None = None,
                      accuracy_m: float | None = None,
                      locale: str | None = None, timezone: str | None = None,
                      user_agent: str | None = None) -> None:
        """Make the tab pretend to be another device or place."""
        await asyncio.to_thread(
            self._tab.emulate, width=width, height=height, scale=scale,
            mobile=mobile, offline=offline, geolocation=geolocation,
            accuracy_m=accuracy_m, locale=locale, timezone=timezone,
            user_agent=user_agent)

    async def eval(self, source: str, *,
                   timeout: float | None = None) -> Any:
        """Run JavaScript in the page's own world and decode its result."""
        return await asyncio.to_thread(self._tab.eval, source,
                                       timeout=timeout)


class AsyncBrowser:
    """A live connection on an event loop; see `aperture.Browser` for what its
    methods do. Use it in an `async with` block, or call `close`."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._queue = _Queue(browser)

    @classmethod
    async def launch(cls, *, headed: bool = False, no_sandbox: bool = False,
                     executable: str | os.PathLike[str] | None = None,
                     profile_dir: str | os.PathLike[str] | None = None,
                     extra_args: Iterable[str] | None = None,
                     use_pipe: bool = False, width: int | None = None,
                     height: int | None = None, proxy: str | None = None,
                     allow_eval: bool = False,
                     timeout: float | None = None) -> AsyncBrowser:
        """Start a Chromium and connect to it."""
        return await _connected(
            Browser.launch, headed=headed, no_sandbox=no_sandbox,
            executable=executable, profile_dir=profile_dir,
            extra_args=extra_args, use_pipe=use_pipe, width=width,
            height=height, proxy=proxy, allow_eval=allow_eval,
            timeout=timeout)

    @classmethod
    async def attach(cls, endpoint: str | int | os.PathLike[str], *,
                     headers: Mapping[str, str] | None = None,
                     bearer_token: str | bytearray | None = None,
                     ca_file: str | os.PathLike[str] | None = None,
                     allow_eval: bool = False,
                     timeout: float | None = None) -> AsyncBrowser:
        """Connect to a browser that somebody else started."""
        return await _connected(
            Browser.attach, endpoint, headers=headers,
            bearer_token=bearer_token, ca_file=ca_file,
            allow_eval=allow_eval, timeout=timeout)

    def __repr__(self) -> str:
        return f"<aperture.aio.AsyncBrowser {self.version}>"

    async def __aenter__(self) -> AsyncBrowser:
        return self

    async def __aexit__(self, kind: type[BaseException] | None,
                        error: BaseException | None,
                        trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection, and the browser if it was launched here."""
        await asyncio.to_thread(self._browser.close)
        self._queue.stop()

    @property
    def version(self) -> str:
        """What the browser calls itself."""
        return self._browser.version

    @property
    def pid(self) -> int:
        """Process id of a browser launched here; 0 for an attached one."""
        return self._browser.pid

    @property
    def endpoint(self) -> str:
        """The WebSocket address by which another program can attach."""
        return self._browser.endpoint

    @property
    def is_connected(self) -> bool:
        """Whether the connection works; `check` says why it does not."""
        return self._browser.is_connected

    def check(self) -> None:
        """Raise `Closed`, `Gone` or `Protocol` if the connection ended."""
        self._browser.check()

    async def open(self, url: str | None = None, *, foreground: bool = False,
                   until: Until = Until.LOAD,
                   timeout: float | None = None) -> AsyncTab:
        """Open a tab, in the background unless told otherwise."""
        options = open_options(url, foreground, until, timeout)
        handle = await self._queue.run(
            lib.aper_tab_open_start, self._browser._handle, options.pointer)
        tab = share("tab", lib.aper_event_get_tab(handle))
        return AsyncTab(Tab(tab), self._queue)

    async def tabs(self) -> list[TabInfo]:
        """The pages of the browser, in the order they were made."""
        return await asyncio.to_thread(self._browser.tabs)

    async def find_tab(self, id: str) -> AsyncTab:
        """A tab that exists already, by its id."""
        return AsyncTab(await asyncio.to_thread(self._browser.find_tab, id),
                        self._queue)

    async def set_policy(
            self, *, allow_hosts: Iterable[str] | None = None,
            deny_hosts: Iterable[str] | None = None,
            extra_schemes: Iterable[str] | None = None,
            deny_private: bool = False,
            on_alert: DialogPolicy = DialogPolicy.DEFAULT,
            on_confirm: DialogPolicy = DialogPolicy.DEFAULT,
            on_beforeunload: DialogPolicy = DialogPolicy.DEFAULT) -> None:
        """Set which addresses tabs may show and who answers dialogs."""
        await asyncio.to_thread(
            self._browser.set_policy, allow_hosts=allow_hosts,
            deny_hosts=deny_hosts, extra_schemes=extra_schemes,
            deny_private=deny_private, on_alert=on_alert,
            on_confirm=on_confirm, on_beforeunload=on_beforeunload)

    async def set_download_dir(self,
                               directory: str | os.PathLike[str]) -> None:
        """Set where downloads go."""
        await asyncio.to_thread(self._browser.set_download_dir, directory)

    def events(self) -> AsyncIterator[Event]:
        """Everything that happens in the browser by itself, until the
        connection has ended. The last 1,024 are kept for a slow consumer."""
        return self._queue.events()


launch = AsyncBrowser.launch
attach = AsyncBrowser.attach
