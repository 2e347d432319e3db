# SPDX-License-Identifier: Apache-2.0
"""An AI agent drives a real Chromium.

    import aperture

    with aperture.launch() as browser:
        tab = browser.open("https://example.com")
        before = tab.snapshot()
        print(before.text)
        result = tab.click(before.find("Learn more", role="link"))
        print(result.outcome)

`aperture.aio` has the same for asyncio. Failures are subclasses of
`aperture.Error`, one for each status of the library.
"""
from ._aperture import lib as _lib
from ._handles import text as _text


def _check_version() -> None:
    header = _lib.APER_VERSION_NUMBER
    library = _lib.aper_version_get_number()
    major, rest = divmod(header, 1_000_000)
    if library < header or library // 1_000_000 != major:
        raise ImportError(
            f"aperture was built for libaperture {major}.{rest // 1000}"
            f".{rest % 1000}, but libaperture"
            f" {_text(_lib.aper_version_get_text())} was loaded: install"
            " that version or a later one with the same first number, or"
            " rebuild the Python package")


_check_version()

from . import _contract
from ._base import Error
from ._contract import *
from .browser import Browser
from .results import (ActResult, Capture, ConsoleEntry, Dialog, Download,
                      Effect, Event, Log, Navigation, Request, TabInfo)
from .snapshot import UNLIMITED, Diff, DiffOp, Node, Snapshot, diff
from .tab import Tab

__version__ = _text(_lib.aper_version_get_text())

launch = Browser.launch
attach = Browser.attach

__all__ = [
    "ActResult", "Browser", "Capture", "ConsoleEntry", "Dialog", "Diff",
    "DiffOp", "Download", "Effect", "Error", "Event", "Log", "Navigation",
    "Node", "Request", "Snapshot", "Tab", "TabInfo", "UNLIMITED", "attach",
    "diff", "launch",
]
__all__ += _contract.__all__
