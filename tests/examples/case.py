# SPDX-License-Identifier: Apache-2.0
"""What tests of whole programs share: a page to show them, and a look at what
they leave behind."""
import http.server
import os
import pathlib
import re
import subprocess
import tempfile
import threading
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ["APERTURE_BUILD"])
LIMIT = 180


class Page(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *arguments):
        super().__init__(*arguments, directory=str(
            SOURCE / "examples/demo-page"))

    def log_message(self, *_):
        pass


def processes_naming(text):
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes()
        except OSError:
            continue
        if text.encode() in command:
            found.append(command.replace(b"\0", b" ").decode(errors="replace"))
    return found


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="a")
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)
        self.profiles = self.directory / "p"
        self.profiles.mkdir()
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.url = f"http://127.0.0.1:{server.server_address[1]}/"
        self.environment = dict(os.environ, TMPDIR=str(self.profiles))
        self.environment.pop("APERTURE_DEMO_URL", None)

    def start(self, *command, **options):
        return subprocess.Popen(
            list(map(str, command)), text=True, env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, **options)

    def run_program(self, *command, code=0):
        program = self.start(*command)
        try:
            out, err = program.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            program.kill()
            out, err = program.communicate()
            self.fail(f"{command[0]} did not end:\n{out}\n{err}")
        self.assertEqual(program.returncode, code, out + err)
        return out, err

    def example(self, name, *arguments, code=0):
        out, err = self.run_program(BUILD / "examples" / name, *arguments,
                                    code=code)
        self.assert_nothing_left()
        return out, err

    def assert_nothing_left(self):
        self.assertEqual(processes_naming(str(self.profiles)), [])
        self.assertEqual(list(self.profiles.iterdir()), [])

    def check_main_job(self, out):
        page, click, typed = re.split(r"^Clicking .*$|^Typing .*$", out,
                                      flags=re.M)
        self.assertIn("A small shop", page)
        self.assertIn("Add to basket", page)
        self.assertRegex(page, r"untrusted-page-content \d{6}")
        for difference in (click, typed):
            self.assertNotIn("Empty the basket", difference)
        self.assertIn("1", click)
        self.assertIn("A parcel for Ada Lovelace", typed)
        self.assertNotIn("A parcel for", page + click)
