# SPDX-License-Identifier: Apache-2.0
"""A web site on loopback, and one browser for all tests that can share it."""
import functools
import http.server
import os
import pathlib
import socket
import threading
import time
import urllib.parse

import pytest

import aperture

PAGES = pathlib.Path(__file__).parent / "pages"
NO_SANDBOX = os.geteuid() == 0


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the pages, and a few addresses that misbehave:

    /redirect?to=/x   one redirect
    /status?code=204  an empty answer with that status
    /download         an attachment of 1,000 bytes
    /hang             accepts and never answers
    """

    def __init__(self, *args, site, **kwargs):
        self.site = site
        super().__init__(*args, directory=str(PAGES), **kwargs)

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if url.path == "/redirect":
            self.answer(302, {"Location": query["to"]})
        elif url.path == "/status":
            self.answer(int(query["code"]))
        elif url.path == "/download":
            self.answer(200, {"Content-Disposition":
                              'attachment; filename="report.txt"'},
                        b"x" * 1000)
        elif url.path == "/hang":
            self.site.asked.set()
            self.site.released.wait()
        else:
            super().do_GET()

    def answer(self, code, headers=None, body=b""):
        self.send_response(code)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if code != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        # Browsers close connections whenever they like.
        pass


class Site:
    """Called with a path, it gives the address."""

    def __init__(self):
        #: Set when a request hangs; set to end all that do.
        self.asked = threading.Event()
        self.released = threading.Event()
        self.server = Server(("127.0.0.1", 0),
                             functools.partial(Handler, site=self))

    def __call__(self, path):
        return f"http://127.0.0.1:{self.server.server_port}{path}"


@pytest.fixture(scope="session")
def site():
    site = Site()
    thread = threading.Thread(target=site.server.serve_forever, daemon=True)
    thread.start()
    yield site
    site.released.set()
    site.server.shutdown()
    site.server.server_close()
    thread.join()


@pytest.fixture(scope="session")
def launch():
    """Launches a browser as the tests need it."""
    return functools.partial(aperture.launch, no_sandbox=NO_SANDBOX)


@pytest.fixture(scope="session")
def browser(launch):
    with launch(allow_eval=True) as browser:
        yield browser


@pytest.fixture
def tab(browser, site):
    """A tab that shows the form."""
    with browser.open(site("/form.html")) as tab:
        yield tab


def until(condition, seconds=20):
    """Waits until a condition holds; a test fails when it never does."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"{condition} did not come to hold")


@pytest.fixture
def free_port():
    """A port on which nobody listens, and nobody will during the test."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]
