# SPDX-License-Identifier: Apache-2.0
"""Every example program and the demo run and do what they say."""
import os
import pathlib
import re
import signal
import socket
import unittest

from case import BUILD, LIMIT, SOURCE, Case


class Examples(Case):
    def test_quickstart_prints_the_page_and_then_only_differences(self):
        out, err = self.example("quickstart", self.url)
        self.check_main_job(out)
        self.assertEqual("sandbox is off" in err, os.geteuid() == 0)

    def test_quickstart_says_why_a_page_did_not_come(self):
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            port = closed.getsockname()[1]
            _, err = self.example("quickstart", f"http://127.0.0.1:{port}/",
                                  code=1)
        self.assertIn("APER_E_NAVIGATION", err)
        self.assertIn("net::ERR_CONNECTION_REFUSED", err)

    def test_poll_loop_prints_the_page(self):
        out, _ = self.example("poll_loop", self.url)
        self.assertIn("Add to basket", out)

    def test_uv_loop_prints_the_page(self):
        out, _ = self.example("uv_loop", self.url)
        self.assertIn("Add to basket", out)

    def test_many_tabs_reads_each(self):
        urls = [f"{self.url}?{number}" for number in range(6)]
        out, _ = self.example("many_tabs", *urls)
        for url in urls:
            self.assertIn(f'{url}: "A small shop", ', out)

    def test_attach_joins_a_browser_and_lists_its_tabs(self):
        out, _ = self.example("attach", self.url)
        self.assertIn("Joined ", out)
        # The browser tells the title in its own time.
        self.assertRegex(out, rf"{re.escape(self.url)} \".*\" \(ours\)")

    def test_downloads_names_the_file_and_its_digest(self):
        target = self.directory / "files"
        target.mkdir()
        out, _ = self.example("downloads", self.url, target)
        path, details = out.splitlines()
        self.assertEqual(
            pathlib.Path(path).read_bytes(),
            (SOURCE / "examples/demo-page/receipt.txt").read_bytes())
        self.assertRegex(details, r"^11 bytes, sha256 [0-9a-f]{64}$")

    def test_dialogs_answers_the_question_of_a_click(self):
        out, _ = self.example("dialogs", self.url)
        self.assertIn('asks: "Really empty the basket?"', out)
        self.assertIn("Answered with OK.", out)

    def test_every_example_has_a_test(self):
        text = pathlib.Path(__file__).read_text(encoding="utf-8")
        for path in sorted((SOURCE / "examples").glob("*.c")):
            self.assertIn(f'self.example("{path.stem}"', text)


class Demo(Case):
    def setUp(self):
        super().setUp()
        self.environment["APERTURE_DEMO_BUILD"] = str(
            BUILD.parent / "demo")

    def demo(self, *arguments, **options):
        return self.run_program(SOURCE / "examples/demo", *arguments,
                                **options)

    def test_demo_does_the_main_job_on_its_own_page(self):
        out, err = self.demo()
        self.check_main_job(out)
        self.assertIn("Nothing left behind", err)
        self.assertEqual("sandbox is off" in err, os.geteuid() == 0)
        self.assert_nothing_left()

    def test_demo_takes_an_address(self):
        out, err = self.demo(self.url)
        self.check_main_job(out)
        self.assertIn(f"The page is {self.url}", err)
        self.assert_nothing_left()

    def test_demo_explains_itself(self):
        out, _ = self.demo("--help")
        self.assertIn("Usage: examples/demo [URL]", out)
        self.demo("--what", code=2)

    def test_interrupted_demo_leaves_nothing(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            silent.settimeout(LIMIT)
            program = self.start(
                SOURCE / "examples/demo",
                f"http://127.0.0.1:{silent.getsockname()[1]}/",
                start_new_session=True,
                # Whoever runs the tests in the background ignores it.
                preexec_fn=lambda: signal.signal(signal.SIGINT,
                                                 signal.SIG_DFL))
            try:
                asks, _ = silent.accept()
                with asks:
                    os.killpg(program.pid, signal.SIGINT)
                    program.communicate(timeout=LIMIT)
            finally:
                program.kill()
                program.wait()
        self.assertEqual(program.returncode, 130)
        self.assert_nothing_left()


if __name__ == "__main__":
    unittest.main()
