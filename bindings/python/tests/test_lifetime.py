# SPDX-License-Identifier: Apache-2.0
"""Handles live as long as somebody uses them, and leave nothing behind."""
import gc
import os
import pathlib
import warnings

import pytest

import aperture
from conftest import until


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def test_a_closed_browser_says_so(launch, site):
    browser = launch()
    pid = browser.pid
    tab = browser.open(site("/form.html"))
    page = tab.snapshot()
    assert browser.is_connected and pid > 0
    browser.check()
    browser.close()
    browser.close()
    assert not browser.is_connected
    assert not pathlib.Path(f"/proc/{pid}").exists()
    for call in (browser.check, browser.tabs, browser.open, tab.snapshot,
                 lambda: tab.navigate(site("/form.html")),
                 lambda: tab.click("e1")):
        with pytest.raises(aperture.Closed):
            call()
    # What was read stays readable.
    assert "Nobody was greeted." in page.text
    assert len(page.nodes) > 5


def test_leaving_a_with_block_closes(launch):
    with pytest.raises(KeyError), launch() as browser:
        raise KeyError
    assert not browser.is_connected


def test_handles_may_go_in_any_order(browser, site):
    attached = aperture.attach(browser.endpoint)
    tab = attached.open(site("/form.html"))
    page = tab.snapshot()
    attached.close()
    del attached
    gc.collect()
    with pytest.raises(aperture.Closed):
        tab.snapshot()
    del tab
    gc.collect()
    assert page.find("Greet", role="button").ref


def test_a_forgotten_browser_is_closed_with_a_warning(launch):
    browser = launch()
    pid = browser.pid
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        del browser
        gc.collect()
    assert [str(w.message) for w in caught
            if w.category is ResourceWarning] == ["unclosed aperture.Browser"]
    assert not pathlib.Path(f"/proc/{pid}").exists()


def test_a_closed_browser_gives_no_warning(browser):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        attached = aperture.attach(browser.endpoint)
        attached.close()
        del attached
        gc.collect()


def test_50_connections_leave_no_descriptor(browser, site):
    def cycle():
        with aperture.attach(browser.endpoint) as attached:
            with attached.open(site("/form.html")) as tab:
                tab.snapshot()

    cycle()
    before = descriptors()
    for _ in range(50):
        cycle()
    gc.collect()
    # The site closes its connections in its own time.
    until(lambda: descriptors() <= before)


def test_launching_leaves_no_descriptor(launch):
    with launch():
        pass
    before = descriptors()
    for _ in range(3):
        with launch() as browser:
            browser.open().close()
        del browser
    gc.collect()
    # The site closes its connections in its own time.
    until(lambda: descriptors() <= before)


def test_an_attached_browser_and_its_tabs_are_left_alone(browser, tab, site):
    with aperture.attach(browser.endpoint) as attached:
        assert attached.pid == 0
        attached.open(site("/second.html"))
        with pytest.raises(aperture.Foreign):
            attached.find_tab(tab.id).close()
    assert browser.is_connected
    assert tab.snapshot().title == "Greeting desk"
    assert site("/second.html") not in [info.url for info in browser.tabs()]


def test_a_killed_browser_ends_calls(launch, site):
    with launch() as browser:
        tab = browser.open(site("/form.html"))
        os.kill(browser.pid, 9)
        with pytest.raises(aperture.Gone):
            while True:
                tab.snapshot()
        with pytest.raises(aperture.Gone):
            browser.check()
    with launch() as browser:
        page = browser.open(site("/form.html")).snapshot()
        assert page.title == "Greeting desk"
