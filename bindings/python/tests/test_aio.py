# SPDX-License-Identifier: Apache-2.0
"""The same on an event loop."""
import asyncio
import functools
import gc
import os
import threading

import pytest

import aperture
from aperture import EventKind, aio
from conftest import NO_SANDBOX, until


def on_loop(test):
    """Runs a coroutine function as a test."""
    @functools.wraps(test)
    def wrapper(*args, **kwargs):
        asyncio.run(test(*args, **kwargs))
    return wrapper


async def under_way(browser, *calls):
    """Waits until calls have reached the library."""
    while len(browser._queue._pending) < len(calls):
        assert not [call for call in calls if call.done()]
        await asyncio.sleep(0)


@pytest.fixture
def connect(browser):
    return functools.partial(aio.attach, browser.endpoint, allow_eval=True)


@on_loop
async def test_a_page_is_read_and_acted_on(connect, site):
    async with await connect() as browser:
        async with await browser.open(site("/form.html")) as tab:
            page = await tab.snapshot()
            assert page.title == "Greeting desk"
            assert tab.url == page.url
            await tab.fill(page.find("Name", role="textbox"), "Ada")
            result = await tab.click(page.find("Greet", role="button"))
            assert "Hello Ada!" in result.diff.text
            assert (await tab.diff()).is_empty
            await tab.wait(text="Hello Ada!")
            assert await tab.eval("1 + 1") == 2
            picture = await tab.screenshot()
            assert picture.data.startswith(b"\x89PNG")
            assert (await tab.pdf()).data.startswith(b"%PDF")
            there = await tab.navigate(site("/second.html"))
            assert there.http_status == 200
            assert (await tab.back()).url == site("/form.html")


@on_loop
async def test_a_browser_is_launched_and_gone(site):
    async with await aio.launch(no_sandbox=NO_SANDBOX) as browser:
        pid = browser.pid
        assert browser.is_connected
        await browser.open(site("/form.html"))
        assert len(await browser.tabs()) >= 1
    assert not os.path.exists(f"/proc/{pid}")
    with pytest.raises(aperture.Closed):
        await browser.open()


@on_loop
async def test_many_tabs_work_at_the_same_time(connect, site):
    async def work(name):
        async with await browser.open(site("/form.html")) as tab:
            page = await tab.snapshot()
            await tab.fill(page.find("Name", role="textbox"), f"task {name}")
            result = await tab.click(page.find("Greet", role="button"))
            assert f"Hello task {name}!" in result.snapshot.text

    async with await connect() as browser:
        await asyncio.gather(*map(work, range(8)))


@on_loop
async def test_failures_are_the_same_exceptions(connect, site, free_port):
    async with await connect() as browser, await browser.open() as tab:
        with pytest.raises(aperture.NavigationFailed) as caught:
            await tab.navigate(f"http://127.0.0.1:{free_port}/")
        assert caught.value.message.startswith("net::ERR_CONNECTION_REFUSED")
        with pytest.raises(aperture.Blocked):
            await tab.navigate("file:///etc/passwd")
        with pytest.raises(aperture.NoRef):
            await tab.click("e999999999")
        with pytest.raises(aperture.Timeout):
            await tab.wait(text="never to be seen", timeout=0.3)


@on_loop
async def test_a_refused_argument_has_the_same_sentence(connect, browser,
                                                        site):
    refused = [
        lambda tab: tab.navigate("about:blank", until=99),
        lambda tab: tab.snapshot(budget_tokens=1),
        lambda tab: tab.act(99),
        lambda tab: tab.wait(),
        lambda tab: tab.screenshot(quality=101),
        lambda tab: tab.pdf(pages="all"),
    ]
    async with await connect() as other:
        async with await other.open(site("/second.html")) as tab:
            with browser.find_tab(tab.id) as blocking:
                for call in refused:
                    with pytest.raises(aperture.Invalid) as caught:
                        await call(tab)
                    with pytest.raises(aperture.Invalid) as expected:
                        call(blocking)
                    assert str(caught.value) == str(expected.value)
                    assert str(caught.value) != "invalid argument"
        with pytest.raises(aperture.Invalid, match="until"):
            await other.open(until=99)


