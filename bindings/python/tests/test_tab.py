# SPDX-License-Identifier: Apache-2.0
"""Reading and acting on a real page, with blocking calls."""
import hashlib
import pathlib

import pytest

import aperture
from aperture import EffectKind, EventKind, NavigationKind
from conftest import until


def test_a_snapshot_shows_the_page(tab, site):
    page = tab.snapshot()
    assert page.title == "Greeting desk"
    assert page.url == site("/form.html")
    assert "Nobody was greeted." in page.text
    assert 0 < page.token_estimate <= 2000
    assert page.id in repr(page)
    assert page.nodes[0].depth == 0
    assert [node.index for node in page.nodes] == list(range(len(page.nodes)))


def test_a_node_is_found_by_its_words_and_by_its_ref(tab):
    page = tab.snapshot()
    button = page.find("greet", role="button")
    assert button.role == "button" and button.name == "Greet"
    assert button.ref
    assert page.find_ref(button.ref) == button
    assert button in page.find_all("Greet")
    assert page.find("there is no such text") is None
    assert page.find_ref("e0") is None


def test_a_reading_can_be_narrowed(tab):
    everything = tab.snapshot(budget_tokens=aperture.UNLIMITED)
    button = everything.find("Greet", role="button")
    narrow = tab.snapshot(scope=button)
    assert narrow.find_ref(button.ref)
    assert "Nobody was greeted." not in narrow.text
    assert "Nobody was greeted." in tab.snapshot(find="nobody").text
    assert tab.snapshot(expand=button.ref).find_ref(button.ref)
    with pytest.raises(aperture.NoRef):
        tab.snapshot(expand="e999999")


def test_the_nodes_are_a_tree_too(tab):
    page = tab.snapshot()
    tree = page.to_dict()
    assert tree["id"] == page.id and tree["page"]["role"] == "page"

    def count(node):
        return 1 + sum(map(count, node.get("children", [])))
    assert count(tree["page"]) == len(page.nodes)


def test_acting_changes_the_page_and_says_how(tab):
    before = tab.snapshot()
    tab.fill(before.find("Name", role="textbox"), "Ada")
    result = tab.click(before.find("Greet", role="button"))
    assert result.outcome
    assert "Hello Ada!" in result.diff.text
    assert not result.diff.is_empty
    assert "Hello Ada!" in result.snapshot.text
    assert EffectKind.CHANGE in [effect.kind for effect in result.effects]


def test_a_difference_leads_from_one_snapshot_to_the_other(tab):
    before = tab.snapshot()
    tab.type(before.find("Name", role="textbox"), "Bob")
    tab.click(before.find("Greet", role="button").ref)
    after = tab.snapshot()
    diff = before.diff(after)
    assert (diff.from_id, diff.to_id) == (before.id, after.id)
    assert diff.ops == aperture.diff(before, after).ops
    assert any("Hello Bob!" in op.line for op in diff.ops if op.kind in "+~")
    assert before.diff(before).is_empty


def test_what_changed_since_the_last_reading_is_told(tab):
    page = tab.snapshot()
    assert tab.diff().text == f"nothing changed since #{page.id}\n"
    tab.eval("document.getElementById('answer').textContent = '12:00:01'")
    told = tab.diff()
    assert (told.from_id, told.is_reset) == (page.id, False)
    assert [op.kind for op in told.ops] == ["~"]
    tab.eval("document.getElementById('answer').textContent = '12:00:02'")
    assert tab.diff().volatile_count == 1
    assert "12:00:02" in tab.diff(restate_volatile=True).text
    tab.eval("document.getElementById('answer').textContent = 'New'")
    assert tab.diff(reset_percent=1).is_reset


