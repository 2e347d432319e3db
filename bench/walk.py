#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What walking a page costs inside the page: walk.py [--source DIR]

For every page the milliseconds of the first walk, of one after a change in
one row, of one after an insertion at the top, and of one after nothing. The
best of several, in a browser that this starts, as time of the processor that
the page's own thread took: other work of the machine does not count. Nothing
of it goes through the library: the scripts are put into a page as they lie in
src/page.
"""
import argparse
import fcntl
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROW = ("`<li><span>Text of row ${i}</span> <a href='/p/${i}'>Widget ${i}</a> "
       "<button>Add</button> <button>Delete</button></li>`")
PAGES = {
    **{f"{n} rows": f"rows({n}, i => {ROW}, 'ul')"
       for n in (5, 60, 1000, 5000)},
    "table of 1000": "rows(1000, i => `<tr><td>${i}<td>Name ${i}<td><input "
                     "value=${i}><td><a href='/e/${i}'>Edit</a></tr>`, "
                     "'table')",
    "nested 300": "'<div>'.repeat(300) + '<p>deep <a href=/x>link</a></p>'",
    "1000 shadow roots": "rows(1000, i => `<li><div class=host></div> <a "
                         "href='/s/${i}'>Item ${i}</a></li>`, 'ul')",
    "20000 divs": "'<div><div>some text</div></div>'.repeat(10000)",
}
MAKE = """(() => {
  const rows = (n, row, tag) => '<h1>List</h1><' + tag + '>' +
    Array.from({ length: n }, (_, i) => row(i)).join('') + '</' + tag + '>';
  document.body.innerHTML = %s;
  for (const host of document.querySelectorAll('.host'))
    host.attachShadow({ mode: 'open' }).innerHTML =
      '<span>in the shadow</span><button>Press</button>';
  document.body.offsetHeight;
})()"""
ONE = """(() => { const all = document.querySelectorAll('span, td, p, div');
  all[all.length >> 1].append(' more'); })()"""
FIRST = """(() => { const list = document.querySelector('ul, tbody') ||
  document.body; const one = list.lastElementChild.cloneNode(true);
  list.prepend(one); })()"""


class Chromium:
    def __init__(self):
        read_ours, write_theirs = os.pipe()
        read_theirs, write_ours = os.pipe()
        self.profile = tempfile.mkdtemp(prefix="walk-")

        def connect():
            ends = [fcntl.fcntl(fd, fcntl.F_DUPFD, 20)
                    for fd in (read_theirs, write_theirs)]
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)
        self.process = subprocess.Popen(
            [shutil.which("chromium") or "google-chrome", "--headless",
             "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile}", "about:blank"],
            preexec_fn=connect, close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_theirs)
        os.close(write_theirs)
        self.out, self.ids, self.rest = write_ours, itertools.count(1), b""
        self.into = os.fdopen(read_ours, "rb", buffering=0)

    def call(self, method, session=None, **params):
        number = next(self.ids)
        message = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        while True:
            while b"\0" not in self.rest:
                self.rest += self.into.read(1 << 20)
            line, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(line)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(answer["error"])
                return answer["result"]

    def cpu_ms(self):
        """Time that the main threads of all pages took so far."""
        total = 0
        for process in self.call("SystemInfo.getProcessInfo")["processInfo"]:
            if process["type"] == "renderer":
                pid = process["id"]
                total += int(pathlib.Path(
                    f"/proc/{pid}/task/{pid}/schedstat").read_text(
                        encoding="ascii").split()[0])
        return total / 1e6

    def close(self):
        self.call("Browser.close")
        self.process.wait(30)
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    """A new page with the scripts in a world of their own."""

    def __init__(self, browser, script, make):
        self.browser = browser
        self.target = browser.call("Target.createTarget",
                                   url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", flatten=True,
                                    targetId=self.target)["sessionId"]
        self.run(make)
        frame = browser.call("Page.getFrameTree", self.session)
        self.world = browser.call(
            "Page.createIsolatedWorld", self.session, worldName="aperture",
            frameId=frame["frameTree"]["frame"]["id"])["executionContextId"]
        self.run(script, self.world)

    def run(self, expression, world=None):
        params = {"contextId": world} if world else {}
        answer = self.browser.call("Runtime.evaluate", self.session,
                                   expression=expression, returnByValue=True,
                                   **params)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def walk(self):
        self.run("1", self.world)
        before = self.browser.cpu_ms()
        self.run("walk()", self.world)
        return self.browser.cpu_ms() - before

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)


def page_script(source):
    build = (source / "meson.build").read_text(encoding="utf-8")
    listed = re.search(r"page_scripts = files\((.*?)\)", build, re.S).group(1)
    names = re.findall(r"'(\w+\.js)'", listed)
    text = "".join((source / name).read_text(encoding="utf-8")
                   for name in names)
    return ("(() => { 'use strict';" + text +
            "globalThis.walk = () => { walkPage(); }; })()")


def measure(browser, script, make, times):
    found = {"cold": [], "one change": [], "first": [], "nothing": []}
    for _ in range(times):
        page = Page(browser, script, MAKE % make)
        found["cold"].append(page.walk())
        page.walk()
        for name, change in (("one change", ONE), ("first", FIRST),
                             ("nothing", "")):
            for _ in range(5):
                page.run(change)
                found[name].append(page.walk())
        page.close()
    return {name: min(values) for name, values in found.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=pathlib.Path,
                        default=ROOT / "src" / "page")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("pages", nargs="*", default=list(PAGES))
    options = parser.parse_args()
    script = page_script(options.source)
    browser = Chromium()
    try:
        for name in options.pages:
            found = measure(browser, script, PAGES[name], options.times)
            print(f"{name:18}" + "".join(f"  {what} {ms:7.2f}"
                                         for what, ms in found.items()),
                  flush=True)
    finally:
        browser.close()


if __name__ == "__main__":
    main()