@on_loop
async def test_the_loop_runs_while_calls_wait(connect, site):
    async with await connect() as browser:
        tab = await browser.open()
        hanging = asyncio.ensure_future(
            tab.navigate(site("/hang"), timeout=60))
        other = await browser.open(site("/form.html"))
        assert (await other.snapshot()).title == "Greeting desk"
        assert not hanging.done()
        hanging.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hanging


@on_loop
async def test_cancelling_ends_the_operation_in_the_library(connect, site):
    async with await connect() as browser:
        tab = await browser.open(site("/form.html"))
        waiting = asyncio.ensure_future(
            tab.wait(text="never to be seen", timeout=600))
        await under_way(browser, waiting)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        # The completion comes long before the deadline of the call.
        while browser._queue._pending:
            await asyncio.sleep(0.01)
        assert (await tab.snapshot()).title == "Greeting desk"


@on_loop
async def test_a_timeout_of_asyncio_cancels(connect, site):
    async with await connect() as browser:
        tab = await browser.open(site("/form.html"))
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(tab.wait(text="never to be seen",
                                            timeout=600), 0.2)
        assert (await tab.snapshot()).title == "Greeting desk"


@on_loop
async def test_closing_ends_what_is_under_way(connect, site):
    browser = await connect()
    tab = await browser.open(site("/form.html"))
    waits = [asyncio.ensure_future(
        tab.wait(text="never to be seen", timeout=600)) for _ in range(5)]
    await under_way(browser, *waits)
    await browser.close()
    for wait in waits:
        with pytest.raises(aperture.Closed):
            await wait
    await browser.close()
    with pytest.raises(aperture.Closed):
        await tab.snapshot()


@on_loop
async def test_events_come_beside_completions(connect, site):
    async with await connect() as browser:
        tab = await browser.open(site("/form.html"))
        page = await tab.snapshot()
        result = await tab.click(page.find("Ask", role="button"))
        assert result.dialog.text == "Really?"
        async for event in browser.events():
            if event.kind == EventKind.DIALOG_OPENED:
                break
        assert event.dialog == result.dialog == tab.dialog
        assert event.tab_id == tab.id
        await tab.answer_dialog(False)
        await tab.wait(text="Confirmed: false")


@on_loop
async def test_events_end_with_the_connection(connect):
    browser = await connect()
    async def collect():
        return [event.kind async for event in browser.events()]

    readers = [asyncio.ensure_future(collect()) for _ in range(2)]
    await asyncio.sleep(0)
    await browser.close()
    for reader in readers:
        assert EventKind.COMPLETION not in await reader


@on_loop
async def test_a_cancelled_launch_leaves_no_browser(tmp_path):
    attempt = asyncio.ensure_future(aio.launch(
        no_sandbox=NO_SANDBOX, profile_dir=tmp_path / "profile"))
    await asyncio.sleep(0.05)
    attempt.cancel()
    with pytest.raises(asyncio.CancelledError):
        await attempt
    # The profile is free again once the unwanted browser is closed.
    def relaunch():
        try:
            aperture.launch(no_sandbox=NO_SANDBOX,
                            profile_dir=tmp_path / "profile").close()
            return True
        except aperture.InUse:
            return False

    await asyncio.to_thread(until, relaunch)
    await asyncio.to_thread(until, lambda: not [
        thread for thread in threading.enumerate()
        if thread.name == "aperture"])


@on_loop
async def test_completions_of_a_killed_browser_arrive(site):
    async with await aio.launch(no_sandbox=NO_SANDBOX) as browser:
        tab = await browser.open(site("/form.html"))
        waiting = asyncio.ensure_future(
            tab.wait(text="never to be seen", timeout=600))
        await under_way(browser, waiting)
        os.kill(browser.pid, 9)
        with pytest.raises(aperture.Gone):
            await waiting
        kinds = [event.kind async for event in browser.events()]
        assert kinds[-1] == EventKind.BROWSER_GONE


def test_a_forgotten_browser_is_still_closed(site):
    async def forget():
        browser = await aio.launch(no_sandbox=NO_SANDBOX)
        return browser.pid

    with pytest.warns(ResourceWarning, match="unclosed aperture.Browser"):
        pid = asyncio.run(forget())
        gc.collect()
    assert not os.path.exists(f"/proc/{pid}")
