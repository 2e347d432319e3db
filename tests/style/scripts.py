# SPDX-License-Identifier: Apache-2.0
"""Chromium parses every script that we put into pages."""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
BROWSER = next(filter(None, map(shutil.which, (
    "chromium", "google-chrome", "chromium-browser"))), None)
PAGE = """<!doctype html><meta charset="utf-8"><pre id="out"></pre>
<script>
const out = {};
for (const [name, text] of Object.entries(SCRIPTS)) {
    try {
        new Function(text);
        out[name] = '';
    } catch (error) {
        out[name] = String(error);
    }
}
document.getElementById('out').textContent = JSON.stringify(out);
</script>
"""


def parse_errors(scripts):
    """Name of each script to what the engine says against it, or ""."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        page = pathlib.Path(directory) / "page.html"
        text = json.dumps(scripts).replace("<", "\\u003c")
        page.write_text(PAGE.replace("SCRIPTS", text), encoding="utf-8")
        command = [BROWSER, "--headless", "--disable-gpu", "--dump-dom",
                   f"--user-data-dir={directory}/profile", page.as_uri()]
        if os.geteuid() == 0 or os.environ.get("CI"):
            command.insert(1, "--no-sandbox")
        output = subprocess.run(command, stdout=subprocess.PIPE, text=True,
                                stderr=subprocess.DEVNULL, timeout=120,
                                stdin=subprocess.DEVNULL, check=True).stdout
    match = re.search(r'<pre id="out">(.*?)</pre>', output, re.S)
    return json.loads(html.unescape(match.group(1)))


@unittest.skipUnless(BROWSER, "no Chromium found")
class Gate(unittest.TestCase):
    def test_every_script_parses_and_a_broken_one_does_not(self):
        scripts = {path.name: path.read_text(encoding="utf-8")
                   for path in sorted((SOURCE / "src").rglob("*.js"))}
        self.assertTrue(scripts)
        found = parse_errors(dict(scripts, broken="if ("))
        self.assertIn("SyntaxError", found.pop("broken"))
        self.assertEqual(found, {name: "" for name in scripts})

    def test_they_parse_as_the_one_script_that_they_become(self):
        build = (SOURCE / "src/page/meson.build").read_text(encoding="utf-8")
        listed = re.findall(r"'(\w+\.js)'", build)
        self.assertEqual(sorted(listed), sorted(
            path.name for path in (SOURCE / "src/page").glob("*.js")))
        whole = "'use strict';" + "".join(
            (SOURCE / "src/page" / name).read_text(encoding="utf-8")
            for name in listed)
        found = parse_errors({"whole": whole, "twice": whole + whole})
        self.assertEqual(found["whole"], "")
        self.assertIn("already been declared", found["twice"])


if __name__ == "__main__":
    unittest.main()