def test_keys_hovering_selecting_and_scrolling_reach_the_page(tab):
    page = tab.snapshot()
    name = page.find("Name", role="textbox")
    tab.click(name)
    tab.type(name, "abc")
    tab.press("Backspace")
    assert tab.eval("document.getElementById('name').value") == "ab"
    tab.hover(page.find("Greet", role="button"))
    assert tab.eval("document.getElementById('greet').matches(':hover')")
    tab.select(page.find("Colour"), "Green")
    assert tab.eval("document.getElementById('colour').value") == "Green"
    tab.eval("document.body.style.height = '5000px'; 0")
    tab.scroll(delta_y=300)
    assert tab.eval("scrollY") > 0


def test_a_node_without_ref_is_refused(tab):
    bare = [node for node in tab.snapshot().nodes if not node.ref]
    with pytest.raises(aperture.Invalid):
        tab.click(bare[0])
    with pytest.raises(aperture.NoRef):
        tab.click("e999999999")


def test_a_dialog_is_reported_by_the_click_that_raised_it(tab):
    page = tab.snapshot()
    result = tab.click(page.find("Ask", role="button"))
    assert result.dialog.kind == aperture.DialogKind.CONFIRM
    assert result.dialog.text == "Really?"
    assert tab.dialog == result.dialog
    with pytest.raises(aperture.DialogOpen):
        tab.snapshot()
    tab.answer_dialog(True)
    assert tab.dialog is None
    tab.wait(text="Confirmed: true")
    with pytest.raises(aperture.NoDialog):
        tab.answer_dialog()


def test_waiting_ends_when_the_page_is_so(tab):
    page = tab.snapshot()
    tab.click(page.find("Later", role="button"), settle=0.1)
    tab.wait(text="Late news", text_gone="Nobody", url="/form.html",
             loaded=True)
    assert "Late news" in tab.snapshot().text
    with pytest.raises(aperture.Timeout):
        tab.wait(text="never to be seen", timeout=0.3)


def test_navigations_say_where_they_led(tab, site):
    there = tab.navigate(site("/redirect?to=/second.html"))
    assert there.kind == NavigationKind.PAGE
    assert there.url == site("/second.html") == tab.url
    assert there.http_status == 200
    assert there.redirects == (site("/redirect?to=/second.html"),)
    assert there.complete and there.dialog is None
    assert tab.back().url == site("/form.html")
    assert tab.forward().url == site("/second.html")
    assert tab.reload(ignore_cache=True).url == site("/second.html")
    with pytest.raises(aperture.NotFound):
        tab.forward()
    nothing = tab.navigate(site("/status?code=204"))
    assert nothing.kind == NavigationKind.NO_CONTENT
    assert tab.navigate(site("/second.html#x")).kind \
        == NavigationKind.SAME_DOCUMENT


def test_failed_navigations_name_the_reason(tab, free_port):
    with pytest.raises(aperture.NavigationFailed) as caught:
        tab.navigate(f"http://127.0.0.1:{free_port}/")
    assert caught.value.message.startswith("net::ERR_CONNECTION_REFUSED")
    with pytest.raises(aperture.Blocked):
        tab.navigate("file:///etc/passwd")


def test_a_page_that_never_answers_times_out(tab, site):
    with pytest.raises(TimeoutError) as caught:
        tab.navigate(site("/hang"), timeout=0.5)
    assert isinstance(caught.value, aperture.Timeout)


def test_pictures_and_files_of_a_page(tab, tmp_path):
    picture = tab.screenshot()
    assert picture.data.startswith(b"\x89PNG")
    assert picture.mime_type == "image/png"
    assert picture.width > 0 and picture.height > 0 and picture.scale > 0
    assert picture.save(tmp_path / "page.png").read_bytes() == picture.data
    button = tab.snapshot().find("Greet", role="button")
    small = tab.screenshot(button, format=aperture.ImageFormat.JPEG)
    assert small.data.startswith(b"\xff\xd8")
    assert small.width < picture.width
    file = tab.pdf(paper_width_mm=100, paper_height_mm=100)
    assert file.data.startswith(b"%PDF")
    assert file.mime_type == "application/pdf"


