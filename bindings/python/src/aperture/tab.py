# SPDX-License-Identifier: Apache-2.0
"""One page: navigating, reading, acting, waiting, dialogs, pictures."""
from __future__ import annotations

import json
from types import TracebackType
from typing import Any

from . import results
from ._aperture import ffi, lib
from ._contract import Button, ImageFormat, Modifier, Until, Verb
from ._handles import (Handle, Options, call, check, fetch, fetch_now,
                       interruptible, milliseconds, native, native_or_null,
                       own, text)
from ._verbs import Target, Verbs, act_options, ref_of
from .results import (ActResult, Capture, ConsoleEntry, Dialog, Log,
                      Navigation, Request, TabInfo)
from .snapshot import Diff, Snapshot


def navigate_options(timeout: float | None, until: Until,
                     referrer: str | None = None,
                     ignore_cache: bool = False) -> Options:
    return Options("navigate", timeout_ms=milliseconds(timeout), until=until,
                   referrer=referrer, ignore_cache=ignore_cache)


def snapshot_options(budget_tokens: int | None, expand: Target | None,
                     find: str | None, scope: Target | None,
                     timeout: float | None) -> Options:
    return Options("snapshot", budget_tokens=budget_tokens,
                   expand=None if expand is None else ref_of(expand),
                   find=find, scope=None if scope is None else ref_of(scope),
                   timeout_ms=milliseconds(timeout))


def diff_options(budget_tokens: int | None, reset_percent: int | None,
                 reset_after: int | None, restate_volatile: bool,
                 timeout: float | None) -> Options:
    return Options("diff", budget_tokens=budget_tokens,
                   reset_percent=reset_percent, reset_after=reset_after,
                   restate_volatile=restate_volatile,
                   timeout_ms=milliseconds(timeout))


def wait_options(shows: str | None, gone: str | None, url: str | None,
                 loaded: bool, timeout: float | None) -> Options:
    return Options("wait", text=shows, text_gone=gone, url=url,
                   loaded=loaded, timeout_ms=milliseconds(timeout))


def screenshot_options(ref: Target | None, full_page: bool,
                       format: ImageFormat, quality: int | None,
                       max_edge: int | None, max_height: int | None,
                       start_y: int | None,
                       timeout: float | None) -> Options:
    return Options("screenshot", ref=ref_of(ref), full_page=full_page,
                   format=format, quality=quality, max_edge=max_edge,
                   max_height=max_height, start_y=start_y,
                   timeout_ms=milliseconds(timeout))


def pdf_options(landscape: bool, backgrounds: bool,
                paper_width_mm: float | None, paper_height_mm: float | None,
                pages: str | None, timeout: float | None) -> Options:
    return Options("pdf", landscape=landscape, backgrounds=backgrounds,
                   paper_width_um=micrometres(paper_width_mm),
                   paper_height_um=micrometres(paper_height_mm),
                   pages=pages, timeout_ms=milliseconds(timeout))


def micrometres(length: float | None) -> int | None:
    return None if length is None else round(length * 1000)


class Tab(Verbs[ActResult]):
    """A live page. Every method is safe from any thread.

    Leaving a `with` block closes the page. A tab that is merely forgotten
    stays open until its browser closes.
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    def __repr__(self) -> str:
        return f"<aperture.Tab {self.id}>"

    def __enter__(self) -> Tab:
        return self

    def __exit__(self, kind: type[BaseException] | None,
                 error: BaseException | None,
                 trace: TracebackType | None) -> None:
        try:
            self.close()
        except Exception:
            # What went wrong in the block is the better story.
            if error is None:
                raise

    @property
    def id(self) -> str:
        """The tab's id: the same in every process, until the tab closes."""
        return text(lib.aper_tab_get_id(self._handle))

    @property
    def info(self) -> TabInfo:
        """What is known of the tab now, without asking the browser."""
        return results.tab_info(fetch_now("tab_info", lib.aper_tab_describe,
                                          self._handle))

    @property
    def url(self) -> str:
        """The address of the tab's page."""
        return self.info.url

    @property
    def title(self) -> str:
        """The title of the tab's page, written by the page, as far as the
        browser has told it; that of a snapshot is always the page's own."""
        return self.info.title

    @interruptible
    def close(self) -> None:
        """Close the page, even if it asks before unloading. Doing it twice is
        allowed."""
        call(lib.aper_tab_close, self._handle)

    @interruptible
    def activate(self) -> None:
        """Bring the tab to the front."""
        call(lib.aper_tab_activate, self._handle)

    @interruptible
    def navigate(self, url: str, *, until: Until = Until.LOAD,
                 referrer: str | None = None,
                 timeout: float | None = None) -> Navigation:
        """Show an address; timeout is in seconds, as everywhere."""
        options = navigate_options(timeout, until, referrer)
        return results.navigation(
            fetch("navigation", lib.aper_tab_navigate, self._handle,
                  native(url), options.pointer))

    @interruptible
    def back(self, *, until: Until = Until.LOAD,
             timeout: float | None = None) -> Navigation:
        """Go one step back in the history; `NotFound` at its beginning."""
        return self._travel(lib.aper_tab_back,
                            navigate_options(timeout, until))

    @interruptible
    def forward(self, *, until: Until = Until.LOAD,
                timeout: float | None = None) -> Navigation:
        """Go one step forward in the history; `NotFound` at its end."""
        return self._travel(lib.aper_tab_forward,
                            navigate_options(timeout, until))

    @interruptible
    def reload(self, *, ignore_cache: bool = False,
               until: Until = Until.LOAD,
               timeout: float | None = None) -> Navigation:
        """Load the page again."""
        return self._travel(
            lib.aper_tab_reload,
            navigate_options(timeout, until, ignore_cache=ignore_cache))

    def _travel(self, function: Any, options: Options) -> Navigation:
        return results.navigation(fetch("navigation", function, self._handle,
                                        options.pointer))

    @interruptible
    def snapshot(self, *, budget_tokens: int | None = None,
                 expand: Target | None = None, find: str | None = None,
                 scope: Target | None = None,
                 timeout: float | None = None) -> Snapshot:
        """Read the page. Its text never costs more than budget_tokens, by
        default 2,000; UNLIMITED is no limit. What does not fit is
        counted where it would stand. What lies in expand and was left out
        around it is shown first, then lines that contain the text find.
        With scope only that element is shown."""
        options = snapshot_options(budget_tokens, expand, find, scope, timeout)
        return Snapshot(fetch("snapshot", lib.aper_snapshot_take,
                              self._handle, options.pointer))

    @interruptible
    def diff(self, *, budget_tokens: int | None = None,
             reset_percent: int | None = None, reset_after: int | None = None,
             restate_volatile: bool = False,
             timeout: float | None = None) -> Diff:
        """Read the page and tell what changed since it was last read, by
        `snapshot`, an action or this.

        Too much change, a modal that took over and another document give a
        reset. Clocks, and what changes by itself all the time, are only
        counted unless restate_volatile is set.
        """
        options = diff_options(budget_tokens, reset_percent, reset_after,
                               restate_volatile, timeout)
        return Diff._of(fetch("diff", lib.aper_diff_take, self._handle,
                              options.pointer))

    @interruptible
    def act(self, verb: Verb, ref: Target | None = None, *,
            text: str | None = None, key: str | None = None,
            button: Button = Button.LEFT, click_count: int = 1,
            modifiers: Modifier = Modifier(0), delta_x: float = 0,
            delta_y: float = 0, settle: float | None = None,
            timeout: float | None = None) -> ActResult:
        """Perform any action; `click` and its like call this one.

        The element is checked first; a refusal sends nothing to the page. A
        return means that the input reached the element: what it did, also that
        nothing was observed, is in the result. When a dialog opens, the call
        returns at once and names it.
        """
        options = act_options(
            verb, ref, text=text, key=key, button=button,
            click_count=click_count, modifiers=modifiers, delta_x=delta_x,
            delta_y=delta_y, settle=settle, timeout=timeout)
        return results.act_result(fetch("act_result", lib.aper_tab_act,
                                        self._handle, options.pointer))

    @interruptible
    def wait(self, *, text: str | None = None, text_gone: str | None = None,
             url: str | None = None, loaded: bool = False,
             timeout: float | None = None) -> None:
        """Wait until all of this holds: the page shows text, no longer shows
        text_gone, has url in its address, has loaded."""
        options = wait_options(text, text_gone, url, loaded, timeout)
        call(lib.aper_tab_wait, self._handle, options.pointer)

    @property
    def dialog(self) -> Dialog | None:
        """The dialog that is open in the tab, if any."""
        ret_dialog = ffi.new("aper_dialog **")
        status = lib.aper_tab_get_dialog(self._handle, ret_dialog)
        if status == lib.APER_E_NO_DIALOG:
            return None
        check(status)
        return results.dialog(own("dialog", ret_dialog[0]))

    @interruptible
    def answer_dialog(self, accept: bool = True,
                      text: str | None = None) -> None:
        """Answer the open dialog with OK or Cancel; text answers a prompt."""
        call(lib.aper_tab_answer_dialog, self._handle, accept,
             native_or_null(text))

    @interruptible
    def screenshot(self, ref: Target | None = None, *,
                   full_page: bool = False,
                   format: ImageFormat = ImageFormat.PNG,
                   quality: int | None = None, max_edge: int | None = None,
                   max_height: int | None = None, start_y: int | None = None,
                   timeout: float | None = None) -> Capture:
        """Take a picture of the viewport, the whole page or one element. The
        longer side has at most max_edge pixels, by default 1,568; a whole
        page ends max_height CSS pixels below start_y."""
        options = screenshot_options(ref, full_page, format, quality,
                                     max_edge, max_height, start_y, timeout)
        return results.capture(fetch("capture", lib.aper_tab_screenshot,
                                     self._handle, options.pointer))

    @interruptible
    def pdf(self, *, landscape: bool = False, backgrounds: bool = False,
            paper_width_mm: float | None = None,
            paper_height_mm: float | None = None, pages: str | None = None,
            timeout: float | None = None) -> Capture:
        """Print the page, by default on A4; pages is such as "1-3,5"."""
        options = pdf_options(landscape, backgrounds, paper_width_mm,
                              paper_height_mm, pages, timeout)
        return results.capture(fetch("capture", lib.aper_tab_pdf,
                                     self._handle, options.pointer))

    @interruptible
    def emulate(self, *, width: int | None = None, height: int | None = None,
                scale: float | None = None, mobile: bool = False,
                offline: bool = False,
                geolocation: tuple[float, float] | None = None,
                accuracy_m: float | None = None, locale: str | None = None,
                timezone: str | None = None,
                user_agent: str | None = None) -> None:
        """Make the tab pretend to be another device or place; without any
        argument all pretence ends. scale is device pixels per CSS pixel,
        geolocation is latitude and longitude in degrees."""
        fields = dict(width=width, height=height, mobile=mobile,
                      scale_permille=scale and round(scale * 1000),
                      offline=offline, locale=locale, timezone=timezone,
                      user_agent=user_agent, accuracy_m=accuracy_m)
        if geolocation is not None:
            fields.update(has_geolocation=True, latitude=geolocation[0],
                          longitude=geolocation[1])
        if any(fields.values()):
            options = Options("emulation", **fields)
            call(lib.aper_tab_emulate, self._handle, options.pointer)
        else:
            call(lib.aper_tab_emulate, self._handle, ffi.NULL)

    @interruptible
    def eval(self, source: str, *, timeout: float | None = None) -> Any:
        """Run JavaScript in the page's own world and decode its result.

        `Unsupported` unless the browser was made with allow_eval. The page can
        forge the result. A promise is awaited.
        """
        ret_json = ffi.new("char **")
        call(lib.aper_tab_eval, self._handle, native(source),
             milliseconds(timeout), ret_json)
        try:
            return json.loads(text(ret_json[0]))
        finally:
            lib.aper_free(ret_json[0])

    def console(self, after: int = 0) -> Log[ConsoleEntry]:
        """What the page wrote on its console after the entry with that
        sequence number, as far as it is kept (the last 500)."""
        return results.console(fetch_now("log", lib.aper_tab_get_console,
                                         self._handle, after))

    def network(self, after: int = 0) -> Log[Request]:
        """The requests that ended after the one with that sequence number, as
        far as they are kept (the last 500)."""
        return results.network(fetch_now("log", lib.aper_tab_get_network,
                                         self._handle, after))