def test_emulation_is_seen_by_the_page_and_ends(tab):
    before = tab.eval("[innerWidth, navigator.language]")
    tab.emulate(width=400, height=700, scale=2, locale="de-DE",
                timezone="Asia/Tokyo")
    assert tab.eval(
        "[innerWidth, devicePixelRatio,"
        " Intl.DateTimeFormat().resolvedOptions().timeZone]") \
        == [400, 2, "Asia/Tokyo"]
    tab.emulate()
    assert tab.eval("[innerWidth, navigator.language]") == before


def test_the_console_and_the_network_are_kept(tab, site):
    page = tab.snapshot()
    tab.click(page.find("Greet", role="button"))
    log = until(lambda: [entry for entry in tab.console()
                         if entry.text == "greeted"])
    assert log[0].level == "log"
    assert log[0].sequence > 0
    assert "greeted" not in [entry.text for entry in
                             tab.console(after=log[0].sequence)]
    tab.navigate(site("/second.html"))
    request = until(lambda: [entry for entry in tab.network()
                             if entry.url == site("/second.html")])[0]
    assert (request.method, request.http_status) == ("GET", 200)
    assert request.net_error == ""


def test_scripts_run_only_if_allowed(tab, launch, site):
    assert tab.eval("({a: [1, 'ä', null]})") == {"a": [1, "ä", None]}
    with pytest.raises(aperture.Error):
        tab.eval("throw new Error('no')")
    with launch() as other, other.open(site("/form.html")) as page:
        with pytest.raises(aperture.Unsupported):
            page.eval("1")


def test_tabs_are_listed_found_and_closed(browser, site):
    tab = browser.open(site("/second.html"))
    info = next(info for info in browser.tabs() if info.id == tab.id)
    assert (info.url, info.own, info.crashed) \
        == (site("/second.html"), True, False)
    assert tab.info.id == tab.id
    again = browser.find_tab(tab.id)
    assert again.id == tab.id and again.url == site("/second.html")
    assert info.title == again.title == "Second page"
    tab.activate()
    tab.close()
    tab.close()
    with pytest.raises(aperture.Closed):
        tab.snapshot()
    assert tab.id not in [info.id for info in browser.tabs()]
    with pytest.raises(aperture.NotFound):
        browser.find_tab("0" * 32)


def test_events_tell_what_pages_do(launch, site):
    with launch() as browser, browser.open(site("/form.html")) as tab:
        page = tab.snapshot()
        tab.click(page.find("In a new tab", role="link"))
        opened = next(event for event in browser.events(timeout=20)
                      if event.kind == EventKind.TAB_OPENED
                      and event.opener_id)
        assert opened.opener_id == tab.id
        assert opened.tab_id != tab.id


def test_downloads_go_where_they_are_told(launch, site, tmp_path):
    with launch() as browser, browser.open() as tab:
        browser.set_download_dir(tmp_path)
        there = tab.navigate(site("/download"))
        assert there.kind == NavigationKind.DOWNLOAD
        file = next(event.download for event in browser.events(timeout=20)
                    if event.kind == EventKind.DOWNLOAD and
                    event.download.state == aperture.DownloadState.COMPLETE)
        data = pathlib.Path(file.path).read_bytes()
        assert data == b"x" * 1000 and file.size == 1000
        assert file.name == "report.txt"
        assert file.sha256 == hashlib.sha256(data).hexdigest()
        assert pathlib.Path(file.path).parent == tmp_path


def test_the_policy_refuses_hosts(launch, site):
    with launch() as browser, browser.open() as tab:
        browser.set_policy(deny_hosts=["127.0.0.1"])
        with pytest.raises(aperture.Blocked):
            tab.navigate(site("/form.html"))
        browser.set_policy()
        assert tab.navigate(site("/form.html")).http_status == 200


def test_no_event_is_none_in_time_and_closed_is_the_end(launch):
    with launch() as browser:
        for _ in browser.events(timeout=0.5):
            pass
        assert browser.next_event(timeout=0.05) is None
    for event in browser.events():
        assert event.kind != EventKind.COMPLETION
    with pytest.raises((aperture.Closed, aperture.Gone)):
        browser.next_event()
